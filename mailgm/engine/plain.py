"""Plain data: state and notices turn into JSON values and back, and are checked to be nothing else."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Hashable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

T = TypeVar("T")

if TYPE_CHECKING:
    import functools

    worked_out = functools.cached_property

    @typing.dataclass_transform(frozen_default=True, field_specifiers=(dataclasses.field,))
    def record(cls: type[T]) -> type[T]: ...

else:

    class worked_out:
        """`functools.cached_property` without its lock, which before Python 3.12 takes as long as what is kept here."""

        def __init__(self, work: Callable[[Any], Any]) -> None:
            self._work = work
            self._name = work.__name__
            self.__doc__ = work.__doc__

        def __get__(self, owner: Any, cls: type) -> Any:
            if owner is None:
                return self
            value = owner.__dict__[self._name] = self._work(owner)
            return value

    # A game makes hundreds of them, and a frozen dataclass takes four times as long to make: that nobody changes one
    # is for the type checker to see.
    record = dataclasses.dataclass(slots=True)

_PLAIN = frozenset({str, bool, int, float})


def dump(value: Any) -> Any:
    """Turn a frozen dataclass, mapping or sequence into JSON values (dict, list, str, int, float, bool, None).

    Raises TypeError for anything else: a set, an open file, a live object.
    """
    if value is None or type(value) in _PLAIN:
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {name: dump(getattr(value, name)) for name in _field_names(type(value))}
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise TypeError(f"not plain data: the key {key!r} is not a string")
        return {key: dump(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [dump(item) for item in value]
    raise TypeError(f"not plain data: {type(value).__name__} {value!r}")


def evolve(value: T, **changes: Any) -> T:
    """The same frozen dataclass with some fields changed: `dataclasses.replace`, several times as fast without slots.

    What is `worked_out` is not taken over. A class with a `__post_init__` of its own needs `replace`.
    Raises TypeError for a field that it does not have.
    """
    cls: Any = type(value)
    number, kept = _shape(cls)
    try:
        fields = value.__dict__ | changes
    except AttributeError:
        return dataclasses.replace(value, **changes)  # type: ignore[type-var]
    if len(fields) > number:
        for name in kept:
            fields.pop(name, None)
        if len(fields) > number:
            unknown = min(fields.keys() - set(_field_names(cls)))
            raise TypeError(f"{cls.__name__} has no field {unknown!r}")
    new: T = made(cls, fields)
    return new


def made(cls: type[T], attributes: dict[str, Any]) -> T:
    """An object of a frozen dataclass without slots, with exactly these attributes: nothing is checked."""
    new = object.__new__(cls)
    object.__setattr__(new, "__dict__", attributes)
    return new


def load(cls: type[T], data: Mapping[str, Any]) -> T:
    """Rebuild a dataclass from what `dump` made; a field that an older version did not have takes its default.

    Raises ValueError where a field without a default is missing. Fields that no longer exist are left out.
    """
    loaded = {}
    for name, make in _makers(typing.cast(Hashable, cls)).items():
        if name in data:
            loaded[name] = make(data[name])
    try:
        return cls(**loaded)
    except TypeError as error:
        raise ValueError(f"{cls.__name__} cannot be rebuilt: {error}") from error


@cache
def _field_names(cls: type) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(cls))


@cache
def _shape(cls: type) -> tuple[int, tuple[str, ...]]:
    """How many fields a dataclass has, and under which names it keeps what is `worked_out`."""
    kept = {name for base in cls.__mro__ for name, value in vars(base).items() if isinstance(value, worked_out)}
    return len(_field_names(cls)), tuple(sorted(kept))


@cache
def _makers(cls: Hashable) -> dict[str, Callable[[Any], Any]]:
    assert isinstance(cls, type)
    hints = typing.get_type_hints(cls)
    return {name: _maker(hints[name]) for name in _field_names(cls)}


def _maker(hint: Any) -> Callable[[Any], Any]:
    """How a JSON value becomes what the type hint says: tuples, mappings, nested dataclasses, optional values."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if isinstance(hint, type) and dataclasses.is_dataclass(hint):
        return lambda data: load(hint, data)
    if origin is tuple:
        if len(args) == 2 and args[1] is Ellipsis:
            item = _maker(args[0])
            return lambda data: tuple(item(entry) for entry in data)
        items = [_maker(arg) for arg in args]
        return lambda data: tuple(make(entry) for make, entry in zip(items, data, strict=True))
    if origin is not None and isinstance(origin, type) and issubclass(origin, Mapping):
        value = _maker(args[1])
        return lambda data: {key: value(entry) for key, entry in data.items()}
    if origin in (typing.Union, types.UnionType):
        makers = [_maker(arg) for arg in args if arg is not type(None)]
        if len(makers) == 1:
            return lambda data: None if data is None else makers[0](data)
    return freeze


def freeze(data: Any) -> Any:
    """Lists become tuples all the way down; mappings stay mappings."""
    if type(data) in _PLAIN:
        return data
    if isinstance(data, list):
        return tuple(freeze(entry) for entry in data)
    if isinstance(data, Mapping):
        return {key: freeze(entry) for key, entry in data.items()}
    return data


def rename(data: Any, old: str, new: str) -> Any:
    """Replace the string `old` by `new` wherever it stands alone as a key or a value of JSON data."""
    if isinstance(data, str):
        return new if data == old else data
    if isinstance(data, list):
        return [rename(entry, old, new) for entry in data]
    if isinstance(data, dict):
        return {(new if key == old else key): rename(entry, old, new) for key, entry in data.items()}
    return data
