"""Checks the types of mailgm and of every game; a game is checked as the package that the loader makes of it."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    """Run mypy; gives its exit status."""
    packages = ["mailgm"]
    with tempfile.TemporaryDirectory() as folder:
        for rules in sorted((ROOT / "variants").glob("*/rules.py")):
            package = "mailgm_variants_" + rules.parent.name.replace("-", "_")
            (Path(folder) / package).symlink_to(rules.parent, target_is_directory=True)
            packages.append(package)
        named = [word for package in packages for word in ("-p", package)]
        return subprocess.run(
            [sys.executable, "-m", "mypy", *named], cwd=ROOT, env={**os.environ, "MYPYPATH": folder}
        ).returncode


if __name__ == "__main__":
    sys.exit(main())
