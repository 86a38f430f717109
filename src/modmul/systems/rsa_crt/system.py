# SPDX-License-Identifier: Apache-2.0
"""rsa_crt: c^d mod N with the Chinese remainder theorem, blinded and checked, on two lanes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from secrets import randbelow
from typing import Self

from modmul.core import PRIME_FIELD, RUNTIME, Core, Memory, Origin, RsaKey, System, ceil_div
from modmul.systems.engine import EngineConfig, default_word, engine_core, unit
from modmul.systems.keys import examples

PUBLIC = 17
"""Bits of e where nobody says otherwise: those of 65537."""

WINDOWS = range(1, 7)

BITS = 32
"""Bits that a row takes at most."""


@dataclass(frozen=True)
class RsaCrt(EngineConfig):
    """The parameters of the program.

    Attributes:
        width: bits of N, 2 n; p and q have n.
        inner: the build of the core, n bits wide.
        blind: bits of the random numbers that blind the exponents, an even number up to n; 0 for none.
        blind_message: 1 to blind the message.
        check: 1 to check the result against e before it leaves.
        digit: bits of a digit of an exponent, 1 to 6; 0 for those with the fewest multiplications.
        public: bits of the present e; 0 stands for :data:`PUBLIC`, or n where that is less.
    """

    blind: int = field(default=-1, kw_only=True)
    blind_message: int = field(default=1, kw_only=True)
    check: int = field(default=1, kw_only=True)
    digit: int = field(default=0, kw_only=True)
    public: int = field(default=0, kw_only=True, metadata=RUNTIME)

    def __post_init__(self) -> None:
        n = self.half
        if not self.engine_word:
            object.__setattr__(self, "engine_word", default_word(self.inner))
        object.__setattr__(self, "exponent_bits", 2 * self.size)
        if self.blind == -1:
            object.__setattr__(self, "blind", min(64, n // 4 * 2))
        super().__post_init__()
        if self.width % 2:
            raise ValueError(f"width must be even, twice that of the primes, got {self.width}")
        if self.inner.width != n:
            raise ValueError(f"the core must be {n} bits wide, half of {self.width}, got {self.inner.width}")
        if PRIME_FIELD not in self.inner.fields:
            raise ValueError(f"a key has two primes, and {self.core.slug} computes in GF(2^m) alone")
        if self.core.function.only_modulus(self.inner):
            raise ValueError(f"a key has two primes, and this build of {self.core.slug} serves one modulus")
        if not 0 <= self.blind <= n or self.blind % 2:
            raise ValueError(f"blind must be an even number from 0 to {n} bits, got {self.blind}")
        if self.blind_message not in (0, 1):
            raise ValueError(f"blind_message must be 0 or 1, got {self.blind_message}")
        if self.check not in (0, 1):
            raise ValueError(f"check must be 0 or 1, got {self.check}")
        if not 0 <= self.public <= n:
            raise ValueError(f"e of {self.public} bits is longer than the {n} of a prime")
        if not self.digit:
            object.__setattr__(self, "digit", best_window(self))
        if self.digit not in WINDOWS:
            raise ValueError(f"window must be 1 to 6 bits, got {self.digit}")

    @property
    def packed(self) -> bool:
        """A long operand is one number here, below N."""
        return False

    @property
    def half(self) -> int:
        """Bits of p and of q."""
        return self.width // 2

    @property
    def size(self) -> int:
        """Bits of a number of the engine, n or more."""
        return self.longest * self.word

    @property
    def window(self) -> int:
        return self.digit

    @property
    def taken(self) -> int:
        """Bits of a digit of plain products: 2 where the blinds or the words are too short for 4."""
        return 2 if self.blind % 4 or self.word < 4 else 4

    @property
    def public_bits(self) -> int:
        """Bits of the present e."""
        return self.public or min(PUBLIC, self.half)

    @property
    def rounds(self) -> int:
        """Bits of e behind the first."""
        return self.public_bits - 1

    def own(self) -> dict[str, str]:
        engine = {name: of for name, of in super().own().items() if name != "ExponentBits"}
        return {
            "Blind": "blind",
            "BlindMessage": "blind_message",
            "Check": "check",
            "Window": "digit",
            **engine,
        }

    def at(self, modulus: int, **controls: bool) -> Self:
        at = super().at(modulus, **controls)
        return replace(at, public=modulus.e.bit_length()) if isinstance(modulus, RsaKey) else at

    def gives(self, modulus: int, lane: int) -> Mapping[str, int]:
        """Numbers of a lane; v, which blinds the message, is new in each call."""
        assert isinstance(modulus, RsaKey)
        p, q = (modulus.halves[at] for at in (lane, 1 - lane))
        domain = self.core.function.domain(self.at_core)
        v = 1 + randbelow(p - 1)
        return {
            "power": domain.enter(p, (1 << self.size) % p),
            "blind": pow(v, modulus.e, p),
            "unblind": pow(v, -1, p),
            "below": p - 1,
            "d": modulus.d % (p - 1),
            "other": q,
            "inverse": pow(q, -1, p),
            "public": modulus.e << self.size - modulus.e.bit_length(),
            "highest": p << self.size - self.half,
        }

    def text(self) -> str:
        return "\n".join((*_head(self), *_powers(self), *_together(self), *_checked(self), ""))


def best_window(config: RsaCrt) -> int:
    """The window with the fewest multiplications, at most 5, whose table is read while the squares run."""
    core = unit(config, 2)
    square = core.beats + core.latency(True)
    fitting = [window for window in WINDOWS[:5] if core.beats << window <= window * square]
    bits = config.half + config.blind
    return min(fitting or WINDOWS[:1], key=lambda w: (1 << w) + ceil_div(bits, w) * (w + 1))


# --- the program ------------------------------------------------------------------------------------
# "move a, a" waits for the products before it: no two of them overlap, so the cycles are exact on every core.


def _head(config: RsaCrt) -> list[str]:
    entries = 1 << config.window
    numbers = ["t0=one", "r2", "m", "zero=0", "top=~power", "below", "d", "q=other", "qi=~inverse"]
    numbers += ["a=~blind", "b=~unblind"] if config.blind_message else []
    numbers += ["e=public"] if config.check else []
    numbers += ["highest"] if config.size > config.half else []
    return [
        ".lanes   2",
        f".table   t {entries}",
        f".number  {' '.join(numbers)}",
        ".operand x y",
        ".long    x y s k",
        ".modulus m",
    ]


def _residue(config: RsaCrt, number: str, to: str, label: str) -> list[str]:
    """A long number below 2^(2 n) modulo p, in the domain of the core."""
    low = [f"add w, {number}.0, zero"]
    if config.size > config.half:  # which may be above 2 p, for a number has more bits than p
        low = [f"move w, {number}.0", "move r, highest"]
        low += [f"{label}: minus h, w, r, ^", "move w, h^w", "half r, r"]
        low += [f"repeat {config.size - config.half + 1}, {label}"]
    return [f"add u, {number}.1, zero", *low, "mul u, u, top", "move w, w", "mul w, w, r2", f"add {to}, u, w"]


def _bits(config: RsaCrt, count: int) -> list[str]:
    """Rows that take so many bits. Behind ``rewind`` a first row of 2 or 4 bits might take fewer."""
    most = min(BITS, config.word)
    return [
        each
        for at in range(0, count, most)
        for taken in [min(most, count - at)]
        for each in (["bits 1", f"bits {taken - 1}"] if at == 0 and taken in (2, 4) else [f"bits {taken}"])
    ]


def _powers(config: RsaCrt) -> list[str]:
    """r = c^(d + r (p - 1)) mod p, by windows."""
    window, masked = config.window, bool(config.blind_message)
    bits = config.half + config.blind
    digits = ceil_div(bits, window)
    drawn = ceil_div(config.blind, config.word)
    upper = ceil_div(max(bits - config.size, 0), config.word)  # words of the exponent's upper half
    above = config.size + upper * config.word - bits
    entries = 1 << window
    rows = [*_residue(config, "x", "c", "lower"), "mul t1, c, a" if masked else "mul t1, c, t0"]
    if config.blind:
        rows += ["plus k, zero, zero", f"rewind y, {drawn}"]
        rows += _bits(config, drawn * config.word - config.blind)
        rows += [f"draw: bits {config.taken}", "acc k, k, below"]
        rows += [f"repeat {config.blind // config.taken}, draw", "plus k, k, d"]
    if entries > 2:
        rows += ["mul t2, t1, t1", *(f"mul t{entry}, f, t1" for entry in range(3, entries))]
    rows += [f"rewind k, {upper}" if upper else "rewind k.0" if config.blind else "rewind d"]
    rows += [*_bits(config, above + (bits - 1) % window + 1), "scan v", "mul -, v, t0"]
    if digits > 1:
        rows += [f"digit: bits {window}", "scan v", *["mul -, f, f"] * window, "mul -, f, v"]
        rows += [f"repeat {digits - 1}, digit"]
    rows += ["mul -, f, b"] if masked else []
    rows += ["mul r, f, 1"]
    rows += ["move a, a", "mul a, a, a", "move b, b", "mul b, b, b"] if masked else []
    return rows


def _together(config: RsaCrt) -> list[str]:
    """s = r_q + h q, h = (r_p - r_q) / q mod p."""
    above = config.size - config.half - -config.half % config.taken  # bits of h that need not be taken
    return [
        "add u, zero, @r",
        "sub u, r, u",
        "plus s, zero, zero",  # behind the product before
        "mul h, u, qi",
        "rewind h",
        *_bits(config, max(above, 0)),
        f"join: bits {config.taken}",  # the first one takes fewer if those behind it come out even so
        "acc s, s, q",
        f"repeat {ceil_div(config.size - max(above, 0), config.taken)}, join",
        "plus s, s, @r",
    ]


def _checked(config: RsaCrt) -> list[str]:
    """s, if s^e is c modulo p, c mod p computed anew, and s the same in both lanes."""
    if not config.check:
        return ["out s"]
    return [
        *_residue(config, "s", "g", "result"),
        "mul -, g, t0",
        "rewind e",
        "bits 1",
        "jump test",
        "public: bits 1",
        "mul -, f, f",
        "mul -, f, t0!g",
        "test: loop public",
        "mul v, f, 1",
        "move v, v",
        *_residue(config, "x", "c", "anew"),
        "mul c, c, 1",
        "minus k, s, @s",
        "add c, c, k.0",
        "add c, c, k.1",
        "mul -, zero, zero",  # nothing stays in f
        "minus k, k, k",
        "equal v, c",
        "release s, k",
    ]


# --- the description --------------------------------------------------------------------------------


def compute(_config: RsaCrt, modulus: int, x: int, _y: int, _memory: Memory) -> int:
    """The private operation of a key, whatever the second operand."""
    assert isinstance(modulus, RsaKey)
    return pow(x, modulus.d, modulus)


def on(core: Core) -> Core:
    """The system on a core."""

    def explore(width: int) -> Sequence[RsaCrt]:
        """The core's default, and that with words twice as long, which cost area and save cycles."""
        inner = core.builds.at(width // 2)[0]
        found = [RsaCrt(width, inner=inner, core=core)]
        if "Word" in inner.own() and inner.word < inner.width:
            with suppress(ValueError):
                wider = inner.with_parameters({"Word": 2 * inner.word})
                found.append(RsaCrt(width, inner=wider, core=core))
        return found

    def variants(width: int) -> Sequence[RsaCrt]:
        known = explore(width)[0]
        return (
            replace(known, blind=0),
            replace(known, blind_message=0),
            replace(known, check=0),
            replace(known, blind=0, blind_message=0, check=0),
        )

    return engine_core(
        core,
        RsaCrt,
        slug="rsa_crt",
        title="RSA's private operation with the Chinese remainder theorem",
        steps="two powers of half the length, and what brings them together and checks them",
        origin=Origin(section="RSA"),
        computed=compute,
        formula=lambda _config: "x^d mod N",
    ).changed(
        controls=(),
        moduli="two primes of n/2 bits",
        examples=examples,
        operand_max=lambda _config, key: int(key),
        result_max=lambda _config, key: key - 1,
        explore=explore,
        variants=variants,
    )


SYSTEM = System(slug="rsa_crt", title="RSA with the Chinese remainder theorem, on any core", on=on)
