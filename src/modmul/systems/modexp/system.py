# SPDX-License-Identifier: Apache-2.0
"""modexp: x^e mod M by windows, a program on the engine with any core."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from modmul.core import Core, Origin, System, ceil_div
from modmul.systems.describing import engine_core
from modmul.systems.engine import EngineConfig
from modmul.systems.power import Timing

WINDOWS = range(1, 7)

PROGRAM = (Path(__file__).parents[1] / "programs" / "modexp.s").read_text(encoding="utf-8")
"""With windows of two bits."""

TABLE = "    mul   t2, f, f\n    mul   t3, f, t1\n"
SQUARE = "    mul   -, f, f\n"


def _multiplications(bits: int, window: int) -> int:
    """Squares and products of an exponentiation with windows of so many bits."""
    rounds = ceil_div(bits, window) - 1
    return (1 << window) + rounds * (window + 1) + 1


def best_window(config: EngineConfig) -> int:
    """The window with the fewest multiplications, at most 5, whose table is read while the squares run."""
    words = config.number
    square = words + Timing(config.core, config.at_core).takes(square=True)
    fitting = [window for window in WINDOWS[:5] if words << window <= window * square]
    return min(fitting or WINDOWS[:1], key=lambda window: _multiplications(config.exponent_bits, window))


@dataclass(frozen=True)
class Modexp(EngineConfig):
    """The parameters of the program.

    Attributes:
        window: bits of a digit of the exponent, 1 to 6; 0 for those with the fewest multiplications.
    """

    window: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        open_ = not self.window
        if open_:  # until all is known that the best one depends on
            object.__setattr__(self, "window", WINDOWS[0])
        if self.window not in WINDOWS:
            raise ValueError(f"window must be 1 to 6 bits, got {self.window}")
        super().__post_init__()
        if open_:
            object.__setattr__(self, "window", best_window(self))

    def own(self) -> dict[str, str]:
        return {"Window": "window", **super().own(), "ComputeR2": "compute_r2"}

    def text(self) -> str:
        entries = 1 << self.window
        table = ["    mul   t2, f, f"] if entries > 2 else []
        table += [f"    mul   t{entry}, f, t1" for entry in range(3, entries)]
        changes = {
            "windows of 2 bits": f"windows of {self.window} bits",
            ".table   t 4": f".table   t {entries}",
            "    bits  2\n": f"    bits  {self.window}\n",
            TABLE: "".join(f"{row}\n" for row in table),
            2 * SQUARE: self.window * SQUARE,
        }
        text = PROGRAM
        for of_two, of_all in changes.items():
            assert text.count(of_two) == 1, of_two
            text = text.replace(of_two, of_all)
        return text


def on(core: Core) -> Core:
    """The system on a core."""

    def windows(config: EngineConfig) -> Sequence[EngineConfig]:
        assert isinstance(config, Modexp)
        return [replace(config, window=window) for window in WINDOWS if window != config.window]

    return engine_core(
        core,
        Modexp,
        slug="modexp",
        title="x^e mod M",
        steps="squares and products of a window method",
        origin=Origin(section="exponentiation"),
        more=windows,
    )


SYSTEM = System(slug="modexp", title="x^e mod M by windows, on any core", on=on)
