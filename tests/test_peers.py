# SPDX-License-Identifier: Apache-2.0
"""Cores of others: sources in a checkout, and records that stand beside ours, never among them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from modmul import registry
from modmul.chips import CHIPS
from modmul.core import BINARY_FIELD, PRIME_FIELD
from modmul.export import export
from modmul.measure import SHIPPED, Job, Measurement, RecordError, Store, measure
from modmul.measure.weights import Weights
from modmul.moduli import modulus as named
from modmul.registry import RoomError, rooms, visit
from modmul.report.page import render
from modmul.room import Room
from modmul.study.choosing import Wish, choose
from modmul.study.others import COST, Other, others, read, times_better, write
from modmul.study.recorded import recorded
from modmul.tools.checkout import PEERS
from modmul.verify.failures import SimulatorError, VerificationError
from modmul.verify.runner import Plan, verify
from modmul.verify.simulator import lint

EXAMPLES = Path(__file__).parents[1] / "examples" / "peers"
NAMES = sorted(file.parent.name for file in EXAMPLES.glob("*/core.py"))
FILE = "rtl/Their.v"

THEIRS = """\
module Their #(parameter N = 8) (clk, go, a, b, m, r, fin);
  input clk, go; input [N-1:0] a, b, m; output reg [N-1:0] r; output reg fin;
  reg [N-1:0] x, y; reg [N:0] left; reg on; wire [N+2:0] t, u, v;
  assign t = {r, 1'b0} + (x[N-1] ? y : 0);
  assign u = t >= {m, 1'b0} ? t - {m, 1'b0} : t;
  assign v = u >= m ? u - m : u;
  always @(posedge clk)
    if (go) begin x <= a; y <= b; r <= 0; left <= N; on <= 1; fin <= 0; end
    else begin
      if (on) begin r <= v; x <= x << 1; left <= left - 1; end
      if (on && left == 1) on <= 0;
      fin <= on && left == 1;
    end
endmodule
"""
"""Somebody's multiplier, a bit a cycle, of which Verilator has much to say."""

WRAPPER = """\
// SPDX-License-Identifier: Apache-2.0
`default_nettype none
module mm_stub_peer #(parameter int Width = 8) (
  input wire clk_i, input wire rst_ni,
  input wire ctx_valid_i, output logic ctx_ready_o,
  input wire [Width-1:0] ctx_data_i, output logic ctx_error_o,
  input wire in_valid_i, output logic in_ready_o, input wire [Width-1:0] x_i, input wire [Width-1:0] y_i,
  output logic out_valid_o, input wire out_ready_i, output logic [Width-1:0] z_o
);
  localparam int StepBits = $clog2(Width + 1);
  logic [Width-1:0] m;
  logic [StepBits-1:0] unused_step;
  logic load, unused_busy, unused_fin;
  mm_frame #(.Width(Width), .Steps(Width + 1)) u_frame (
    .clk_i, .rst_ni, .ctx_valid_i, .ctx_ready_o, .ctx_data_i, .ctx_error_o, .in_valid_i, .in_ready_o,
    .out_valid_o, .out_ready_i, .m_o(m), .load_o(load), .busy_o(unused_busy), .step_o(unused_step)
  );
  Their #(.N(Width)) u_theirs (.clk(clk_i), .go(load), .a(x_i), .b(y_i), .m, .r(z_o), .fin(unused_fin));
endmodule
`default_nettype wire
"""

CORE = """\
from modmul.core import Algorithm, Builds, Checkout, Config, Core, Function, Interface, Origin

CORE = Core(
    slug="stub_peer",
    title="a stub",
    interface=Interface(latency=lambda c: c.width + 2, interval=lambda c: c.width + 2),
    algorithm=Algorithm(steps="n + 1", cycles=lambda c: c.width + 1),
    builds=Builds(Config),
    function=Function(operand_max=lambda c, m: m - 1),
    origin=Origin(
        section="README.md", checkout=Checkout("nobody/their-core", "{commit}", "MIT", ("rtl/Their.v",))
    ),
)
"""


def git(folder: Path, *arguments: str) -> str:
    """What git says, as somebody who has told it nothing."""
    who = ("-c", "user.name=nobody", "-c", "user.email=nobody@example.org", "-c", "commit.gpgsign=false")
    command = ("git", "-C", str(folder), *who, *arguments)
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No guest stays behind, and no checkout is known."""
    monkeypatch.delenv(PEERS, raising=False)
    yield
    for slug, package in tuple(registry.GUESTS.items()):
        del registry.GUESTS[slug]
        for name in [name for name in sys.modules if name.split(".")[0] == package]:
            del sys.modules[name]
    rooms.cache_clear()
    registry.on.cache_clear()


@pytest.fixture
def stub(tmp_path: Path) -> Path:
    """A room whose sources are in a repository of somebody, and that repository: in ``peers`` beside it."""
    checkout = tmp_path / "peers" / "their-core"
    (checkout / "rtl").mkdir(parents=True)
    (checkout / FILE).write_text(THEIRS)
    git(checkout, "init", "--quiet")
    git(checkout, "add", "--all")
    git(checkout, "commit", "--quiet", "--message", "theirs")
    folder = tmp_path / "stub_peer"
    folder.mkdir()
    (folder / "mm_stub_peer.sv").write_text(WRAPPER)
    (folder / "core.py").write_text(CORE.replace("{commit}", git(checkout, "rev-parse", "HEAD")))
    return folder


def ready(stub: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    """The room, with the checkout at hand."""
    monkeypatch.setenv(PEERS, str(stub.parent / "peers"))
    return visit(stub)


# ---- the checkout


def refused(found: Room) -> str:
    """Why there is no design; one line."""
    again = replace(found)  # what was found before is not kept
    with pytest.raises(RoomError) as caught:
        _ = again.build(8).design
    [line] = str(caught.value).splitlines()
    return line


def test_what_is_wrong_with_a_checkout_is_said(stub: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = visit(stub)
    checkout = stub.parent / "peers" / "their-core"
    theirs = found.core.origin.checkout
    assert theirs and found.build(8).latency == 10, "what is said of it needs none"
    told = refused(found)
    assert all(part in told for part in (PEERS, theirs.repository, theirs.commit[:12], "MIT", theirs.url))
    monkeypatch.setenv(PEERS, str(stub))
    assert f"there is no {stub / 'their-core'}" in refused(found) and theirs.commit in refused(found)
    monkeypatch.setenv(PEERS, str(stub.parent / "peers"))
    _ = replace(found).build(8).design
    (checkout / FILE).write_text(THEIRS + "// more\n")
    assert FILE in refused(found)
    git(checkout, "commit", "--quiet", "--all", "--message", "more")
    assert git(checkout, "rev-parse", "HEAD")[:12] in refused(found)
    git(checkout, "checkout", "--quiet", theirs.commit)
    _ = replace(found).build(8).design
    (checkout / ".git").rename(checkout / "git")
    assert "git cannot read" in refused(found)


def test_theirs_is_linted_simulated_and_measured_with_ours(
    stub: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    build = ready(stub, monkeypatch).build(8)
    theirs = stub.parent / "peers" / "their-core" / FILE
    assert build.design.foreign == (theirs,) and theirs in build.design.sources
    lint(build.design)
    with pytest.raises(SimulatorError, match="WIDTH"):
        lint(replace(build.design, foreign=()))
    assert verify(build, Plan(count=100, contract=False)).total > 100
    job = Job(build.design, CHIPS["ecp5"])
    [(_, outcome)] = measure([job], store=Store(tmp_path / "results.sqlite"))
    assert isinstance(outcome, Measurement) and outcome.area.luts > 8 and outcome.area.ffs >= 4 * 8
    other = Other.of(build, job, outcome)
    write([other], tmp_path / "others")
    assert read(tmp_path / "others") == [other] and others(CHIPS["ecp5"], 8, folder=tmp_path / "others") == [
        other
    ]
    assert other.covers(build, job) and other.licence == "MIT" and other.row().luts == outcome.area.luts
    theirs.write_text(THEIRS.replace("x << 1", "x << 2"))
    assert not other.covers(build, Job(replace(build.design), CHIPS["ecp5"])), (
        "the digest is over their sources"
    )
    with pytest.raises(VerificationError):
        verify(build, Plan(count=100, contract=False))


def test_it_is_not_exported(stub: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    build = ready(stub, monkeypatch).build(8)
    with pytest.raises(ValueError, match="nobody/their-core"):
        export(build, None, tmp_path / "out")
    assert not (tmp_path / "out").exists()


# ---- the examples


STUBS = {
    "caliptra_montgomery": """\
module ecc_montgomerymultiplier #(parameter REG_SIZE = 8, RADIX = 4) (
  input clk, reset_n, zeroize, start_i, input [REG_SIZE-1:0] opa_i, opb_i, n_i, input [RADIX-1:0] n_prime_i,
  output [REG_SIZE-1:0] p_o, output ready_o);
