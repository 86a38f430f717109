# SPDX-License-Identifier: Apache-2.0
"""Systems at work: one power on simulated hardware, checked, and what it takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from secrets import randbits
from typing import Any

from modmul.core import RsaKey, check_tool, lane
from modmul.registry import Build, on
from modmul.tools.paths import cache_dir
from modmul.tools.progress import Listener, Progress, ignore
from modmul.use.clock import clock
from modmul.verify.failures import VerificationError
from modmul.verify.simulation import Simulation

__all__ = ["Answer", "build", "build_for", "operate", "private_operation"]


@dataclass(frozen=True)
class Answer:
    """What hardware has computed.

    Attributes:
        value: the power.
        cycles: clock cycles that it took, from the first number in to the last result out.
        fmax_mhz: a clock frequency for this hardware, in MHz; ``None`` where none is known.
        clocked: what has been placed and routed for it, and where.
    """

    value: int
    cycles: int
    fmax_mhz: float | None = None
    clocked: str = ""

    @property
    def seconds(self) -> float | None:
        """The cycles at that frequency."""
        return None if self.fmax_mhz is None else self.cycles / (self.fmax_mhz * 1e6)

    @property
    def effort(self) -> str:
        """Cycles and time in words."""
        text = f"{self.cycles:,} clock cycles, checked"
        if self.seconds is None:
            return text
        of = f", that of {self.clocked}" if self.clocked else ""
        return f"{text}; {self.seconds * 1e3:,.3f} ms at {self.fmax_mhz:.1f} MHz{of}"

    def to_json(self) -> dict[str, Any]:
        """Plain data for ``json.dumps``, without the value."""
        return {
            "cycles": self.cycles,
            "fmax_mhz": self.fmax_mhz,
            "clocked": self.clocked,
            "seconds": self.seconds,
        }


def build(
    system: str,
    core: str,
    bits: int,
    settings: Mapping[str, int] | None = None,
    modulus: int | None = None,
) -> Build:
    """A system on a core for moduli of so many bits.

    Args:
        modulus: the one that it is to serve; a core with builds for one modulus each has one made for it.

    Raises:
        ValueError: there is no such system, core or build, with the reason.
    """
    check_tool("simulated", bits)
    return on(system, core).build(bits, settings, modulus)


def build_for(lengths: Sequence[int], core: str, settings: Mapping[str, int] | None = None) -> Build:
    """``rsa_crt`` on a core for keys whose primes have so many bits.

    Raises:
        ValueError: as :func:`build`.
    """
    bits, shorter = lane(lengths)
    own = {"Primes": len(lengths), "Shorter": shorter}
    return build("rsa_crt", core, bits * len(lengths), {**own, **(settings or {})})


def operate(build: Build, modulus: int, x: int, y: int, *, listener: Listener = ignore) -> Answer:
    """One operation of a system on its core, simulated and checked: for ``modexp``, x^y mod M.

    Args:
        build: of a system, with its run-time fields as they are to be in the context (the exponent's length).
        listener: told several times a second how many cycles have passed.

    Raises:
        ValueError: the core is too wide or cannot serve the modulus, or an operand is out of range.
        PlaceError: the cache folder cannot be written.
        VerificationError: the answer is wrong.
    """
    core, config = build.core, build.config
    check_tool("simulated", config.width, config.word)
    core.function.check(config, modulus)
    at = config.at(modulus)
    core.check_operands(at, modulus, x)
    if not 0 <= y < 1 << at.bits:
        raise ValueError(f"exponents of this build have up to {at.bits} bits, this one has {y.bit_length()}")
    cache_dir()  # one that cannot be written is refused before anything is told
    cycles = core.interface.latency(at) + 2 * (at.beats - 1)
    listener(Progress("compile", core.slug, 0, 1))
    simulation = Simulation(build)
    listener(Progress("compile", core.slug, 1, 1))
    simulation.load(modulus)
    listener(Progress("simulate", core.slug, 0, cycles))
    batch = simulation.run_watched(
        [x], [y], lambda done: listener(Progress("simulate", core.slug, min(done, cycles), cycles))
    )
    listener(Progress("simulate", core.slug, cycles, cycles))
    taken = int(batch.valid[0] - batch.accepted[0]) + at.beats - 1
    right, value = core.function.answer(at, modulus, x, y), batch.results[0]
    if not core.function.accepts(at, modulus, right, value):
        raise VerificationError(f"{core.slug}: {x:#x}^{y:#x} mod {modulus:#x} is not {value:#x}")
    return _clocked(build, Answer(right, taken))


def private_operation(
    build: Build,
    key: RsaKey,
    x: int,
    *,
    listener: Listener = ignore,
) -> Answer:
    """The same of ``rsa_crt``: x^d modulo a key, with new random numbers."""
    return operate(build, key, x, randbits(build.config.bits), listener=listener)


def _clocked(build: Build, answer: Answer) -> Answer:
    """The answer with the frequency of this very system; that of its core would be another one."""
    found = clock(build)
    return replace(answer, fmax_mhz=found.mhz, clocked=found.of) if found else answer
