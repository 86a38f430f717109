# SPDX-License-Identifier: Apache-2.0
"""Operations a second of a device on a bus, through driver, bus and system, beside OpenSSL's here."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from modmul.bus.device import Device
from modmul.bus.registers import Kind
from modmul.bus.shell import Shell
from modmul.bus.simulated import Simulated
from modmul.moduli import Curve
from modmul.registry import Build, on, room
from modmul.tools.progress import Listener, Progress, ignore
from modmul.use.clock import Clock, clock
from modmul.verify.failures import VerificationError

__all__ = ["Bench", "bench", "clock_of", "of_system", "software"]

OPERATIONS = 3
"""Back to back, through the stream."""

STRIDE = 16
"""Clock cycles after which a device that is busy is looked at again."""

SPEED = {512, 1024, 2048, 3072, 4096, 7680, 15360}
"""Lengths of RSA keys that ``openssl speed`` knows."""

CURVES = {"p256": "ecdhp256", "p384": "ecdhp384", "p521": "ecdhp521", "p224": "ecdhp224"}
"""What ``openssl speed`` calls the multiplication of a point."""


@dataclass(frozen=True)
class Bench:
    """What was counted.

    Attributes:
        shell: the device.
        latency: clock cycles of an operation in the system alone, by its metadata.
        registers: of one through the registers, by the driver: from its first access to its last.
        first: of one through the stream, from its first word in to its last word out.
        stream: of each that follows without a pause.
        clock: a frequency for it; ``None`` where none is known.
        own: whether that is of this very system, without the shell; else it is of its core.
    """

    shell: Shell
    latency: int
    registers: int
    first: int
    stream: int
    clock: Clock | None
    own: bool

    def rate(self, cycles: int) -> float | None:
        """Operations a second at that frequency."""
        return None if self.clock is None else self.clock.mhz * 1e6 / cycles

    def to_json(self) -> dict[str, Any]:
        """Plain data for ``json.dumps``."""
        ways = {"registers": self.registers, "stream_first": self.first, "stream": self.stream}
        return {
            "device": str(self.shell.build),
            "bus": self.shell.bus,
            "latency": self.latency,
            "fmax_mhz": self.clock.mhz if self.clock else None,
            "clocked": self.clock.of if self.clock else "",
            "own_clock": self.own,
            "ways": {name: {"cycles": cycles, "rate": self.rate(cycles)} for name, cycles in ways.items()},
        }


def of_system(
    system: str, core: str, width: int, settings: Mapping[str, int], seed: int = 1
) -> tuple[Build, Any, list[tuple[int, int]]]:
    """A system on a core, a modulus for it, and operands; points of a curve have the width of the curve.

    Raises:
        ValueError: there is no such system, core or build.
    """
    found = on(system, core)
    build = found.build(found.core.builds.only_width or width, settings)
    modulus = build.core.function.some_modulus(build.config)
    pairs = build.core.function.drawn(build.config.at(modulus), modulus, Random(seed), OPERATIONS)
    return build, modulus, pairs


class Eager(Simulated):
    """A device that is asked again soon."""

    def pause(self, turn: int) -> None:
        del turn
        self.step(STRIDE)


def bench(
    shell: Shell, modulus: Any, operands: list[tuple[int, int]], *, listener: Listener = ignore
) -> Bench:
    """Count cycles: the same operations one by one through the registers, and back to back as a stream.

    Args:
        shell: the device, with one clock.
        operands: at least two pairs.

    Raises:
        VerificationError: a result is wrong.
        SimulatorError: a tool is missing or refuses the sources.
    """
    build = shell.build
    at, core = build.config.at(modulus), build.core
    right = [core.function.answer(at, modulus, x, y) for x, y in operands]
    steps = 2 + len(operands)
    listener(Progress("compile", build.slug, 0, 1))
    simulated = Eager(shell)
    listener(Progress("compile", build.slug, 1, 1))
    device = Device(simulated, shell, patience=1 << 40)
    device.load(modulus)
    listener(Progress("simulate", build.slug, 0, steps))
    begun = simulated.cycle
    got = [device.run(*operands[0])]
    registers = simulated.cycle - begun
    listener(Progress("simulate", build.slug, 1, steps))
    numbers = [[shell.words(core.interface.encode(at, each), at.bits) for each in pair] for pair in operands]
    frames = [[Kind.OPERATION, *x, *y] for x, y in numbers]
    counted = []
    for some in (frames[:1], frames):
        begun = simulated.cycle
        answers = simulated.stream(some, len(some), random=Random(1), stride=STRIDE)
        counted.append(simulated.cycle - begun)
        got += [
            core.interface.decode(at, sum(word << shell.bus * k for k, word in enumerate(answer[1:])))
            for answer in answers
        ]
        listener(Progress("simulate", build.slug, len(got), steps))
    for found, wanted in zip(got, [right[0], right[0], *right], strict=True):
        if found != wanted and not core.function.accepts(at, modulus, wanted, found):
            raise VerificationError(f"{build} on a bus says {found:#x}, and {wanted:#x} is right")
    first, all_ = counted
    stream = (all_ - first) // (len(frames) - 1)
    frequency, own = clock_of(build)
    return Bench(shell, core.interface.latency(at), registers, first, stream, frequency, own)


def clock_of(build: Build) -> tuple[Clock | None, bool]:
    """A measured frequency, and whether it is of this very system; else it is of its core."""
    if found := clock(build):
        return found, True
    config: Any = build.config
    return clock(replace(build, room=room(config.core.slug), config=config.inner)), False


def software(build: Build, at: Curve | None) -> tuple[float, str] | None:
    """Operations a second of OpenSSL on this machine, one core of it, and what they are; takes seconds.

    ``None`` where OpenSSL is missing, or its ``speed`` has none like this.
    """
    program = shutil.which("openssl")
    bits = build.config.width
    if at is not None:
        name, told = CURVES.get(at.name), f"multiplications of a point of {at.name} (ECDH)"
    else:
        is_rsa = build.slug.startswith("rsa_crt:") and bits in SPEED
        name, told = f"rsa{bits}" if is_rsa else None, f"private operations of RSA-{bits}"
    if program is None or name is None:
        return None
    said = _said(program, "speed", "-seconds", "1", "-mr", name)
    for kind, *fields in (line.split(":") for line in said.splitlines()):
        if kind in ("+F2", "+F5"):
            return float(fields[2]), f"{told}, {' '.join(_said(program, 'version').split()[:2])}"
    return None


def _said(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False).stdout
