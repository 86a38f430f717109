# SPDX-License-Identifier: Apache-2.0
"""A whole operation of a short build, a question for each modulus: from reset to result, for all operands.

A module drives the core as fast as it goes, with a context and operands that are chosen in the first cycle,
and compares what has come with the product. Contexts, and what makes a number the product, come from a table
over all moduli that the build serves, made from the core's description. Registers without a reset begin with
any values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from modmul.core import BINARY_FIELD, PRIME_FIELD, Polynomial
from modmul.design import Port
from modmul.prove.watch import DATA, TOP, counter_bits
from modmul.room import Build

__all__ = ["CHOICE", "Operation", "frames", "operations", "whole_bench"]

MOST_BITS = 10
"""Of operands: each modulus is in the table, and a question."""

SLACK = 8
"""Cycles that an operation may take beside those of its beats and the latency."""

CHOICE = "choice_given"
"""The input that says which modulus it is."""

SQUARE = "square"
"""The control that is chosen like an operand; others are low."""


@dataclass(frozen=True)
class Operation:
    """One modulus, and what an operation with it is like.

    Attributes:
        modulus: an integer, or a polynomial.
        context: the beats.
        beats: of an operand, and of a result.
        ends: the cycle behind the reset in which the result has come at the latest.
        unit: what a result is multiplied by to be congruent to x·y: the radix of a Montgomery domain.
        operand: the largest operand.
        result: the largest result.
    """

    modulus: int
    context: tuple[int, ...]
    beats: int
    ends: int
    unit: int
    operand: int
    result: int

    @property
    def binary(self) -> bool:
        return isinstance(self.modulus, Polynomial)


def operations(build: Build) -> tuple[Operation, ...]:
    """An operation with each modulus that the build serves.

    Raises:
        ValueError: there are too many.
    """
    return tuple(_operation(build, modulus) for modulus in _moduli(build))


def _moduli(build: Build) -> Iterator[int]:
    config, function = build.config, build.core.function
    if (only := function.only_modulus(config)) is not None:
        yield only
        return
    if config.width > MOST_BITS:
        raise ValueError(
            f"{build}: a whole operation is proven of at most {MOST_BITS} bits, modulus by modulus; "
            f"give --width {MOST_BITS} or less, or leave it out"
        )
    numbers: list[int] = []
    numbers += range(1, 1 << config.width) if PRIME_FIELD in config.fields else ()
    numbers += map(Polynomial, range(2, 2 << config.width)) if BINARY_FIELD in config.fields else ()
    yield from (number for number in numbers if function.serves(config, number))


def _operation(build: Build, modulus: int) -> Operation:
    core = build.core
    at = build.config.at(modulus)
    names = [control.field for control in core.interface.controls]
    served = [at, build.config.at(modulus, **{SQUARE: True})] if SQUARE in names else [at]
    latency = max(map(core.interface.latency, served))
    context = tuple(core.interface.context(at, modulus))
    waits = core.interface.context_wait(at)
    return Operation(
        modulus,
        context,
        at.beats,
        len(context) + waits + latency + 2 * at.beats + SLACK,
        core.function.domain(at).enter(modulus, 1),
        core.function.operand_max(at, modulus),
        core.function.result_max(at, modulus),
    )


def _wires(ports: Sequence[Port]) -> str:
    """The core's ports as signals."""
    return "\n".join(
        f"  logic {f'[{port.bits - 1}:0] ' if port.name in DATA else ''}{port.name};"
        for port in ports
        if port.name != "clk_i"
    )


def _instance(build: Build) -> str:
    """The core, its ports joined to signals of their names."""
    settings = ", ".join(f".{key}({value})" for key, value in build.design.settings.items())
    wires = ", ".join(f".{port.name}({port.name})" for port in build.design.ports)
    return f"  {build.design.top} #({settings}) core ({wires});"


def frames(build: Build) -> int:
    """Cycles of the longest run, the one of reset among them."""
    return max(each.ends for each in operations(build)) + 2


def _table(found: Sequence[Operation], word: int, bits: int) -> str:
    """What each choice stands for."""
    most = max(len(each.context) for each in found)
    lines = []
    for at, each in enumerate(found):
        beats = sum(beat << (word * i) for i, beat in enumerate(each.context))
        facts = {
            "ctx_words": f"{most * word}'h{beats:x}",
            "ctx_beats": str(len(each.context)),
            "beats": str(each.beats),
            "ends": str(each.ends),
            "binary": f"1'b{each.binary:d}",
            "modulus": f"{bits}'h{int(each.modulus):x}",
            "unit": f"{bits}'h{each.unit:x}",
            "most_x": f"{bits}'h{each.operand:x}",
            "most_z": f"{bits}'h{each.result:x}",
        }
        told = " ".join(f"{name} = {value};" for name, value in facts.items())
        lines.append(f"      {at}: begin {told} end")
    return "\n".join(lines)


_PRIME = """
  logic [2*Bits-1:0] m_wide, scaled, product;

  assign m_wide  = modulus;
  assign scaled  = z * unit;
  assign product = x * y;
"""
_EQUAL = "scaled % m_wide == product % m_wide"

