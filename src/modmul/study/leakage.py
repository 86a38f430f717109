# SPDX-License-Identifier: Apache-2.0
"""Whether simulated power tells a secret: fixed against random, by Welch's t-test, and where.

The power of a clock cycle is how many bits of registers change (``modmul.verify.toggles``). A secret is fixed
in one set of traces and random in the other; the sets take turns at random. Everything else, the other
operand and what blinds, is random in both (docs/leakage.md).
"""

from __future__ import annotations

import random
import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import gcd, log
from typing import Any

from flint import fmpz

from modmul.core import Config, Polynomial, RsaKey, ceil_div, check_tool
from modmul.moduli import Curve, curve
from modmul.moduli.curves import MONTGOMERY, WEIERSTRASS
from modmul.moduli.multiples import blinded, clamped, numbers, operands, scalar_bits
from modmul.registry import ECC, Build, Room, curve_on, room
from modmul.tools.extras import needing
from modmul.tools.pool import run_all
from modmul.tools.progress import Listener, Progress, ignore
from modmul.verify.failures import VerificationError
from modmul.verify.leakage import THRESHOLD, Sums, leaks, welch
from modmul.verify.toggles import Counting

with needing("simulation"):
    import numpy as np
    import numpy.typing as npt

__all__ = [
    "EXPONENT",
    "FIXED",
    "OPERAND",
    "SMALL",
    "Found",
    "Leakage",
    "Run",
    "Source",
    "Told",
    "exposed",
    "source",
]

EXPONENT, OPERAND = "exponent", "operand"
FIXED = (EXPONENT, OPERAND)
"""What is fixed in one of the sets: the exponent or scalar; or the first operand, a message or a point."""

SMALL = Curve("small20", WEIERSTRASS, 745859, 10509, 734951, (0, 10327), order=745307)
"""Of 20 bits, for more traces than curves in use allow; neither field nor order is near a power of two."""

BATCH = 64
"""Traces behind a reset and a new context; the batches are halves of the test in turn."""
HOLD = 8
"""Traces with one context, where the secret comes with it."""
CHECKED = 16
"""One trace in so many is held against the right result."""
CHOSEN = 24
"""Clock edges at which registers are told one by one."""
SHOWN = 12
"""Registers of a report."""
PARTS = 20
"""Of an operation, in each of which the share of leaking samples is told."""
ATTRIBUTED = 4096
"""Traces that tell the registers, at most."""


# --- what is fixed and what is random -----------------------------------------------------------------


@dataclass(frozen=True)
class Context:
    """What a core is loaded with.

    Attributes:
        modulus: or key.
        config: the build's, with other run-time fields.
        secret: what it brings along; 0 if nothing.
    """

    modulus: int
    config: Config
    secret: int = 0


@dataclass(frozen=True)
class Source(ABC):
    """Where operands come from.

    Attributes:
        build: of the core or system.
        fixed: one of :data:`FIXED`.
    """

    build: Build
    fixed: str

    blind = 0
    """Bits that blind an exponent."""
    hidden = ""
    """How the other operand is blinded, in words; empty if it is not."""
    in_context = False
    """Whether the secret comes with the context."""

    @property
    @abstractmethod
    def bits(self) -> int:
        """Of the secret."""

    @abstractmethod
    def context(self, rng: random.Random, fixed: bool) -> Context:
        """One to load."""

    @abstractmethod
    def operands(self, at: Context, rng: random.Random, fixed: bool) -> tuple[int, int, int]:
        """x, y and the secret."""


def _prime(bits: int, rng: random.Random) -> int:
    """Of so many bits, 3 modulo 4, and near no power of two."""
    while True:
        number = rng.getrandbits(bits) | 1 << bits - 1 | 3
        if fmpz(number).is_prime():
            return number


@dataclass(frozen=True)
class Product(Source):
    """A multiplier: the first operand is fixed or random, the second one random."""

    modulus: int
    largest: int
    known: int

    @property
    def bits(self) -> int:
        return self.largest.bit_length()

    def context(self, rng: random.Random, fixed: bool) -> Context:
        del rng, fixed
        return Context(self.modulus, self.build.config)

    def operands(self, at: Context, rng: random.Random, fixed: bool) -> tuple[int, int, int]:
        del at
        x = rng.randint(0, self.largest)
        return self.known if fixed else x, rng.randint(0, self.largest), x


