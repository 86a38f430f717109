# SPDX-License-Identifier: Apache-2.0
"""Bits of registers that change at each clock edge of simulated operations: a model of their power.

Flip-flops and words of memories count alike, and nothing else does: no wires, no glitches, no clock tree. A
simulation has no noise, so whatever depends on data shows with few traces (docs/leakage.md).
"""

from __future__ import annotations

import ctypes
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from modmul.core import Config, ceil_div
from modmul.design import Design
from modmul.room import Build
from modmul.tools.extras import needing
from modmul.tools.store import file_digest
from modmul.verify import simulator
from modmul.verify.failures import ProtocolError, SimulatorError
from modmul.verify.registers import Register, registers
from modmul.verify.simulator import HARNESS

with needing("simulation"):
    import numpy as np
    import numpy.typing as npt

__all__ = ["HEADER", "Activity", "Counting"]

HEADER = Path(__file__).parent / "toggles.h"
"""The C++ around each design whose registers are counted."""


Toggles = npt.NDArray[np.uint16]


@dataclass(frozen=True)
class Activity:
    """One operation.

    Attributes:
        totals: (rows,) bits that change at each clock edge, from that of the first operand beat on.
        each: (chosen, registers) the same of single registers, at the edges that were asked for.
        result: what has left; ``None`` where the operation was not followed to its end.
        edges: up to the one that takes the last beat of the result; 0 likewise.
    """

    totals: Toggles
    each: Toggles
    result: int | None
    edges: int


@dataclass(frozen=True)
class _Unit:
    """A design and those of its registers that are counted."""

    design: Design
    counted: tuple[Register, ...]
    controls: tuple[str, ...]

    @cached_property
    def name(self) -> str:
        """Its C++ class, with the digest of all that the simulation is made of."""
        flags = str((simulator.VERILATE_FLAGS, simulator._compile_flags(), simulator.WHOLE))
        parts = (self.design.digest, self.glue("V"), flags, file_digest(*HARNESS, HEADER))
        return f"V{simulator._digest('toggles', *parts)}"

    @property
    def library(self) -> Path:
        return simulator._simulators() / f"{self.name}.so"

    def glue(self, name: str) -> str:
        """The C++ that names the registers."""
        paths = [f"{self.design.top}__DOT__{simulator._mangled(each.path)}" for each in self.counted]
        begun = ", ".join(f"r{k}(root.{path})" for k, path in enumerate(paths))
        steps = "".join(f"    each({k}, changed(r{k}, root.{path}));\n" for k, path in enumerate(paths))
        held = "".join(f"  decltype(Root::{path}) r{k};\n" for k, path in enumerate(paths))
        low = "".join(f" top.{control} = 0;" for control in self.controls)
        visible = 'extern "C" __attribute__((externally_visible))'
        return f"""\
#include "toggles.h"
#include "{name}/{name}.h"
#include "{name}/{name}___024root.h"

namespace {{
using Root = {name}___024root;
struct Registers {{
  static constexpr int count = {len(paths)};
  explicit Registers(const Root& root) : {begun} {{}}
  template <class Each> MODMUL_INLINE void step(const Root& root, const Each& each) {{
{steps}  }}
  static void quiet({name}& top) {{{low} }}
{held}}};
using Core = Counted<{name}, Registers>;
}}

{visible} void* toggles_new(uint32_t seed, int word) {{ return new Core(seed, word); }}
{visible} void toggles_delete(void* core) {{ delete static_cast<Core*>(core); }}
{visible} void toggles_reset(void* core, int cycles) {{ static_cast<Core*>(core)->reset(cycles); }}
{visible} int toggles_load(void* core, const uint32_t* beats, int count, long limit) {{
  return static_cast<Core*>(core)->load(beats, count, limit);
}}
{visible} long toggles_run(void* core, const uint32_t* x, const uint32_t* y, int beats, long rows,
    uint16_t* totals, long chosen, const int64_t* at, uint16_t* each, uint32_t* z, int whole, long limit) {{
  return static_cast<Core*>(core)->run(x, y, beats, rows, totals, chosen, at, each, z, whole, limit);
}}
"""

    def build(self) -> None:
        """Compile it, unless it is in the cache."""
        runtime = simulator._runtime()
        with simulator._missing(self.library) as missing:
            if missing:
                with tempfile.TemporaryDirectory(dir=simulator._simulators()) as scratch:
                    self._compile(Path(scratch), runtime)

    def _compile(self, work: Path, runtime: Path) -> None:
        design = self.design
        names = sorted({each.path.rpartition(".")[2] for each in self.counted})
        kept = simulator._configuration(f'public_flat_rd -module "*" -var "{name}"' for name in names)
        readable = work / "kept.vlt"
        readable.write_text(kept + simulator._unwarned(design))
        named = ("--Mdir", self.name, "--prefix", self.name, readable.name)
        simulator._run_verilator(work, *simulator.VERILATE_FLAGS, *named, *simulator._reading(design))
        made = sorted((work / self.name).glob("*.cpp"))
        unity = [self.glue(self.name), *(f'#include "{path.relative_to(work)}"\n' for path in made)]
        (work / "all.cpp").write_text("".join(unity))
        found = f"-Wl,-rpath,$ORIGIN/{runtime.parent.name}"
        header = str(runtime.parent / HARNESS[0].name)
        flags = (simulator.WHOLE, "-include", header, "-I.", f"-I{self.name}")
        simulator._compile(work, *flags, "-shared", "all.cpp", str(runtime), found, "-o", "sim.so")
        (work / "sim.so").replace(self.library)


