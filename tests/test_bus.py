# SPDX-License-Identifier: Apache-2.0
"""Cores on a bus: the shell keeps its promises in simulation, and both drivers drive it."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from shutil import which
from threading import Thread

import pytest
import registers
from bus_checks import (
    CHECKS,
    FOUND,
    Traffic,
    Watched,
    agree,
    check_damaged_contexts,
    check_length_disagrees,
    check_registers_door,
)
from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner

import bitstream
from modmul.bus.device import BusError, Device, DeviceError, Transport
from modmul.bus.line import Line, serve
from modmul.bus.memory import MemoryMap
from modmul.bus.registers import Code, Control, Kind, Register
from modmul.bus.shell import Shell
from modmul.bus.simulated import Simulated, SimulatedLine
from modmul.chips import CHIPS
from modmul.core import PRIME_FIELD, Polynomial, ceil_div
from modmul.design import Design
from modmul.export import export
from modmul.measure.synthesis import STRICT, run_yosys
from modmul.moduli import Curve
from modmul.moduli.curves import BINARY, WEIERSTRASS
from modmul.registry import Build, curve_on, on, room, rooms, systems
from modmul.tools.run import ToolFailure
from modmul.verify.simulator import Unit, build

GUIDE = Path(__file__).parents[1] / "docs" / "bus.md"

SEED = int(os.environ.get("MODMUL_SEED", "29"), 0)

SHELLS: Mapping[str, tuple[str, int, dict[str, int], int]] = {
    "one-beat": ("imml_booth4", 16, {}, 32),
    "odd-words": ("montgomery_csa1", 40, {"Word": 7}, 64),
    "lengths": ("scalable_booth4_left", 70, {}, 128),
    "control": ("fips", 64, {"FieldSet": 1}, 32),
}
"""Core, width, parameters and bus."""


@cache
def shells() -> Mapping[str, Shell]:
    """All compiled, in one run."""
    found = {
        name: Shell(room(core).build(width, options), bus)
        for name, (core, width, options, bus) in SHELLS.items()
    }
    build(*(Unit(shell.design) for shell in found.values()))
    return found


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", SHELLS)
def test_a_shell_keeps_its_promises(name: str, check: str) -> None:
    print(f"MODMUL_SEED={SEED}")
    CHECKS[check](Watched(shells()[name], seed=SEED), SEED)


def test_a_length_that_disagrees_ends_in_an_error() -> None:
    check_length_disagrees(Watched(shells()["lengths"], seed=SEED), SEED)


@pytest.mark.parametrize("name", SHELLS)
def test_damaged_contexts_are_answered(name: str) -> None:
    check_damaged_contexts(Watched(shells()[name], seed=SEED), SEED)


@pytest.mark.parametrize("name", SHELLS)
def test_the_driver(name: str) -> None:
    shell = shells()[name]
    device = Device(Simulated(shell), shell)
    function = shell.build.core.function
    random = Random(SEED)
    modulus = function.some_modulus(shell.build.config)
    at = shell.build.config.at(modulus)
    with pytest.raises(ValueError, match="load a modulus first"):
        device.run(1, 1)
    device.load(modulus)
    for _ in range(5):
        x, y = (random.randint(0, function.operand_max(at, modulus)) for _ in "xy")
        assert function.accepts(at, modulus, function.answer(at, modulus, x, y), device.run(x, y))
    with pytest.raises(DeviceError) as refused:
        device.run((1 << at.bits) - 1, 1) if shell.bound(modulus) < (1 << at.bits) - 1 else device.exchange(
            1, []
        )
    assert refused.value.code is Code.RANGE


@cache
def every_shell(width: int, bus: int) -> Mapping[str, Shell]:
    """Every core on a bus, all compiled in one run."""
    found = {slug: Shell(each.build(width), bus) for slug, each in rooms().items()}
    build(*(Unit(shell.design) for shell in found.values()))
    return found


@pytest.mark.long
@pytest.mark.parametrize("slug", rooms())
@pytest.mark.parametrize(("width", "bus"), [(8, 32), (41, 64)])
def test_every_core(width: int, bus: int, slug: str) -> None:
    for check in CHECKS.values():
        check(Watched(every_shell(width, bus)[slug], seed=SEED), SEED)


# --- systems ------------------------------------------------------------------------------------

TOY = Curve("toy", WEIERSTRASS, 31, 28, 7, (2, 28), 37)
BINARY_TOY = Curve("toy", BINARY, Polynomial(0b100101), 1, 1, (8, 23), 11)
"""Curves of 5 bits, with operands that are points."""

POINTS = "points"
"""The system that multiplies those of a toy."""

SYSTEMS = (
    ("modexp", "imml_booth8", 64),
    ("ladder", "fips", 32),
    ("rsa_crt", "montgomery_csa2", 128),
    (POINTS, "montgomery_dsp", 32),
)
"""Each system on a core of another kind (docs/contract.md), and each width of the bus."""


def system_on(system: str, core: str) -> Build:
    """A small build; of cores for GF(2^m) alone that of a curve in it."""
    if system == POINTS:
        fields = room(core).build(8).config.fields
        return curve_on(TOY if PRIME_FIELD in fields else BINARY_TOY, core)[1].build(5, {"Blind": 0})
    return on(system, core).build(16 if system == "rsa_crt" else 9)


@pytest.mark.parametrize(("system", "core", "bus"), SYSTEMS)
def test_a_system_on_a_bus(system: str, core: str, bus: int) -> None:
    """By the same checks as a core."""
    shell = Shell(system_on(system, core), bus)
    for check in CHECKS.values():
        check(Watched(shell, seed=SEED), SEED)


@pytest.mark.long
@pytest.mark.parametrize(("system", "core"), [(system, core) for system, core, _ in SYSTEMS])
def test_damaged_contexts_of_systems_are_answered(system: str, core: str) -> None:
    check_damaged_contexts(Watched(Shell(system_on(system, core)), seed=SEED), SEED)


@pytest.mark.long
@pytest.mark.parametrize("system", [*systems(), POINTS])
@pytest.mark.parametrize("core", rooms())
def test_every_system_on_every_core(system: str, core: str) -> None:
    try:
        build = system_on(system, core)
    except ValueError as refused:
        pytest.skip(str(refused))
    for check in CHECKS.values():
        check(Watched(Shell(build), seed=SEED), SEED)


def test_what_is_made_of_the_registers_is_up_to_date() -> None:
    """Addresses, C header, IP-XACT and the table of docs/bus.md."""
    stale = [path for path, text in registers.made().items() if path.read_text(encoding="utf-8") != text]
    assert not stale, "run 'make registers'"


def proved(folder: Path, module: str, old: str = "", new: str = "") -> bool:
    """Whether the rules of a module, as it is or changed, hold in every cycle of every run: by induction."""
    folder.mkdir()
    (folder / "src").mkdir()
    sources = []
    for name in (f"mm_bus_{module}", "mm_bus_memory"):
        text = (Path(__file__).parents[1] / "src/modmul/bus" / f"{name}.sv").read_text()
        assert old in text or name == "mm_bus_memory"
        sources.append(folder / "src" / f"{name}.sv")
        sources[-1].write_text(text.replace(old, new))
    sources.append(Path(__file__).parent / "bus" / f"rules_{module}.sv")
    commands = [
        *(f"read_verilog -sv -formal {source.name}" for source in sources),
        *("hierarchy -check -top rules", "prep -flatten -top rules", "memory_map", "async2sync", "dffunmap"),
        *("opt -full", "sat -tempinduct -prove-asserts -set-assumes -seq 1 -maxsteps 8 -verify"),
    ]
    try:
        run_yosys(commands, sources, folder, folder / "yosys.log", 300)
    except ToolFailure as failure:
        assert "proof did fail" in str(failure)
        return False
    return True


def crossing_proved(folder: Path, old: str = "", new: str = "") -> bool:
    """Whether the rules of the queue between two clocks hold whatever these do: by induction."""
    folder.mkdir()
    queue = (Path(__file__).parents[1] / "src/modmul/bus/mm_bus_fifo.sv").read_text()
    assert old in queue
    rules = (Path(__file__).parent / "bus" / "rules_fifo.sv").read_text()
    source = folder / "queue.sv"
    source.write_text(queue.replace(old, new).replace("endmodule", f"{rules}\nendmodule"))
    commands = [
        *("read_verilog -sv -formal queue.sv", "chparam -set Bits 2 mm_bus_fifo"),
        *("prep -flatten -top mm_bus_fifo", "memory_map", "clk2fflogic", "dffunmap", "opt -full"),
        "sat -tempinduct -prove-asserts -set-assumes -seq 1 -maxsteps 4 -verify",
    ]
    place = folder / "run"
    place.mkdir()
    try:
        run_yosys(commands, [source], place, folder / "yosys.log", 300)
    except ToolFailure as failure:
        assert "proof did fail" in str(failure)
        return False
    return True


CROSSINGS = {
    "full-too-late": ("assign full       = write_gray_q ==", "assign full = 1'b0 & write_gray_q =="),
    "no-gray-code": ("write_gray_q <= write_next ^ (write_next >> 1)", "write_gray_q <= write_next"),
    "wrong-place": ("words[write_q[Log-1:0]] <= in_data_i", "words[write_next[Log-1:0]] <= in_data_i"),
    "empty-is-read": ("fetch     = ~empty &", "fetch     ="),
    "word-not-held": ("if (fetch) out_data_o", "out_data_o"),
    "word-overtaken": ("fetch     = ~empty & (~out_valid_o | take)", "fetch     = ~empty"),
    "two-steps": ("read_q + (Log + 1)'(1)", "read_q + (Log + 1)'(2)"),
}


def test_the_crossing_holds_for_ever(tmp_path: Path) -> None:
    """For every ratio of the clocks, and where they drift; a wrong queue of each kind is found."""
    assert crossing_proved(tmp_path / "right")
    found = {name: not crossing_proved(tmp_path / name, *change) for name, change in CROSSINGS.items()}
    assert all(found.values()), found


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        ("slice", "if (free) out_data_o", "if (free | take) out_data_o"),
        ("registers", "if (ar_full_q && !r_valid_o) begin", "if (ar_full_q) begin"),
    ],
)
def test_handshakes_hold_for_ever(module: str, old: str, new: str, tmp_path: Path) -> None:
    """Every port of the shell is a port of one of these two."""
    assert proved(tmp_path / "right", module)
    assert not proved(tmp_path / "wrong", module, old, new)


def shell_proved(folder: Path, file: str = "", old: str = "", new: str = "") -> bool:
    """Whether the whole shell keeps the rules at its outputs; a changed one has a run where it does not."""
    folder.mkdir()
    (folder / "src").mkdir()
    sources = []
    for source in Shell(room("imml_booth4").build(8)).sources:
        text = source.read_text()
        assert source.stem != file or text.count(old) == 1
        sources.append(folder / "src" / source.name)
        sources[-1].write_text(text.replace(old, new) if source.stem == file else text)
    sources.append(Path(__file__).parent / "bus" / "rules_shell.sv")
    commands = [
        *(f"read_verilog -sv -formal {source.name}" for source in sources),
        *("hierarchy -check -top rules", "prep -flatten -top rules", "memory_map", "async2sync", "dffunmap"),
        *("opt -full", "sat -tempinduct -prove-asserts -set-assumes -seq 1 -maxsteps 14 -verify"),
    ]
    log = folder / "yosys.log"
    try:
        run_yosys(commands, sources, folder, log, 300)
    except ToolFailure:
        assert "model found for base case" in log.read_text()
        return False
    return True


def test_the_shell_keeps_the_handshakes_for_ever(tmp_path: Path) -> None:
    """At its smallest, by induction: for all that masters and core may do."""
    assert shell_proved(tmp_path / "right")


LAWLESS = {
    "response-overtaken": ("registers", "ar_full_q && !r_valid_o", "ar_full_q"),
    "response-falls": ("registers", "else if (r_ready_i) begin", "else begin"),
    "write-without-data": (
        "registers",
        "write         = aw_full_q & w_full_q &",
        "write         = aw_full_q &",
    ),
    "answer-falls-in-a-reset": ("", "u_m (\n    .clk_i, .rst_ni,", "u_m (\n    .clk_i, .rst_ni(live),"),
    "stalled-word-changes": ("slice", "if (free) out_data_o", "if (free | take) out_data_o"),
}


@pytest.mark.long
@pytest.mark.parametrize("name", LAWLESS)
def test_a_shell_that_breaks_a_handshake_is_found(name: str, tmp_path: Path) -> None:
    file, old, new = LAWLESS[name]
    assert not shell_proved(tmp_path / "wrong", f"mm_bus_{file}" if file else "mm_bus", old, new)


# --- other ways to a device ---------------------------------------------------------------------


def products(device: Device, modulus: int, count: int = 3) -> None:
    """Some operations are right."""
    function, random = device.shell.build.core.function, Random(SEED)
    device.load(modulus)
    at = device.shell.build.config.at(modulus)
    for _ in range(count):
        x, y = (random.randint(0, function.operand_max(at, modulus)) for _ in "xy")
        assert function.accepts(at, modulus, function.answer(at, modulus, x, y), device.run(x, y))


def test_a_serial_line_bit_by_bit() -> None:
    """The same driver; noise before a command, half a command, and a byte cut off do no harm."""
    shell = shells()["one-beat"]
    wire = SimulatedLine(shell, patience=100)
    products(Device(Line(wire), shell), 0xFFF1)
    for noise in (b"\x00\xff?", b"W\x20", b"R"):
        wire.write(noise)
        wire.model.edge(4 * 4200)
        assert Line(wire).read(Register.BUILD) == shell.build_id
    wire.model.poke("rx_i", 0)
    wire.model.edge(100)
    wire.model.poke("rx_i", 1)
    wire.model.edge(100)
    assert Line(wire).read(Register.BUILD) == shell.build_id
    with pytest.raises(BusError, match="was answered 2"):
        Line(wire).write(Register.ID, 1)
    refused_beyond(Line(wire))
    assert Line(wire).read(Register.BUILD) == shell.build_id
    with pytest.raises(BusError, match="0 of 5 bytes"):
        Line(Silent()).read(Register.ID)


def refused_beyond(device: Transport) -> None:
    """The registers do not come again at higher addresses."""
    for place in (0x2000 + Register.ID, 0x4000 + Register.IRQ_ENABLE, 0xE000 + Register.RESULT, 0xFFFC):
        with pytest.raises(BusError):
            device.read(place)
        with pytest.raises(BusError):
            device.write(place, 7)


class Silent:
    """A line with nobody at its end."""

    def write(self, data: bytes) -> int:
        return len(data)

    def read(self, size: int = 1) -> bytes:
        return b""


def test_a_device_at_a_socket() -> None:
    """pyserial's end is the driver's; a thread serves the simulation."""
    shell = shells()["one-beat"]
    with socket.create_server(("127.0.0.1", 0)) as server:

        def device_end() -> None:
            connection, _ = server.accept()
            with connection, connection.makefile("rb") as incoming:
                serve(Simulated(shell), incoming.read, connection.sendall)

        thread = Thread(target=device_end)
        thread.start()
        line = Line(f"socket://127.0.0.1:{server.getsockname()[1]}")
        products(Device(line, shell), 0xFFF1)
        refused_beyond(line)
        line.close()
        thread.join(30)
        assert not thread.is_alive()


def test_registers_in_memory(tmp_path: Path) -> None:
    """What is written is read back from where it belongs."""
    file = tmp_path / "uio0"
    file.write_bytes(bytes(0x2000))
    with MemoryMap(file) as memory:
        memory.write(Register.IN_LAST, 0x12345678)
        assert memory.read(Register.IN_LAST) == 0x12345678
        refused_beyond(memory)
        with pytest.raises(BusError, match="no register at 0x0045"):
            memory.write(Register.IN_LAST + 1, 1)
        with pytest.raises(DeviceError, match="no modmul device there"):
            Device(memory, shells()["one-beat"])
    assert file.read_bytes()[Register.IN_LAST :][:4] == b"\x78\x56\x34\x12"
    with pytest.raises(BusError, match="cannot be mapped"):
        MemoryMap(tmp_path / "none")


def test_another_build_is_refused() -> None:
    shell, other = shells()["one-beat"], shells()["control"]
    with pytest.raises(DeviceError, match="the device holds build"):
        Device(Simulated(shell), other)


STRICT_C = ("-std=c99", "-pedantic", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror")
SANITIZERS = ("-g", "-fsanitize=address,undefined", "-fno-sanitize-recover")


BIG_ENDIAN = ("s390x-linux-gnu-gcc", "qemu-s390x")


@pytest.mark.parametrize("name", ["odd-words"])
def test_the_c_driver(name: str, tmp_path: Path) -> None:
    """Under sanitizers."""
    check_the_c_driver(shells()[name], tmp_path, ("gcc", *SANITIZERS), ())


def test_the_example_in_c_compiles(tmp_path: Path) -> None:
    """That of the guide and the README, with what an exported folder has."""
    [example] = re.findall(r"^```c$(.*?)^```$", GUIDE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    (tmp_path / "example.c").write_text(example)
    driver = exported(Shell(room("imml_booth4").build(16)), tmp_path / "out") / "driver"
    subprocess.run(["gcc", *STRICT_C, f"-I{driver}", "-c", "example.c"], cwd=tmp_path, check=True)


@pytest.mark.long
@pytest.mark.parametrize("name", ["odd-words", "lengths"])
def test_the_c_driver_on_a_big_endian_processor(name: str, tmp_path: Path) -> None:
    """A z/Architecture in QEMU."""
    headers = Path("/usr/s390x-linux-gnu/include/stdio.h")
    lacking = [program for program in BIG_ENDIAN if which(program) is None]
    lacking += [] if headers.exists() else ["libc6-dev-s390x-cross"]
    if lacking:
        pytest.skip(f"missing: {', '.join(lacking)}")
    compiler, emulator = BIG_ENDIAN
    check_the_c_driver(shells()[name], tmp_path, (compiler, "-static"), (emulator,))


def check_the_c_driver(shell: Shell, tmp_path: Path, compiler: Sequence[str], run_by: Sequence[str]) -> None:
    """With the simulated device at the other end of its standard input and output."""
    function = shell.build.core.function
    folder = exported(shell, tmp_path / "out") / "driver"
    ours = Path(__file__).parent / "bus" / "bus_driver.c"
    program = tmp_path / "driver"
    for source in (folder / "example.c", ours):
        subprocess.run(
            [*compiler, *STRICT_C, f"-I{folder}", "-o", program, source, folder / "modmul_bus.c"],
            check=True,
        )
    modulus = (1 << shell.build.config.width) - 1
    at = shell.build.config.at(modulus)
    random, words = Random(SEED), ceil_div(at.bits, 32)
    pairs = [tuple(random.randint(0, modulus - 1) for _ in "xy") for _ in range(4)]
    arguments = [f"{v >> 32 * k & 0xFFFFFFFF:x}" for pair in pairs for v in pair for k in range(words)]
    run = subprocess.Popen(
        [*run_by, program, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
    )
    assert run.stdin and run.stdout and run.stderr
    serve(Simulated(shell), run.stdout.read, run.stdin.write)
    told = run.stderr.read().decode()
    assert run.wait(30) == 0, told
    results = [
        sum(int(word, 16) << 32 * k for k, word in enumerate(line.split())) for line in told.splitlines()
    ]
    right = [function.answer(at, modulus, x, y) for x, y in pairs]
    assert all(function.accepts(at, modulus, z, got) for z, got in zip(right, results, strict=True))


@pytest.mark.long
@pytest.mark.parametrize(
    ("board", "core"), [("ulx3s", "imml_booth4"), ("icebreaker", "imml_booth4"), ("ulx3s", "fips")]
)
def test_yosys_reads_the_boards(board: str, core: str, tmp_path: Path) -> None:
    """With and without cells of the family in the core."""
    found = bitstream.BOARDS[board]
    whole = bitstream.design(found, bitstream.shell(found, core, 16), found.clock(found.mhz))
    run_yosys([*STRICT, *bitstream.elaborated(found, whole)], whole.sources, tmp_path, tmp_path / "log", 100)


@pytest.mark.long
@pytest.mark.parametrize("name", bitstream.BOARDS)
def test_the_figures_of_a_board_are_those_of_its_design(name: str) -> None:
    """Of the sources as they are."""
    board = bitstream.BOARDS[name]
    mhz, digest = bitstream.recorded(board)
    whole = bitstream.design(board, bitstream.shell(board), board.clock(mhz + 0.001))
    assert whole.digest.startswith(digest), f"run 'make -C examples/{name} figures'"


@pytest.mark.parametrize(
    ("reaches", "mhz"),
    [
        ({}, 85.0),  # the first one reaches 85.5, and no clock lies between
        ({85.0: 91.9, 5500 / 60: 92.5}, 5500 / 60),
        ({85.0: 91.9, 5500 / 60: 84.0}, 85.0),  # faster does not do: back to what did
        ({85.0: 70.0, 70.0: 69.9, 625 / 9: 69.5}, 625 / 9),
        ({85.0: 70.0, 70.0: 83.4, 2500 / 30: 83.4}, 2500 / 30),
    ],
)
def test_the_clock_is_the_fastest_that_the_design_takes(reaches: dict[float, float], mhz: float) -> None:
    board = bitstream.BOARDS["ulx3s"]
    asked: list[float] = []

    def make(clock: bitstream.Clock) -> bitstream.Made:
        asked.append(clock.mhz)
        [reached] = [found for at, found in reaches.items() if abs(at - clock.mhz) < 1e-6] or [
            clock.mhz + 0.5
        ]
        return bitstream.Made(Path("bit"), clock, reached, {}, "")

    made = bitstream.fitted(board, make, 85)
    assert made.clock.mhz == pytest.approx(mhz) and not made.slow
    assert len(asked) <= 4
    with pytest.raises(ValueError, match=r"begin at 12\.5 MHz"):
        board.clock(12.0)


def test_the_pll_makes_the_clocks() -> None:
    """Its oscillator within 400 to 800 MHz, and a bit of the line within one per cent."""
    board = bitstream.BOARDS["ulx3s"]
    for clock in board.clocks:
        factor, divider = clock.parameters["Factor"], clock.parameters["OutputDiv"]
        assert 400 <= 25 * factor <= 800
        assert clock.mhz == 25 * factor / divider
        divisor = round(clock.mhz * 1e6 / board.baud)
        assert clock.mhz < 50 or abs(divisor * board.baud / (clock.mhz * 1e6) - 1) < 0.01


@pytest.mark.long
def test_the_board_signs_and_openssl_accepts_it(tmp_path: Path) -> None:
    """The client of examples/ulx3s at the simulated serial line."""
    key, public, message, made = (
        tmp_path / name for name in ("key.pem", "public.pem", "message", "signature")
    )
    subprocess.run(["openssl", "genrsa", "-out", key, "1024"], check=True, capture_output=True)
    subprocess.run(["openssl", "rsa", "-in", key, "-pubout", "-out", public], check=True, capture_output=True)
    message.write_text("to be signed")
    client = Path(__file__).parents[1] / "examples" / "ulx3s" / "sign.py"
    subprocess.run([sys.executable, client, key, message, made, "--simulate"], check=True)
    said = subprocess.run(
        ["openssl", "dgst", "-sha256", "-verify", public, "-signature", made, message],
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.stdout == "Verified OK\n"


@pytest.mark.long
def test_a_result_that_is_held_back() -> None:
    """A key whose second half is wrong: no bit of the result leaves, and the key is gone."""
    shell = Shell(room("rsa_crt:montgomery_csa2").build(32))
    device = Device(Simulated(shell), shell)
    core, config = shell.build.core, shell.build.config
    modulus = core.function.some_modulus(config)
    at = config.at(modulus)
    beats = list(core.interface.context(at, modulus))
    operands = [*shell.words(5, at.bits), *shell.words(7, at.bits)]
    held = 0
    for place in range(len(beats)):
        wrong = [beat ^ (2 if number == place else 0) for number, beat in enumerate(beats)]
        frame = [at.bits, len(wrong), *shell.words(shell.bound(modulus), at.bits), *shell.packed(wrong)]
        if device.exchange(Kind.CONTEXT, frame).code is Code.OK:
            answer = device.exchange(Kind.OPERATION, operands)
            if answer.code is Code.WITHHELD:
                held += 1
                assert answer.words == ()
                assert device.exchange(Kind.OPERATION, operands).code is Code.NO_CONTEXT
    assert held
    products(device, modulus)


@pytest.mark.long
def test_a_million_transactions() -> None:
    """10^6 of them, at the streams and at the registers: nothing is lost, nothing hangs.

    One is a word of a stream, or an access to a register: frames of all kinds come through either door, and
    between them any address is read, and written with anything in any of its bytes.
    """
    shell, random, done = shells()["one-beat"], Random(SEED), 0
    sim = Watched(shell, seed=SEED)
    access = sim.access

    def counted(address: int, value: int | None = None, strobes: int = 15) -> tuple[int, int]:
        nonlocal done
        done += 1
        return access(address, value, strobes)

    sim.access = counted  # type: ignore[method-assign]
    while done < 1_000_000:
        traffic = Traffic(shell, random)
        sent = traffic.mix(2000)
        pause = random.random() / 2
        agree(traffic, sent, sim.stream([f for f, _ in sent], len(sent), random=random, pause=pause))
        done += sum(len(frame) + len(answer) for frame, answer in sent)
        check_registers_door(sim, random.getrandbits(32), 60)
        for _ in range(300):
            place = random.choice((random.randrange(0x50), random.randrange(0x2000)))
            if random.random() < 0.5:
                sim.access(place)
            elif place & ~3 not in DOORS:
                sim.access(place, random.getrandbits(32), random.getrandbits(4))
        sim.write(Register.CONTROL, Control.RESET)
        sim.write(Register.IRQ_ENABLE, 0)
        sim.step(40)


DOORS = {Register.IN_DATA, Register.IN_LAST}
"""Where whatever is written is a word of a frame; ``doors`` and ``reset`` try halves of frames."""


# --- the exported folder ------------------------------------------------------------------------


def exported(shell: Shell, folder: Path, count: int = 40) -> Path:
    export(shell.build, None, folder, chips=[CHIPS["ecp5"]], shell=shell, count=count)
    return folder / "axi"


def benched(folder: Path, simulator: str = "icarus", *options: str) -> tuple[int, str]:
    """The bench in a simulator: how it ended, and its last line."""
    run = subprocess.run(
        ["make", "-C", folder, simulator, *options],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    told = [line for line in run.stdout.splitlines() if line.startswith(("PASS", "FAIL", "TIME UP"))]
    return run.returncode, told[-1] if told else run.stdout + run.stderr


IN_PARTS = "-CFLAGS -O0 --output-split 1000 --output-split-cfuncs 100000"
"""Options for Verilator: large models come in several files, which share a precompiled header."""


@pytest.mark.parametrize(
    ("simulator", "options"),
    [
        ("icarus", ()),
        pytest.param("verilator", (f"VERILATOR_FLAGS={IN_PARTS}",), marks=pytest.mark.long),
    ],
)
def test_the_exported_bench_passes_and_can_fail(
    simulator: str, options: Sequence[str], tmp_path: Path
) -> None:
    folder = exported(Shell(room("montgomery_csa1").build(40, {"Word": 7}), 64, 2), tmp_path / "out")
    assert benched(folder, simulator, *options, "LIMIT=0") == (0, "PASS: 40 operations")
    source = folder / "rtl" / "mm_bus_gear.sv"
    right = source.read_text()
    source.write_text(right.replace("held_q >> Out", "held_q >> (Out + 1)"))
    status, told = benched(folder, simulator, *options)
    assert status and told.startswith("FAIL")


def test_the_exported_bench_ends_in_time(tmp_path: Path) -> None:
    """With what it has checked, and with an error where that is nothing."""
    folder = exported(Shell(room("modexp:fips").build(512)), tmp_path / "long", count=1)
    status, told = benched(folder, "icarus", "LIMIT=1")
    assert status and told.startswith("TIME UP: no operation ended in 1 s")
    folder = exported(Shell(room("imml_booth4").build(16)), tmp_path / "short")
    [bench] = folder.glob("tb_*.sv")
    text = bench.read_text().replace("Count   = 40;", "Count   = 100000;")
    bench.write_text(text.replace("Columns*index", "Columns*(index%40)"))
    status, told = benched(folder, "icarus", "LIMIT=1")
    passed = re.fullmatch(r"PASS: (\d+) operations, of 100000, in [01] s(; not through the registers)?", told)
    assert not status and passed and int(passed[1]) > 0, told


def cocotb_results(shell: Shell, options: dict[str, int], folder: Path, place: Path) -> tuple[int, int]:
    """Tests and failures of bus_cocotb.py on an exported folder."""
    top = f"{shell.build.core.top}_axi"
    runner = get_runner("icarus")
    runner.build(
        sources=[folder.parent / name for name in (folder / f"{top}.f").read_text().split()],
        hdl_toplevel=top,
        build_dir=place,
        timescale=("1ns", "1ps"),
    )
    with suppress(SystemExit):  # where a test fails
        runner.test(
            test_module="bus_cocotb",
            results_xml=str(place / "results.xml"),
            hdl_toplevel=top,
            build_dir=place,
            test_dir=place,
            timescale=("1ns", "1ps"),
            extra_env={
                "MODMUL_SLUG": shell.build.slug,
                "MODMUL_WIDTH": str(shell.build.config.width),
                "MODMUL_OPTIONS": json.dumps(options),
                "MODMUL_BUS": str(shell.bus),
                "MODMUL_CLOCKS": str(shell.clocks),
                "MODMUL_SEED": str(SEED),
            },
        )
    tests, failures = get_results(place / "results.xml")
    return tests, failures


@pytest.fixture
def bench_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the bench imports, for the simulator's Python."""
    for path in (Path(__file__).parent / "bus", Path(__file__).parents[1] / "tools"):
        monkeypatch.syspath_prepend(str(path))


