# SPDX-License-Identifier: Apache-2.0
"""Of ``fmlm3``: what every register holds in every cycle of an operation.

From the cycle in which the last operand beat has come all is known of the control: an operation takes a
known number of cycles, and so are all addresses and exponents. The cycles are ages; at each age the invariant
says of every register of which something is known what that is: constants, and words. A word is what the
netlist makes of others one cycle before, or a digit of the operands, or a part of the context (:class:`Run`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from modmul.prove.product.argument import Argument
from modmul.prove.product.fmlm3_atoms import ANY, Atoms, Value, constant, joined, part
from modmul.prove.product.fmlm3_netlist import Netlist, Trace, named_in, system
from modmul.prove.product.serial import COUNT, TOP, ports
from modmul.prove.solve import Obligation
from modmul.prove.terms import all_of, const, equal, extract, negation
from modmul.room import Build

__all__ = ["DIGITS", "OPERANDS", "Aged", "Run", "asked", "bench"]

SEGMENTS, GATHER, RESULT = "core.u_segments.", "core.u_segments.u_gather.", "core.u_segments.u_result."
PRODUCT, CONTROL, TRANSFORM = "core.u_product.", "core.u_control.", "core.u_transform."
GATE, STAGES = "core.u_gate.", "core.u_transform.u_stages."
WIRES = ("core.in_load",)
LOAD, RUN, UNLOAD = 0, 2, 5
"""What the core does: states of it, by number."""


def bench(build: Build, beats: int) -> str:
    """The core with what remembers a context of so many beats, operands and the result.

    ``given`` is high in the cycle after the last digit of the result was taken; ``chain_i`` and ``keep_i``
    are low.
    """
    digits, word = build.config.beats, build.config.word
    settings = ", ".join(f".{name}({value})" for name, value in build.design.settings.items())
    return f"""// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module {TOP} (
{ports(word)}
  input wire square_i,
  output logic [{beats * word - 1}:0] ctx, output logic [{digits * word - 1}:0] x,
  output logic [{digits * word - 1}:0] y, output logic [{digits * word - 1}:0] z, output logic square,
  output logic [{COUNT - 1}:0] ctx_at, output logic [{COUNT - 1}:0] in_at,
  output logic [{COUNT - 1}:0] out_at,
  output logic whole, output logic given
);

  localparam int Word = {word};

  {build.design.top} #({settings}) core (
    .clk_i, .rst_ni, .ctx_valid_i, .ctx_ready_o, .ctx_data_i, .ctx_error_o, .in_valid_i, .in_ready_o, .x_i,
    .y_i, .square_i, .chain_i(1'b0), .keep_i(1'b0), .out_valid_o, .out_ready_i, .z_o );

  logic ctx_take, in_take, out_take, ctx_last, in_last, out_last;

  assign ctx_take = ctx_valid_i && ctx_ready_o;
  assign in_take  = in_valid_i && in_ready_o;
  assign out_take = out_valid_o && out_ready_i;
  assign ctx_last = ctx_at == {COUNT}'({beats - 1});
  assign in_last  = in_at == {COUNT}'({digits - 1});
  assign out_last = out_at == {COUNT}'({digits - 1});

  for (genvar k = 0; k < {beats}; k++) begin : gen_context
    always_ff @(posedge clk_i) if (ctx_take && ctx_at == {COUNT}'(k)) ctx[k*Word+:Word] <= ctx_data_i;
  end

  for (genvar k = 0; k < {digits}; k++) begin : gen_digit
    always_ff @(posedge clk_i) begin
      if (in_take && in_at == {COUNT}'(k)) x[k*Word+:Word] <= x_i;
      if (in_take && in_at == {COUNT}'(k)) y[k*Word+:Word] <= y_i;
      if (out_take && out_at == {COUNT}'(k)) z[k*Word+:Word] <= z_o;
    end
  end

  always_ff @(posedge clk_i) if (in_take && in_at == '0) square <= square_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {{ctx_at, in_at, out_at}} <= '0;
      {{whole, given}} <= '0;
    end else begin
      given <= out_take && out_last;
      if (ctx_take) whole <= ctx_last;
      if (ctx_take) ctx_at <= ctx_last ? '0 : ctx_at + 1'b1;
      if (in_take) in_at <= in_last ? '0 : in_at + 1'b1;
      if (out_take) out_at <= out_last ? '0 : out_at + 1'b1;
    end
  end

endmodule

`default_nettype wire
"""


def asked(name: str, *texts: str, holds: bool = True) -> Obligation:
    return Obligation("invariant", name, "bitwuzla", texts, holds)


@dataclass(frozen=True)
class View:
    """A state, or the one behind it.

    Attributes:
        netlist: whose state it is.
        later: whether it is the one behind.
    """

    netlist: Netlist
    later: bool = False

    def __call__(self, signal: str) -> str:
        """What a register holds, or in the first state a port brings, as a bit-vector."""
        whole = f"|{self.netlist.system.top}_n {signal}|"
        if not self.later and signal in WIRES:
            return f"(ite {whole} #b1 #b0)"
        terms = []
        for name in reversed(self.netlist.pieces(signal)):
            term = self.netlist.nexts[name] if self.later else name
            terms.append(f"(ite {term} #b1 #b0)" if self.netlist.is_bool(name) else term)
        return terms[0] if len(terms) == 1 else f"(concat {' '.join(terms)})"

    def bits(self, signal: str) -> int:
        if signal in WIRES:
            return 1
        return sum(self.netlist.leaves[name] for name in self.netlist.pieces(signal))

    def is_(self, signal: str, value: int) -> str:
        """That a register holds a number."""
        return equal(self(signal), const(value, self.bits(signal)))

    def least(self, signal: str, value: int) -> str:
        """That a register holds a number, or more."""
        return f"(bvuge {self(signal)} {const(value, self.bits(signal))})"


@dataclass
class Run:
    """What registers hold at each age of an operation.

    Attributes:
        netlist: with the bench.
        atoms: the words.
        trace: that ends where the result is at the port.
        begins: by age, where a state of the control begins.
    """

    netlist: Netlist
    atoms: Atoms
    trace: Trace
    begins: dict[str, int]

    @property
    def last(self) -> int:
        """The age at which the result is at the port."""
        return len(self.trace.held) - 1

    def given(self, name: str) -> Value:
        """The context, or an operand."""
        (atom,) = (atom for atom, term in self.atoms.names.items() if term == f"|of {name}|")
        return ((self.atoms.sizes[atom], atom, 0),)

    def value(self, signal: str, age: int) -> Value:
        """What a register holds at an age."""
        return self.trace.held[age][self.netlist.leaf(signal)]

    def term(self, signal: str, age: int) -> str:
        return self.atoms.term(self.value(signal, age))

    def state(self, age: int) -> tuple[str, dict[str, str]]:
        """The registers at an age, as terms; and the declarations of what in them may be anything."""
        lines, found = [], {}
        for name, value in self.trace.held[age].items():
            terms, at = [], 0
            for piece in value:
                if piece[1] == ANY:
                    free = f"any.{name.strip('|').rpartition('#')[2]}.{at}"
                    lines.append(f"(declare-const {free} (_ BitVec {piece[0]}))")
                    terms.append(free)
                else:
                    terms.append(self.atoms.term((piece,)))
                at += piece[0]
            found[name] = terms[0] if len(terms) == 1 else f"(concat {' '.join(reversed(terms))})"
        return "\n".join(lines) + "\n", found

    def holds(self, age: int, term: Mapping[str, str]) -> str:
        """That terms of registers are what these hold at an age."""
        found = []
        for name, body in term.items():
            at = 0
            value = self.trace.held[age][name]
            for piece in value:
                if piece[1] != ANY:
                    some = body if len(value) == 1 else extract(body, at + piece[0] - 1, at)
                    found.append(equal(some, self.atoms.term((piece,))))
                at += piece[0]
        return all_of(*found)

    def follow(self, age: int) -> str:
        """That registers hold something else at the next age."""
        net, now, then = self.netlist, self.trace.held[age], self.trace.held[age + 1]
        names = [name for name in net.nexts if any(piece[1] != ANY for piece in then[name])]
        nexts = {
            name: f"(ite {net.nexts[name]} #b1 #b0)" if net.is_bool(name) else net.nexts[name]
            for name in names
        }
        free, state = self.state(age)
        words = self.atoms.text(
            (*now.values(), *(then[name] for name in names)), self.atoms.used(now.values())
        )
        needed = [each for name in names for each in named_in(net.followers[name])]
        goal = self.holds(age + 1, nexts)
        return f"(set-logic QF_BV)\n{words}{free}{net.at(state, needed)}(assert {negation(goal)})"


IDLE = (
    *("core.start_q", "core.start_q2", f"{CONTROL}state_q"),
    *(
        f"{CONTROL}{name}"
        for name in ("early_q", "load_o", "inject_o", "fft_o", "multiply_o", "beside_o", "subtract_o")
    ),
    *(f"{PRODUCT}busy_q", f"{TRANSFORM}final_q", f"{TRANSFORM}final_o", f"{STAGES}valid_q"),
    *(f"{SEGMENTS}subtract_q{k}" for k in ("", "2", "3", "4", "5")),
)
"""What is 0 while no operation is under way."""

STATES = (
    *("IDLE", "LX", "CTX", "NCTX", "LY", "CTY", "NCTY", "P1", "ICT1", "RZ", "CTZ", "P2", "ICT2", "RM"),
    *("NCTM", "P4", "INCT", "RQ", "SUB"),
)
"""Of the control, in order."""

OPERANDS, DIGITS = f"{TRANSFORM}gen_bank[{{}}].u_operands.", f"{TRANSFORM}gen_bank[{{}}].u_digits."


class Aged(Argument):
    """The obligations about ages."""

    @classmethod
    def of(cls, build: Build) -> Self:
        config: Any = build.config
        entry = config.set
        if config.spectral or config.butterflies != 1 or config.width != entry.l or config.algorithm != 2:
            raise ValueError(
                f"{build}: the proof is written for Algorithm 2 with one butterfly, numbers at the ports, "
                "and operands of P digits"
            )
        if entry.c2 == 1 or entry.k > 160 or 2 * (entry.k + 2 - entry.u) > entry.l:
            raise ValueError(
                f"{build}: the proof is written for transforms without a square root of 2, a multiplier of "
                "at most three recursions, and carries shorter than half an operand"
            )
        beats = len(build.core.interface.context(config, build.core.function.some_modulus(config)))
        if beats + 2 >= 1 << COUNT:
            raise ValueError(f"{build}: the bench counts at most {(1 << COUNT) - 3} beats")
        return cls(build, system(build.design, bench(build, beats), TOP))

    @property
    def rule(self) -> str:
        return "chain_i and keep_i are low"

    @cached_property
    def netlist(self) -> Netlist:
        return Netlist(self.system)

    # --- sizes ------------------------------------------------------------------------------------

    @property
    def config(self) -> Any:
        return self.build.config

    @property
    def p(self) -> int:
        """Digits of a number, residues of a transform."""
        return int(self.config.transform)

    @property
    def u(self) -> int:
        """Bits of a digit, and of a beat."""
        return int(self.config.digit)

    @property
    def k(self) -> int:
        """M is 2^k + 1."""
        return int(self.config.set.k)

    @property
    def segs(self) -> int:
        """Segments of a number, of two digits each."""
        return self.p // 2

    @property
    def parts(self) -> int:
        """Beats of a residue in the context."""
        return -(-(self.k + 1) // self.u)

    @property
    def beats(self) -> int:
        """Of a context."""
        return self.p * (1 + 2 * self.parts)

    def memory(self, path: str, words: int, place: int) -> str:
        """A word of a memory of so many."""
        return f"{path}gen_{'block' if words > 16 else 'distributed'}.words[{place}]"

    def segment(self, place: int) -> str:
        """A segment of x, y, z or t."""
        return self.memory(f"{SEGMENTS}u_segments.", 4 * self.segs, place)

    def modulus(self, place: int) -> str:
        """A segment of N or of t - N."""
        return self.memory(f"{SEGMENTS}u_n.", 2 * self.segs, place)

    def residue(self, place: int) -> str:
        """A residue of the context."""
        return self.memory(f"{PRODUCT}u_context.", 2 * self.p, place)

    # --- an operation -------------------------------------------------------------------------------

    @cached_property
    def runs(self) -> tuple[Run, Run]:
        """Of products, and of squares."""
        return self.run(0), self.run(1)

    def run(self, square: int) -> Run:
        """What the netlist does from the last operand beat on."""
        net, atoms = self.netlist, Atoms()
        trace = Trace(net, atoms)
        ctx, x, y = (
            atoms.given(name, bits)
            for name, bits in (
                ("of ctx", self.beats * self.u),
                ("of x", self.config.width),
                ("of y", self.config.width),
            )
        )
        start: dict[str, Value] = {}

        def put(signal: str, value: Value | int) -> None:
            low = 0
            for name in net.pieces(signal):
                bits = net.leaves[name]
                if isinstance(value, int):
                    start[name] = constant(bits, value >> low)
                else:
                    start[name] = part(value, low + bits - 1, low)
                low += bits

        u = self.u
        for signal in (*IDLE, "core.digit_q", "core.vector_q", "core.part_q", "core.chain_q", "core.keep_q"):
            put(signal, 0)
        put("core.main_q", RUN)
        put("core.start_q", 1)
        put("core.square_q", square)
        for signal in ("ctx_at", "in_at", "out_at", "given"):
            put(signal, 0)
        for signal, word in (("ctx", ctx), ("x", x), ("y", y), ("square", square), ("whole", 1)):
            put(signal, word)
        put(f"{GATE}whole_q", 1)
        put(f"{GATE}in_part_q", 0)
        put(f"{PRODUCT}context_write_q", 0)
        for place in range(self.segs):
            high, low = (place + 1) * 2 * u - 1, place * 2 * u
            put(self.modulus(place), part(ctx, high, low))
            if place < self.segs - 1:
                put(self.segment(place), part(x, high, low))
                put(self.segment(self.segs + place), part(y, high, low))
        put(f"{RESULT}n_lsb_q", part(ctx, 0, 0))
        for place in range(2 * self.p):
            low = (self.p + place * self.parts) * u
            put(self.residue(place), part(ctx, low + self.k, low))
        top = self.p * u
        for name, value in (
            ("in_segment_q", 0),
            ("count_q", 0),
            ("low_full_o", 1),
            ("high_full_o", 0),
            ("pair_q", 1),
        ):
            put(f"{GATHER}{name}", value)
        for name, value in (("low_modulus_o", 0), ("low_halves_o", 0), ("low_segment_o", self.segs - 1)):
            put(f"{GATHER}{name}", value)
        put(f"{GATHER}low_o", part(x, top - 1, top - 2 * u))
        put(f"{GATHER}high_q", part(y, top - 1, top - u))
        put(f"{GATHER}high_o", joined(((u, ANY, 0), *part(y, top - u - 1, top - 2 * u))))
        trace.begin(start, {net.leaf("rst_ni"): constant(1, 1)})
        run = Run(net, atoms, trace, {})
        state, main = net.leaf(f"{CONTROL}state_q"), net.leaf("core.main_q")
        while trace.held[-1][main] != constant(3, UNLOAD):
            trace.step()
            for number, name in enumerate(STATES):
                if trace.held[-1][state] == constant(5, number):
                    run.begins.setdefault(name, run.last)
            if run.last > 2 * self.build.cycles:
                raise ValueError(f"{self.build}: an operation does not end")
        return run

    def of_operation(self) -> Iterator[Obligation]:
        for kind, run in zip(("product", "square"), self.runs, strict=True):
            begins = [("IDLE", 0), *((name, age) for name, age in run.begins.items() if name != "IDLE")]
            ends = [*(age for _, age in begins[1:]), run.last]
            for (name, first), last in zip(begins, ends, strict=True):
                texts = (run.follow(age) for age in range(first, last))
                yield asked(f"of a {kind}, behind each age of {name} comes the next", *texts)
