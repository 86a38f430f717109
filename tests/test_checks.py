# SPDX-License-Identifier: Apache-2.0
"""The checks of the contract can fail: each kind of wrong hardware and of wrong metadata is found.

A mutant is a copy of a room's sources with one thing changed, or a room whose description is wrong.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from modmul.core import Config, Core, Step, WordConfig, check_positive, plain_domain
from modmul.registry import Room, room
from modmul.verify import checks
from modmul.verify.failures import ProtocolError, VerificationError
from modmul.verify.runner import Plan, verify
from modmul.verify.simulation import Simulation, build_all

WIDTH = 5
PARALLEL, SERIAL, SCALABLE = "interleaved_radix2", "montgomery_csa1", "scalable_booth4_left"
TABLE, LADDER = "interleaved_csa", "imml_booth4"
TOY = "toy"
"""The room of tests/rooms: run-time length, both fields, a control, three operations in flight."""


Edits = tuple[tuple[str, str, str], ...]


def copy(slug: str, folder: Path, edits: Edits = (), change: Callable[[Core], Core] | None = None) -> Room:
    """A copy of a room, with texts (file, old, new) of its sources replaced and its description changed.

    All its sources, the shared parts too, are in its folder.
    """
    original = room(slug)
    for source in original.sources:
        text = source.read_text()
        for name, old, new in edits:
            if name == source.stem:
                assert text.count(old) == 1, f"{name} has changed: {old}"
                text = text.replace(old, new)
        (folder / source.name).write_text(text)
    assert {name for name, _, _ in edits} <= {source.stem for source in original.sources}
    return Room(change(original.core) if change else original.core, folder)


def small(found: Room) -> Config:
    """A configuration to mutate: two beats an operand where the core is word-serial."""
    config = found.core.builds.at(WIDTH)[0]
    return replace(config, word=4) if isinstance(config, WordConfig) else config


# --- the checks ---------------------------------------------------------------------------------

Check = Callable[[Room, Config, random.Random], int]


def exhaustive(found: Room, config: Config, _rng: random.Random) -> int:
    return checks.check_exhaustive([found.of(config)])


def at_random(found: Room, config: Config, rng: random.Random) -> int:
    simulation = Simulation(found.of(config))
    moduli = checks.interesting_moduli(found.of(config), rng, 4)
    return sum(sum(checks.check_random(simulation, modulus, 300, rng)) for modulus in moduli)


def back_pressure(found: Room, config: Config, rng: random.Random) -> int:
    [modulus] = checks.interesting_moduli(found.of(config), rng, 1)
    return checks.check_back_pressure(Simulation(found.of(config)), modulus, 60, rng)


def power_up(found: Room, config: Config, rng: random.Random) -> int:
    return checks.check_power_up(
        found.of(config), checks.interesting_moduli(found.of(config), rng, 4), range(20)
    )


def reset(found: Room, config: Config, rng: random.Random) -> int:
    moduli = checks.interesting_moduli(found.of(config), rng, 4)
    return checks.check_reset(Simulation(found.of(config)), moduli, rng)


def context(found: Room, config: Config, rng: random.Random) -> int:
    moduli = checks.interesting_moduli(found.of(config), rng, 8)
    return checks.check_context(Simulation(found.of(config)), moduli, rng)


def operands(found: Room, config: Config, rng: random.Random) -> int:
    moduli = checks.interesting_moduli(found.of(config), rng, 8)
    return checks.check_operands(Simulation(found.of(config)), moduli, rng)


def paths(found: Room, config: Config, rng: random.Random) -> int:
    moduli = checks.interesting_moduli(found.of(config), rng, 4)
    return checks.check_paths(Simulation(found.of(config)), moduli, rng)


def walk(found: Room, config: Config, rng: random.Random) -> int:
    moduli = checks.interesting_moduli(found.of(config), rng, 4)
    return checks.check_walk(Simulation(found.of(config)), moduli, rng)


def model(found: Room, config: Config, rng: random.Random) -> int:
    return checks.check_model(found.of(config), checks.interesting_moduli(found.of(config), rng, 4), rng)


def parameters(found: Room, _config: Config, _rng: random.Random) -> int:
    return checks.check_illegal_parameters(found)


CHECKS: tuple[Check, ...] = (
    exhaustive,
    at_random,
    back_pressure,
    power_up,
    reset,
    context,
    operands,
    paths,
    walk,
    model,
    parameters,
)


@pytest.mark.parametrize("slug", [PARALLEL, SERIAL, SCALABLE, TABLE, LADDER, TOY])
def test_a_copy_without_changes_passes(slug: str, toy: Room, tmp_path: Path, rng: random.Random) -> None:
    found = copy(slug, tmp_path)
    assert all(source.parent == tmp_path for source in found.sources)
    for check in CHECKS:
        assert check(found, small(found), rng) > 0, check.__name__


# --- the mutants --------------------------------------------------------------------------------


def one_more(attribute: str) -> Callable[[Core], Core]:
    """A change of the description: one cycle more than is true."""

    def change(core: Core) -> Core:
        cycles: Callable[[Config], int] = getattr(core.interface, attribute)
        return core.changed(**{attribute: lambda config: cycles(config) + 1})

    return change


def with_steps(change: Callable[[list[Step]], list[Step]]) -> Callable[[Core], Core]:
    """A change of the model's steps."""

    def changed(core: Core) -> Core:
        def steps(config: Config, m: int, x: int, y: int) -> Iterator[Step]:
            yield from change(list(core.algorithm.model(config, m, x, y)))

        return core.changed(model=steps)

    return changed


