# SPDX-License-Identifier: Apache-2.0
"""Coverage of the checks: the record is of these sources, and the comparison of reasons with it can fail."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import coverage
import pytest

from modmul.cover.plan import Coverage, builds, cover, exclusions, faults, known, stale
from modmul.cover.suite import Item, run
from modmul.cover.unreachable import unreachable
from modmul.design import Design
from modmul.registry import own_cores
from modmul.tools.store import Store
from modmul.verify.simulator import Point
from modmul.verify.states import machines

SMALL = "interleaved_radix2"


def test_the_record_is_that_of_these_sources() -> None:
    """If this fails: make coverage."""
    assert stale(known(), exclusions()) == []


def test_the_record_is_complete_but_for_what_is_said_to_be_open() -> None:
    assert faults(known(), exclusions(), own_cores()) == []


def test_the_page_tells_what_is_known() -> None:
    text = coverage.PAGE.read_text(encoding="utf-8")
    assert coverage.renewed(text, known(), exclusions()) == text


@pytest.mark.parametrize(
    "slug",
    [pytest.param(each.core, marks=[] if each.core == SMALL else pytest.mark.long) for each in known()],
)
def test_a_core_run_again_gives_the_record(slug: str, tmp_path: Path) -> None:
    [there] = [each for each in known() if each.core == slug]
    again = cover(slug, Store(tmp_path / "results.sqlite"), exclusions())
    assert replace(again, seconds=0) == replace(there, seconds=0)


# --- the comparison -----------------------------------------------------------------------------------

BIT, OTHER = Item("toggle", "u_a.b_q[3] 0->1"), Item("toggle", "u_a.b_q[4] 0->1")
ENTRY = """
open = []
[[excluded]]
cores = ["core"]
kind = "toggle"
items = ['u_a\\.b_q\\[3\\] .*']
reason = "Bit 3 is never 1."
"""


def found(*left: Item, wrong: tuple[str, ...] = ()) -> Coverage:
    return Coverage("core", ("Width=9",), {}, tuple(("Width=9", item) for item in left), wrong, 0, "", "")


def test_an_uncovered_item_needs_an_entry() -> None:
    assert faults([found(BIT)], exclusions(ENTRY), ["core"]) == []
    [fault] = faults([found(BIT, OTHER)], exclusions(ENTRY), ["core"])
    assert "not covered" in fault and OTHER.text in fault


def test_an_entry_must_match_something() -> None:
    [fault] = faults([found()], exclusions(ENTRY), ["core"])
    assert "not there" in fault


def test_an_entry_is_for_its_kind_and_build() -> None:
    branch = replace(BIT, kind="branch")
    assert len(faults([found(BIT, branch)], exclusions(ENTRY), ["core"])) == 1
    assert len(faults([found(BIT)], exclusions(f'{ENTRY}build = "Word=3"\n'), ["core"])) == 2


def test_a_core_that_is_said_to_be_open_is_so() -> None:
    told = exclusions(ENTRY.replace("open = []", 'open = ["core"]'))
    assert faults([found(BIT, OTHER)], told, ["core"]) == []
    [fault] = faults([found(BIT)], told, ["core"])
    assert "said to be open" in fault


def test_an_excluded_item_that_is_covered_is_found(tmp_path: Path) -> None:
    """In a run, since the record does not name what is covered."""
    text = ENTRY.replace('"core"', f'"{SMALL}"').replace(r"u_a\.b_q\[3\] .*", r"z_o\[3\] 0->1")
    again = cover(SMALL, Store(tmp_path / "results.sqlite"), exclusions(text))
    assert len(again.wrong) == 2, "in both builds"
    assert any("excluded, and covered" in fault for fault in faults([again], exclusions(text), [SMALL]))


def test_other_exclusions_make_the_record_stale() -> None:
    text = ENTRY.replace('"core"', f'"{SMALL}"')
    assert SMALL in stale(known(), exclusions(text))


# --- what is out of reach -----------------------------------------------------------------------------

HARDWARE = """
module mm_top (input wire clk_i, input wire rst_ni, input wire a_i, output logic [2:0] q_o);
  logic never_q, late_q, once_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) never_q <= 1'b0;
    else if (never_q) never_q <= a_i;
  end
  always_ff @(posedge clk_i) begin
    late_q <= a_i;
    if (late_q & never_q) once_q <= 1'b1;
    else once_q <= late_q;
  end
  assign q_o = {never_q, late_q, once_q};
