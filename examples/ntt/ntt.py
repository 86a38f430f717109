# SPDX-License-Identifier: Apache-2.0
"""The transforms of ``mm_ntt.sv`` from Python: twiddles, sources in a folder, a run on the hardware.

``python examples/ntt/ntt.py 10`` simulates a transform of 2^10 points and its inverse, and checks both;
``-m ml-kem`` takes that of ML-KEM; ``-o FOLDER`` leaves all sources there.
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile

from modmul.design import Design, Port
from modmul.measure import CHIPS
from modmul.measure.synthesis import synthesise
from modmul.registry import room
from modmul.tools.store import Store
from modmul.verify.simulator import Model, Unit

__all__ = [
    "AFTER",
    "FIELDS",
    "GOLDILOCKS",
    "HERE",
    "Field",
    "Hardware",
    "butterfly_ports",
    "cycles",
    "design",
    "inverse_transform",
    "reverse",
    "root",
    "transform",
    "write",
]

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Field:
    """A prime and its transform.

    Attributes:
        modulus: M, the prime.
        base: of a cyclic transform a number that is no square modulo M, otherwise the root of unity of the
            standard, of order 2^(layers + 1).
        layers: 0 for cyclic transforms of 2^2 points and more; otherwise the layers of the one of the
            standard, of 256 points.
    """

    modulus: int
    base: int
    layers: int = 0

    @property
    def width(self) -> int:
        """Bits of a point."""
        return self.modulus.bit_length()

    @property
    def most(self) -> int:
        """The logarithm of the most points: there are roots of unity of that order, and no more than 2^16."""
        twos = (self.modulus - 1 & 1 - self.modulus).bit_length() - 1
        return 8 if self.layers else min(twos, 16)

    def check(self, log_points: int) -> None:
        """Raise ValueError unless there is a transform of 2^log_points points."""
        if self.most < 2:
            raise ValueError(
                f"M - 1 = {self.modulus - 1} is twice an odd number: there is no root of unity of order 4"
            )
        if self.layers and log_points != 8:
            raise ValueError(f"the transform of the standard has 2^8 points, not 2^{log_points}")
        if not 2 <= log_points <= self.most:
            raise ValueError(f"a transform has 2^2 to 2^{self.most} points, not 2^{log_points}")


GOLDILOCKS = Field(2**64 - 2**32 + 1, 7)
FIELDS = {
    "goldilocks": GOLDILOCKS,
    "babybear": Field(2**31 - 2**27 + 1, 31),
    "koalabear": Field(2**31 - 2**24 + 1, 3),
    "mersenne31": Field(2**31 - 1, 3),
    "falcon": Field(12289, 11),
    "ml-kem": Field(3329, 17, 7),
    "ml-dsa": Field(2**23 - 2**13 + 1, 1753, 8),
}
"""By the names of ``modmul list --moduli``."""

_CONTROL = (Port("clk_i", "input", 1), Port("rst_ni", "input", 1))
_IN = (Port("in_valid_i", "input", 1), Port("in_ready_o", "output", 1))
_OUT = (Port("out_valid_o", "output", 1), Port("out_ready_i", "input", 1))


def _words(width: int, way: str, *names: str) -> tuple[Port, ...]:
    return tuple(Port(name, way, width) for name in names)


def butterfly_ports(width: int) -> tuple[Port, ...]:
    """The ports of ``mm_ntt_butterfly``."""
    modes = (Port("gentleman_i", "input", 1), Port("halve_i", "input", 1))
    operands, results = _words(width, "input", "w_i", "a_i", "b_i"), _words(width, "output", "u_o", "v_o")
    return (*_CONTROL, *_IN, *modes, *operands, *_OUT, *results)


def _transform_ports(width: int) -> tuple[Port, ...]:
    """Those of ``mm_ntt``."""
    inverse = Port("inverse_i", "input", 1)
    return (*_CONTROL, *_IN, inverse, *_words(width, "input", "x_i"), *_OUT, *_words(width, "output", "z_o"))


# --- arithmetic ---------------------------------------------------------------------------------


def root(points: int, field: Field = GOLDILOCKS) -> int:
    """A root of unity of order ``points``, a power of two that divides M - 1."""
    if field.layers:
        return field.base
    return pow(field.base, (field.modulus - 1) // points, field.modulus)


def reverse(number: int, bits: int) -> int:
    """A number of so many bits with its bits in reverse."""
    return sum((number >> i & 1) << bits - 1 - i for i in range(bits))


def transform(values: Sequence[int], field: Field = GOLDILOCKS) -> list[int]:
    """What the hardware is to give, in plain Python, layer by layer."""
    m, points = field.modulus, len(values)
    if not field.layers:
        return _cyclic(values, root(points, field), m)
    c, length = list(values), points
    for layer in range(field.layers):
        length //= 2
        for block in range(1 << layer):
            w = pow(field.base, reverse((1 << layer) + block, field.layers), m)
            for p in range(2 * block * length, (2 * block + 1) * length):
                t = w * c[p + length] % m
                c[p], c[p + length] = (c[p] + t) % m, (c[p] - t) % m
    return c


def inverse_transform(values: Sequence[int], field: Field = GOLDILOCKS) -> list[int]:
    """The values whose transform these are: the same, backwards."""
    m, points = field.modulus, len(values)
    if not field.layers:
        w = pow(root(points, field), -1, m)
        return [z * pow(points, -1, m) % m for z in _cyclic(values, w, m)]
    c, half = list(values), pow(2, -1, m)
    for layer in reversed(range(field.layers)):
        length = points >> layer + 1
        for block in range(1 << layer):
            w = pow(field.base, -reverse((1 << layer) + block, field.layers), m)
            for p in range(2 * block * length, (2 * block + 1) * length):
                a, b = c[p], c[p + length]
                c[p], c[p + length] = (a + b) * half % m, (a - b) * w * half % m
    return c


def _cyclic(values: Sequence[int], w: int, m: int) -> list[int]:
    """z_j = sum of x_i·w^(ij) mod M, for 2^k values and a root w of that order."""
    if len(values) == 1:
        return list(values)
    even, odd = (_cyclic(values[start::2], w * w % m, m) for start in (0, 1))
    turned, power = [], 1
    for value in odd:
        turned.append(value * power % m)
        power = power * w % m
    return [(a + b) % m for a, b in zip(even, turned, strict=True)] + [
        (a - b) % m for a, b in zip(even, turned, strict=True)
    ]


AFTER = 5
"""Cycles that a pass takes beyond one a pair and those of the multiplier."""


def cycles(log_points: int, field: Field = GOLDILOCKS, tile_a: int = 25) -> int:
    """Of a transform of 2^k points on the hardware: points in, the passes, results out."""
    build = room("small_fixed").build(field.width, {"Modulus": field.modulus, "TileA": tile_a})
    points, passes = 1 << log_points, field.layers or log_points
    return 2 * points + passes * (points // 2 + build.latency + AFTER) + 1


# --- sources ------------------------------------------------------------------------------------


def twiddles(log_points: int, field: Field) -> str:
    """The module ``mm_ntt_twiddles`` of a transform: a power of w a clock cycle after its number."""
    bits = field.layers or log_points - 1
    w = root(1 << log_points, field)
    numbers = (reverse(i, bits) if field.layers else i for i in range(1 << bits))
    powers = [pow(w, e, field.modulus) for e in numbers]
    width = field.width
    cases = "\n".join(f"      {bits}'d{i}: w = {width}'h{power:x};" for i, power in enumerate(powers[1:], 1))
    what = "w^(index, its bits in reverse)" if field.layers else "w^index"
    return f"""\