@with_steps
def last_step_off(steps: list[Step]) -> list[Step]:
    state = {name: value ^ 1 for name, value in steps[-1].state.items()}
    return [*steps[:-1], Step(steps[-1].label, state)]


def in_plain_domain(core: Core) -> Core:
    return core.changed(domain=plain_domain)


def with_zeros_as_context(core: Core) -> Core:
    return core.changed(context=lambda config, modulus: config.split(modulus, *[0] * 5))


def refusing_nothing(core: Core) -> Core:
    return core.changed(check=check_positive)


def latency_of_the_width(core: Core) -> Core:
    """The run-time length forgotten in the description."""
    return core.changed(latency=lambda config: config.width + 1 + config.square + 2)


def context_of_the_width(core: Core) -> Core:
    """The run-time length forgotten in the context."""
    return core.changed(
        context=lambda config, m: core.interface.context(replace(config, length=config.width), m)
    )


def results_below_m(core: Core) -> Core:
    return core.changed(result_max=lambda config, m: m - 1)


def one_in_flight(core: Core) -> Core:
    return core.changed(in_flight=lambda _config: 1)


def two_in_flight(core: Core) -> Core:
    return core.changed(in_flight=lambda _config: 2)


def product_of_x_and_y(core: Core) -> Core:
    """The control forgotten in the model."""
    return core.changed(
        model=lambda config, m, x, y: core.algorithm.model(replace(config, square=False), m, x, y)
    )


@dataclass(frozen=True)
class Mutant:
    """What is changed, which check finds it, and what the check says.

    Attributes:
        name: of the test.
        check: the check that must find it.
        says: pattern of the message.
        edits: changes of the sources.
        change: change of the description.
        slug: the room.
        protocol: the check raises ProtocolError instead of VerificationError.
        others: where only some checks find it, the further ones that do; ``None`` if nobody looked.
    """

    name: str
    check: Check
    says: str
    edits: Edits = ()
    change: Callable[[Core], Core] | None = None
    slug: str = PARALLEL
    protocol: bool = False
    others: tuple[Check, ...] | None = None


TOP, FRAME, GATE = "mm_interleaved_radix2", "mm_frame", "mm_context_gate"
SERIAL_TOP, WORD_FRAME, UNIT = "mm_montgomery_csa1", "mm_word_frame", "mm_word_unit"

LOW_BITS_OF_A_LENGTH = (
    (
        "mm_scalable_shell",
        "(n_q >= HeadBits'(2)) & ~too_long",
        "(n_o >= LenBits'(2)) & (n_o <= LenBits'(Width))",
    ),
)
CONTEXT_SECOND = ((GATE, " & (in_part_q | ~ctx_valid_i);", ";"),)
CONTEXT_IN_FLIGHT = ((FRAME, "ctx_free  = ~busy_q & ~done_q;", "ctx_free  = 1'b1;"),)

