"""What is installed: the wheel has all that a game needs, and the lock files are in step with pyproject.toml."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

import mailgm

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = {name: [Requirement(text) for text in texts] for name, texts in PROJECT["optional-dependencies"].items()}
DEPENDENCIES = [Requirement(text) for text in PROJECT["dependencies"]]


# The lock files -----------------------------------------------------------------------------------------------------


def pinned(name: str) -> dict[str, Version]:
    """The versions of a lock file, after a look at its form."""
    found = {}
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "://" not in text, f"{name} names a host"
    assert "--index" not in text
    for entry in re.split(r"\n(?=[a-z0-9])", text.partition("\n# ")[2].partition("\n")[2]):
        head = entry.partition(" ")[0].partition(";")[0]
        package, _, version = head.partition("==")
        assert version, f"{name}: {entry.splitlines()[0]} is not pinned; run `make lock`"
        assert "--hash=sha256:" in entry, f"{name}: {package} has no hash"
        found[canonicalize_name(package.partition("[")[0])] = Version(version.strip())
    return found


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("requirements.lock", [*DEPENDENCIES, *EXTRAS["demo"], *EXTRAS["build"]]),
        ("requirements-dev.lock", [*DEPENDENCIES, *(each for extra in EXTRAS.values() for each in extra)]),
    ],
)
def test_every_dependency_is_pinned_within_its_bounds(name: str, wanted: list[Requirement]) -> None:
    versions = pinned(name)
    for requirement in wanted:
        version = versions.get(canonicalize_name(requirement.name))
        assert version is not None, f"{requirement.name} is not in {name}; run `make lock`"
        assert version in requirement.specifier, f"{name} pins {requirement.name} {version}; run `make lock`"


def test_both_lock_files_pin_the_same_versions() -> None:
    run, dev = pinned("requirements.lock"), pinned("requirements-dev.lock")
    assert run.items() <= dev.items()


def test_every_dependency_has_a_lower_bound() -> None:
    for requirement in [*DEPENDENCIES, *(each for extra in EXTRAS.values() for each in extra)]:
        assert any(spec.operator == ">=" for spec in requirement.specifier), requirement.name


def test_the_version_is_the_same_everywhere() -> None:
    assert PROJECT["version"] == mailgm.__version__


# The wheel ----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    _run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)], ROOT)
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds the wheel's packages and nothing of the checkout."""
    folder = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    _run([*pip, "--target", str(folder), str(wheel)], folder)
    return folder


def _run(command: list[str], folder: Path, packages: Path | None = None) -> str:
    environment = {**os.environ, "PYTHONPATH": str(packages or ""), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_holds_every_game_and_every_template_and_no_test(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    tracked = _run(["git", "ls-files", "variants", "templates", "mailgm"], ROOT).splitlines()
    for name in tracked:
        inside = name if name.startswith("mailgm/") else f"mailgm/{name}"
        assert inside in names or not (ROOT / name).exists(), f"{name} is not in the wheel"
    assert not [name for name in names if "__pycache__" in name or name.endswith(".pyc")]
    assert {name.partition("/")[0] for name in names if ".dist-info/" not in name} == {"mailgm"}


def test_the_wheel_brings_the_licence_and_the_command(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    info = next(name for name in archive.namelist() if name.endswith("/METADATA")).removesuffix("METADATA")
    assert b"MIT License" in archive.read(f"{info}licenses/LICENSE")
    assert b"mailgm = mailgm.cli:main" in archive.read(f"{info}entry_points.txt")


def test_what_is_installed_plays_from_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    python = [sys.executable, "-m", "mailgm"]
    where = _run([sys.executable, "-c", "import mailgm; print(mailgm.__file__)"], tmp_path, installed)
    assert where.startswith(str(installed)), "the checkout was used instead"
    assert "doctor" in _run([*python, "--help"], tmp_path, installed)
    scenarios = sorted((ROOT / "tests" / "scenarios" / "dracula").glob("*.toml"))[:5]
    assert "5 of 5 scenarios hold" in _run([*python, "scenario", *map(str, scenarios)], tmp_path, installed)
    assert "dracula" in _run([*python, "variant", "list"], tmp_path, installed)
    script = "from mailgm.render import Renderer; r = Renderer(); print(r.languages, r.faults())"
    assert _run([sys.executable, "-c", script], tmp_path, installed).strip() == "['en', 'fr'] []"


def test_what_is_installed_makes_its_tables(installed: Path, tmp_path: Path) -> None:
    script = "from mailgm.store import open_database; open_database('sqlite:///a.sqlite').close()"
    _run([sys.executable, "-c", script], tmp_path, installed)
    assert (tmp_path / "a.sqlite").exists()
