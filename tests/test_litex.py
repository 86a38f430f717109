# SPDX-License-Identifier: Apache-2.0
"""examples/litex: a LiteX system on chip multiplies and signs by its program in C."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256

from litex_answers import MESSAGE, checked

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