# What the checks say.
LATENCY = r"latency \d+ cycles, the metadata says \d+"
INTERVAL = r"interval \d+ cycles, the metadata says \d+"
STALLED = "z_o changed while it was stalled"
NO_CONTEXT = "the context was not accepted"
IN_OPERATION = "a context is accepted during an operation"
IN_FLIGHT = "more operations in flight than the description says"
MODEL_LENGTH = r"\d+ cycles, the model has \d+"

# Texts of the sources.
T1 = "assign t1 = t - {2'b00, m}"
Z = "assign z_o = z_q;"
VALID = "assign out_valid_o = done_q"
READY = "assign ctx_free  = ~busy_q & ~done_q"
ERROR = "assign ctx_error_o = error_q;"
ERROR_SET = "      if (whole_q) error_q <= ~ctx_legal_i;\n"
DONE = "if (busy_q && (step_q == LastStep)) done_q <= 1'b1;"
TAKEN = "else if (out_ready_i)  "
DONE_UNRESET = (FRAME, "busy_q <= 1'b0;\n      done_q <= 1'b0;\n", "busy_q <= 1'b0;\n")
WHOLE_RESET = "      whole_q   <= 1'b0;\n"
UNIT_Z = "assign z_o     = x_q[Word-1:0]"
LAST_WORD_WRONG = UNIT_Z + " ^ Word'(out_take_i & (beat_i == BeatBits'(Beats - 1)))"