@pytest.mark.usefixtures("bench_modules")
@pytest.mark.parametrize(
    ("slug", "width", "options", "bus", "clocks"),
    [
        ("imml_booth4", 16, {}, 32, 2),
        pytest.param("fips", 64, {"FieldSet": 1}, 32, 1, marks=pytest.mark.long),
        pytest.param("scalable_booth4_left", 70, {}, 128, 2, marks=pytest.mark.long),
    ],
)
def test_cocotb(
    slug: str, width: int, options: dict[str, int], bus: int, clocks: int, tmp_path: Path
) -> None:
    """The masters of cocotbext-axi, in Icarus; two clocks have a random ratio."""
    shell = Shell(room(slug).build(width, options), bus, clocks)
    assert cocotb_results(shell, options, exported(shell, tmp_path / "out"), tmp_path) == (4, 0)


@pytest.mark.long
@pytest.mark.usefixtures("bench_modules")
@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("receive", "zero_or_data = state_q == HAND ? Bus'(0) : in_data_i", "zero_or_data = in_data_i"),
        (
            "execute",
            "answer_word    = z_take ? z_word : Bus'(0)",
            "answer_word    = z_take ? z_word : kept_word",
        ),
        ("registers", "window_in      = wiping_q ? Bus'(0)", "window_in      = wiping_q ? window_word"),
    ],
)
def test_what_is_left_of_secrets_is_found(file: str, old: str, new: str, tmp_path: Path) -> None:
    """Each memory that is not overwritten fails that test of the bench, and no other."""
    shell = Shell(room("imml_booth4").build(16))
    folder = exported(shell, tmp_path / "out")
    source = folder / "rtl" / f"mm_bus_{file}.sv"
    text = source.read_text()
    assert text.count(old) == 1
    source.write_text(text.replace(old, new))
    assert cocotb_results(shell, {}, folder, tmp_path) == (4, 1)


