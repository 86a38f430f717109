# SPDX-License-Identifier: Apache-2.0
"""The transform of ``mm_ntt.sv`` from Python: its twiddles, its sources in a folder, a run on the hardware.

``python examples/ntt/ntt.py 10`` simulates a transform of 2^10 points and its inverse, and checks both;
``-o FOLDER`` leaves all sources there.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path
from shutil import copyfile

from modmul.design import Design, Port
from modmul.measure import CHIPS
from modmul.measure.synthesis import synthesise
from modmul.registry import room
from modmul.tools.store import Store
from modmul.verify.simulator import Model, Unit

__all__ = [
    "BUTTERFLY",
    "HERE",
    "MODULUS",
    "TRANSFORM",
    "Hardware",
    "cycles",
    "design",
    "root",
    "transform",
    "write",
]

HERE = Path(__file__).parent
MODULUS = 2**64 - 2**32 + 1
GENERATOR = 7
"""Of the multiplicative group, whose order 2^32·(2^32 - 1) has roots of unity of order 2 … 2^32."""

_CONTROL = (Port("clk_i", "input", 1), Port("rst_ni", "input", 1))
_IN = (Port("in_valid_i", "input", 1), Port("in_ready_o", "output", 1))
_OUT = (Port("out_valid_o", "output", 1), Port("out_ready_i", "input", 1))


def _words(way: str, *names: str) -> tuple[Port, ...]:
    return tuple(Port(name, way, 64) for name in names)


BUTTERFLY = (
    *(*_CONTROL, *_IN, Port("halve_i", "input", 1), *_words("input", "w_i", "a_i", "b_i")),
    *(*_OUT, *_words("output", "u_o", "v_o")),
)
"""The ports of ``mm_ntt_butterfly``."""
TRANSFORM = (
    *(*_CONTROL, *_IN, Port("inverse_i", "input", 1), *_words("input", "x_i")),
    *(*_OUT, *_words("output", "z_o")),
)
"""Those of ``mm_ntt``."""


# --- arithmetic ---------------------------------------------------------------------------------


def root(points: int) -> int:
    """A root of unity of order ``points``, a power of two up to 2^32."""
    return pow(GENERATOR, (MODULUS - 1) // points, MODULUS)


def transform(values: Sequence[int], w: int) -> list[int]:
    """z_j = sum of x_i·w^(ij) mod M, for 2^k values and a root w of that order, in plain Python."""
    if len(values) == 1:
        return list(values)
    even, odd = (transform(values[start::2], w * w % MODULUS) for start in (0, 1))
    turned = [value * pow(w, i, MODULUS) for i, value in enumerate(odd)]
    return [(a + b) % MODULUS for a, b in zip(even, turned, strict=True)] + [
        (a - b) % MODULUS for a, b in zip(even, turned, strict=True)
    ]


AFTER = 20
"""Cycles that a pass takes beyond one a pair."""


def cycles(log_points: int) -> int:
    """Of a transform of 2^k points on the hardware: points in, k passes, results out."""
    points = 1 << log_points
    return 2 * points + log_points * (points // 2 + AFTER) + 1


# --- sources ------------------------------------------------------------------------------------


def twiddles(log_points: int) -> str:
    """The module ``mm_ntt_twiddles`` of a transform: w^i a clock cycle after i, for i below N/2."""
    bits = log_points - 1
    w = root(1 << log_points)
    powers = [pow(w, i, MODULUS) for i in range(1 << bits)]
    cases = "\n".join(f"      {bits}'d{i}: w = 64'h{power:016x};" for i, power in enumerate(powers[1:], 1))
    return f"""\