SLOW_IF_Y_IS_ODD: Edits = (
    (TOP, ".out_valid_o, .out_ready_i,", ".out_valid_o(done), .out_ready_i(out_ready_i & show),"),
    (
        TOP,
        Z,
        f"""{Z}
  logic done, show, late_q;
  always_ff @(posedge clk_i) late_q <= done;
  assign show = late_q | ~y_q[0];
  assign out_valid_o = done & show;
""",
    ),
)
DIRTY_FIRST_RESULT: Edits = (
    (
        TOP,
        Z,
        """
  logic dirty_q;
  always_ff @(posedge clk_i) if (out_valid_o & out_ready_i) dirty_q <= 1'b0;
  assign z_o = z_q ^ Width'(dirty_q);
""",
    ),
)
Z_CHANGES_LATE: Edits = (
    (SERIAL_TOP, ".res_o(res), .z_o\n", ".res_o(res), .z_o(z)\n"),
    (
        SERIAL_TOP,
        "  // Steps 0 and 6, and the loading",
        """
  logic stalled_q;
  logic [Word-1:0] z;
  always_ff @(posedge clk_i) stalled_q <= out_valid_o & ~out_ready_i;
  assign z_o = z ^ Word'(stalled_q);
  // Steps 0 and 6, and the loading""",
    ),
)
RESULT_TWICE: Edits = (
    (FRAME, TAKEN, "else if (out_ready_i && step_q == '0)"),
    (FRAME, "if (load_o)      step_q <= '0;", "if (load_o | (done_q & out_ready_i)) step_q <= '0;"),
    (FRAME, "(~done_q | out_ready_i);", "~done_q;"),
)
UNRESET_PIPELINE: Edits = (
    (SERIAL_TOP, "if (!rst_ni) {pre_q, sum_q, res_q} <= 3'b000;\n    else         ", ""),
    (SERIAL_TOP, "always_ff @(posedge clk_i or negedge rst_ni)", "always_ff @(posedge clk_i)"),
)
RESULT_SURVIVES: Edits = (
    DONE_UNRESET,
    (FRAME, "  assign out_valid_o", "  initial done_q = 1'b0;\n  assign out_valid_o"),
)
CONTEXT_SURVIVES: Edits = ((GATE, WHOLE_RESET, ""),)
OPERANDS_WITHOUT_CONTEXT: Edits = ((GATE, "in_ready_o  = open_q & ", "in_ready_o  = "),)
NO_RESULT: Edits = ((WORD_FRAME, "out_valid_o = state_q == UNLOAD;", "out_valid_o = 1'b0;"),)
HALF_AN_OPERAND: Edits = ((GATE, "      in_part_q <= 1'b0;\n", ""),)
ALL_ARE_LEGAL: Edits = ((SERIAL_TOP, "legal_q <= ctx_data_i[0];", "legal_q <= 1'b1;"),)
ERROR_FALLS: Edits = ((GATE, ERROR_SET, ERROR_SET + "      if (in_valid_i) error_q <= 1'b0;\n"),)
ERROR_STAYS: Edits = ((GATE, "error_q <= ~ctx_legal_i;", "error_q <= error_q | ~ctx_legal_i;"),)
IN_SPITE_OF_ERROR: Edits = ((GATE, "whole_q & ctx_legal_i &", "whole_q &"),)
FIRST_CONTEXT_KEPT: Edits = ((FRAME, "if (ctx_load) m_q", "if (ctx_load && m_q == '0) m_q"),)
STALE_UNTIL_NEEDED: Edits = (
    (TOP, "z_q <= '0;", "z_q <= x_i;"),
    (TOP, "t  = {1'b0, z_q, 1'b0}", "t  = {1'b0, z_q & {Width{|unused_step}}, 1'b0}"),
)
NO_WIDTH_CHECK: Edits = ((FRAME, "if (Width < 2) begin", "if (Width < 0) begin"),)
TOY_TOP, TOY_STEP = "mm_toy", "mm_toy_step"
SQUARE = "in_square_q <= square_i;"
SQUARE_IGNORED: Edits = ((TOY_TOP, SQUARE, "in_square_q <= 1'b0;"),)
SQUARE_OF_THE_LAST_BEAT: Edits = (
    (TOY_TOP, SQUARE, ""),
    (TOY_TOP, "    if (in_load) begin\n      if", f"    if (in_load) begin\n      {SQUARE}\n      if"),
)
SQUARE_OF_THE_LATEST: Edits = ((TOY_TOP, "square_q <= in_square_q;", "square_q <= square_i;"),)
LENGTH_IGNORED: Edits = ((TOY_TOP, "step_q == {1'b0, length_q}", "step_q == Word'(Width)"),)
NO_REDUCTION_OF_POLYNOMIALS: Edits = ((TOY_STEP, "(|(z_i & top_i) ? m : '0)", "(|(z_i & top_i) ? '0 : '0)"),)
EVERY_SECOND_RESULT_LATE: Edits = (
    (
        TOY_TOP,
        "assign out_valid_o = out_full_q;\n  assign out_take    = out_full_q & out_ready_i;",
        """logic odd_q, late_q;
  assign out_valid_o = out_full_q & (~odd_q | late_q);
  assign out_take    = out_valid_o & out_ready_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) {odd_q, late_q} <= 2'b00;
    else {odd_q, late_q} <= {odd_q ^ (out_take & last_out) ^ (in_load & ctx_ready_o & odd_q), out_full_q};
  end
""",
    ),
)
ANY_LENGTH: Edits = (
    (TOY_TOP, "legal_q <= 32'(length_q) >= 2 && ", "legal_q <= "),
    (TOY_TOP, "ctx_error_o <= 32'(length_q) < 2 || ", "ctx_error_o <= "),
)
NO_WORD_CHECK: Edits = (
    (TOY_TOP, "if (Word < 2 || (Width >> (Word - 1)) != 0) begin", "if (Word < 1) begin"),
)
NO_TAPS_CHECK: Edits = (("mm_imml_booth4", "SharedTaps < 0 || SharedTaps > 1", "SharedTaps < 0"),)