@dataclass(frozen=True)
class Power(Source):
    """x^e modulo a prime: e is as M − 1 has it, odd, and blinded by a random multiple of that.

    Attributes:
        modulus: the prime.
        known: the fixed x and e.
    """

    modulus: int
    known: tuple[int, int]
    blind: int = 0

    @property
    def bits(self) -> int:
        return self.modulus.bit_length()

    def context(self, rng: random.Random, fixed: bool) -> Context:
        del rng, fixed
        return Context(self.modulus, self.build.config)

    def operands(self, at: Context, rng: random.Random, fixed: bool) -> tuple[int, int, int]:
        x, e = power_operands(self.modulus, rng)
        secret = e if self.fixed == EXPONENT else x
        if self.fixed == EXPONENT:
            e = self.known[1] if fixed else e
        else:
            x, e = self.known[0] if fixed else x, self.known[1]
        return x, e + rng.getrandbits(self.blind) * (self.modulus - 1), secret


def power_operands(modulus: int, rng: random.Random) -> tuple[int, int]:
    """x and an odd e below a prime."""
    return rng.randrange(1, modulus), rng.randrange(modulus - 1) | 1


@dataclass(frozen=True)
class Private(Source):
    """RSA's private operation: the private exponent comes with the key.

    Attributes:
        key: whose primes are fixed in both sets.
        known: the fixed message.
    """

    key: RsaKey
    known: int
    hidden = "blinded"

    @property
    def blind(self) -> int:  # type: ignore[override]
        return int(self.build.config.options()["Blind"])

    @property
    def in_context(self) -> bool:  # type: ignore[override]
        return self.fixed == EXPONENT

    @property
    def bits(self) -> int:
        return self.key.bits * len(self.key.primes)

    def context(self, rng: random.Random, fixed: bool) -> Context:
        if self.fixed == OPERAND or fixed:
            return Context(self.key, self.build.config, _residues(self.key))
        other = _with_other_exponent(self.key, rng)
        return Context(other, self.build.config, _residues(other))

    def operands(self, at: Context, rng: random.Random, fixed: bool) -> tuple[int, int, int]:
        x = rng.randrange(self.key)
        y = rng.getrandbits(self.build.config.at(at.modulus).bits)
        if self.fixed == EXPONENT:
            return x, y, at.secret
        return self.known if fixed else x, y, x


def _residues(key: RsaKey) -> int:
    """d modulo each prime less 1, one behind the other."""
    return sum(key.d % (p - 1) << k * key.bits for k, p in enumerate(key.primes))


def _with_other_exponent(key: RsaKey, rng: random.Random) -> RsaKey:
    """A key of the same primes, with an e of their length, all of which take the same time."""
    while True:
        e = rng.getrandbits(key.bits) | 1 << key.bits - 1 | 1
        if all(gcd(e, p - 1) == 1 for p in key.primes):
            return RsaKey(key.p, key.q, e, more=key.primes[2:])


def new_key(bits: int, count: int, rng: random.Random) -> RsaKey:
    """A key of so many random primes, each of so many bits."""
    primes: set[int] = set()
    while len(primes) < count:
        primes.add(_prime(bits, rng))
    p, q, *more = primes
    return _with_other_exponent(RsaKey(p, q, 1, more=more), rng)


@dataclass(frozen=True)
class Multiple(Source):
    """k·P of a curve.

    Attributes:
        at: the curve.
        known: the fixed scalar and point.
    """

    at: Curve
    known: tuple[int, tuple[int, int]]
    hidden = "blinded"

    @property
    def blind(self) -> int:  # type: ignore[override]
        return int(self.build.config.options()["Blind"])

    @property
    def bits(self) -> int:
        return self.at.order.bit_length() if self.fixed == EXPONENT else self.at.bits

    def context(self, rng: random.Random, fixed: bool) -> Context:
        del fixed
        given = tuple(numbers(self.at, rng).items())
        return Context(self.at.modulus, self.build.config.running(given=given))

    def operands(self, at: Context, rng: random.Random, fixed: bool) -> tuple[int, int, int]:
        k, point = multiple_operands(self.at, rng)
        secret = k if self.fixed == EXPONENT else point[0]
        if self.fixed == EXPONENT:
            k = self.known[0] if fixed else k
        else:
            k, point = self.known[0], self.known[1] if fixed else point
        half = at.config.at(at.modulus).half  # type: ignore[attr-defined]
        return *operands(self.at, blinded(self.at, k, point[0], self.blind, rng), point, half), secret