@cache
def _library(path: Path) -> ctypes.CDLL:
    lib = ctypes.CDLL(str(path))
    pointer, number, long = ctypes.c_void_p, ctypes.c_int, ctypes.c_long
    lib.toggles_new.restype, lib.toggles_new.argtypes = pointer, [ctypes.c_uint32, number]
    lib.toggles_delete.argtypes = [pointer]
    lib.toggles_reset.argtypes = [pointer, number]
    lib.toggles_load.argtypes = [pointer, pointer, number, long]
    arrays = (pointer, long, pointer, pointer, pointer)
    lib.toggles_run.argtypes = [pointer, pointer, pointer, number, long, *arrays, number, long]
    lib.toggles_run.restype = long
    return lib


class Counting:
    """A simulated core whose registers are counted, reset and ready for a context.

    Args:
        build: the core.
        seed: of the registers' values at power-up.
        only: registers whose paths hold this text.

    Attributes:
        registers: that are counted.
        at: the configuration while it serves the modulus loaded last; before, ``config``.

    Raises:
        ValueError: no register has such a path.
        SimulatorError: a tool is missing or refuses the sources.
    """

    def __init__(self, build: Build, *, seed: int = 1, only: str = "") -> None:
        self.build, self.config, self.at = build, build.config, build.config
        self.registers = tuple(each for each in registers(build.design) if only in each.path)
        if not self.registers:
            raise ValueError(f"{build.slug} has no register with {only!r} in its path")
        controls = tuple(control.name for control in build.core.interface.controls)
        unit = _Unit(build.design, self.registers, controls)
        unit.build()
        try:
            self._lib = _library(unit.library)
        except OSError as error:
            unit.library.unlink(missing_ok=True)
            raise SimulatorError(f"g++ makes simulations that cannot be loaded: {error}") from error
        self._words = ceil_div(self.config.word, 32)
        self._limit = 0
        self._core = self._lib.toggles_new(seed & 0xFFFFFFFF, self.config.word)

    def __del__(self) -> None:
        if getattr(self, "_core", None):
            self._lib.toggles_delete(self._core)
            self._core = None

    def reset(self) -> None:
        """Hold reset for two clock cycles."""
        self._lib.toggles_reset(self._core, 2)

    def _beats(self, values: Sequence[int]) -> npt.NDArray[np.uint32]:
        """(n, words) so many beats."""
        size = 4 * self._words
        data = b"".join(value.to_bytes(size, "little") for value in values)
        return np.frombuffer(data, dtype="<u4").reshape(len(values), self._words)

    def _operand(self, value: int) -> npt.NDArray[np.uint32]:
        encoded, word = self.build.core.interface.encode(self.at, value), self.at.word
        mask = (1 << word) - 1
        return self._beats([encoded >> beat * word & mask for beat in range(self.at.beats)])

    def load(self, modulus: int, config: Config | None = None) -> None:
        """Load the context of a modulus.

        Args:
            config: of the same hardware, with other run-time fields.

        Raises:
            ValueError: the core cannot serve the modulus.
            ProtocolError: the core does not accept the context.
        """
        interface = self.build.core.interface
        self.at = (config or self.config).at(modulus)
        self._limit = 1000 + 20 * (interface.latency(self.at) + interface.interval(self.at) + self.at.beats)
        beats = self._beats(interface.context(self.at, modulus))
        limit = self._limit + 20 * len(beats) + interface.context_wait(self.config)
        if not self._lib.toggles_load(self._core, beats.ctypes.data, len(beats), limit):
            raise ProtocolError(f"{self.build}: the context was not accepted")

    def run(
        self,
        x: int,
        y: int,
        rows: int,
        *,
        chosen: Sequence[int] = (),
        whole: bool = True,
    ) -> Activity:
        """One operation.

        Args:
            rows: clock edges to count.
            chosen: those at which registers are told one by one.
            whole: whether to go on to the end of the result.

        Raises:
            ProtocolError: the core is stuck, or ``ctx_error_o`` rises.
        """
        beats = self.at.beats
        totals = np.zeros(rows, dtype=np.uint16)
        at = np.asarray(chosen, dtype=np.int64)
        each = np.zeros((len(at), len(self.registers)), dtype=np.uint16)
        z = np.zeros((beats, self._words), dtype="<u4")
        first, second = self._operand(x), self._operand(y)
        edges = self._lib.toggles_run(
            *(self._core, first.ctypes.data, second.ctypes.data, beats, rows, totals.ctypes.data),
            *(len(at), at.ctypes.data, each.ctypes.data, z.ctypes.data, whole, rows + self._limit),
        )
        if edges < 0:
            raise ProtocolError(f"{self.build}: {'ctx_error_o rises' if edges == -2 else 'no result comes'}")
        if not edges:
            return Activity(totals, each, None, 0)
        words = sum(int.from_bytes(beat.tobytes(), "little") << k * self.at.word for k, beat in enumerate(z))
        return Activity(totals, each, self.build.core.interface.decode(self.at, words), edges)
