# SPDX-License-Identifier: Apache-2.0
"""Whoever drives a core, kept to the contract (docs/contract.md): hardware that watches him, for the referee.

It says in each cycle whether he has kept to it since the first reset: what is offered stays until it is
taken; nothing is offered in a reset; operands are not above the modulus, where that is the largest one; where
all contexts are of one form, the bits above the modulus are 0, and what follows a legal modulus is what
belongs to it, if there are few moduli. What it does not ask for may come in any way: the referee calls too
few mutants equivalent, and not too many.
"""

from __future__ import annotations

from collections.abc import Iterator

from modmul.core import Config, Core, Polynomial
from modmul.design import Port
from modmul.prove.shapes import Ports, ports_of
from modmul.prove.watch import by_shape, contexts, counter_bits
from modmul.room import Build

__all__ = ["DRIVER", "driver", "ports_of_driver"]

DRIVER = "mm_driver"

TABLE_BITS = 9
"""Of the moduli of which all contexts are in the hardware."""

DATA = ("ctx_data_i", "x_i", "y_i")
SEEN = ("clk_i", "rst_ni", "ctx_valid_i", "ctx_ready_o", "in_valid_i", "in_ready_o", *DATA)


def ports_of_driver(build: Build) -> list[Port]:
    """The ports that are watched."""
    names = (*SEEN, *(control.name for control in build.core.interface.controls))
    return [port for port in build.design.ports if port.name in names]


def _largest_is_the_modulus(build: Build) -> bool:
    """Whether operands go up to the modulus, whatever it is."""
    core, config = build.core, build.config
    top = 1 << config.width
    examples = core.function.tried(config)
    numbers = range(1, min(top, 1 << 12)) if examples is None else examples
    served = [m for m in (*numbers, top - 1, top // 2 + 1) if core.function.serves(config, m)]
    binary = core.function.serves(config, Polynomial(top | 1)) or core.function.serves(config, Polynomial(7))
    limits = {core.function.operand_max(config.at(m), m) - int(m) for m in served}
    return limits == {0} and not binary


def _belonging(core: Core, config: Config, carried: Ports) -> Iterator[tuple[int, int, int]]:
    """Beat of a context, modulus, and what that beat is, behind the beats of the modulus."""
    if carried.modulus or len(carried.shapes) > 1 or config.width > TABLE_BITS or carried.length:
        return
    operand = carried.shapes[0].operand
    for modulus in range(1, 1 << config.width):
        if core.function.serves(config, modulus):
            beats = core.interface.context(config.at(modulus), modulus)
            if tuple(beats[:operand]) == tuple(config.split(modulus)):
                yield from ((at, modulus, beat) for at, beat in enumerate(beats) if at >= operand)


def driver(build: Build) -> str:
    """The text of the module :data:`DRIVER`; its output ``ok_o`` is high while all is kept to."""
    config, core = build.config, build.core
    carried = ports_of(build)
    word, shapes = config.word, carried.shapes
    most = max(shape.operand for shape in shapes)
    bits, context_bits = counter_bits(most), counter_bits(max(shape.context for shape in shapes))
    controls = [control.name for control in core.interface.controls]
    declared = ",\n".join(
        f"  input wire {f'[{port.bits - 1}:0] ' if port.name in DATA else ''}{port.name}"
        for port in ports_of_driver(build)
    )
    operands = ", ".join(("x_i", "y_i", *controls))
    free = " || ".join(controls) or "1'b0"
    limited = "1'b1" if _largest_is_the_modulus(build) else "1'b0"
    if carried.rule == "one":
        value = sum(beat << word * at for at, beat in enumerate(carried.beats))
        modulus = f"{most * word}'h{value % (1 << most * word):x}"
    else:
        modulus = "m_q"
    first = carried.modulus
    above = config.bits - word * (most - 1)
    padded = f"ctx_at_q == {first + most - 1} && (ctx_data_i >> {above}) != '0'"
    if len(shapes) > 1 or above >= word or carried.length:
        padded = "1'b0"
    table = "\n".join(
        f"      {{{context_bits}'d{at}, {most * word}'h{m:x}}}: {{told, belongs}} = {{1'b1, {word}'h{b:x}}};"
        for at, m, b in _belonging(core, config, carried)
    )
    return f"""// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module {DRIVER} (
{declared},
  output logic ok_o
);

  localparam int Word = {word};

{contexts(carried, word)}
  logic in_take, last, told, broken, broken_q, ctx_held_q, in_held_q, free, free_q;
  logic x_above, x_above_q, y_above, y_above_q;
  logic [{bits - 1}:0] in_at_q, beats;
  logic [{most * word - 1}:0] m_q, m;
  logic [Word-1:0] belongs, m_word, ctx_q;
  logic [{2 * word + len(controls) - 1}:0] in_q;

{by_shape("beats", shapes, "operand", bits)}

  assign in_take = in_valid_i && in_ready_o;
  assign last    = in_at_q == beats - 1'b1;
  assign m       = {modulus};
  assign m_word  = m[in_at_q*Word+:Word];
  assign x_above = x_i > m_word || (x_i == m_word && in_at_q != '0 && x_above_q);
  assign y_above = y_i > m_word || (y_i == m_word && in_at_q != '0 && y_above_q);
  assign free    = in_at_q == '0 ? {free} : free_q;

  always_comb begin
    {{told, belongs}} = '0;
    case ({{ctx_at_q, m_q}})
{table}
      default: ;
    endcase
  end

  always_comb begin
    broken = 1'b0;
    if (!rst_ni) broken = ctx_valid_i || in_valid_i;
    else begin
      if (ctx_held_q && !(ctx_valid_i && ctx_data_i == ctx_q)) broken = 1'b1;
      if (in_held_q && !(in_valid_i && {{{operands}}} == in_q)) broken = 1'b1;
      if (ctx_valid_i && ({padded})) broken = 1'b1;
      if (ctx_valid_i && told && ctx_data_i != belongs) broken = 1'b1;
      if (in_valid_i && last && known && !free && {limited} && (x_above || y_above)) broken = 1'b1;
    end
  end

  assign ok_o = !broken_q && !broken;

  always_ff @(posedge clk_i) begin
    broken_q <= broken_q || broken;
    ctx_q    <= ctx_data_i;
    in_q     <= {{{operands}}};
    for (int i = 0; i < {most}; i++) begin
      if (ctx_take && ctx_at_q == {context_bits}'(i + {first})) m_q[i*Word+:Word] <= ctx_data_i;
    end
    if (in_take) begin
      x_above_q <= x_above;
      y_above_q <= y_above;
      free_q    <= free;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ctx_held_q <= 1'b0;
      in_held_q  <= 1'b0;
      in_at_q    <= '0;
    end else begin
      ctx_held_q <= ctx_valid_i && !ctx_ready_o;
      in_held_q  <= in_valid_i && !in_ready_o;
      if (in_take) in_at_q <= last ? '0 : in_at_q + 1'b1;
    end
  end

endmodule

`default_nettype wire
"""