# Of the context gate, and what is around it.
OPEN = "in_ready_o  = open_q & "
PART = "ctx_free_i & ~in_part_q;"
NEXT_ERROR = "      if (whole_q) error_q"
CLOCKED = "  always_ff @(posedge clk_i or negedge rst_ni) begin\n"
HALF_A_CONTEXT: Edits = ((GATE, "whole_q <= ctx_last_i;", "whole_q <= 1'b1;"),)
OPEN_FOR_A_CYCLE: Edits = ((GATE, " & ~ctx_load_o;", ";"),)
OPERANDS_EARLY: Edits = ((GATE, OPEN, "in_ready_o  = (open_q | (whole_q & ctx_legal_i)) & "),)
OPERANDS_LATE: Edits = (
    (GATE, OPEN, "in_ready_o  = late_q & "),
    (
        GATE,
        CLOCKED,
        f"  logic late_q;\n  always_ff @(posedge clk_i) late_q <= open_q & ~ctx_load_o;\n{CLOCKED}",
    ),
)
ERROR_EARLY: Edits = ((GATE, "ctx_error_o = error_q", "ctx_error_o = whole_q ? ~ctx_legal_i : error_q"),)
ERROR_LATE: Edits = (
    (GATE, ERROR, "logic late_q;\n  assign ctx_error_o = late_q;"),
    (GATE, CLOCKED, f"  always_ff @(posedge clk_i) late_q <= error_q & rst_ni;\n{CLOCKED}"),
)
ERROR_FALLS_EARLY: Edits = ((GATE, NEXT_ERROR, f"      if (ctx_load_o) error_q <= 1'b0;\n{NEXT_ERROR}"),)
OPERANDS_NOT_FINISHED: Edits = ((GATE, "(in_part_q | ~ctx_valid_i)", "~ctx_valid_i"),)
CONTEXT_AMID_OPERANDS: Edits = ((GATE, PART, "ctx_free_i & ~(in_part_q & in_valid_i);"),)
CONTEXT_WITH_THE_RESULT: Edits = ((FRAME, "ctx_free  = ~busy_q & ~done_q;", "ctx_free  = in_free;"),)
CONTEXT_NOT_VALID: Edits = ((FRAME, "if (ctx_load) m_q", "if (ctx_free) m_q"),)
CONTEXT_BETWEEN_TWO: Edits = (
    (TOY_TOP, "~in_full_q & ~busy_q & ~out_full_q;", "~in_full_q & ~(busy_q ^ out_full_q);"),
)
READY_WAITS_FOR_VALID: Edits = ((GATE, OPEN, OPEN + "in_valid_i & "),)
RESULT_HIDDEN: Edits = ((FRAME, VALID, VALID + " & ~ctx_valid_i"),)
RESULT_BEAT_SURVIVES: Edits = (
    (TOY_TOP, "      out_beat_q <= '0;\n    end else", "    end else"),
    (TOY_TOP, "  assign ctx_ready_o", "  initial out_beat_q = '0;\n  assign ctx_ready_o"),
)
RESET_WITH_THE_CLOCK: Edits = ((GATE, CLOCKED, CLOCKED.replace(" or negedge rst_ni", "")),)
LAST_PAUSED = "            if (last_beat) state_q <= PrePasses > 0 ? PRE : START;\n          end"
FORGOTTEN_IN_A_PAUSE: Edits = (
    (WORD_FRAME, LAST_PAUSED, LAST_PAUSED + " else if (!unused_in_part) beat_q <= '0;"),
)
DIRTY_PADDING: Edits = ((UNIT, UNIT_Z, UNIT_Z + " | Word'((beat_i == BeatBits'(Beats - 1)) << (Word - 1))"),)