# --- mutants ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mutant:
    """A wrong shell.

    Attributes:
        name: what is wrong with it.
        shell: one of SHELLS.
        file: the module that is changed.
        old, new: a text of it that comes once, and what it becomes.
        found: the check that finds it.
        others: those that may find it, too, by luck.
    """

    name: str
    shell: str
    file: str
    old: str
    new: str
    found: str
    others: frozenset[str]


def mutant(name: str, shell: str, file: str, old: str, new: str, found: str, *others: str) -> Mutant:
    return Mutant(name, shell, f"mm_bus_{file}" if file else "mm_bus", old, new, found, frozenset(others))


MUTANTS = (
    mutant(
        *("lower-words-not-compared", "control", "receive"),
        *(" | (in_data_i == bound & greater_q & index_q != '0)", "", "stream", "registers", "reset", "doors"),
    ),
    mutant("bytes-written", "one-beat", "registers", "w_strb_i == 4'hf", "1'b1", "map"),
    mutant(
        *("response-falls", "one-beat", "registers", "else if (r_ready_i) begin", "else begin"),
        *("map", "registers", "doors", "reset"),
    ),
    mutant("response-overtaken", "one-beat", "registers", "ar_full_q && !r_valid_o", "ar_full_q", "map"),
    mutant(
        *("write-without-data", "one-beat", "registers"),
        *("write         = aw_full_q & w_full_q &", "write         = aw_full_q &", "map"),
        *("registers", "doors"),
    ),
    mutant(
        *("holes-can-be-read", "one-beat", "registers"),
        *("default:   known = 1'b0", "default:   known = 1'b1", "map"),
    ),
    mutant("refusal-not-told", "one-beat", "registers", "raise = {write & ~legal,", "raise = {1'b0,", "map"),
    mutant("error-not-told", "one-beat", "registers", "done_q & ~done_q2 & error,", "1'b0,", "registers"),
    mutant("answer-runs-on", "one-beat", "", "<= ~open & m_part_q", "<= 1'b0", "reset"),
    mutant("frame-runs-on", "one-beat", "", "s_drop_q <= s_part_q", "s_drop_q <= 1'b0", "reset"),
    mutant("frames-mix", "one-beat", "", "= held_q ? held_door_q : put_valid", "= put_valid", "doors"),
    mutant(
        *("late-word-taken", "one-beat", "registers"),
        *("InLast:                legal = ready", "InLast: legal = 1'b1", "doors"),
    ),
    mutant(
        *("stalled-word-changes", "one-beat", "slice"),
        *("if (free) out_data_o", "if (free | take) out_data_o", "stream", "doors", "reset"),
    ),
    mutant(
        *("excess-word-not-seen", "control", "receive"),
        *("if (!ended_q || gear_spare)", "if (!ended_q)", "stream", "registers", "reset"),
    ),
)


def changed(wrong: Mutant, folder: Path) -> Design:
    """The hardware of a mutant."""
    design = shells()[wrong.shell].design
    [source] = [file for file in design.sources if file.stem == wrong.file]
    text = source.read_text()
    assert text.count(wrong.old) == 1, wrong.name
    place = folder / source.name
    place.write_text(text.replace(wrong.old, wrong.new))
    return replace(design, sources=tuple(place if file == source else file for file in design.sources))


@pytest.mark.long
@pytest.mark.parametrize("wrong", MUTANTS, ids=lambda wrong: wrong.name)
def test_a_mutant_is_found(wrong: Mutant, tmp_path: Path) -> None:
    design = changed(wrong, tmp_path)
    found = set()
    for name, check in CHECKS.items():
        for seed in range(SEED, SEED + 3):
            try:
                check(Watched(shells()[wrong.shell], seed=seed, design=design), seed)
            except FOUND:
                found.add(name)
    assert wrong.found in found
    assert found - {wrong.found} <= wrong.others