// SPDX-License-Identifier: Apache-2.0
//
// mm_ntt_twiddles: {what}, w of order {2 << bits}; written by ntt.py.
//
`default_nettype none

module mm_ntt_twiddles (
  input  wire         clk_i,
  input  wire         read_i,
  input  wire  [{bits - 1}:0] index_i,
  output logic [{width - 1}:0] w_o
);

  logic [{width - 1}:0] w;

  always_comb begin
    case (index_i)
{cases}
      default: w = {width}'h{powers[0]:x};
    endcase
  end

  always_ff @(posedge clk_i) if (read_i) w_o <= w;

endmodule

`default_nettype wire
"""


def write(folder: Path, log_points: int, field: Field = GOLDILOCKS) -> tuple[Path, ...]:
    """Copy the multiplier and the transform into a folder, and write the twiddles.

    Args:
        log_points: 2 to 16; 8 for the transform of a standard.

    Returns:
        The files, ``mm_ntt.sv`` last.

    Raises:
        ValueError: another number of points, or the field has no such transform.
    """
    field.check(log_points)
    folder.mkdir(parents=True, exist_ok=True)
    own = (HERE / f"{name}.sv" for name in ("mm_ntt_bank", "mm_ntt_butterfly", "mm_ntt"))
    table = folder / "mm_ntt_twiddles.sv"
    table.write_text(twiddles(log_points, field), encoding="utf-8")
    copies = []
    for source in (*room("small_fixed").sources, *own):
        copies.append(folder / source.name)
        copyfile(source, copies[-1])
    return (table, *copies)


def design(
    sources: tuple[Path, ...], log_points: int | None = None, tile_a: int = 25, field: Field = GOLDILOCKS
) -> Design:
    """What :func:`write` wrote, for the tools: the transform, or the butterfly alone.

    Args:
        tile_a: the wide side of a multiplier block, in bits: 25 on 7 series, 18 on ECP5.
    """
    shared = {"Width": field.width, "TileA": tile_a, "Modulus": field.modulus}
    if log_points is None:
        ports = butterfly_ports(field.width)
        return Design("butterfly", "mm_ntt_butterfly", sources, shared, ports, multiplier_blocks=True)
    parameters = {"LogPoints": log_points, "Layers": field.layers, **shared}
    ports = _transform_ports(field.width)
    return Design("ntt", "mm_ntt", sources, parameters, ports, multiplier_blocks=True)


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
        self._width = design.parameters["Width"]
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
                rows.append([1, 0, rng.getrandbits(1), rng.getrandbits(self._width), 1])
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
    parser.add_argument("log_points", type=int, nargs="?", help="of 2^2 to 2^16 points; 10, or 8")
    parser.add_argument("-m", "--modulus", choices=FIELDS, default="goldilocks", help="the prime")
    parser.add_argument("-o", "--output", type=Path, help="a folder for the sources")
    parser.add_argument("--area", choices=CHIPS, help="synthesise for this target, too")
    parser.add_argument("--tile-a", type=int, choices=(18, 25, 27), default=25, help="TileA; 18 on ecp5")
    arguments = parser.parse_args()
    field = FIELDS[arguments.modulus]
    log_points = arguments.log_points or min(10, max(field.most, 2))
    with tempfile.TemporaryDirectory() as scratch:
        try:
            sources = write(arguments.output or Path(scratch), log_points, field)
        except ValueError as error:
            parser.error(str(error))
        built = design(sources, log_points, arguments.tile_a, field)
        hardware = Hardware(built)
        area = synthesise(built, CHIPS[arguments.area], Store()) if arguments.area else None
    values = [random.randrange(field.modulus) for _ in range(hardware.points)]
    there = hardware(values)
    cycles = hardware.cycles
    if there != transform(values, field) or hardware(there, inverse=True) != values:
        raise SystemExit("the hardware is wrong")
    print(f"{hardware.points} points there and back, as Python has them; {cycles} cycles a transform")
    if area:
        blocks = f"{area.dsp} multiplier blocks, {area.bram} block RAMs"
        print(f"{area.luts:,} LUTs, {area.ffs:,} flip-flops, {blocks} on {arguments.area}")


if __name__ == "__main__":
    main()