MUTANTS = (
    # Wrong results.
    Mutant("operator", exhaustive, "hardware says .*, right is", ((TOP, T1, T1.replace("-", "+")),)),
    Mutant("operator-at-random", at_random, "M = .*, x = ", ((TOP, T1, T1.replace("-", "+")),)),
    Mutant("one-corner", exhaustive, "hardware says", ((TOP, Z, "assign z_o = z_q | Width'(&{y_q, m});"),)),
    Mutant("a-word-of-z", exhaustive, "hardware says", ((UNIT, UNIT_Z, LAST_WORD_WRONG),), slug=SERIAL),
    Mutant("domain", at_random, "hardware says", change=in_plain_domain, slug=SERIAL),
    Mutant("context-words", at_random, "hardware says", change=with_zeros_as_context, slug=TABLE),
    # Wrong times.
    Mutant("latency", at_random, LATENCY, change=one_more("latency")),
    Mutant("latency-serial", exhaustive, LATENCY, change=one_more("latency"), slug=SERIAL),
    Mutant("interval", at_random, INTERVAL, change=one_more("interval")),
    Mutant("interval-serial", at_random, INTERVAL, change=one_more("interval"), slug=SERIAL),
    Mutant("latency-of-the-data", at_random, "latency 7 cycles, the metadata says 6", SLOW_IF_Y_IS_ODD),
    Mutant("valid-waits-for-ready", back_pressure, LATENCY, ((FRAME, VALID, VALID + " & out_ready_i"),)),
    # The handshakes.
    Mutant(
        "z-changes", back_pressure, STALLED, ((TOP, "else if (busy) begin", "else begin"),), protocol=True
    ),
    Mutant("z-changes-serial", back_pressure, STALLED, Z_CHANGES_LATE, slug=SERIAL, protocol=True),
    Mutant("valid-falls", back_pressure, "out_valid_o fell before", ((FRAME, TAKEN, "else"),), protocol=True),
    Mutant(
        "padding", back_pressure, "z_o has bits above the operand", DIRTY_PADDING, slug=SERIAL, protocol=True
    ),
    Mutant("result-twice", at_random, "a result without operands", RESULT_TWICE, protocol=True),
    Mutant("no-result", at_random, "no progress", NO_RESULT, slug=SERIAL, protocol=True),
    Mutant(
        "two-in-flight", at_random, IN_FLIGHT, ((FRAME, DONE, ""), (FRAME, TAKEN, "if (1)")), protocol=True
    ),
    Mutant("no-context", at_random, NO_CONTEXT, ((FRAME, READY, READY + " & busy_q"),), protocol=True),
    # The state at power-up and after reset.
    Mutant("unreset-data", power_up, "hardware says", DIRTY_FIRST_RESULT),
    Mutant("unreset-control", power_up, NO_CONTEXT, (DONE_UNRESET,), protocol=True),
    Mutant("unreset-pipeline", power_up, "hardware says", UNRESET_PIPELINE, slug=SERIAL),
    Mutant("result-survives-reset", reset, "out_valid_o is not 0 at once in reset", RESULT_SURVIVES),
    Mutant("context-survives-reset", reset, "operands are accepted after reset", CONTEXT_SURVIVES),
    Mutant(
        "operands-without-context", reset, "in_ready_o is not 0 at once in reset", OPERANDS_WITHOUT_CONTEXT
    ),
    Mutant("half-an-operand-survives", reset, "ctx_ready_o is not 1 at once", HALF_AN_OPERAND, slug=SERIAL),
    # The context.
    Mutant(
        *("no-error", context, r"ctx_error_o is low in cycle t \+ 2 of the illegal context 0"),
        ((GATE, ERROR, "assign ctx_error_o = 0;"),),
    ),
    Mutant(
        "no-error-serial",
        context,
        "ctx_error_o is low in .* of the illegal context",
        ALL_ARE_LEGAL,
        slug=SERIAL,
    ),
    Mutant("error-falls", context, "ctx_error_o is low in .* of the illegal", ERROR_FALLS),
    Mutant("error-stays", context, r"ctx_error_o is high in cycle t \+ 2 of M", ERROR_STAYS),
    Mutant(
        "operands-in-spite-of-error", context, "in_ready_o is high while ctx_error_o is", IN_SPITE_OF_ERROR
    ),
    Mutant("first-context-kept", context, "ctx_error_o is low", FIRST_CONTEXT_KEPT),
    Mutant(
        "python-refuses-nothing",
        context,
        "ctx_error_o is high in .* of M",
        change=refusing_nothing,
        slug=TABLE,
    ),
    Mutant("error-hidden", context, "ctx_error_o is low", ((GATE, ERROR, ERROR[:-1] + " & ~in_valid_i;"),)),
    Mutant("context-second", context, "operands go before a waiting context", CONTEXT_SECOND),
    Mutant("context-in-flight", context, IN_OPERATION, CONTEXT_IN_FLIGHT),
    # Contexts, operands, results and resets that meet: nobody else finds these.
    *(
        Mutant(
            f"half-a-context-{slug}",
            context,
            "ctx_error_o is",
            HALF_A_CONTEXT,
            slug=slug,
            others=(reset, paths),
        )
        for slug in (SERIAL, SCALABLE)
    ),
    *(
        Mutant(
            f"open-for-a-cycle-{slug}",
            context,
            "operands are accepted",
            OPEN_FOR_A_CYCLE,
            slug=slug,
            others=others,
        )
        for slug, others in ((PARALLEL, (reset, operands)), (SERIAL, ()), (SCALABLE, ()))
    ),
    Mutant(
        "operands-early",
        context,
        r"accepted in cycle t \+ 1",
        OPERANDS_EARLY,
        others=(reset, operands, paths),
    ),
    Mutant(
        "operands-late", context, r"not accepted in cycle t \+ 2", OPERANDS_LATE, others=(reset, operands)
    ),
    Mutant(
        "error-early", context, r"is high in cycle t \+ 1 of the illegal", ERROR_EARLY, others=(reset, paths)
    ),
    Mutant(
        "error-late", context, r"is low in cycle t \+ 2 of the illegal", ERROR_LATE, others=(reset, paths)
    ),
    Mutant(
        "error-falls-early", context, "ctx_error_o is low", ERROR_FALLS_EARLY, slug=SERIAL, others=(paths,)
    ),
    Mutant("context-forgotten", context, "ctx_error_o is", FORGOTTEN_IN_A_PAUSE, slug=SERIAL, others=()),
    Mutant(
        "context-not-valid", context, "ctx_error_o is", CONTEXT_NOT_VALID, others=(reset, operands, paths)
    ),
    *(
        mutant
        for slug in (SERIAL, SCALABLE)
        for mutant in (
            Mutant(
                *(f"context-amid-operands-{slug}", operands, IN_OPERATION, CONTEXT_AMID_OPERANDS),
                slug=slug,
                others=(paths,),
            ),
            Mutant(
                f"not-finished-{slug}", operands, "no progress", OPERANDS_NOT_FINISHED, slug=slug, others=()
            ),
        )
    ),
    Mutant(
        "context-with-the-result",
        operands,
        IN_OPERATION,
        CONTEXT_WITH_THE_RESULT,
        others=(reset, context, paths),
    ),
    Mutant("context-between-two", operands, IN_OPERATION, CONTEXT_BETWEEN_TWO, slug=TOY, others=(reset,)),
    Mutant("result-hidden", operands, "accepted during|fell", RESULT_HIDDEN, others=(paths,)),
    Mutant("reset-with-the-clock", reset, "at once in reset", RESET_WITH_THE_CLOCK, others=()),
    Mutant("result-beat-survives", reset, IN_OPERATION, RESULT_BEAT_SURVIVES, slug=TOY, others=()),
    Mutant("ready-waits-for-valid", paths, "in_ready_o depends", READY_WAITS_FOR_VALID, others=()),
    # The model.
    Mutant("register", model, r"after cycle \d+ \(step .*\) z is .*, the model says", change=last_step_off),
    Mutant("a-step-too-few", model, MODEL_LENGTH, change=with_steps(lambda steps: steps[:-1])),
    Mutant("a-step-too-many", model, MODEL_LENGTH, change=with_steps(lambda steps: [*steps, steps[-1]])),
    Mutant("same-result-another-way", model, "the model says", STALE_UNTIL_NEEDED),
    # Run-time length, controls, several operations in flight, results above M, binary fields.
    Mutant("square-ignored", exhaustive, r"square = True.*(hardware says|latency)", SQUARE_IGNORED, slug=TOY),
    Mutant("square-ignored-at-random", at_random, "hardware says", SQUARE_IGNORED, slug=TOY),
    Mutant("square-of-the-last-beat", at_random, "hardware says", SQUARE_OF_THE_LAST_BEAT, slug=TOY),
    Mutant(
        "square-of-the-latest",
        at_random,
        "hardware says|cycles, the metadata",
        SQUARE_OF_THE_LATEST,
        slug=TOY,
    ),
    Mutant("square-not-in-the-model", model, "the model", change=product_of_x_and_y, slug=TOY),
    Mutant("length-ignored", exhaustive, "hardware says|latency", LENGTH_IGNORED, slug=TOY),
    Mutant("length-not-in-the-latency", at_random, LATENCY, change=latency_of_the_width, slug=TOY),
    Mutant(
        *("length-not-in-the-context", at_random, "no progress|bits above the operand|hardware says"),
        change=context_of_the_width,
        slug=TOY,
        protocol=True,
    ),
    Mutant("result-max", at_random, "hardware says", change=results_below_m, slug=TOY),
    Mutant("in-flight", at_random, IN_FLIGHT, change=one_in_flight, slug=TOY, protocol=True),
    Mutant("in-flight-two", back_pressure, IN_FLIGHT, change=two_in_flight, slug=TOY, protocol=True),
    Mutant("latency-alone", at_random, LATENCY, change=one_more("latency"), slug=TOY),
    Mutant("interval-steady", at_random, INTERVAL, change=one_more("interval"), slug=TOY),
    Mutant("distance", at_random, r"from result to result \d+ cycles", EVERY_SECOND_RESULT_LATE, slug=TOY),
    Mutant("polynomials", exhaustive, "hardware says", NO_REDUCTION_OF_POLYNOMIALS, slug=TOY),
    Mutant(
        "no-error-for-a-length",
        context,
        "ctx_error_o is low in .* of the illegal context 1 1",
        ANY_LENGTH,
        slug=TOY,
    ),
    Mutant("word-not-refused", parameters, "illegal_parameter_|accepts W", NO_WORD_CHECK, slug=TOY),
    Mutant("context-in-flight-in-a-walk", walk, IN_OPERATION, CONTEXT_IN_FLIGHT),
    Mutant("length-by-its-low-bits", context, "ctx_error_o is low", LOW_BITS_OF_A_LENGTH, slug=SCALABLE),
    # Illegal parameters.
    Mutant("width-not-refused", parameters, "illegal_parameter_|accepts Width", NO_WIDTH_CHECK),
    Mutant(
        "taps-not-refused", parameters, "the hardware accepts SharedTaps = 999", NO_TAPS_CHECK, slug=LADDER
    ),
)


