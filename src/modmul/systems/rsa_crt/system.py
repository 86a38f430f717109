# SPDX-License-Identifier: Apache-2.0
"""rsa_crt: c^d mod N with the Chinese remainder theorem, blinded and checked, a lane for each prime."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

from modmul.core import PRIME_FIELD, RUNTIME, Core, Memory, Origin, RsaKey, System, ceil_div, chance
from modmul.systems.contexts import times
from modmul.systems.describing import engine_core
from modmul.systems.engine import EngineConfig, default_word, moduli, unit
from modmul.systems.keys import examples
from modmul.systems.rows import DIGITS

PUBLIC = 17
"""Bits of e where nobody says otherwise: those of 65537."""

WINDOWS = range(1, 7)

PRIMES = (2, 3, 4)
"""How many a key may have."""

BITS = 32
"""Bits that a row takes at most."""


@dataclass(frozen=True)
class RsaCrt(EngineConfig):
    """The parameters of the program.

    Attributes:
        width: bits of N at most, those of its primes together; each has n, unless it may be shorter.
        inner: the build of the core, n bits wide.
        primes: how many there are, 2 to 4.
        shorter: bits by which a prime may be shorter than n; an odd multiple of n bits stands in its lane.
        blind: bits of the random numbers that blind the exponents, an even number up to n; 0 for none.
        blind_message: 1 to blind the message.
        check: 1 to check the result against e before it leaves.
        digit: bits of a digit of an exponent, 1 to 6; 0 for those with the fewest multiplications.
        public: bits of the present e; 0 stands for :data:`PUBLIC`, or n where that is less.
    """

    primes: int = field(default=2, kw_only=True)
    shorter: int = field(default=0, kw_only=True)
    blind: int = field(default=-1, kw_only=True)
    blind_message: int = field(default=1, kw_only=True)
    check: int = field(default=1, kw_only=True)
    digit: int = field(default=0, kw_only=True)
    public: int = field(default=0, kw_only=True, metadata=RUNTIME)

    def __post_init__(self) -> None:
        if self.primes not in PRIMES:
            raise ValueError(f"primes must be 2, 3 or 4, got {self.primes}")
        n = self.half
        if not self.engine_word:
            object.__setattr__(self, "engine_word", default_word(self.inner))
        object.__setattr__(self, "exponent_bits", self.primes * self.size)
        if self.blind == -1:
            object.__setattr__(self, "blind", min(64, n // 4 * 2))
        super().__post_init__()
        check_width(self.width, self.primes)
        if self.inner.width != n:
            part = {2: "half", 3: "a third", 4: "a quarter"}[self.primes]
            raise ValueError(
                f"the core must be {n} bits wide, {part} of {self.width}, got {self.inner.width}"
            )
        if not 0 <= self.shorter <= n - 2:
            raise ValueError(f"shorter must be 0 to {n - 2} bits, got {self.shorter}")
        if PRIME_FIELD not in self.inner.fields:
            raise ValueError(f"a key has several primes, and {self.core.slug} computes in GF(2^m) alone")
        if self.core.function.only_modulus(self.inner):
            raise ValueError(
                f"a key has several primes, and this build of {self.core.slug} serves one modulus"
            )
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
    def reduces(self) -> bool:
        return True

    @cached_property
    def above(self) -> int:
        """What sums are reduced by, as a multiple of a lane's modulus: 1, or more if results are lazy."""
        prime = (1 << self.half) - 1
        return times(self.core, self.inner.at(prime), prime)

    @property
    def most(self) -> int:
        """What results of the core are below, as a multiple of a prime."""
        return self.above * ((2 << self.shorter) - 1)

    @property
    def half(self) -> int:
        """Bits of the modulus of each lane."""
        return self.width // self.primes

    @property
    def size(self) -> int:
        """Bits of a number of the engine, n or more."""
        return self.longest * self.word

    @property
    def window(self) -> int:
        return self.digit

    @property
    def taken(self) -> int:
        """Bits of a digit of plain products: 8, or fewer where blinds or words are too short for it."""
        return next(bits for bits in reversed(DIGITS) if bits <= self.word and self.blind % bits == 0)

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
            "Primes": "primes",
            "Shorter": "shorter",
            "Blind": "blind",
            "BlindMessage": "blind_message",
            "Check": "check",
            "Window": "digit",
            **engine,
        }

    def with_parameters(self, values: Mapping[str, int]) -> Self:
        """With another number of primes, the core is the default one of their width."""
        primes = values.get("Primes", self.primes)
        if primes == self.primes or primes not in PRIMES:
            return super().with_parameters(values)
        check_width(self.width, primes)
        inner = self.core.builds.at(self.width // primes)[0]
        made = replace(self, primes=primes, inner=inner, engine_word=0, blind=-1, digit=0)
        return made.with_parameters(values)

    def at(self, modulus: int, **controls: bool) -> Self:
        at = super().at(modulus, **controls)
        return replace(at, public=modulus.e.bit_length()) if isinstance(modulus, RsaKey) else at

    def gives(self, modulus: int, lane: int) -> Mapping[str, int]:
        """Numbers of a lane; v, which blinds the message, is new in each call."""
        assert isinstance(modulus, RsaKey)
        p, m = modulus.primes[lane], moduli(self, modulus)[lane]
        others = modulus // p
        domain = self.core.function.domain(self.at_core)
        v = chance().randrange(1, p)
        powers = {
            f"power{part}": domain.enter(m, (1 << part * self.size) % m) for part in range(1, self.primes)
        }
        return {
            **powers,
            "blind": pow(v, modulus.e, p),
            "unblind": pow(v, -1, p),
            "below": p - 1,
            "d": modulus.d % (p - 1),
            "others": others,
            "inverse": pow(others, -1, p),
            "whole": int(modulus),
            "public": modulus.e << self.size - modulus.e.bit_length(),
            "highest": m << self.size - self.half,
            "higher": p << max((self.above * (m // p) - 1).bit_length() - 1, 0),
            "prime": p,
        }

    def text(self) -> str:
        return "\n".join((*_head(self), *_powers(self), *_together(self), *_checked(self), ""))


def check_width(width: int, primes: int) -> None:
    """Raise ValueError unless so many lanes of the same width have so many bits together."""
    if width % primes:
        times = {2: "even, twice", 3: "three times", 4: "four times"}[primes]
        raise ValueError(f"width must be {times} that of the primes, got {width}")


def best_window(config: RsaCrt) -> int:
    """The window with the fewest multiplications, at most 5, whose table is read while the squares run."""
    core = unit(config, 2)
    square = core.beats + core.stream.latency(True)
    fitting = [window for window in WINDOWS[:5] if core.beats << window <= window * square]
    bits = config.half + config.blind
    return min(fitting or WINDOWS[:1], key=lambda w: (1 << w) + ceil_div(bits, w) * (w + 1))


# --- the program ------------------------------------------------------------------------------------
# "move a, a" waits for the products before it: no two of them overlap, so the cycles are exact on every core.
# On a core with lazy results, sums are those modulo a multiple of p; for a prime of fewer bits than n, all is
# modulo an odd multiple. What is compared, or goes into a long number, is reduced before.


def _head(config: RsaCrt) -> list[str]:
    entries = 1 << config.window
    powers = [f"top{part}=~power{part}" for part in range(1, config.primes)]
    numbers = ["t0=one", "r2", "m", "zero=0", *powers, "below", "d", "q=others", "qi=~inverse"]
    numbers += ["n=whole"] if config.primes > 2 else []
    numbers += ["a=~blind", "b=~unblind"] if config.blind_message else []
    numbers += ["e=public"] if config.check else []
    numbers += ["highest"] if config.size > config.half else []
    numbers += ["higher"] if config.most > 1 else []
    numbers += ["prime"] if config.shorter else []
    return [
        f".lanes   {config.primes}",
        f".table   t {entries}",
        f".number  {' '.join(numbers)}",
        ".operand x y",
        f".long    x y s k{' q n' if config.primes > 2 else ''}",
        ".modulus m",
    ]


def _residue(config: RsaCrt, number: str, to: str, label: str) -> list[str]:
    """A long number below 2^(n primes) modulo p, in the domain of the core."""
    top = config.primes - 1
    rows = [f"add u, {number}.{top}, zero"]
    for part in reversed(range(top)):
        if config.size == config.half:
            rows += [f"add w, {number}.{part}, zero"]
        else:  # it may be above what sums are reduced by, for a number has more bits than p
            rows += [f"move w, {number}.{part}", "move r, highest"]
            steps = config.size - config.half + 2 - config.above.bit_length()
            rows += _less("w", "r", "h", steps, f"{label}{part}")
        rows += [f"mul u, u, top{top}"] if part == top - 1 else []
        rows += ["move w, w", f"mul w, w, {f'top{part}' if part else 'r2'}"]
        rows += [f"add {'u' if part else to}, u, w"]
    return rows


def _less(number: str, power: str, less: str, steps: int, label: str, last: str = "") -> list[str]:
    """A number less p times a power of two, half of it in each step, unless that is more than the number.

    Args:
        last: a register that holds p, to stay with p where the steps of a lane are too many; empty: none.
    """
    return [
        f"{label}: minus {less}, {number}, {power}, ^",
        f"move {number}, {less}^{number}",
        f"half {power}, {power}",
        *((f"minus {less}, {power}, {last}, ^", f"move {power}, {power}^{last}") if last else ()),
        f"repeat {steps}, {label}",
    ]


def _reduced(config: RsaCrt, number: str) -> list[str]:
    """A result of the core, below p."""
    if config.most == 1:
        return []
    steps, last = (config.most - 1).bit_length(), "prime" if config.shorter else ""
    return ["move w, higher", *_less(number, "w", "u", steps, f"lower_{number}", last)]


def _bits(config: RsaCrt, count: int) -> list[str]:
    """Rows that take so many bits. Behind ``rewind`` a first row of 2, 4 or 8 bits might take fewer."""
    most = min(BITS, config.word)
    return [
        each
        for at in range(0, count, most)
        for taken in [min(most, count - at)]
        for each in (
            ["bits 1", f"bits {taken - 1}"] if at == 0 and taken in DIGITS[1:] else [f"bits {taken}"]
        )
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
    rows = [f";; {_parts_of_c(config)}", *_residue(config, "x", "c", "lower")]
    rows += [";; C = C * A mod p, A = v^e", "mul t1, c, a"] if masked else ["mul t1, c, t0"]
    if config.blind:
        rows += [f";; E = d_p + r·(p − 1), {config.taken} bits of r a pass"]
        rows += ["plus k, zero, zero", f"rewind y, {drawn}"]
        rows += _bits(config, drawn * config.word - config.blind)
        rows += [f"draw: bits {config.taken}", "acc k, k, below"]
        rows += [f"repeat {config.blind // config.taken}, draw", "plus k, k, d"]
    if entries > 2:
        rows += [";; the table, powers of C", "mul t2, t1, t1"]
        rows += [f"mul t{entry}, f, t1" for entry in range(3, entries)]
    rows += [";; r_p = C ^ E mod p by windows, the table read beside the squares"]
    rows += [f"rewind k.1, {upper}" if upper else "rewind k.0" if config.blind else "rewind d"]
    rows += [*_bits(config, above + (bits - 1) % window + 1), "scan v", "mul -, v, t0"]
    if digits > 1:
        rows += [f"digit: bits {window}", "scan v", *["mul -, f, f"] * window, "mul -, f, v"]
        rows += [f"repeat {digits - 1}, digit"]
    rows += [";; r_p = r_p * B mod p, B = v^−1", "mul -, f, b"] if masked else []
    rows += ["mul r, f, 1"]
    rows += _reduced(config, "r") if config.primes == 2 else []  # of more it is a factor alone
    if masked:
        rows += [";; A = A * A, B = B * B for the next operation"]
        rows += ["move a, a", "mul a, a, a", "move b, b", "mul b, b, b"]
    return rows


def _parts_of_c(config: RsaCrt) -> str:
    """How c is reduced, part by part."""
    parts = " + ".join(f"c{'₀₁₂₃'[part]} * T{('', '', '²', '³')[part]}" for part in range(1, config.primes))
    return f"C = c₀ + {parts} mod p, T = 2^n mod p; each part is below 2 p, and reduced by a sum"


def _together(config: RsaCrt) -> list[str]:
    """s, which is r modulo each of the primes.

    Of two: s = r_q + h q, h = (r_p - r_q) / q mod p. Of more: the sum of all lanes' h N/p modulo N,
    h = r / (N/p) mod p.
    """
    above = config.size - config.half - -config.half % config.taken  # bits of h that need not be taken
    two = config.primes == 2
    # It waits until words of the product before have come: bits of h begin with the last one.
    cleared = ["plus s, zero, zero"]
    reduced = _reduced(config, "h")
    joined = (
        "s = r_q + h·q, {} bits of h a pass; both lanes find the same s, for there is one below N"
        if two
        else "s = h·(N/p), {} bits of h a pass"
    )
    return [
        f";; h = {'(r_p − r_q) / q mod p; r_q comes from the other lane' if two else 'r_p / (N/p) mod p'}",
        *(["add u, zero, @r", "sub u, r, u"] if two else []),
        *(cleared if reduced else []),
        f"mul h, {'u' if two else 'r'}, qi",
        *(reduced or cleared),
        f";; {joined.format(config.taken)}",
        "rewind h",
        *_bits(config, max(above, 0)),
        f"join: bits {config.taken}",  # the first one takes fewer if those behind it come out even so
        "acc s, s, q",
        f"repeat {ceil_div(config.size - max(above, 0), config.taken)}, join",
        *(["plus s, s, @r"] if two else _added(config.primes)),
    ]


def _added(lanes: int) -> list[str]:
    """The sum of s of all lanes modulo N, in all of them; k goes round, N less s of each lane in turn."""
    rows = [
        ";; s is the sum of all lanes' s modulo N, in all of them: N − s goes round from lane to lane",
        "minus k, n, s",
    ]
    for turn in range(1, lanes):
        rows += ["plus k, zero, @k"] if turn > 1 else []
        rows += ["minus s, s, @k, ^", "plus s, s, 0^n"]
    return rows


def _checked(config: RsaCrt) -> list[str]:
    """s, if s^e is c modulo p, c mod p computed anew, and s and x the same in all lanes.

    A lane with another x would find its part of s right; so would one whose sums are reduced by another
    number than the one in its register. Where these two are the same, m is 0 modulo m.
    """
    if not config.check:
        return ["out s"]
    return [
        ";; s mod p, as c mod p before",
        *_residue(config, "s", "g", "result"),
        ";; V = (s mod p) ^ e mod p, bit by bit",
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
        *_reduced(config, "v"),
        ";; c mod p anew",
        *_residue(config, "x", "c", "anew"),
        "mul c, c, 1",
        *_reduced(config, "c"),
        ";; to it p modulo p and the differences of s and of x and those of the lane behind, all 0",
        "add w, m, zero",
        "add c, c, w",
        *(
            row
            for number in ("s", "x")
            for row in (
                f"minus k, {number}, @{number}",
                *(f"add c, c, k.{part}" for part in range(config.primes)),
            )
        ),
        ";; s leaves if V is that number in all lanes; if not, zeros leave, and `ctx_error_o` goes high",
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
        """The core's default, and that with words twice as long, which cost area and save cycles.

        For keys of two primes, or of three where the width is odd.
        """
        primes = 3 if width % 2 and width % 3 == 0 else 2
        inner = core.builds.at(width // primes)[0]
        found = [RsaCrt(width, inner=inner, core=core, primes=primes)]
        if "Word" in inner.own() and inner.word < inner.width:
            with suppress(ValueError):
                wider = inner.with_parameters({"Word": 2 * inner.word})
                found.append(RsaCrt(width, inner=wider, core=core, primes=primes))
        return found

    def variants(width: int) -> Sequence[RsaCrt]:
        known = explore(width)[0]
        return (
            replace(known, blind=0, shorter=min(3, known.half - 2)),
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
        moduli="primes of n/2 bits, or of n/3 or n/4; with Shorter also shorter ones",
        examples=examples,
        operand_max=lambda _config, key: int(key),
        result_max=lambda _config, key: key - 1,
        explore=explore,
        variants=variants,
    )


SYSTEM = System(slug="rsa_crt", title="RSA with the Chinese remainder theorem, on any core", on=on)