def multiple_operands(at: Curve, rng: random.Random) -> tuple[int, tuple[int, int]]:
    """A scalar and a point."""
    point = at.multiply(rng.randrange(1, at.order), at.base)
    assert point
    return _scalar(at, rng), point


def _scalar(at: Curve, rng: random.Random) -> int:
    k = rng.randrange(1, at.order)
    return clamped(at, k) if at.form == MONTGOMERY else k


def source(
    slug: str,
    *,
    width: int,
    fixed: str = "",
    blind: int | None = None,
    settings: Mapping[str, int] | None = None,
    modulus: int | None = None,
    seed: int = 1,
) -> Source:
    """Where the traces of a core or system come from.

    Args:
        slug: ``CORE``, ``SYSTEM:CORE``.
        width: of the build; of ``ecc_`` that of the curve.
        fixed: one of :data:`FIXED`; ``""`` for the exponent where there is one.
        blind: bits that blind the exponent; ``None`` for those of the build, 0 where it has none.
        settings: parameters.
        modulus: or a key; one is drawn where there is none.
        seed: of what is fixed.

    Raises:
        ValueError: there is no such core or build, nothing of that kind is secret in it, or it cannot be
            blinded.
    """
    rng = random.Random(f"{seed} {slug} fixed")
    system, colon, _ = slug.partition(":")
    kind = fixed or (EXPONENT if colon else OPERAND)
    if kind not in FIXED:
        raise ValueError(f"either the {' or the '.join(FIXED)} is fixed, not {kind!r}")
    if not colon and kind == EXPONENT:
        raise ValueError(f"{slug} has no exponent; systems have one: modexp:{slug}")
    chosen = dict(settings or {})
    if system.startswith(ECC):
        name = system.removeprefix(ECC)
        at = SMALL if name == SMALL.name else curve(name)
        return _multiple(curve_on(at, slug.partition(":")[2])[1], at, kind, blind, chosen, rng)
    found = room(slug)
    if system == "rsa_crt":
        chosen |= {} if blind is None else {"Blind": blind}
        if kind == EXPONENT:  # the check raises to e, which differs where d does, and is no secret
            chosen = {"Check": 0} | chosen
        build = found.build(width, chosen)
        count = int(build.config.options()["Primes"])
        key = modulus if isinstance(modulus, RsaKey) else new_key(width // count, count, rng)
        build.check(key)
        return Private(build, kind, key, rng.randrange(key))
    if system in ("modexp", "ladder"):
        return _power(slug, kind, width, blind or 0, chosen, modulus, rng)
    if colon and kind == EXPONENT:
        raise ValueError(f"{slug} has no exponent that is known here; --fixed operand takes any program")
    if blind:
        raise ValueError(f"{slug} has no exponent that could be blinded")
    build = found.build(width, chosen, modulus)
    chosen_modulus = _modulus(build, modulus, rng)
    largest = build.core.function.operand_max(build.config.at(chosen_modulus), chosen_modulus)
    return Product(build, kind, chosen_modulus, largest, rng.randint(0, largest))


def _modulus(build: Build, modulus: int | None, rng: random.Random) -> int:
    """One that a build serves: as given, its own, or a random one."""
    function, config = build.core.function, build.config
    if modulus is not None:
        build.check(modulus)
        return modulus
    drawn = rng.getrandbits(config.width) | 1 << config.width - 1 | 1
    if function.tried(config) is None and function.serves(config, drawn):
        return drawn
    return function.some_modulus(config)


def _power(
    slug: str,
    kind: str,
    width: int,
    blind: int,
    chosen: Mapping[str, int],
    modulus: int | None,
    rng: random.Random,
) -> Power:
    build = room(slug).build(width, {"ExponentBits": width + blind} | dict(chosen), modulus)
    if modulus is None:
        modulus = build.core.function.only_modulus(build.config)
    if modulus is None:
        modulus = next(
            p for p in iter(lambda: _prime(width, rng), 0) if build.core.function.serves(build.config, p)
        )
    build.check(modulus)
    if isinstance(modulus, Polynomial) or not fmpz(modulus).is_prime():
        raise ValueError("an exponent is blinded by multiples of M − 1 here; take a prime for the modulus")
    return Power(build, kind, modulus, power_operands(modulus, rng), blind)


def _multiple(
    found: Room, at: Curve, kind: str, blind: int | None, chosen: Mapping[str, int], rng: random.Random
) -> Multiple:
    build = found.build(at.bits, dict(chosen) | ({} if blind is None else {"Blind": blind}))
    return Multiple(build, kind, at, multiple_operands(at, rng))


# --- traces -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Told:
    """A register at a clock edge at which it leaks.

    Attributes:
        path: of the register.
        edge: counted from the one that takes the first beat of the operands.
        t: of the bits of this register alone that change there.
    """

    path: str
    edge: int
    t: float


@dataclass(frozen=True)
class Found:
    """The test of one order.

    Attributes:
        order: 1 compares means, 2 variances.
        above: samples beyond the threshold, in both halves on the same side.
        first, last: of these; -1 where there are none.
        parts: their share in each twentieth of the trace.
        largest: the largest \\|t\\| of all traces together, of those samples if there are any.
        edge: where.
    """

    order: int
    above: int
    first: int
    last: int
    parts: tuple[float, ...]
    largest: float
    edge: int


@dataclass(frozen=True)
class Leakage:
    """What was found.

    Attributes:
        core, config: the build.
        fixed: one of :data:`FIXED`.
        blind: bits that blind the exponent.
        traces: in both sets.
        edges: samples of a trace.
        whole: clock edges of an operation.
        registers: bits that are counted.
        seed: of everything random.
        tests: by order.
        told: registers that leak, each where it does most, the largest \\|t\\| first; ``None``: not asked.
        instances: the instances they are in, with how many of the edges looked at each leaks at.
        looked: how many edges were looked at.
        exposed: bits of the second operand, as it goes in, that tell the sets apart.
        given: bits that it has.
        snr: the largest signal to noise of a bit of the secret in the random set.
        snr_bit, snr_edge: which bit, and where.
        snr_bits: bits whose signal to noise is more than chance would make it in one of a hundred such runs.
        bits: of the secret.
    """

    core: str
    config: str
    fixed: str
    blind: int
    traces: int
    edges: int
    whole: int
    registers: int
    seed: int
    tests: tuple[Found, ...]
    told: tuple[Told, ...] | None
    instances: Mapping[str, int]
    looked: int
    exposed: tuple[int, ...]
    given: int
    snr: float
    snr_bit: int
    snr_edge: int
    snr_bits: int
    bits: int

    @property
    def leaks(self) -> bool:
        """Whether some sample tells the sets apart."""
        return any(each.above for each in self.tests)

    def to_json(self) -> dict[str, Any]:
        """Plain data for ``json.dumps``."""
        return asdict(self)


def _chance(tests: int) -> float:
    """What the largest of so many squares of normal numbers exceeds once in a hundred times at most."""
    return 2 * log(100 * max(tests, 1))


@dataclass(frozen=True)
class _Batch:
    """Some traces.

    Attributes:
        traces: (n, edges).
        sets: (n,) whether each is of the fixed set.
        secrets: (n, bits) of the secret.
        each: (n, chosen, registers) bits of single registers that change.
        given: (n, bits) of the second operand.
    """

    traces: npt.NDArray[np.uint16]
    sets: npt.NDArray[np.bool_]
    secrets: npt.NDArray[np.bool_]
    each: npt.NDArray[np.uint16]
    given: npt.NDArray[np.bool_]


def _bits(values: Sequence[int], count: int) -> npt.NDArray[np.bool_]:
    """(n, count) the lowest bits of numbers, the least significant first."""
    octets = ceil_div(max(count, 1), 8)
    packed = b"".join((value & (1 << count) - 1).to_bytes(octets, "little") for value in values)
    rows = np.frombuffer(packed, dtype=np.uint8).reshape(len(values), octets)
    return np.unpackbits(rows, axis=1, bitorder="little")[:, :count].astype(np.bool_)


def exposed(at: Curve, blind: int, count: int, seed: int = 1) -> list[int]:
    """Bits of blinded scalars that tell a fixed scalar from random ones: what blinding leaves as it is.

    Without the hardware.

    Args:
        blind: bits of the multiple of the number of points.
        count: scalars of both sets.
    """
    rng = random.Random(f"{seed} {at.name} {blind}")
    known, bits = _scalar(at, rng), scalar_bits(at, blind)
    sums = Sums(bits)
    for batch in range(ceil_div(count, BATCH)):
        sets = np.asarray([rng.random() < 0.5 for _ in range(BATCH)])
        scalars = [known if fixed else _scalar(at, rng) for fixed in sets]
        given = [blinded(at, k, at.base[0], blind, rng) for k in scalars]
        sums.add(_bits(given, bits).astype(np.uint16), sets, batch % 2)
    return [int(bit) for bit in np.flatnonzero(leaks(sums.halves()))]


class Run:
    """Traces of a source, and what is known of them so far.

    Args:
        source: of operands.
        seed: of all traces.
        order: of the t-test.
        edges: samples of a trace, from its beginning; ``None`` for all.
        only: registers whose paths hold this text.

    Raises:
        ValueError: no register has such a path.
        SimulatorError: a tool is missing or refuses the sources.
        VerificationError: the hardware is wrong, or nothing is counted.
    """

    def __init__(
        self,
        source: Source,
        *,
        seed: int = 1,
        order: int = 1,
        edges: int | None = None,
        only: str = "",
        listener: Listener = ignore,
    ) -> None:
        self.source, self.seed, self.only, self.listener = source, seed, only, listener
        check_tool("simulated", source.build.config.width, source.build.config.word)
        listener(Progress("compile", source.build.slug, 0, 1))
        self._counting = [Counting(source.build, seed=seed, only=only)]
        listener(Progress("compile", source.build.slug, 1, 1))
        self._lock = threading.Lock()
        rng = random.Random(f"{seed} first")
        at = source.context(rng, True)
        counting = self._counting[0]
        counting.load(at.modulus, at.config)
        x, y, _ = source.operands(at, rng, True)
        activity = counting.run(x, y, 1)
        self.whole = activity.edges
        self._check(counting, at, x, y, activity.result)
        self.edges = min(edges or self.whole, self.whole)
        self.sums = Sums(self.edges, source.bits, order)
        self.given = Sums(counting.at.bits)

    def _check(self, counting: Counting, at: Context, x: int, y: int, result: int | None) -> None:
        function = self.source.build.core.function
        right = function.answer(counting.at, at.modulus, x, y)
        if result != right and not function.accepts(counting.at, at.modulus, right, result):
            raise VerificationError(f"{self.source.build}: {x:#x}, {y:#x} gives {result}, not {right}")

    def go(self, count: int, *, jobs: int = 1) -> None:
        """So many traces more; what is done when it is interrupted counts.

        Args:
            jobs: batches at the same time.
        """
        begun = self.sums.total
        first = ceil_div(begun, BATCH)
        sizes = [min(BATCH, count - at) for at in range(0, count, BATCH)]
        stop = threading.Event()
        self.listener(Progress("traces", self.source.build.slug, begun, begun + count))

        def work(batch: int) -> None:
            if stop.is_set():
                return
            done = self._batch(batch, sizes[batch - first], ())
            with self._lock:
                self.sums.add(done.traces, done.sets, batch % 2, done.secrets)
                self.given.add(done.given.astype(np.uint16), done.sets, batch % 2)
                self.listener(Progress("traces", self.source.build.slug, self.sums.total, begun + count))

        run_all(range(first, first + len(sizes)), work, workers=jobs, on_failure=stop.set)
        if self.sums.silent:
            raise VerificationError(f"{self.source.build}: no bit of any register ever changes")

    def _take(self) -> Counting:
        with self._lock:
            if self._counting:
                return self._counting.pop()
        return Counting(self.source.build, seed=self.seed, only=self.only)

    def _batch(self, batch: int, size: int, chosen: Sequence[int]) -> _Batch:
        source, whole = self.source, self.edges == self.whole
        rng = random.Random(f"{self.seed} {batch} {bool(chosen)}")
        hold = 1 if not whole else HOLD if source.in_context else size
        counting = self._take()
        traces = np.zeros((size, self.edges), dtype=np.uint16)
        each = np.zeros((size, len(chosen), len(counting.registers)), dtype=np.uint16)
        sets = np.zeros(size, dtype=np.bool_)
        secrets, given = [], []
        for start in range(0, size, hold):
            fixed = rng.random() < 0.5
            at = source.context(rng, fixed)
            counting.reset()
            counting.load(at.modulus, at.config)
            if whole:  # what the context has left in registers is gone behind an operation
                counting.run(*source.operands(at, rng, fixed)[:2], 0)
            for turn in range(start, min(start + hold, size)):
                sets[turn] = fixed if source.in_context else rng.random() < 0.5
                x, y, secret = source.operands(at, rng, bool(sets[turn]))
                activity = counting.run(x, y, self.edges, chosen=chosen, whole=whole)
                traces[turn], each[turn] = activity.totals, activity.each
                secrets.append(secret)
                given.append(y)
                if whole and activity.edges != self.whole:
                    took = f"takes {activity.edges} clock cycles, not {self.whole}"
                    raise VerificationError(f"{source.build}: {x:#x}, {y:#x} {took}")
                if whole and turn % CHECKED == 0:
                    self._check(counting, at, x, y, activity.result)
        with self._lock:
            self._counting.append(counting)
        bits = self.given.rows
        return _Batch(traces, sets, _bits(secrets, source.bits), each, _bits(given, bits))

    # --- what is known ----------------------------------------------------------------------------

    def found(self, order: int) -> Found:
        """The test of one order on the traces so far."""
        above = leaks(self.sums.halves(order))
        t = np.abs(self.sums.t(order))
        edge = int(np.argmax(np.where(above, t, 0) if above.any() else t))
        where = np.flatnonzero(above)
        parts = tuple(round(float(part.mean()), 4) for part in np.array_split(above, PARTS) if len(part))
        first, last = (int(where[0]), int(where[-1])) if len(where) else (-1, -1)
        return Found(order, len(where), first, last, parts, round(float(t[edge]), 2), edge)

    def told(self, *, registers: bool = True) -> Leakage:
        """The report on the traces so far.

        Args:
            registers: whether to run more traces that tell which registers leak.
        """
        build, sums = self.source.build, self.sums
        tests = tuple(self.found(order) for order in range(1, sums.order + 1))
        limit = _chance(sums.bits * sums.rows) / max(int(sums.counts[0] + sums.counts[2]), 1)
        best, beyond = (0.0, 0, 0), 0
        for bit, snr in enumerate(sums.snr()):
            edge = int(np.argmax(snr))
            beyond += bool(snr[edge] > limit)
            best = max(best, (float(snr[edge]), bit, edge))
        told, instances, looked = self._attributed() if registers else (None, {}, 0)
        counted = self._counting[0].registers
        return Leakage(
            build.slug,
            str(build.config),
            self.source.fixed,
            self.source.blind,
            sums.total,
            self.edges,
            self.whole,
            sum(each.bits * max(each.depth, 1) for each in counted),
            self.seed,
            tests,
            told,
            instances,
            looked,
            tuple(map(int, np.flatnonzero(leaks(self.given.halves())))),
            self.given.rows,
            round(best[0], 6),
            best[1],
            best[2],
            beyond,
            sums.bits,
        )

    def _attributed(self) -> tuple[tuple[Told, ...], dict[str, int], int]:
        """The registers that leak at some of the edges that do."""
        above = np.flatnonzero(leaks(self.sums.halves()))
        if not len(above):
            return (), {}, 0
        t = np.abs(self.sums.t())
        strongest = above[np.argsort(-t[above])[: CHOSEN // 3]]
        spread = above[np.linspace(0, len(above) - 1, CHOSEN - len(strongest)).astype(int)]
        chosen = sorted({int(edge) for edge in (*strongest, *spread)})
        count = min(self.sums.total, ATTRIBUTED)
        sets, each = [], []
        for batch in range(ceil_div(count, BATCH)):
            self.listener(Progress("registers", self.source.build.slug, batch * BATCH, count))
            some = self._batch(batch, BATCH, chosen)
            sets.append(some.sets)
            each.append(some.each)
        self.listener(Progress("registers", self.source.build.slug, count, count))
        fixed, samples = np.concatenate(sets), np.concatenate(each).astype(np.float64)
        groups = samples[fixed], samples[~fixed]
        found = welch(
            (groups[0].mean(axis=0), groups[1].mean(axis=0)),
            (groups[0].var(axis=0), groups[1].var(axis=0)),
            (len(groups[0]), len(groups[1])),
        )
        counted = self._counting[0].registers
        top = []
        instances: dict[str, set[int]] = {}
        for number, register in enumerate(counted):
            column = np.abs(found[:, number])
            worst = int(np.argmax(column))
            if column[worst] > THRESHOLD:
                top.append(Told(register.path, chosen[worst], round(float(found[worst, number]), 2)))
            at = {chosen[k] for k in np.flatnonzero(column > THRESHOLD)}
            if at:
                instances.setdefault(register.path.rpartition(".")[0] or "(top)", set()).update(at)
        top.sort(key=lambda one: -abs(one.t))
        ranked = sorted(instances.items(), key=lambda pair: (-len(pair[1]), pair[0]))
        return tuple(top[:SHOWN]), {name: len(edges) for name, edges in ranked}, len(chosen)
