# SPDX-License-Identifier: Apache-2.0
"""examples/litex: a LiteX system on chip multiplies and signs by its program in C."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256

from litex_answers import MESSAGE, checked
from modmul.bus.shell import Shell
from modmul.chips import CHIPS
from modmul.export import export
from modmul.registry import room

EXAMPLE = Path(__file__).parents[1] / "examples/litex/soc.py"


@pytest.mark.long
@pytest.mark.parametrize("core", ["montgomery_csa2", "fips"])
def test_the_system_on_chip_multiplies_and_signs(core: str, tmp_path: Path) -> None:
    if shutil.which("riscv64-unknown-elf-gcc") is None:
        pytest.skip("there is no riscv64-unknown-elf-gcc")
    done = subprocess.run(
        [sys.executable, EXAMPLE, "--core", core, "--out", tmp_path],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


def test_what_the_system_prints_is_checked() -> None:
    key = generate_private_key(65537, 1024)
    n = key.public_key().public_numbers().n
    x, y = 3, n - 5
    right = {
        "product": f"{x * y % n:x}",
        "signature": key.sign(MESSAGE, PKCS1v15(), SHA256()).hex(),
        "interrupts": "3",
        "failed": "0",
    }
    assert checked(right, key, x, y) == ""
    wrong = {
        "product": f"{(x * y + 1) % n:x}",
        "signature": f"{int(right['signature'], 16) ^ 1:x}",
        "interrupts": "2",
        "failed": "a",
    }
    for name, value in wrong.items():
        assert checked({**right, name: value}, key, x, y), name
        assert checked({each: of for each, of in right.items() if each != name}, key, x, y), name


TWO = """
import subprocess, sys
from pathlib import Path
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCCore
from modmul_litex import SIZE, Modmul
from soc import Clocks, Pinless
import verilator

class Two(SoCCore):
    def __init__(self, folders):
        platform = Pinless()
        self.crg = Clocks(platform)
        super().__init__(platform, clk_freq=100_000_000, cpu_type=None, uart_name="sim")
        for number, folder in enumerate(folders):
            device = Modmul(platform, folder)
            setattr(self, f"device{number}", device)
            region = SoCRegion(origin=0x8000_0000 + number * SIZE, size=SIZE, cached=False)
            self.bus.add_slave(f"device{number}", device.bus, region)

place, *folders = map(Path, sys.argv[1:])
system = Two(folders)
system.finalize()
system.platform.build(system, str(place))
sources = [name for name, *_ in system.platform.sources]
program = Path(verilator.__file__).parent / "bin/verilator"
options = ["--lint-only", "-Wno-fatal", "-Werror-MODDUP", "--top-module", "soc"]
sys.exit(subprocess.run([program, *options, place / "soc.v", *sources]).returncode)
"""


def test_a_system_takes_two_exported_folders(tmp_path: Path) -> None:
    """Of different names."""
    for name, core, width in (("left", "imml_booth4", 16), ("right", "modexp:fips", 16)):
        build = room(core).build(width)
        export(build, None, tmp_path / name, chips=[CHIPS["ecp5"]], count=1, shell=Shell(build), name=name)
    (tmp_path / "two.py").write_text(TWO)
    done = subprocess.run(
        [sys.executable, tmp_path / "two.py", tmp_path / "soc", tmp_path / "left", tmp_path / "right"],
        env=os.environ
        | {"PYTHONPATH": os.pathsep.join((str(EXAMPLE.parent), os.environ.get("PYTHONPATH", "")))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
