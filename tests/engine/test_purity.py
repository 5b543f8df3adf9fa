"""The kernel and the games touch nothing of the outside world (architecture §1)."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ENGINE = sorted((ROOT / "mailgm" / "engine").glob("*.py"))
VARIANTS = sorted((ROOT / "variants").rglob("*.py"))

# What a pure module may import: the language, and nothing that reads a clock, a disk, a network or global chance.
PURE = {
    "__future__", "abc", "collections", "contextlib", "dataclasses", "enum", "functools", "hashlib", "heapq", "hmac",
    "itertools", "math", "operator", "re", "string", "types", "typing", "unicodedata",
}  # fmt: skip
# A family may look for the modules of its own folder when it is loaded: one file a role.
LOADING = {"importlib", "pkgutil"}
BUILTINS = {"open", "input", "print", "exec", "eval", "__import__", "id", "hash", "globals", "breakpoint"}


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found.add(node.module or "")
    return found


def outside(path: Path) -> set[str]:
    return {
        name for name in imports(path) if name.partition(".")[0] not in PURE and not name.startswith("mailgm.engine")
    }


@pytest.mark.parametrize("path", ENGINE, ids=lambda path: path.stem)
def test_the_kernel_imports_only_itself_and_the_language(path):
    assert outside(path) == set()


@pytest.mark.parametrize("path", VARIANTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_game_imports_only_the_kernel_and_itself(path):
    assert outside(path) - LOADING == set()


@pytest.mark.parametrize("path", ENGINE + VARIANTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_nothing_reads_or_writes_and_no_module_keeps_a_state(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert called & BUILTINS == set()
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Global)]


@pytest.mark.parametrize("path", ENGINE + VARIANTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_files_stay_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


def test_importing_the_kernel_loads_nothing_of_the_shell():
    """Neither the database, nor the mail libraries, nor a clock: what is loaded stays small."""
    code = (
        "import sys, json; before = set(sys.modules); import mailgm.engine;"
        "print(json.dumps(sorted(set(sys.modules) - before)))"
    )
    loaded = json.loads(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, cwd=ROOT).stdout)
    heavy = {
        "sqlalchemy",
        "jinja2",
        "asyncio",
        "socket",
        "random",
        "datetime",
        "email",
        "rich",
        "imapclient",
        "logging",
    }
    assert not heavy & {name.partition(".")[0] for name in loaded}
    assert [name for name in loaded if name.startswith("mailgm.") and not name.startswith("mailgm.engine")] == []
    assert len(loaded) < 90


PLAY = """
import hashlib, json, sys
sys.path[:0] = ["tests/engine"]
from toys import LIBRARY, phare
from mailgm.engine import start
from mailgm.engine.bot import play
from mailgm.engine.plain import dump

names = "Ana Bob Chloé Denis Élise Farid Gaëlle Hugo Inès Jérôme Karim Léa Maël".split()
games = [phare(), start(LIBRARY.variant("dracula"), names, {"rounds": 1}, "1").game]
told = [dump(outcome.notices) for game in games for _, outcome in play(game, "1")]
print(hashlib.sha256(json.dumps(told).encode()).hexdigest())
"""


def test_the_same_game_is_played_whatever_the_hash_seed():
    """Nothing depends on the order of a set: two processes with other hash seeds say the same, byte for byte."""
    said = [
        subprocess.run(
            [sys.executable, "-c", PLAY],
            capture_output=True,
            check=True,
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed, "PYTHONUTF8": "1", "PATH": ""},
        ).stdout
        for seed in ("1", "2")
    ]
    assert said[0]
    assert said[0] == said[1]
