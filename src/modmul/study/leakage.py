# SPDX-License-Identifier: Apache-2.0
"""Whether simulated power tells a secret: fixed against random, by Welch's t-test, and where.

The power of a clock cycle is how many bits of registers change (``modmul.verify.toggles``). A secret is fixed
in one set of traces and random in the other; the sets take turns at random (docs/leakage.md).
"""

from __future__ import annotations

import random
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import log
from typing import Any

from modmul.core import ceil_div, check_tool
from modmul.moduli import Curve
from modmul.moduli.multiples import blinded, factored, scalar_bits
from modmul.study.sources import Context, Source, scalar
from modmul.tools.extras import needing
from modmul.tools.pool import run_all
from modmul.tools.progress import Listener, Progress, ignore
from modmul.verify.failures import VerificationError
from modmul.verify.leakage import THRESHOLD, Sums, leaks, welch
from modmul.verify.toggles import Counting

with needing("simulation"):
    import numpy as np
    import numpy.typing as npt

__all__ = ["Found", "Leakage", "Run", "Told", "exposed"]

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
        fixed: ``"exponent"`` or ``"operand"``.
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


def exposed(
    at: Curve,
    blind: int,
    count: int,
    seed: int = 1,
    point: tuple[int, int] | None = None,
    factor: bool = False,
) -> list[int]:
    """Bits of blinded scalars that tell a fixed scalar from random ones: what blinding leaves as it is.

    Without the hardware.

    Args:
        blind: bits of the multiple of the number of points.
        count: scalars of both sets.
        point: that they are for; by default the base point.
        factor: whether they are what is left behind a random factor of so many bits, not sums.
    """
    rng = random.Random(f"{seed} {at.name} {blind}")
    known, bits = scalar(at, rng), scalar_bits(at, blind)
    sums = Sums(bits)
    for batch in range(ceil_div(count, BATCH)):
        sets = np.asarray([rng.random() < 0.5 for _ in range(BATCH)])
        scalars = [known if fixed else scalar(at, rng) for fixed in sets]
        base = point or at.base
        if factor:
            given = [factored(at, k, base, blind, rng)[1] for k in scalars]
        else:
            given = [blinded(at, k, base, blind, rng) for k in scalars]
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
        secrets = int(sums.counts[0] + sums.counts[2]) / (HOLD if self.source.in_context else 1)
        limit = _chance(sums.bits * sums.rows) / max(secrets, 1)
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
