# SPDX-License-Identifier: Apache-2.0
"""Simulated cores behind the port contract, driven in batches."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

from modmul.core import PORTS, Config, ceil_div
from modmul.room import Build
from modmul.tools.extras import needing
from modmul.verify.failures import ProtocolError
from modmul.verify.registers import Register
from modmul.verify.simulator import Model, Unit, covered
from modmul.verify.simulator import build as compile_units
from modmul.verify.states import watched

with needing("simulation"):
    import numpy as np
    import numpy.typing as npt

__all__ = ["Batch", "Fault", "Simulation", "Struck", "build_all", "compiled"]

TICK = 0.1
"""Seconds between two looks at a simulation that is watched."""


@dataclass(frozen=True)
class Fault:
    """A bit that changes.

    Attributes:
        cycle: the clock edge behind which it does, counted from the one that takes the first operand beat.
        register: its number among those of the simulation.
        word: of a memory; 0 for a register.
        bit: from the least significant one.
    """

    cycle: int
    register: int
    word: int
    bit: int


@dataclass(frozen=True)
class Struck:
    """What came of an operation with a fault.

    Attributes:
        words: that left while ``ctx_error_o`` was low, or that were not 0 while it was high.
        beats: how many; at most one more than a result has.
        error: whether ``ctx_error_o`` has been high.
    """

    words: int
    beats: int
    error: bool


@dataclass(frozen=True)
class Batch:
    """Results of a batch of n operations.

    Attributes:
        results: the n products, in order.
        accepted: (n,) clock cycle in which each operation's first operand beat was accepted.
        last: (n,) the same for its last beat.
        valid: (n,) first clock cycle in which its result was shown.
    """

    results: list[int]
    accepted: npt.NDArray[np.int64]
    last: npt.NDArray[np.int64]
    valid: npt.NDArray[np.int64]

    @property
    def latencies(self) -> npt.NDArray[np.int64]:
        """(n,) clock cycles from the last operand beat to the result."""
        return self.valid - self.last

    @property
    def intervals(self) -> npt.NDArray[np.int64]:
        """(n-1,) clock cycles between successive first operand beats."""
        return np.diff(self.accepted)

    @property
    def distances(self) -> npt.NDArray[np.int64]:
        """(n-1,) clock cycles between the first cycles of successive results."""
        return np.diff(self.valid)


def _trace_words(config: Config) -> int:
    """32-bit words that hold any traced register."""
    return ceil_div(config.trace_bits, 32)


def _unit(build: Build, flipped: Sequence[Register] = ()) -> Unit:
    traced = build.core.algorithm.trace(build.config)
    words = _trace_words(build.config)
    changed = tuple(each.path for each in flipped)
    counted = covered() is not None
    return Unit(
        watched(build.design) if counted else build.design, tuple(traced.values()), words, changed, counted
    )


def build_all(builds: Iterable[Build]) -> None:
    """Compile the simulations that will be needed, in less time than one by one.

    Raises:
        SimulatorError: a tool is missing or refuses the sources.
    """
    compile_units(*map(_unit, builds))


def compiled(build: Build) -> bool:
    """Whether the simulation of a build is in the cache, so that it begins at once."""
    return _unit(build).library.exists()


class Simulation(Model):
    """One simulated core, reset and ready for a context.

    Args:
        build: the core.
        seed: of the registers' random power-up values and of idle and back-pressure cycles.
        flipped: registers that :meth:`strike` may change.

    Attributes:
        at: the configuration while it serves the modulus loaded last; before, ``config``.

    Raises:
        SimulatorError: a tool is missing or refuses the sources.
    """

    def __init__(self, build: Build, *, seed: int = 1, flipped: Sequence[Register] = ()) -> None:
        super().__init__(_unit(build, flipped), seed=seed)
        self.build, self.room, self.config, self.seed = build, build.room, build.config, seed
        self.at = config = build.config
        core = build.core
        names = [*(name for name, _, _ in PORTS), *(control.name for control in core.interface.controls)]
        ports = np.asarray([self._numbers[name] for name in names], dtype=np.int32)
        held = sum(1 << i for i, control in enumerate(core.interface.controls) if not control.first_beat)
        self._driver = self._lib.mm_driver(
            *(self._dut, ports.ctypes.data, len(core.interface.controls), held),
            *(config.bits, config.word, core.interface.in_flight(config)),
        )
        self._watch = np.zeros(2, dtype=np.int64)
        self._lib.mm_watch(self._driver, self._watch.ctypes.data)
        self._size = 4 * ceil_div(config.beats * config.word, 32)
        self.reset()
        if self._covered is not None:
            self._covered.begin(self)

    def __del__(self) -> None:
        if getattr(self, "_driver", None):
            self._lib.mm_driver_delete(self._driver)
            self._driver = None
        super().__del__()

    @staticmethod
    def _pack(values: Sequence[int], size: int) -> ctypes.Array[ctypes.c_char]:
        data = b"".join(value.to_bytes(size, "little") for value in values)
        return ctypes.create_string_buffer(data, max(len(data), 4))

    def _encoded(self, values: Sequence[int]) -> ctypes.Array[ctypes.c_char]:
        """Operands as they cross the ports."""
        encode = self.room.core.interface.encode
        return self._pack([encode(self.at, value) for value in values], self._size)

    def _masks(self, count: int, controls: Mapping[str, Sequence[bool]]) -> npt.NDArray[np.uint32]:
        """(count,) the control ports of each operation, port i in bit i."""
        masks = np.zeros(max(count, 1), dtype=np.uint32)
        known = [control.field for control in self.room.core.interface.controls]
        for name, values in controls.items():
            if name not in known:
                raise ValueError(f"{self.room.core.slug} has no control {name!r}")
            masks[:count] |= np.asarray(values, dtype=np.uint32) << np.uint32(known.index(name))
        return masks

    def _limit(self) -> int:
        """Clock cycles without a beat after which the core counts as stuck."""
        core = self.room.core
        return 1000 + 20 * (
            core.interface.latency(self.at) + core.interface.interval(self.at) + self.config.beats
        )

    def _failure(self) -> ProtocolError:
        reason = self._lib.mm_error(self._driver).decode()
        return ProtocolError(f"{self.build}: {reason}")

    def load(self, modulus: int) -> None:
        """Load the context of a modulus; from then on operands have the length it asks for.

        Raises:
            ValueError: the core cannot serve the modulus.
            ProtocolError: the core does not accept the context.
        """
        self.room.core.function.check(self.config, modulus)
        self.at = self.config.at(modulus)
        if self._lib.mm_operands(self._driver, self.at.bits):
            raise self._failure()
        self.load_words(self.room.core.interface.context(self.at, modulus))

    def load_words(self, beats: Sequence[int]) -> None:
        """Load raw context beats, legal or not, each of ``word`` bits."""
        data = self._pack(beats, 4 * ceil_div(self.config.word, 32))
        limit = self._limit() + 20 * len(beats) + self.room.core.interface.context_wait(self.config)
        if self._lib.mm_context(self._driver, data, len(beats), limit):
            raise self._failure()

    def run(
        self,
        xs: Sequence[int],
        ys: Sequence[int],
        *,
        idle: int = 0,
        stall: int = 0,
        **controls: Sequence[bool],
    ) -> Batch:
        """Multiply pairwise, back to back unless told otherwise.

        Args:
            xs, ys: n operands each, that fit into an operand's beats when encoded (``Interface.encode``).
            idle: chance in 256 of a cycle without operands offered.
            stall: chance in 256 of a cycle without readiness for a result.
            controls: n values of each control by its field (``square=[True, False]``); low if not given.

        Raises:
            ValueError: the core has no such control.
            ProtocolError: the core broke the port contract.
        """
        n = len(xs)
        core, size = self.room.core, self._size
        z = ctypes.create_string_buffer(max(n * size, 4))
        times = [np.zeros(max(n, 1), dtype=np.int64) for _ in range(3)]
        masks = self._masks(n, controls)
        self.seed += 1
        if self._lib.mm_run(
            *(self._driver, n, self._encoded(xs), self._encoded(ys)),
            *(masks.ctypes.data, z, *(t.ctypes.data for t in times)),
            *(self.seed & 0xFFFFFFFF, idle, stall, self._limit()),
        ):
            raise self._failure()
        raw = z.raw
        words = (int.from_bytes(raw[i * size : (i + 1) * size], "little") for i in range(n))
        results = [core.interface.decode(self.at, word) for word in words]
        return Batch(results, times[0][:n], times[1][:n], times[2][:n])

    def run_watched(
        self, xs: Sequence[int], ys: Sequence[int], tell: Callable[[int], None], **controls: Any
    ) -> Batch:
        """The same as :meth:`run`, for what takes long: it can be interrupted.

        Args:
            tell: called several times a second with the clock cycles so far.

        Raises:
            KeyboardInterrupt: or whatever else comes up meanwhile; the simulation has to be reset then.
        """
        began = int(self._watch[0])
        with ThreadPoolExecutor(1) as thread:
            batch = thread.submit(lambda: self.run(xs, ys, **controls))
            try:
                while wait([batch], TICK).not_done:
                    tell(int(self._watch[0]) - began)
            except BaseException:
                self._watch[1] = 1
                wait([batch])
                raise
            finally:
                self._watch[1] = 0
        return batch.result()

    def multiply(self, x: int, y: int) -> int:
        """One operation in the core's own domain."""
        return self.run([x], [y]).results[0]

    def follow(self, x: int, y: int, **controls: bool) -> list[dict[str, int]]:
        """The traced registers after every clock edge of one operation.

        The first entry is the state after the edge that accepts the last operand beat, the last
        entry the one with the result valid.
        """
        names = list(self.room.core.algorithm.trace(self.config))
        words = _trace_words(self.config)
        limit = self._limit()
        states = np.zeros((limit, len(names), words), dtype="<u4")
        [mask] = self._masks(1, {name: [value] for name, value in controls.items()})
        operands = (self._encoded([value]) for value in (x, y))
        count = self._lib.mm_follow(
            *(self._driver, *operands, int(mask)),
            *(states.ctypes.data, words * len(names), limit),
        )
        if count < 0:
            raise self._failure()
        return [
            {name: int.from_bytes(states[t, k].tobytes(), "little") for k, name in enumerate(names)}
            for t in range(count)
        ]

    def strike(
        self, x: int, y: int, fault: Fault | None = None, *, most: int = 0, **controls: bool
    ) -> Struck:
        """One operation, in which a bit changes. It always ends, and may leave the core in any state.

        Args:
            x, y: as of :meth:`run`.
            fault: ``None`` for an operation like any other.
        """
        interface, at = self.room.core.interface, self.at
        most = 2 * interface.latency(at) + 8 * at.beats + 64
        z = ctypes.create_string_buffer(max(self._size, 4))
        where = fault or Fault(0, -1, 0, 0)
        numbers = np.asarray([where.cycle, where.register, where.word, where.bit], dtype=np.int64)
        [mask] = self._masks(1, {name: [value] for name, value in controls.items()})
        operands = (self._encoded([value]) for value in (x, y))
        told = self._lib.mm_strike(
            *(self._driver, *operands, int(mask), numbers.ctypes.data, z), 2 * at.beats + 16, most
        )
        beats = -2 - told if told < 0 else told
        return Struck(int.from_bytes(z.raw[: self._size], "little"), beats, told < 0)

    def reset(self, cycles: int = 1) -> None:
        """Hold reset for some clock cycles, with all valids and readies low."""
        self._lib.mm_reset(self._driver, cycles)
