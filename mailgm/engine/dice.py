"""All chance of a game: labelled draws derived from its seed.

Each draw depends on the seed, its label and how often that label was drawn before, and on nothing else: a new rule that
draws under a label of its own shifts no old draw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

T = TypeVar("T")


class ForcedDraw(ValueError):
    """A forced draw that is not possible: `label` is the draw, the message says what could be drawn."""

    def __init__(self, label: str, message: str) -> None:
        super().__init__(f"{label}: {message}")
        self.label = label
        self.message = message


class Dice:
    """The draws of one step.

    seed:   the game's secret seed.
    forced: label → value, which replaces the draw (`#2` names the second draw of a label).
    drawn:  label → number of times drawn so far; grows as draws are made.
    """

    def __init__(
        self, seed: str, forced: Mapping[str, Any] | None = None, drawn: Mapping[str, int] | None = None
    ) -> None:
        self._seed = seed
        self._forced = forced or {}
        self.drawn: Mapping[str, int] = drawn or {}

    def pick(self, label: str, options: Sequence[T]) -> T:
        """Draw one of `options` (in a fixed order, not empty). Raises ForcedDraw if a forced value is none of them."""
        label = self._turn(label)
        if not options:
            raise ValueError(f"{label}: nothing to draw from")
        if label in self._forced:
            return self._checked(label, self._forced[label], options)
        return options[self._below(label, 0, len(options))]

    def sample(self, label: str, options: Sequence[T], count: int) -> tuple[T, ...]:
        """Draw `count` different places of `options`, in the order drawn. Raises ForcedDraw as `pick`."""
        label = self._turn(label)
        if label in self._forced:
            forced = self._forced[label]
            values = tuple(forced) if isinstance(forced, (list, tuple)) else (forced,)
            if len(values) != count:
                raise ForcedDraw(label, f"{len(values)} forced where {count} are drawn")
            left = list(options)
            drawn = []
            for value in values:
                drawn.append(self._checked(label, value, left))
                left.remove(drawn[-1])
            return tuple(drawn)
        return tuple(self._shuffled(label, options)[:count])

    def shuffle(self, label: str, options: Sequence[T]) -> tuple[T, ...]:
        """All `options` in a drawn order; a forced value must be a permutation of them."""
        return self.sample(label, options, len(options))

    def pairs(self, label: str, options: Sequence[T]) -> tuple[tuple[T, T], ...]:
        """Draw ordered pairs of different `options`; of an odd number one is left over.

        A forced draw is a list of pairs; whoever it does not name is left over too. Raises ForcedDraw.
        """
        label = self._turn(label)
        if label not in self._forced:
            drawn = self._shuffled(label, options)
            return tuple(zip(drawn[::2], drawn[1::2], strict=False))
        left = list(options)
        for pair in self._forced[label]:
            if not isinstance(pair, (list, tuple)) or len(pair) != 2:
                raise ForcedDraw(label, f"{pair!r} is not a pair")
            for value in pair:
                self._checked(label, value, left)
                left.remove(value)
        return tuple((one, other) for one, other in self._forced[label])

    def chance(self, label: str, percent: int) -> bool:
        """True in `percent` cases of a hundred."""
        label = self._turn(label)
        if label in self._forced:
            return self._checked(label, self._forced[label], (True, False))
        return self._below(label, 0, 100) < percent

    def text(self, label: str, digits: int) -> str:
        """A drawn string of hexadecimal digits; a forced one may be any string."""
        label = self._turn(label)
        if label in self._forced:
            return str(self._forced[label])
        return self._digest(label, 0).hex()[:digits]

    def deal(
        self, label: str, keys: Sequence[str], pool: Sequence[T], forced: Mapping[str, T] | None = None
    ) -> dict[str, T]:
        """Deal the cards of `pool` to `keys`, one each, some of them forced.

        forced: key → card, by the caller (a `[deal]` table); a forced draw under `label` adds to it. With fewer cards
        than keys, the keys that get none are drawn among those not forced; cards left over are out.
        Returns key → card for those who got one, in the order of `keys`.
        Raises ForcedDraw for a forced key or card that is not there. "@none" forces that a key gets nothing.
        """
        label = self._turn(label)
        more = self._forced.get(label, {})
        if not isinstance(more, Mapping):
            raise ForcedDraw(label, f"{more!r} is no table of who gets what")
        fixed: dict[str, T] = {**(forced or {}), **more}
        left = list(pool)
        nothing = [key for key, card in fixed.items() if card == "@none" and card not in left]
        for key, card in fixed.items():
            if key not in keys:
                raise ForcedDraw(label, f"{key} gets nothing here")
            if key in nothing:
                continue
            if card not in left:
                raise ForcedDraw(label, f"{card} is not (or no longer) among {', '.join(map(str, pool))}")
            left.remove(card)
        open_keys = [key for key in keys if key not in fixed]
        if len(left) < len(open_keys):
            chosen = set(self._shuffled(f"{label}/keys", open_keys)[: len(left)])
            open_keys = [key for key in open_keys if key in chosen]
        dealt = {**fixed, **dict(zip(open_keys, self._shuffled(label, left), strict=False))}
        return {key: dealt[key] for key in keys if key in dealt and key not in nothing}

    def each(self, label: str, pools: Mapping[str, Sequence[T]]) -> dict[str, T]:
        """Draw for each key one of its own options, whatever the others get; a forced table may name some keys.

        Raises ForcedDraw for a forced value that is not among its key's options.
        """
        label = self._turn(label)
        forced = self._forced.get(label, {})
        return {
            key: self._checked(label, forced[key], options)
            if key in forced
            else options[self._below(f"{label}/{key}", 0, len(options))]
            for key, options in pools.items()
        }

    def forces(self, label: str) -> Any:
        """The value forced for the next draw of `label`, or None; for a draw that the caller makes in several steps."""
        seen = self.drawn.get(label, 0)
        return self._forced.get(label if seen == 0 else f"{label}#{seen + 1}")

    def _turn(self, label: str) -> str:
        """Count one more draw of `label` and give it its own name: the second is `label#2`."""
        seen = self.drawn.get(label, 0) + 1
        # A new table each time: most steps draw nothing, and the game's own must not change under it.
        self.drawn = {**self.drawn, label: seen}
        return label if seen == 1 else f"{label}#{seen}"

    def _checked(self, label: str, value: Any, options: Sequence[T]) -> T:
        value = None if value == "@none" else value
        if isinstance(value, list):
            value = tuple(value)
        if value not in options:
            raise ForcedDraw(label, f"{value!r} is not among {', '.join(map(str, options))}")
        return value  # type: ignore[no-any-return]

    def _shuffled(self, label: str, options: Sequence[T]) -> list[T]:
        left = list(options)
        for place in range(len(left) - 1, 0, -1):
            other = self._below(label, place, place + 1)
            left[place], left[other] = left[other], left[place]
        return left

    def _below(self, label: str, turn: int, bound: int) -> int:
        """A number from 0 to bound - 1; 64 bits of the digest make the bias negligible."""
        return int.from_bytes(self._digest(label, turn)[:8], "big") % bound

    def _digest(self, label: str, turn: int) -> bytes:
        import hmac  # here, since OpenSSL behind it takes long to load and most commands draw nothing

        return hmac.digest(self._seed.encode(), f"{label}|{turn}".encode(), "sha256")


# A linear congruential generator (Knuth, MMIX); its high bits are good enough to play with.
_FACTOR, _MORE, _BITS = 6364136223846793005, 1442695040888963407, (1 << 64) - 1


class Stream(Dice):
    """Draws one after the other from a seed, whatever their labels: for random players, who need many and no audit."""

    def __init__(self, seed: str) -> None:
        super().__init__(seed)
        import hashlib

        self._number = int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8], "big")

    def pick(self, label: str, options: Sequence[T]) -> T:
        self._number = number = (self._number * _FACTOR + _MORE) & _BITS
        return options[(number >> 33) % len(options)]

    def sample(self, label: str, options: Sequence[T], count: int) -> tuple[T, ...]:
        return tuple(self._shuffled(label, options)[:count])

    def chance(self, label: str, percent: int) -> bool:
        self._number = number = (self._number * _FACTOR + _MORE) & _BITS
        return (number >> 33) % 100 < percent

    def _turn(self, label: str) -> str:
        return label

    def _shuffled(self, label: str, options: Sequence[T]) -> list[T]:
        left, number = list(options), self._number
        for place in range(len(left) - 1, 0, -1):
            number = (number * _FACTOR + _MORE) & _BITS
            other = (number >> 33) % (place + 1)
            left[place], left[other] = left[other], left[place]
        self._number = number
        return left

    def _below(self, label: str, turn: int, bound: int) -> int:
        self._number = number = (self._number * _FACTOR + _MORE) & _BITS
        return (number >> 33) % bound


def commitment(seed: str) -> str:
    """The SHA-256 of a seed in lower-case hexadecimal: published at the start, so that the end can be checked."""
    import hashlib

    return hashlib.sha256(seed.encode()).hexdigest()