endmodule
"""


def test_what_is_out_of_reach_is_proven_and_nothing_else(tmp_path: Path) -> None:
    source = tmp_path / "mm_top.sv"
    source.write_text(HARDWARE)
    lines = HARDWARE.splitlines()
    at = next(number for number, line in enumerate(lines, 1) if "late_q & never_q" in line)
    column = lines[at - 1].index("if") + 1
    bits = {
        name: [Point("toggle", "TOP.mm_top", source.name, 3, 9, f"{name}:{way}") for way in ("0->1", "1->0")]
        for name in ("never_q", "late_q", "once_q")
    }
    taken = Point("branch", "TOP.mm_top", source.name, at, column, "if")
    other = Point("branch", "TOP.mm_top", source.name, at, column + 1, "else")
    asked = [*(point for both in bits.values() for point in both), taken, other]
    assert unreachable(Design("top", "mm_top", (source,)), asked) == {*bits["never_q"], taken}


NAMED = """
module mm_top #(
  parameter int Way = 2
) (
  input wire clk_i, input wire rst_ni, input wire a_i, output logic [5:0] q_o, output logic [3:0] r_o
);
  function automatic int length(input int number);
    length = 0;
    for (int i = 0; i < 8; i++) if (number >> i != 0) length = i + 1;
  endfunction
  function automatic logic [1:0] used(input logic bit_i);
    used = {bit_i, 1'b0};
  endfunction

  localparam int Length = length(5);
  logic [1:0][2:0] late_q;
  always_ff @(posedge clk_i) begin
    late_q[0] <= {1'b0, used(a_i)};
    late_q[1] <= late_q[0];
  end
  assign q_o = {late_q[1], late_q[0]};
  if (Way == 1) begin : gen_one
    assign r_o = '0;
  end else if (Way == Length - 1) begin : gen_two
    logic [3:0] held;
    assign held = {3'b0, a_i};
    assign r_o  = held;
  end else begin : gen_many
    assign r_o = '1;
  end
endmodule
"""


def test_a_signal_is_found_by_its_indices_and_blocks(tmp_path: Path) -> None:
    source = tmp_path / "mm_top.sv"
    source.write_text(NAMED)
    names = [f"late_q[{i}][{j}]" for i in range(2) for j in range(3)] + [
        f"gen_two.held[{i}]" for i in range(4)
    ]
    rising = {name: Point("toggle", "TOP.mm_top", source.name, 1, 1, f"{name}:0->1") for name in names}
    found = unreachable(Design("top", "mm_top", (source,)), rising.values())
    moving = {"late_q[0][1]", "late_q[1][1]", "gen_two.held[0]"}
    assert {name for name in names if rising[name] not in found} == moving


def test_a_function_of_parameters_is_never_entered(tmp_path: Path) -> None:
    source = tmp_path / "mm_top.sv"
    source.write_text(NAMED)
    lines = NAMED.splitlines()
    of_parameters, used = (
        Point(
            "line",
            "TOP.mm_top",
            source.name,
            2 + next(n for n, line in enumerate(lines) if text in line),
            3,
            "block",
        )
        for text in ("length(input", "used(input")
    )
    assert unreachable(Design("top", "mm_top", (source,)), [of_parameters, used]) == {of_parameters}


# --- what is seen -------------------------------------------------------------------------------------


def test_a_transition_and_a_reset_are_seen_by_the_names_of_states() -> None:
    seen = run(builds("montgomery_csa1")[0])
    sources = [machine for source in seen.design.sources for machine in machines(source)]
    assert {machine.states for machine in sources} == {("LOAD", "PRE", "START", "RUN", "CONVERT", "UNLOAD")}
    for text in ("PRE > START", "UNLOAD > LOAD", "reset in START", "reset in CONVERT"):
        assert seen.counts[Item("state", f"u_frame.state_q {text}")] > 0
    assert seen.counts[Item("state", "u_frame.state_q LOAD > CONVERT")] == 0
