# SPDX-License-Identifier: Apache-2.0
"""What the ports of a build carry: how many beats, in what time, and which contexts are legal.

All of it is asked of the build's description, so that a proof compares the hardware with what ``core.py``
says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from random import Random

from modmul.core import BINARY_FIELD, PRIME_FIELD, Config, Core, Polynomial, ScalableConfig
from modmul.room import Build

__all__ = ["RULES", "Ports", "Shape", "ports_of"]

RULES = ("odd", "nonzero", "full")
"""What the hardware may ask of a modulus: that it is odd, not 0, or that its top bit is set."""

PARTLY = {"fmlm3": ("nonzero", "transform")}
"""Cores that ask for less than Python does (docs/contract.md, the table of errors): the rule, and the field
of the
configuration with the beats that the modulus has in a context, zeros above the operand included."""

ENUMERATED = 8
"""Bits of the longest modulus of which all are tried to find the rule; of longer ones some are."""


@dataclass(frozen=True)
class Shape:
    """What one kind of context makes of the ports.

    Attributes:
        header: the beats that a context of this kind begins with; none where there is one kind only.
        context: beats of a context.
        operand: beats of an operand, and of a result.
        latency: for each setting of the controls, in their order, the latency of an operation alone.
    """

    header: tuple[int, ...]
    context: int
    operand: int
    latency: Mapping[tuple[bool, ...], int]


@dataclass(frozen=True)
class Ports:
    """What the ports of a build carry.

    Attributes:
        shapes: a kind of context each.
        modulus: the beat of a context at which the modulus begins.
        rule: one of :data:`RULES`, or ``"one"``: only ``beats`` are served.
        beats: the beats of that modulus.
        length: the beats that the modulus has in a context, where it is not an operand's.
    """

    shapes: tuple[Shape, ...]
    modulus: int
    rule: str
    beats: tuple[int, ...] = ()
    length: int = 0


def ports_of(build: Build) -> Ports:
    """What the ports of a build carry.

    Raises:
        ValueError: contexts with one header differ in more than numbers, or no rule tells the moduli that it
            serves from others.
    """
    core, config = build.core, build.config
    moduli = list(_moduli(core, config))
    header = _header(core, config, moduli) if isinstance(config, ScalableConfig) else 0
    found: dict[tuple[int, ...], Shape] = {}
    for modulus in moduli:
        shape = _shape(core, config, modulus, header)
        if found.setdefault(shape.header, shape) != shape:
            raise ValueError(f"{build}: contexts that begin with {shape.header} are of different shapes")
    places = [
        _places(core, config, m, header) for m in moduli if PRIME_FIELD not in config.fields or _plain(m)
    ]
    place = min(set.intersection(*places))
    only = core.function.only_modulus(config)
    if only is not None:
        return Ports(tuple(found.values()), place, "one", tuple(_beats(config, only)))
    if core.slug in PARTLY:
        rule, length = PARTLY[core.slug]
        return Ports(tuple(found.values()), place, rule, length=getattr(config, length))
    return Ports(tuple(found.values()), place, _rule(build))


def _moduli(core: Core, config: Config) -> Iterator[int]:
    """Moduli of every length and field that a build serves, some of each."""
    if not isinstance(config, ScalableConfig):
        only = core.function.only_modulus(config)
        yield core.function.some_modulus(config) if only is None else only
        return
    rng = Random(0)
    for field, length, _ in product(config.fields, range(1, config.width + 1), range(4)):
        value = rng.getrandbits(length) | 1 << (length - 1) | 1
        modulus = Polynomial(2 * value | 1) if field == BINARY_FIELD else value
        if core.function.serves(config, modulus):
            yield modulus


def _header(core: Core, config: Config, moduli: Sequence[int]) -> int:
    """With how many beats contexts begin that tell of the modulus no more than its length and field."""
    groups: dict[Config, set[tuple[int, ...]]] = {}
    for modulus in moduli:
        at = config.at(modulus)
        groups.setdefault(at, set()).add(tuple(core.interface.context(at, modulus)))
    return min(
        next(i for i, beats in enumerate(zip(*contexts, strict=True)) if len(set(beats)) > 1)
        for contexts in groups.values()
        if len(contexts) > 1
    )


def _shape(core: Core, config: Config, modulus: int, header: int) -> Shape:
    at, names = config.at(modulus), [control.field for control in core.interface.controls]
    beats = tuple(core.interface.context(at, modulus))
    latency = {
        values: core.interface.latency(config.at(modulus, **dict(zip(names, values, strict=True))))
        for values in product((False, True), repeat=len(names))
    }
    return Shape(beats[:header], len(beats), at.beats, latency)


def _plain(modulus: int) -> bool:
    return not isinstance(modulus, Polynomial)


def _beats(config: Config, modulus: int) -> list[int]:
    """The beats of a modulus; of a polynomial without its top bit, which is not an operand's."""
    return config.split(modulus ^ (1 << modulus.degree) if isinstance(modulus, Polynomial) else modulus)


def _places(core: Core, config: Config, modulus: int, header: int) -> set[int]:
    """Where in a context, behind the header, the beats of the modulus stand."""
    at = config.at(modulus)
    beats, own = list(core.interface.context(at, modulus)), _beats(at, modulus)
    return {i for i in range(header, len(beats)) if beats[i : i + len(own)] == own}


def _rule(build: Build) -> str:
    """The rule that lets through what the build serves.

    Raises:
        ValueError: none does.
    """
    config, function = build.config, build.core.function
    width = config.width
    rng = Random(0)
    some = {0, 1, 2, 3, (1 << width) - 1, (1 << width) - 2, 1 << (width - 1)}
    tried = (
        range(1 << width) if width <= ENUMERATED else [*some, *(rng.getrandbits(width) for _ in range(50))]
    )
    plain = PRIME_FIELD in config.fields
    served = {m: function.serves(config, m if plain else Polynomial(1 << width | m)) for m in tried}
    for rule in RULES:
        if all(_asked(rule, m, width) == there for m, there in served.items()):
            return rule
    raise ValueError(f"{build}: no rule lets through the moduli that it serves")


def _asked(rule: str, modulus: int, width: int) -> bool:
    """Whether a rule lets a modulus through."""
    return {"odd": modulus & 1 == 1, "nonzero": modulus != 0, "full": modulus >> (width - 1) == 1}[rule]