endmodule
""",
    "modmul_cs": """\
module Multiplier #(parameter N = 8) (
  input clock, reset, input [N-1:0] in_a, in_b, r, rn, rm, rx1, rx2, rx3, input [$clog2(N):0] k,
  output [N-1:0] result, output done);
endmodule
""",
    "mod_mul_il": """\
module mod_mul_il #(parameter NBITS = 8) (
  input clk, rst_n, enable_p, input [NBITS-1:0] a, b, m, output [NBITS-1:0] y, output done_irq_p);
endmodule
""",
    "montprod": """\
module montprod (
  input clk, reset_n, calculate, input [7:0] length, input [31:0] opa_data, opb_data, opm_data,
  output ready, result_we, output [7:0] opa_addr, opb_addr, opm_addr, result_addr, output [31:0] result_data);
endmodule
""",
    "fios": """\
module FIOS_NOCASC_4A #(parameter string CONFIGURATION = "", DSP_PRIMITIVE = "",
  parameter int LOOP_DELAY = 0, ABREG = 1, MREG = 1, CREG = 1, WORD_WIDTH = 17, s = 8,
  parameter int PE_NB = CONFIGURATION == "FOLD" ? (2 * s + 4) / 9 + 1 : s) (
  input clock_i, reset_i, start_i, input [WORD_WIDTH-1:0] p_prime_0_i, input [PE_NB*WORD_WIDTH-1:0] a_i,
  input [WORD_WIDTH-1:0] b_i, p_i, output a_shift_o, b_fetch_o, p_fetch_o, RES_push_o, done_o,
  output [WORD_WIDTH-1:0] RES_o);
