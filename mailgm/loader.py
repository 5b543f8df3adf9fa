"""Finds the folders of games on disk and makes Variant objects of them for the kernel.

A folder holds `variant.toml` and `rules.py`, which defines `variant(spec)`. Presets stand in its `presets/` folder.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from traceback import walk_tb
from typing import Any

from mailgm.engine.model import SetupError
from mailgm.engine.said import say
from mailgm.engine.variant import Spec, Variant
from mailgm.shipped import shipped


class UnknownVariant(LookupError):
    """No game of that id; the message lists those that there are."""


@dataclass(frozen=True, slots=True)
class Preset:
    """A game as people choose it: a variant, with the options that a preset sets."""

    id: str
    variant: Variant[Any]
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def title(self) -> Mapping[str, str]:
        """The title by language."""
        title = self.variant.spec.presets.get(self.id, {}).get("title", self.variant.spec.title)
        return {"fr": title, "en": title} if isinstance(title, str) else title


class Library:
    """All games: those of the user's own folders first, then the shipped ones."""

    def __init__(self, variants_path: Sequence[Path | str] = ()) -> None:
        self._folders = [Path(folder) for folder in variants_path] + [shipped("variants")]
        self._loaded: dict[Path, Variant[Any]] = {}

    def ids(self) -> list[str]:
        """The ids of all variants, sorted."""
        return sorted({folder.name for root in self._folders for folder in _variant_folders(root)})

    def variant(self, name: str) -> Variant[Any]:
        """The variant of that id. Raises UnknownVariant; SetupError for a folder that is not as it should be."""
        for root in self._folders:
            if (root / name / "variant.toml").is_file():
                return self._load(root / name)
        raise UnknownVariant(
            say("there is no game {name!r}; there are {names}", name=name, names=", ".join(self.ids()))
        )

    def preset(self, name: str) -> Preset:
        """A variant's or a preset's id, as a game's settings or a scenario name it. Raises as `variant`."""
        for root in self._folders:
            if (root / name / "variant.toml").is_file():
                return Preset(name, self._load(root / name))
        for root in self._folders:
            for file in sorted(root.glob(f"*/presets/{name}.toml")):
                return Preset(name, self.variant(file.parent.parent.name), {"preset": name})
        raise UnknownVariant(
            say("there is no game {name!r}; there are {names}", name=name, names=", ".join(self.ids() + self.presets()))
        )

    def composed(self, file: Path, variant: str = "") -> Preset:
        """A game that somebody has composed in a TOML file of the form of a preset, wherever it stands.

        variant: whose preset it is; "" finds out: the folder above `presets/`, else the only game that has presets.
        What the file does not set is as in the preset that its key `preset` names, else as in "custom".
        Raises OSError, UnknownVariant; SetupError for a file that is not TOML.
        """
        with file.open("rb") as opened:
            try:
                data = tomllib.load(opened)
            except tomllib.TOMLDecodeError as error:
                raise SetupError(str(file), say("is not TOML: {error}", error=error)) from error
        made = self.variant(variant or self._family(file.resolve()))
        return Preset(made.id, made, {"preset": "custom", **data})

    def _family(self, file: Path) -> str:
        if file.parent.name == "presets" and file.parent.parent.name in self.ids():
            return file.parent.parent.name
        families = [name for name in self.ids() if self.variant(name).spec.presets]
        if len(families) != 1:
            raise UnknownVariant(say("say whose preset it is; games with presets: {names}", names=", ".join(families)))
        return families[0]

    def presets(self) -> list[str]:
        """The ids of all presets, sorted."""
        return sorted({file.stem for root in self._folders for file in root.glob("*/presets/*.toml")})

    def _load(self, folder: Path) -> Variant[Any]:
        folder = folder.resolve()
        if folder not in self._loaded:
            self._loaded[folder] = load_variant(folder, preset_folders=self._preset_folders(folder.name))
        return self._loaded[folder]

    def _preset_folders(self, name: str) -> list[Path]:
        return [root / name / "presets" for root in self._folders]


def _place(error: Exception, folder: Path) -> tuple[str, int]:
    """The file of a variant's folder in which an error arose, and the line, 0 where it is not known."""
    if isinstance(error, SyntaxError) and error.filename:
        return error.filename, 0  # its text names the line
    places = ((frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__))
    inside = [(file, line) for file, line in places if Path(file).is_relative_to(folder)]
    return inside[-1] if inside else (str(folder / "rules.py"), 0)


def load_variant(folder: Path, preset_folders: Sequence[Path] = ()) -> Variant[Any]:
    """Load one variant folder. Presets are read here and handed to the rules as `spec.presets`: id → options.

    Raises SetupError, whose key is the file at fault.
    """
    presets: dict[str, Any] = {}
    for presets_folder in reversed(list(preset_folders) or [folder / "presets"]):
        for file_path in sorted(presets_folder.glob("*.toml")):
            presets[file_path.stem] = _toml(file_path)
    spec = Spec(_toml(folder / "variant.toml"), presets)
    try:
        made: Variant[Any] = _import(folder).variant(spec)
    except (ImportError, SyntaxError, NameError, AttributeError, TypeError) as error:
        file, line = _place(error, folder)
        where = say("{error} (line {line})", error=error, line=line) if line else error
        raise SetupError(file, say("cannot be loaded: {error}", error=where)) from error
    return made


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SetupError(str(path), say("is not TOML: {error}", error=error)) from error


def _variant_folders(root: Path) -> Iterator[Path]:
    if root.is_dir():
        yield from (folder for folder in sorted(root.iterdir()) if (folder / "variant.toml").is_file())


def _import(folder: Path) -> Any:
    """Import a variant's folder as a package, so that its files can import one another.

    Another folder of the same name that is loaded already keeps its package: games of both may be in use.
    """
    base = name = "mailgm_variants_" + folder.name.replace("-", "_")
    number = 1
    while name in sys.modules and list(sys.modules[name].__path__) != [str(folder)]:
        number += 1
        name = f"{base}_{number}"
    if name not in sys.modules:
        sys.modules[name] = importlib.util.module_from_spec(_package_spec(name, folder))
    return importlib.import_module(f"{name}.rules")


def _package_spec(name: str, folder: Path) -> Any:
    spec = importlib.util.spec_from_loader(name, loader=None, is_package=True)
    assert spec is not None
    spec.submodule_search_locations = [str(folder)]
    return spec