@pytest.fixture(scope="module")
def compiled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The mutants of the tests that were asked for, compiled together in less time than one by one."""
    wanted: dict[str, Mutant] = {}
    for item in request.session.items:
        if isinstance(item, pytest.Function) and item.module is request.module and hasattr(item, "callspec"):
            mutant = item.callspec.params.get("mutant")
            if isinstance(mutant, Mutant) and mutant.slug != TOY and mutant.check is not parameters:
                wanted[mutant.name] = mutant
    found = [copy(m.slug, tmp_path_factory.mktemp("mutant"), m.edits, m.change) for m in wanted.values()]
    build_all(each.of(small(each)) for each in found)


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: m.name)
def test_a_mutant_is_found(mutant: Mutant, toy: Room, tmp_path: Path, rng: random.Random) -> None:
    found = copy(mutant.slug, tmp_path, mutant.edits, mutant.change)
    with pytest.raises(ProtocolError if mutant.protocol else VerificationError, match=mutant.says) as failure:
        mutant.check(found, small(found), rng)
    assert mutant.slug in str(failure.value), "the message says which core"


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("mutant", [m for m in MUTANTS if m.others is not None], ids=lambda m: m.name)
def test_no_other_check_finds_it(mutant: Mutant, toy: Room, tmp_path: Path, rng: random.Random) -> None:
    found = copy(mutant.slug, tmp_path, mutant.edits, mutant.change)
    finders = {mutant.check, *(mutant.others or ())}
    for check in CHECKS:
        if check not in finders and check is not walk:  # which may come across anything
            assert check(found, small(found), rng) > 0, check.__name__


def test_every_check_has_a_mutant() -> None:
    assert {mutant.check for mutant in MUTANTS} == set(CHECKS)


def test_the_contract_names_the_mutants() -> None:
    """The marked table of docs/contract.md: its mutants exist, in italics those that nobody else finds."""
    text = (Path(__file__).parents[1] / "docs" / "contract.md").read_text(encoding="utf-8")
    block = text.split("<!-- begin mutants:")[1].split("<!-- end mutants -->")[0]
    rows = [line.split("|") for line in block.splitlines() if line.startswith("| ")][1:]
    cells = [cell.strip() for row in rows for cell in row[3].split(",")]
    alone = {mutant.name: mutant.others is not None for mutant in MUTANTS}
    assert {cell.strip("*`"): cell.startswith("*") for cell in cells}.items() <= alone.items()
    assert {name for name in alone if alone[name]} <= {cell.strip("*`") for cell in cells}


def test_verify_runs_the_checks(tmp_path: Path) -> None:
    """What only a check of the contract can see is found by the whole verification, and only by that."""
    found = copy(PARALLEL, tmp_path, CONTEXT_SURVIVES)
    config = small(found)
    assert verify(found.of(config), Plan(count=200, contract=False)).total >= 200
    with pytest.raises(VerificationError, match="operands are accepted after reset"):
        verify(found.of(config), Plan(count=200))
