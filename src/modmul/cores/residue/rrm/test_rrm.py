# SPDX-License-Identifier: Apache-2.0
"""rrm: the ranges of the README, by every modulus and operand of a few bits; docs/rrm.md; proofs."""

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from modmul.chips import CHIPS
from modmul.cores.residue.rrm.core import (
    WORDS,
    Rrm,
    context_wait,
    domain,
    interval,
    latency,
    operand_max,
    residues,
    result_max,
)
from modmul.measure.synthesis import run_yosys, synthesis_flow
from modmul.registry import Room, room
from modmul.tools.run import ToolFailure
from modmul.verify import checks
from modmul.verify.failures import ProtocolError, VerificationError
from modmul.verify.mutant import mutant
from modmul.verify.simulation import Simulation

BUILDS = [(k, d) for k in (1, 2) for d in (0, 1, 2)]


def last_sums(config: Rrm, modulus: int, x: int, y: int) -> tuple[list[int], list[int]]:
    """The sum after each step, and the digits that are pending at the end, the last one last."""
    k, base = config.digit_bits, 1 << config.digit_bits
    table = residues(config, modulus)
    sums, dropped = [0], [0] * config.delay
    for i in range(config.steps):
        dropped.append(sums[-1] % base)
        sums.append((sums[-1] >> k) + (x >> (k * i)) % base * y + table[dropped.pop(0)])
    return sums[1:], dropped


def quotient(q: int, bits: int, digit_bits: int) -> int:
    """q mod 2^bits, of digits -2 to 1, a lone bit being -1 or 0; for digit_bits = 1 all are lone."""
    low = 1 if digit_bits == 1 or bits == 1 else 2
    if bits == 0:
        return 0
    half = 1 << (low - 1)
    digit = (q + half) % (2 * half) - half
    return digit + (quotient((q - digit) >> low, bits - low, digit_bits) << low)


def pending(config: Rrm, modulus: int, digits: Sequence[int]) -> int:
    """P: the residue of the pending digits."""
    k, bits = config.digit_bits, config.digit_bits * config.delay
    p = sum(digit << (k * i) for i, digit in enumerate(digits))
    value = p + quotient(-p * pow(modulus, -1, 1 << bits), bits, k) * modulus
    assert value % (1 << bits) == 0
    return value >> bits


@pytest.mark.parametrize(("digit_bits", "delay"), BUILDS)
def test_sums_and_results_lie_in_their_ranges(digit_bits: int, delay: int) -> None:
    """Also for short moduli in a wider build; the result is congruent to x * y / R."""
    for width in (2, 3, 4, 5, 7):
        config = Rrm(width, digit_bits=digit_bits, delay=delay)
        radix = 1 << (digit_bits * (config.steps - 1))
        for modulus in range(1, 1 << min(width, 5), 2):
            inverse = pow(radix, -1, modulus)
            for x in range(modulus + 1):
                for y in range(modulus + 1):
                    sums, digits = last_sums(config, modulus, x, y)
                    assert max(sums) < 1 << (width + 3)
                    value = sums[-1] + pending(config, modulus, digits)
                    assert -modulus < value < 2 * modulus
                    assert (value - x * y * inverse) % modulus == 0


@pytest.mark.parametrize("digit_bits", [1, 2])
def test_one_digit_less_is_too_few(digit_bits: int) -> None:
    """The extra digits are needed: with one less, V reaches 2M for k = 2."""

    class Short(Rrm):
        @property
        def extra(self) -> int:
            return 1

    config = Short(6, digit_bits=digit_bits)
    worst = max(
        (sums[-1] + pending(config, modulus, digits)) / modulus
        for modulus in range(33, 64, 2)
        for x in range(modulus + 1)
        for y in range(0, modulus + 1)
        for sums, digits in [last_sums(config, modulus, x, y)]
    )
    assert worst >= 2


# --- lazy results -----------------------------------------------------------------------------------


