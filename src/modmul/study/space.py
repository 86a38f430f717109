# SPDX-License-Identifier: Apache-2.0
"""The builds that a search may try: values of a core's parameters, and which of their combinations are legal.

What is legal the room's configuration says, by refusing the rest with ``ValueError``. Values worth trying
are those that the room names (``Builds.values``) and those of its builds; where it names none of a parameter,
all of :data:`ASKED` that the configuration accepts in one of the core's builds.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from math import prod
from random import Random

from modmul.chips import Chip
from modmul.core import Config
from modmul.room import Build, Room, SystemRoom

__all__ = ["ASKED", "Point", "Space", "space"]

ASKED = (*range(65), *(1 << power for power in range(7, 11)))
"""The values that a configuration is asked for."""

LISTED = 5000
"""Combinations of values up to which all of them are looked at before the search."""

DRAWN = 2000
"""Random combinations that are tried before a space without a list counts as used up."""

MODULUS = "Modulus"

Point = dict[str, int]
"""Values of the parameters that vary."""


@dataclass(frozen=True)
class Space:
    """Values of the parameters of a core.

    Attributes:
        room: the core.
        default: its default build, whether it is among those of the space or not.
        modulus: what each build has to serve.
        values: the parameters that vary, and the values of each, ascending; two at least.
        fixed: the value of every other parameter.
        starts: builds of the space to begin with: the default, if it is one, and others that are known.
        unreduced: whether results may be above M-1.
    """

    room: Room
    default: Build
    modulus: int
    values: Mapping[str, Sequence[int]]
    fixed: Mapping[str, int]
    starts: tuple[Build, ...] = ()
    unreduced: bool = False

    @property
    def combinations(self) -> int:
        """How many combinations of the values there are, legal or not."""
        return prod(map(len, self.values.values()))

    def build(self, values: Mapping[str, int]) -> Build:
        """The build with these values of the parameters that vary.

        Raises:
            ValueError: the combination is illegal, does not serve the modulus, or has results above M-1 where
                these are not wanted; with the reason.
        """
        build = self.room.of(self.default.config.with_parameters({**self.fixed, **values}))
        build.check(self.modulus)
        if not self.unreduced and not build.reduced(self.modulus):
            raise ValueError("results may be above M-1; --unreduced lets such builds in")
        return build

    def point(self, build: Build) -> Point:
        """The values of a build of the space."""
        options = build.config.options()
        return {name: options[name] for name in self.values}

    def has(self, build: Build) -> bool:
        """Whether a build is one of the space."""
        options = build.config.options()
        with suppress(ValueError):
            return self.build(self.point(build)) == build and all(
                options[name] in values for name, values in self.values.items()
            )
        return False

    @cached_property
    def legal(self) -> Mapping[Build, Point] | None:
        """Every build and its values, those of :attr:`starts` first; ``None`` where these are too many."""
        if self.combinations > LISTED:
            return None
        found = {build: self.point(build) for build in self.starts}
        for values in product(*self.values.values()):
            point = dict(zip(self.values, values, strict=True))
            with suppress(ValueError):
                found.setdefault(self.build(point), point)
        return found

    def unseen(self, seen: Container[Build], rng: Random) -> Point | None:
        """Values of a random build that is not among those; ``None`` where none is found."""
        if self.legal is not None:
            left = [point for build, point in self.legal.items() if build not in seen]
            return rng.choice(left) if left else None
        for _ in range(DRAWN):
            point = {name: rng.choice(values) for name, values in self.values.items()}
            with suppress(ValueError):
                if self.build(point) not in seen:
                    return point
        return None

    @property
    def trimmed(self) -> Space:
        """The same without values that are in no legal build.

        Raises:
            ValueError: there is no legal build, with the reason of one that is not.
        """
        if self.legal is None:
            return self
        if not self.legal:
            self.build({name: values[0] for name, values in self.values.items()})
        options = [build.config.options() for build in self.legal]
        kept = {
            name: tuple(v for v in values if any(each[name] == v for each in options)) or tuple(values)
            for name, values in self.values.items()
        }
        lone = {name: values[0] for name, values in kept.items() if len(values) == 1}
        return replace(
            self,
            values={name: values for name, values in kept.items() if name not in lone},
            fixed={**self.fixed, **lone},
        )


def space(
    room: Room,
    width: int,
    chip: Chip,
    modulus: int | None = None,
    *,
    fixed: Mapping[str, int] | None = None,
    ranges: Mapping[str, Sequence[int]] | None = None,
    known: Iterable[Build] = (),
    unreduced: bool = False,
) -> Space:
    """The space of a core at a width on a chip family.

    Args:
        modulus: what each build is to serve; ``None`` for one of full length that the default build serves.
        fixed: parameters that do not vary.
        ranges: the values of parameters that are not to be the usual ones.
        known: further builds to begin with, where they are of the space.
        unreduced: whether results may be above M-1; they may anyhow where those of the default build are.

    Raises:
        ValueError: there is no build of this width or for this modulus, no such parameter, one is both fixed
            and to vary, no combination is legal, or there is nothing to vary.
    """
    if isinstance(room, SystemRoom):
        raise ValueError(
            f"{room.core.slug} is a system, and only cores are explored: "
            f"'modmul explore {room.inner.core.slug}'"
        )
    builds = room.core.builds
    usual = room.fitting(width, modulus, chip.name)
    default = usual[0]
    served = default.core.function.some_modulus(default.config) if modulus is None else modulus
    chosen, given = dict(fixed or {}), {name: tuple(values) for name, values in (ranges or {}).items()}
    options = default.config.options()
    for name in (*chosen, *given):
        if name not in options:
            raise ValueError(
                f"{room.core.slug} has no parameter {name!r}; it has {', '.join(options) or 'none'}"
            )
    for name in given:
        if name in chosen:
            raise ValueError(f"{name} is fixed with --set and varied with --range; give one of them")
    starts = dict.fromkeys((*usual, *map(room.of, (*builds.all(width), *builds.variants(width))), *known))
    bases = [build.config for build in starts]
    named = builds.values(width) if builds.values else {}
    values: dict[str, tuple[int, ...]] = {}
    for name, value in options.items():
        if name in chosen:
            values[name] = (chosen[name],)
        elif name in given:
            values[name] = given[name]
        elif name == MODULUS:
            values[name] = tuple(dict.fromkeys(build.config.options()[name] for build in usual))
            if modulus is None:
                values[name] = (value,)
        else:
            found = named.get(name) or _accepted(bases, name, chosen)
            values[name] = tuple(sorted({*found, *_of(starts, name, served)}))
    lone = {name: found[0] for name, found in values.items() if len(found) == 1}
    whole = Space(
        room,
        default,
        served,
        {name: found for name, found in values.items() if name not in lone},
        lone,
        unreduced=unreduced or not default.reduced(served),
    )
    within = replace(whole, starts=tuple(_within(whole, starts))).trimmed
    if not within.values:
        what = "all its parameters are fixed" if options else "it has none"
        if any(len(found) > 1 for found in values.values()):
            what = "one combination alone is legal"
        raise ValueError(f"{room.core.slug} has no parameter to vary: {what}; 'modmul measure' measures it")
    if within.legal is None and not within.starts and within.unseen((), Random(0)) is None:
        within.build({name: found[0] for name, found in within.values.items()})
        raise ValueError("no legal combination was found in these ranges; widen them")
    return within


def _accepted(bases: Sequence[Config], name: str, chosen: Mapping[str, int]) -> Iterator[int]:
    """The values of a parameter that are legal in one of some builds, with others fixed."""
    for value in ASKED:
        for config in bases:
            with suppress(ValueError):
                config.with_parameters({**chosen, name: value})
                yield value
                break


def _of(builds: Iterable[Build], name: str, modulus: int) -> Iterator[int]:
    """The values of a parameter in builds that serve a modulus."""
    for build in builds:
        if build.core.function.serves(build.config, modulus):
            yield build.config.options()[name]


def _within(whole: Space, builds: Iterable[Build]) -> Iterator[Build]:
    """Builds as the space has them: with its fixed values; each once, without those that it does not have."""
    seen = set()
    for build in builds:
        with suppress(ValueError):
            fixed = whole.room.of(build.config.with_parameters(dict(whole.fixed)))
            if fixed not in seen and whole.has(fixed):
                seen.add(fixed)
                yield fixed