endmodule
""",
}
"""Modules of nothing with the ports that the wrappers want."""


@pytest.mark.parametrize("name", NAMES)
def test_an_example_says_where_it_is_from(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = visit(EXAMPLES / name)
    theirs = found.core.origin.checkout
    assert theirs and len(theirs.commit) == 40 and int(theirs.commit, 16)
    assert len({Path(file).name for file in theirs.files}) == len(theirs.files)
    page = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert theirs.url in page and f"| `{name}` |" in page
    assert theirs.commit[:12] in refused(found) and theirs.terms in refused(found)
    file = tmp_path / "stub.sv"
    file.write_text(STUBS.get(name) or STUBS[name.partition("_")[0]])
    monkeypatch.setattr(Room, "foreign", (file,))
    lint(replace(found).build(256).design)


# ---- the records


def test_records_name_the_commit_of_their_rooms() -> None:
    known = read()
    found = {name: visit(EXAMPLES / name).core for name in NAMES}
    for each in known:
        assert each.repository.count("/") == 1 and len(each.commit) == 40 and int(each.commit, 16)
    of_integers = [each for each in known if PRIME_FIELD in each.fields]
    assert all(each.fields == (BINARY_FIELD,) for each in known if each not in of_integers)
    assert {each.record.design for each in of_integers} == set(found)
    for each in of_integers:
        core = found[each.record.design]
        theirs = core.origin.checkout
        assert theirs and (theirs.repository, theirs.commit, theirs.licence) == (
            *(each.repository, each.commit),
            each.licence,
        )
        config = core.builds.config(width=each.width).with_parameters(
            {name: value for name, value in each.record.parameters.items() if name != "Word"}
        )
        assert (core.interface.latency(config), core.interface.interval(config)) == (
            each.latency,
            each.interval,
        )
    assert not {each.record.design for each in known} & {record.design for record in SHIPPED.all()}


def test_they_stand_beside_the_answer_and_do_not_win() -> None:
    choice = choose(Wish(256, CHIPS["ecp5"]))
    assert [each.record.design for each in choice.others] == [
        each.record.design for each in others(CHIPS["ecp5"], 256)
    ]
    assert choice.others and not {each.record.design for each in choice.others} & {
        each.build.slug for each in choice.fitting
    }
    assert {each["core"] for each in choice.to_json()["others"]} == set(NAMES)
    assert choose(Wish(256, CHIPS["artix7"])).others == ()
    assert choose(Wish(256, CHIPS["ecp5"], system="modexp")).others == ()


def test_they_stand_beside_builds_of_their_field(tmp_path: Path) -> None:
    found = replace(read()[0], width=233)
    binary = replace(found, record=replace(found.record, design="carryless"), fields=(BINARY_FIELD,))
    write([found, binary], tmp_path)
    ecp5 = CHIPS["ecp5"]
    assert [each.fields for each in others(ecp5, 233, folder=tmp_path)] == [(PRIME_FIELD,)]
    [other] = others(ecp5, 233, folder=tmp_path, fields=(BINARY_FIELD,))
    assert other.record.design == "carryless" and other.row().fields == (BINARY_FIELD,)
    for modulus, field in (("b233", BINARY_FIELD), (None, PRIME_FIELD)):
        wish = Wish(233, ecp5, modulus=named(modulus) if modulus else None)
        assert choose(wish).others == tuple(others(ecp5, 233, fields=(field,)))


def test_the_page_has_them_in_a_table_of_their_own() -> None:
    known = recorded([rooms()["rrm"]], 256, CHIPS["ecp5"])
    page = render(known)
    table = page.partition('<table id="others"')[2].partition("</table>")[0]
    builds = page.partition('<table id="cores"')[2].partition("</table>")[0]
    for each in others(CHIPS["ecp5"], 256):
        assert each.record.design in table and each.commit[:12] in table and each.repository in table
        assert each.record.design not in builds
    assert 'id="others"' not in render(replace(known, target=CHIPS["artix7"]))
    assert 'id="others"' not in render(replace(known, rows=[replace(row, system=True) for row in known.rows]))


def test_how_many_times_better() -> None:
    slow, quick, unknown = (
        replace(read()[0].row(Weights(dsp=0)), luts=100, interval=interval, latency=50, fmax_mhz=mhz)
        for interval, mhz in ((20, 100.0), (10, 100.0), (1, None))
    )
    by_interval, by_latency = COST
    assert times_better(by_interval, [quick, unknown], [slow, unknown]) == (2.0, quick, slow)
    assert times_better(by_latency, [quick], [slow]) == (1.0, quick, slow)
    assert times_better(by_interval, [unknown], [slow]) is None


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "some.json").write_text('[{"title": 1}]')
    with pytest.raises(RecordError, match=r"some\.json"):
        read(tmp_path)
    assert read(tmp_path / "none") == []