def lazy_ranges(config: Rrm, moduli: Sequence[int], least: int, steps: int) -> float:
    """The largest result over M; all operands up to some number, then so many up to the largest."""
    k, worst = config.digit_bits, 0.0
    for modulus in moduli:
        top = operand_max(config, modulus)
        operands = sorted({*range(min(least, top + 1)), *(top - top * i // steps for i in range(steps))})
        for x in operands:
            for y in operands:
                sums, digits = last_sums(config, modulus, x, y)
                assert max(sums) < ((1 << config.head + k) + 2) * modulus < 1 << (config.bits + 3)
                value = (sums[-1] << (k * config.delay)) + sum(p << (k * i) for i, p in enumerate(digits))
                assert (value * domain(config).radix - x * y) % modulus == 0
                worst = max(worst, value / modulus)
    return worst


@pytest.mark.parametrize(("digit_bits", "delay"), BUILDS)
def test_lazy_results_lie_in_their_range(digit_bits: int, delay: int) -> None:
    """They and every sum, for every modulus of up to four bits; of all operands where there are few."""
    for width in (2, 3, 4):
        config = Rrm(width, digit_bits=digit_bits, delay=delay, lazy=1)
        moduli = range(1, 1 << width, 2)
        assert lazy_ranges(config, moduli, 24, 16) < 1 << config.head
        assert all(result_max(config, m) == operand_max(config, m) == (m << config.head) - 1 for m in moduli)


@pytest.mark.parametrize(("digit_bits", "delay"), BUILDS)
def test_the_head_of_lazy_results_is_needed(digit_bits: int, delay: int) -> None:
    """They may be above half of their range."""
    config = Rrm(5, digit_bits=digit_bits, delay=delay, lazy=1)
    assert lazy_ranges(config, range(17, 32, 2), 2, 12) > 1 << (config.head - 1)


@pytest.mark.long
@pytest.mark.parametrize(("digit_bits", "delay"), BUILDS)
def test_every_lazy_operand(digit_bits: int, delay: int) -> None:
    config = Rrm(2, word=8, digit_bits=digit_bits, delay=delay, lazy=1)
    assert checks.check_exhaustive([room("rrm").of(config)]) > 0


LAZY = {
    "M comes in as y": ("mm_rrm_control", "| (Lazy & m_came_q)", ""),
    "what is shown for M is not y": ("mm_rrm_control", " & ~(Lazy & bare_q)", ""),
    "q comes once": ("mm_rrm_control", "~(Lazy & pre_q)", "1'b1"),
    "a residue is divided and shown": ("mm_rrm_control", "Lazy ? 2 * Delay + 2", "Lazy ? Delay + 2"),
    "z is 0 where nothing is shown": ("mm_rrm_resolver", "if (bare_i) z_o <= '0;", "if (1'b0) z_o <= '0;"),
    "m is 0 behind its words": ("mm_rrm_one", "if (Lazy && !m_load)", "if (1'b0)"),
    "digits are pending": ("mm_rrm_one", "Lazy ? dropped :", "Lazy ? '0 :"),
    "no carry into the first word": ("mm_rrm_resolver", "ripple_q <= 1'b0;", "ripple_q <= 1'b1;"),
    "the last word is apart": ("mm_rrm_memory", "write_i & ~write_last", "write_i"),
    "a word sets the register": ("mm_rrm_select", "if (top[b])", "if (1'b0)"),
}


@pytest.mark.parametrize("rule", LAZY)
def test_a_broken_rule_of_lazy_results_is_found(rule: str, tmp_path: Path) -> None:
    """With 17 words, a residue whose loop has more steps than a word has digits, and any word behind M."""
    found = mutant(room("rrm"), tmp_path / "rrm", *LAZY[rule])
    core = found.core.changed(context=lambda config, modulus: (*config.split(modulus), 0xA5))
    found = replace(found, core=core)
    config = Rrm(126, word=8, delay=2, lazy=1)
    simulation, rng = Simulation(found.of(config), seed=1), random.Random(1)
    with pytest.raises((VerificationError, ProtocolError)):
        for modulus in checks.interesting_moduli(found.of(config), rng, 4):
            sum(checks.check_random(simulation, modulus, 40, rng))


# --- residues ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("digit_bits", "delay"), BUILDS)
def test_residues_are_exact_and_small(digit_bits: int, delay: int) -> None:
    worth = 1 << (digit_bits * (delay + 1))
    config = Rrm(9, digit_bits=digit_bits, delay=delay)
    for modulus in range(1, 1 << 9, 2):
        lazy = residues(replace(config, lazy=1), modulus)
        for s, residue in enumerate(residues(config, modulus)):
            exact, rest = divmod(s + -s * pow(modulus, -1, worth) % worth * modulus, worth)
            assert rest == 0 and residue == exact % modulus and lazy[s] == exact <= modulus


def test_the_example_of_the_page() -> None:
    """7·9 modulo 11 in docs/rrm.md: S after each step, the digit dropped last, the residues."""
    assert last_sums(Rrm(4), 11, 7, 9) == ([27, 15, 8, 7], [0])
    assert Rrm(4).steps == 4
    assert residues(Rrm(4), 11) == [0, 9, 7, 5]


@pytest.mark.parametrize(
    "config",
    [
        *(Rrm(32), Rrm(72, word=8, delay=2), Rrm(8, word=8, digit_bits=1, delay=0), Rrm(16, word=8, banks=2)),
        *(Rrm(32, lazy=1), Rrm(140, word=8, delay=2, lazy=1), Rrm(8, word=8, digit_bits=1, delay=0, lazy=1)),
    ],
    ids=str,
)
def test_the_pause_is_exact(config: Rrm, monkeypatch: pytest.MonkeyPatch) -> None:
    """A beat each cycle, the pause, and the last beat: the context takes that, and not a cycle less."""
    simulation, modulus = Simulation(room("rrm").of(config)), (1 << config.width) - 1
    beats = config.beats + 1
    for cycles in (beats, beats - 1):
        simulation.reset()
        monkeypatch.setattr(simulation, "_limit", lambda cycles=cycles: cycles - 20 * beats)
        if cycles == beats:
            simulation.load(modulus)
        else:
            with pytest.raises(ProtocolError):
                simulation.load(modulus)


@pytest.mark.long
@pytest.mark.parametrize("width", [5, 6])
def test_all_operands_of_lazy_builds(width: int) -> None:
    """Those that `variants` leaves out for their time."""
    configs = [Rrm(width, word=8, lazy=1), Rrm(width, word=8, digit_bits=1, delay=2, lazy=1)]
    assert checks.check_exhaustive([*map(room("rrm").of, configs)]) > 100_000


@pytest.mark.parametrize("config", [Rrm(36, word=8), Rrm(41, word=8, banks=2)], ids=str)
def test_synthesis_where_few_words_are_left(config: Rrm, tmp_path: Path) -> None:
    """Five words, and six with the last one short: of each four of the converter bits are registers."""
    target = CHIPS["ecp5"]
    design = room("rrm").design(config).tuned(target.family)
    run_yosys(synthesis_flow(design, target), design.sources, tmp_path, tmp_path / "yosys.log", 60)


# --- two banks --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "config",
    [
        Rrm(40, word=8, digit_bits=1, banks=2),
        Rrm(49, word=8, delay=2, banks=2),
        pytest.param(Rrm(136, word=8, digit_bits=1, delay=2, banks=2), marks=pytest.mark.long),
        pytest.param(Rrm(300, word=64, banks=2), marks=pytest.mark.long),
        pytest.param(Rrm(1024, banks=2), marks=pytest.mark.long),
    ],
    ids=str,
)
def test_other_builds_of_two_banks(config: Rrm) -> None:
    """Groups that are not full, digits of a bit, and more than 16 words: as in the contract's tests."""
    found, rng = room("rrm"), random.Random(config.width)
    moduli = checks.interesting_moduli(found.of(config), rng, 4)
    assert checks.check_model(found.of(config), moduli, rng) >= 6
    simulation = Simulation(found.of(config), seed=config.width)
    assert all(sum(checks.check_random(simulation, modulus, 40, rng)) >= 4 for modulus in moduli)
    assert checks.check_back_pressure(simulation, moduli[0], 20, rng) == 100


@pytest.mark.parametrize(("digit_bits", "delay"), [(k, d) for k, d in BUILDS if d])
def test_residues_by_two_passes(digit_bits: int, delay: int) -> None:
    """With two banks: V lies in its range in both, and the second gives T[s]."""
    base = 1 << digit_bits
    config = Rrm(9, digit_bits=digit_bits, delay=delay, banks=2)
    for modulus in range(1, 1 << 9, 2):
        found = []
        for s in range(base):
            first = pending(config, modulus, [0] * (delay - 1) + [s])
            y = first % modulus
            second = (y >> (digit_bits * delay)) + pending(
                config, modulus, [(y >> (digit_bits * i)) % base for i in range(delay)]
            )
            assert -modulus < first < 2 * modulus and -modulus < second < 2 * modulus
            found.append(second % modulus)
        assert found == residues(config, modulus)


def test_the_table_is_filled_while_the_loop_runs() -> None:
    """From 109 bits on nothing but the loop takes time."""
    for width in (*range(109, 400), 512, 521, 1024, 2048):
        for k, word in ((k, word) for k in (1, 2) for word in WORDS):
            config = Rrm(width, word=word, digit_bits=k, banks=2)
            assert interval(config) == config.steps + 1


TWO = {
    "an entry goes into its bank": (
        "mm_rrm_two",
        ".write_addr_i({bank_q, write_addr})",
        ".write_addr_i({1'b0, write_addr})",
    ),
    "x goes into its bank": ("mm_rrm_two", ".write_addr_i({bank_q, beat})", ".write_addr_i({1'b0, beat})"),
    "the digit dropped before the first is 0": ("mm_rrm_two", ".clear_i(clear_d)", ".clear_i(1'b0)"),
    "no entry counts in the first pass": ("mm_rrm_two", "some_q   <= x_some | ~pre;", "some_q   <= 1'b1;"),
    "the residue of the first pass alone": ("mm_rrm_two", "(row & {K{~second}})", "row"),
    "T counts as 0 while it is made": ("mm_rrm_filler", "if (pre_i) t_q <= '0;", "if (1'b0) t_q <= '0;"),
    "no carry into the lowest group": ("mm_rrm_filler", "carry & group_next != '0;", "carry;"),
    "a group of few words": ("mm_rrm_filler", "words_q[i*Word+:Word] <= '0;", "words_q[i*Word+:Word] <= '1;"),
    "a group never waits in the filler": ("mm_rrm_filler", "~full_q & (~busy_q | count_q >= Soon)", "1'b1"),
    "a pass ends early": ("mm_rrm_bank_control", "pre ? ends_q[2-Early] :", "pre ? ends_q[2] :"),
}


@pytest.mark.parametrize("rule", TWO)
def test_a_broken_rule_of_two_banks_is_found(rule: str, tmp_path: Path) -> None:
    found = mutant(room("rrm"), tmp_path / "rrm", *TWO[rule])
    config = Rrm(48 if rule == "no carry into the lowest group" else 56, word=8, banks=2)
    simulation, rng = Simulation(found.of(config), seed=1), random.Random(1)
    with pytest.raises((VerificationError, ProtocolError)):
        for modulus in checks.interesting_moduli(found.of(config), rng, 4):
            sum(checks.check_random(simulation, modulus, 40, rng))


# --- proofs ---------------------------------------------------------------------------------------

BENCH = """\
module proof #(
  parameter int Width = 3, parameter int DigitBits = 1, parameter int Delay = 1, parameter int Banks = 1,
  parameter int Lazy = 0, parameter int Head = 0, parameter int Radix = 1, parameter bit Free = 1
) (input wire clk_i, input wire rst_ni, input wire valid_i, input wire ready_i);
  localparam int Bits = Width + Head;
  localparam int Wide = 2 * Bits + $clog2(Radix + 1);
  (* anyconst *) logic [Width-1:0] m;
  (* anyconst *) logic [Bits-1:0]  x_0, y_0, x_1, y_1;
  logic [8:0]      most;
  logic [7:0]      z;
  logic            ctx_ready, ctx_error, valid, ready, in_ready, out_valid;
  logic            m_sent_q, sent_q, odd_in_q, odd_out_q;
  logic [Wide-1:0] product;

  mm_rrm #(.Width(Width), .Word(8), .DigitBits(DigitBits), .Delay(Delay),
    .Banks(Banks), .Lazy(Lazy)) dut (
    .clk_i, .rst_ni,
    .ctx_valid_i(~sent_q), .ctx_ready_o(ctx_ready), .ctx_error_o(ctx_error),
    .ctx_data_i(m_sent_q ? 8'd0 : 8'(m)), .in_valid_i(valid), .in_ready_o(in_ready),
    .x_i(8'(odd_in_q ? x_1 : x_0)), .y_i(8'(odd_in_q ? y_1 : y_0)),
    .out_valid_o(out_valid), .out_ready_i(ready), .z_o(z)
  );

  assign most    = (9'(m) << Head) - 9'(Lazy);
  assign valid   = valid_i | ~Free;
  assign ready   = ready_i | ~Free;
  assign product = odd_out_q ? Wide'(x_1) * Wide'(y_1) : Wide'(x_0) * Wide'(y_0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {m_sent_q, sent_q, odd_in_q, odd_out_q} <= '0;
    end else begin
      if (ctx_ready && !sent_q) {sent_q, m_sent_q} <= {m_sent_q, 1'b1};
      if (valid && in_ready) odd_in_q <= ~odd_in_q;
      if (out_valid && ready) odd_out_q <= ~odd_out_q;
    end
  end

  always_comb begin
    if (rst_ni) begin
      assume (m[0] && 9'(x_0) <= most && 9'(y_0) <= most && 9'(x_1) <= most && 9'(y_1) <= most);
      assert (!ctx_error);
      if (out_valid) begin
        assert (9'(z) < 9'(m) << Head);
        assert (Wide'(z) * Wide'(Radix) % Wide'(m) == product % Wide'(m));
      end
    end
  end
endmodule
"""
"""Any two pairs of operands in turn, any modulus. Free: they come, and results are taken, at any time."""

SMALL, FEW = Rrm(3, word=8, digit_bits=1), 78

SETTLED = 6
"""Cycles after which no register without a reset is told by what it began with."""


def prove(found: Room, config: Rrm, folder: Path, steps: int, *, free: bool) -> None:
    """That every result in the cycles from a reset on is right, and every sum in its range."""
    folder.mkdir(exist_ok=True)
    bench = folder / "proof" / "proof.sv"
    bench.parent.mkdir()
    bench.write_text(BENCH, encoding="utf-8")
    design = found.design(config)
    values = {
        "Width": config.width,
        "DigitBits": config.digit_bits,
        "Delay": config.delay,
        "Banks": config.banks,
        "Lazy": config.lazy,
        "Head": config.head,
        "Radix": domain(config).radix,
        "Free": int(free),
    }
    commands = [
        *(f"read_verilog -sv -formal {source.name}" for source in (*design.sources, bench)),
        f"chparam {' '.join(f'-set {name} {value}' for name, value in values.items())} proof",
        *("hierarchy -check -top proof", "proc", "flatten", "opt -full", "async2sync", "memory_map"),
        "opt -full",
        f"sat -verify -prove-asserts -set-assumes -seq {steps} -prove-skip {SETTLED} -set-at 1 rst_ni 0 "
        + " ".join(f"-set-at {step} rst_ni 1" for step in range(2, steps + 1)),
    ]
    run_yosys(commands, (*design.sources, bench), folder, folder / "yosys.log", 600)


def enough(config: Rrm) -> int:
    """Cycles from a reset to some results, at the longest."""
    return context_wait(config) + latency(config) + 2 * interval(config)


def test_results_are_right_for_all_moduli_and_operands_of_three_bits(tmp_path: Path) -> None:
    """Also of operations that follow each other; FEW cycles are enough for two of them."""
    prove(room("rrm"), SMALL, tmp_path, FEW, free=False)


MUTANTS = {
    "carries do not start anew": ("mm_rrm_cell", "      c_q <= '0;", "      c_q <= c_next;"),
    "range is too small": ("mm_rrm_one", "((1 << Head + K) + 2) * ", "((1 << Head + K) + 0) * "),
    "terms are not rounded": ("mm_rrm_converter", "first_q[3] ? round_q[i] :", "first_q[3] ? 1'b0 :"),
}


@pytest.mark.parametrize(
    "rule",
    [pytest.param(rule, marks=[pytest.mark.long] if number else []) for number, rule in enumerate(MUTANTS)],
)
def test_the_proof_can_fail(rule: str, tmp_path: Path) -> None:
    wrong = mutant(room("rrm"), tmp_path / "room", *MUTANTS[rule])
    with pytest.raises(ToolFailure) as failed:
        prove(wrong, SMALL, tmp_path / "work", FEW, free=False)
    assert "model found: FAIL" in failed.value.log.read_text(encoding="utf-8")


@pytest.mark.long
@pytest.mark.parametrize(("digit_bits", "delay"), BUILDS)
def test_results_are_right_for_all_digits_and_delays(digit_bits: int, delay: int, tmp_path: Path) -> None:
    config = Rrm(3, word=8, digit_bits=digit_bits, delay=delay)
    prove(room("rrm"), config, tmp_path, enough(config), free=False)


@pytest.mark.long
@pytest.mark.parametrize("delay", [1, 2])
def test_results_of_two_banks_are_right(delay: int, tmp_path: Path) -> None:
    config = Rrm(2, word=8, digit_bits=1, delay=delay, banks=2)
    prove(room("rrm"), config, tmp_path, enough(config), free=False)


@pytest.mark.long
def test_lazy_results_are_right(tmp_path: Path) -> None:
    """The build of the shortest operands; those of all builds are tried in test_every_lazy_operand."""
    config = Rrm(2, word=8, digit_bits=1, delay=0, lazy=1)
    prove(room("rrm"), config, tmp_path, enough(config), free=False)


@pytest.mark.long
def test_results_are_right_whenever_operands_come_and_results_are_taken(tmp_path: Path) -> None:
    prove(room("rrm"), Rrm(2, word=8, digit_bits=1), tmp_path, FEW, free=True)


# --- rules of the control that need operands in a row -------------------------------------------------

RULES = {
    "a word of x stays until the loop has it": ("mm_rrm_control", "(~run_q | (before_q ", "(~run_q | (1'b1 "),
    "two cycles until a beat counts": ("mm_rrm_control", " & ~in_load & ~loaded_q", ""),
    "y stays until the last cell has it": ("mm_rrm_control", " & ~filling_q &", " &"),
    "no digit comes down before the first step": (
        "mm_rrm_control",
        "start_q | (Delay == 0 ?",
        "start_q & (Delay == 0 ?",
    ),
    "the address before the first is 0": ("mm_rrm_control", "!reading || entry_last_q", "!reading"),
}


def right_in_a_row(found: Room, config: Rrm) -> bool:
    simulation = Simulation(found.of(config))
    modulus = (1 << config.width) - 5
    rng = random.Random(1)
    xs, ys = ([rng.randrange(modulus + 1) for _ in range(12)] for _ in "xy")
    simulation.load(modulus)
    return simulation.run(xs, ys).results == [
        domain(config).product(modulus, x, y) for x, y in zip(xs, ys, strict=True)
    ]


@pytest.mark.long
@pytest.mark.parametrize("rule", RULES)
def test_a_rule_that_is_broken_gives_wrong_results(rule: str, tmp_path: Path) -> None:
    config = Rrm(400, word=8)
    assert right_in_a_row(room("rrm"), config)
    assert not right_in_a_row(mutant(room("rrm"), tmp_path, *RULES[rule]), config)
