# SPDX-License-Identifier: Apache-2.0
"""modexp on the engine: x^e mod M by windows, a program for any core."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from modmul.core import Core, Origin, System, ceil_div
from modmul.systems.engine import EngineConfig, engine_core, unit

WINDOWS = range(1, 7)

PROGRAM = """\
; x^e mod M by left-to-right exponentiation with windows of {window} bits.
; R is the core's Montgomery radix, 1 in the plain domain; a * b stands for its product a b / R mod M.
.table   t {entries}
.number  t0 r2               ; R mod M, R^2 mod M
.operand x e
.entry   product

main:
    mul   t1, x, r2         ; x R: enter the domain
{table}
    bits  first             ; the first digit
    scan  s
    mul   -, s, t0          ; s itself, into f
    jump  test

round:                      ; a further digit: its squares while the table is read
    bits  {window}
    scan  s
{squares}
    mul   -, f, s
test:
    loop  round
    mul   -, f, 1           ; leave the domain
    out   f

product:                    ; x y mod M in place of the power
    mul   -, x, r2
    mul   -, f, e
    out   f
"""


def multiplications(bits: int, window: int) -> int:
    """Squares and products of an exponentiation.

    Args:
        bits: of the exponent, at least 1.
        window: bits of a digit.
    """
    rounds = ceil_div(bits, window) - 1
    return (1 << window) + rounds * (window + 1) + 1


def best_window(config: EngineConfig) -> int:
    """The window with the fewest multiplications, at most 5, whose table is read while the squares run."""
    core = unit(config)
    square = core.beats + core.latency(True)
    fitting = [window for window in WINDOWS[:5] if core.beats << window <= window * square]
    return min(fitting or WINDOWS[:1], key=lambda window: multiplications(config.exponent_bits, window))


@dataclass(frozen=True)
class ModexpEngine(EngineConfig):
    """The parameters of the program.

    Attributes:
        digit: bits of a digit of the exponent, 1 to 6; 0 for those with the fewest multiplications.
    """

    digit: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.digit:
            object.__setattr__(self, "digit", best_window(self))
        if self.digit not in WINDOWS:
            raise ValueError(f"digit must be 1 to 6 bits, got {self.digit}")

    @property
    def window(self) -> int:
        return self.digit

    def own(self) -> dict[str, str]:
        return {"Digit": "digit", **super().own()}

    def text(self) -> str:
        entries = 1 << self.window
        table = ["    mul   t2, f, f"] if entries > 2 else []
        table += [f"    mul   t{entry}, f, t1" for entry in range(3, entries)]
        return PROGRAM.format(
            window=self.window,
            entries=entries,
            table="\n".join(table),
            squares="\n".join(["    mul   -, f, f"] * self.window),
        )


def on(core: Core) -> Core:
    """The system on a core."""

    def windows(config: EngineConfig) -> Sequence[EngineConfig]:
        assert isinstance(config, ModexpEngine)
        return [replace(config, digit=digit) for digit in WINDOWS if digit != config.digit]

    return engine_core(
        core,
        ModexpEngine,
        slug="modexp_engine",
        title="x^e mod M",
        steps="squares and products of a window method",
        origin=Origin(section="exponentiation"),
        more=windows,
    )


SYSTEM = System(slug="modexp_engine", title="x^e mod M by windows, a program on the engine", on=on)
