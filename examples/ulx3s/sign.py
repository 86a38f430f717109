# SPDX-License-Identifier: Apache-2.0
"""Signs a file by the hardware on the board, or by the same design in simulation, and writes the signature.

    sign.py key.pem file signature --port /dev/ttyUSB0
    sign.py key.pem file signature --simulate
    openssl dgst -sha256 -verify public.pem -signature signature file

The simulation has the same serial line, bit by bit. RSA with PKCS #1 v1.5 and SHA-256; the signature is
checked before it is written.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bitstream import BOARDS, shell
from modmul.bus.device import BusError, Device, DeviceError
from modmul.bus.line import Line, Wire
from modmul.bus.simulated import SimulatedLine
from modmul.registry import UnknownCore
from modmul.tools.progress import Listener
from modmul.use.rsa import Answer, PrivateKey, PrivateNumbers, RSAError, private_key, sign
from modmul.verify.failures import VerificationError

__all__ = ["signature"]

BOARD = BOARDS["ulx3s"]


def signature(key: PrivateKey, message: bytes, device: Device) -> bytes:
    """The signature of a message, computed by the device.

    Raises:
        DeviceError: the device refuses the key, or an operand.
        VerificationError: the signature is wrong.
    """

    def power(numbers: PrivateNumbers, x: int, _listener: Listener) -> Answer:
        device.load(numbers.public_numbers.n)
        return Answer(int(device.run(x, numbers.d)), 0)

    return sign(key, message, power).data


def main() -> int:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("key", type=Path, help="the private key, PEM or DER")
    options.add_argument("file", type=Path)
    options.add_argument("signature", type=Path, help="the file to write")
    where = options.add_mutually_exclusive_group(required=True)
    where.add_argument("--port", help="the serial line: /dev/ttyUSB0, or as pyserial has it")
    where.add_argument("--simulate", action="store_true", help="in simulation")
    options.add_argument("--core", default=BOARD.core, help="as the bitstream was made")
    options.add_argument("--width", type=int, default=BOARD.width, help="as the bitstream was made")
    given = options.parse_args()
    try:
        key = private_key(given.key, lambda: None)
        found = shell(BOARD, given.core, given.width)
        wire: Wire | str = SimulatedLine(found) if given.simulate else given.port
        device = Device(Line(wire, baud=BOARD.baud), found, patience=10_000_000)
        given.signature.write_bytes(signature(key, given.file.read_bytes(), device))
    except (BusError, DeviceError, OSError, RSAError, UnknownCore, ValueError, VerificationError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