// SPDX-License-Identifier: Apache-2.0
//
// mm_ntt_twiddles: w^index, w of order {1 << log_points}; written by ntt.py.
//
`default_nettype none

module mm_ntt_twiddles (
  input  wire         clk_i,
  input  wire         read_i,
  input  wire  [{bits - 1}:0] index_i,
  output logic [63:0] w_o
);

  logic [63:0] w;

  always_comb begin
    case (index_i)
{cases}
      default: w = 64'h{powers[0]:016x};
    endcase
  end

  always_ff @(posedge clk_i) if (read_i) w_o <= w;

endmodule

`default_nettype wire
"""


def write(folder: Path, log_points: int) -> tuple[Path, ...]:
    """Copy the multiplier and the transform into a folder, and write the twiddles.

    Args:
        log_points: 2 to 16.

    Returns:
        The files, ``mm_ntt.sv`` last.

    Raises:
        ValueError: another number of points.
    """
    if not 2 <= log_points <= 16:
        raise ValueError(f"a transform has 2^2 to 2^16 points, not 2^{log_points}")
    folder.mkdir(parents=True, exist_ok=True)
    own = (HERE / f"{name}.sv" for name in ("mm_ntt_bank", "mm_ntt_butterfly", "mm_ntt"))
    table = folder / "mm_ntt_twiddles.sv"
    table.write_text(twiddles(log_points), encoding="utf-8")
    copies = []
    for source in (*room("pipelined").sources, *own):
        copies.append(folder / source.name)
        copyfile(source, copies[-1])
    return (table, *copies)


def design(sources: tuple[Path, ...], log_points: int | None = None, tile_a: int = 25) -> Design:
    """What :func:`write` wrote, for the tools: the transform, or the butterfly alone.

    Args:
        tile_a: the wide side of a multiplier block, in bits: 25 on 7 series, 18 on ECP5.
    """
    tile = {"TileA": tile_a}
    if log_points is None:
        return Design("butterfly", "mm_ntt_butterfly", sources, tile, BUTTERFLY, multiplier_blocks=True)
    parameters = {"LogPoints": log_points, **tile}
    return Design("ntt", "mm_ntt", sources, parameters, TRANSFORM, multiplier_blocks=True)


# --- a run --------------------------------------------------------------------------------------


class Hardware:
    """A simulated transform.

    Args:
        design: from :func:`design`.

    Attributes:
        points: N.
        cycles: from the first point of the last transform to its last result, both included.
    """

    def __init__(self, design: Design) -> None:
        log_points = design.parameters["LogPoints"]
        self.points = 1 << log_points
        self.cycles = 0
        self._patience = 4 * self.points + (log_points + 1) * (self.points // 2 + 100)
        self._model = Model(Unit(design))
        self._model.rows([[0] * 5] * 2)

    def __call__(self, values: Sequence[int], *, inverse: bool = False, pause: float = 0) -> list[int]:
        """One transform of N values below M.

        Args:
            inverse: the inverse transform.
            pause: chance of a cycle in which no point is offered, and of one in which no result is taken.

        Raises:
            RuntimeError: it gives more results than there are points, or fewer, or not in time.
        """
        rng = random.Random(len(values))
        rows = []
        for i, value in enumerate(values):  # rst_ni, in_valid_i, inverse_i, x_i, out_ready_i
            while rng.random() < pause:
                rows.append([1, 0, rng.getrandbits(1), rng.getrandbits(64), 1])
            rows.append([1, 1, rng.getrandbits(1) if i else int(inverse), value, 1])
        rows += [[1, 0, 0, 0, int(rng.random() >= pause)] for _ in range(self._patience)]
        results = []
        for cycle, (row, (_, valid, z)) in enumerate(zip(rows, self._model.rows(rows), strict=True), 1):
            if valid and row[4]:
                results.append(z)
                self.cycles = cycle
        if len(results) != len(values):
            raise RuntimeError(f"{len(results)} results of {len(values)} points")
        return results


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="A number-theoretic transform and its inverse, simulated.")
    parser.add_argument("log_points", type=int, nargs="?", default=10, help="of 2^2 to 2^16 points; 10")
    parser.add_argument("-o", "--output", type=Path, help="a folder for the sources")
    parser.add_argument("--area", choices=CHIPS, help="synthesise for this target, too")
    parser.add_argument("--tile-a", type=int, choices=(18, 25, 27), default=25, help="TileA; 18 on ecp5")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        try:
            sources = write(arguments.output or Path(scratch), arguments.log_points)
        except ValueError as error:
            parser.error(str(error))
        built = design(sources, arguments.log_points, arguments.tile_a)
        hardware = Hardware(built)
        area = synthesise(built, CHIPS[arguments.area], Store()) if arguments.area else None
    values = [random.randrange(MODULUS) for _ in range(hardware.points)]
    there = hardware(values)
    cycles = hardware.cycles
    if there != transform(values, root(hardware.points)) or hardware(there, inverse=True) != values:
        raise SystemExit("the hardware is wrong")
    print(f"{hardware.points} points there and back, as Python has them; {cycles} cycles a transform")
    if area:
        blocks = f"{area.dsp} multiplier blocks, {area.bram} block RAMs"
        print(f"{area.luts:,} LUTs, {area.ffs:,} flip-flops, {blocks} on {arguments.area}")


if __name__ == "__main__":
    main()