_BINARY = """
  logic [Bits-1:0] m_top, scaled_sum, product_sum;

  always_comb begin  // Horner's rule
    {m_top, scaled_sum, product_sum} = '0;
    for (int i = 0; i < Bits; i++) if (modulus[i]) m_top = 1 << i;
    for (int i = Bits - 1; i >= 0; i--) begin
      scaled_sum  = scaled_sum << 1;
      product_sum = product_sum << 1;
      if ((scaled_sum & m_top) != '0)  scaled_sum  = scaled_sum ^ modulus;
      if ((product_sum & m_top) != '0) product_sum = product_sum ^ modulus;
      if (z[i]) scaled_sum  = scaled_sum ^ unit;
      if (x[i]) product_sum = product_sum ^ y;
    end
  end
"""
_EQUAL_BINARY = "scaled_sum == product_sum"


def whole_bench(build: Build) -> str:
    """A core and what drives it, for :func:`modmul.prove.unroll.bounded`.

    Bit 0 of ``bad`` is high when an operation has ended and not given the product, bit 1 when it has ended.

    Raises:
        ValueError: the build is for too long operands.
    """
    ports, word = build.design.ports, build.config.word
    found = operations(build)
    numbers = [n for each in found for n in (each.modulus, each.operand, each.result, each.unit)]
    bits = max(int(number).bit_length() for number in numbers)
    choices, count = counter_bits(len(found)), counter_bits(max(each.ends for each in found) + 1)
    operand = max(each.operand for each in found).bit_length()
    context, beats = max(len(each.context) for each in found), max(each.beats for each in found)
    driven = {"clk_i", "rst_ni", "ctx_valid_i", "ctx_data_i", "in_valid_i", "x_i", "y_i", "out_ready_i"}
    controls = [port for port in ports if port.is_input and port.name not in driven]
    fields = {each.binary for each in found}
    equal = _EQUAL_BINARY if True in fields else _EQUAL
    equal = f"(binary ? {_EQUAL_BINARY} : {_EQUAL})" if len(fields) > 1 else equal
    squares = f"{SQUARE}_i" in {port.name for port in controls}
    low = "\n".join(
        f"  assign {port.name} = {'square_q' if port.name == f'{SQUARE}_i' else chr(39) + '0'};"
        for port in controls
    )
    return f"""// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module {TOP} (
  input  wire clk_i,
  input  wire [{choices - 1}:0] {CHOICE},
  input  wire [{operand - 1}:0] x_given, y_given,
  input  wire square_given,
  output logic [1:0] bad
);

  localparam int Word = {word};
  localparam int Beats = {beats};
  localparam int Bits = {bits};

{_wires(ports)}

{_instance(build)}

  logic seen_q, square_q, binary, legal, ended, done, right;
  logic [{choices - 1}:0] choice_q;
  logic [{operand - 1}:0] x_q, y_q;
  logic [{count - 1}:0] age_q, ctx_at_q, in_at_q, out_at_q, ctx_beats, beats, ends;
  logic [{context} * Word - 1:0] ctx_words;
  logic [{bits - 1}:0] modulus, unit, most_x, most_z, x, y, z;
  logic [Beats * Word - 1:0] z_q, x_wide, y_wide;

  initial seen_q = 1'b0;

  always_ff @(posedge clk_i) begin
    seen_q <= 1'b1;
    if (!seen_q) {{choice_q, x_q, y_q, square_q}} <= {{{CHOICE}, x_given, y_given, square_given}};
  end

  always_comb begin
    {{ctx_words, ctx_beats, beats, ends, binary, modulus, unit, most_x, most_z}} = '0;
    case (choice_q)
{_table(found, word, bits)}
      default: ;
    endcase
  end

  assign rst_ni      = seen_q;
  assign x_wide      = x_q;
  assign y_wide      = y_q;
  assign ctx_valid_i = seen_q && ctx_at_q < ctx_beats;
  assign ctx_data_i  = ctx_words[ctx_at_q * Word +: Word];
  assign in_valid_i  = seen_q && ctx_at_q == ctx_beats && in_at_q < beats;
  assign x_i         = x_wide[in_at_q * Word +: Word];
  assign y_i         = y_wide[in_at_q * Word +: Word];
  assign out_ready_i = 1'b1;
{low}

  always_ff @(posedge clk_i) begin
    if (!seen_q) begin
      {{age_q, ctx_at_q, in_at_q, out_at_q}} <= '0;
    end else begin
      age_q <= age_q + 1'b1;
      if (ctx_valid_i && ctx_ready_o) ctx_at_q <= ctx_at_q + 1'b1;
      if (in_valid_i && in_ready_o)   in_at_q  <= in_at_q + 1'b1;
      if (out_valid_o)                out_at_q <= out_at_q + 1'b1;
    end
  end

  for (genvar i = 0; i < Beats; i++) begin : gen_result
    always_ff @(posedge clk_i) begin
      if (!seen_q)                              z_q[i*Word +: Word] <= '0;
      else if (out_valid_o && out_at_q == i) z_q[i*Word +: Word] <= z_o;
    end
  end
{_PRIME if False in fields else ""}{_BINARY if True in fields else ""}
  assign x     = x_q;
  assign y     = {f"{SQUARE}_q ? x_q : y_q" if squares else "y_q"};
  assign z     = z_q;
  assign legal = choice_q < {len(found)} && x_q <= most_x && y_q <= most_x;
  assign done  = out_at_q == beats;
  assign right = z_q <= most_z && {equal};
  assign ended = seen_q && age_q == ends && legal;
  assign bad   = {{ended, ended && !(done && right)}};

endmodule

`default_nettype wire
"""
