# SPDX-License-Identifier: Apache-2.0
"""Netlists are checked like their sources, and a wrong one is found; models of blocks are right."""

import random
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

import netlists
import pytest

from modmul.chips import CHIPS
from modmul.design import Design, Port
from modmul.measure import synthesise
from modmul.registry import own_cores, room
from modmul.study.netlists import MODELLED, known, netlist, on_netlist, stale
from modmul.tools.store import Store
from modmul.verify.failures import ProtocolError, SimulatorError, VerificationError
from modmul.verify.runner import Plan, verify
from modmul.verify.simulator import Model, Unit

ECP5 = CHIPS["ecp5"]
PLAN = Plan(count=20, source=False)
BLOCKS = Path(__file__).with_name("data") / "blocks.sv"

LACKING = {(each.core, each.chip) for each in known() if each.lacking}
"""What is not simulated, by the record."""


def flipped(text: str) -> str:
    """The netlist with one bit of the LUT in its middle changed."""
    places = list(re.finditer(r"LUT4 #\(\s*\.INIT\(16'h([0-9a-f]{4})\)", text))
    place = places[len(places) // 2]
    return f"{text[: place.start(1)]}{int(place[1], 16) ^ 0x8001:04x}{text[place.end(1) :]}"


def test_a_netlist_passes_the_checks() -> None:
    counts = verify(on_netlist(room("imml_booth4").build(6, chip="ecp5"), ECP5), PLAN).counts
    assert {"exhaustive", "power-up", "reset", "context", "back-pressure", "random"} <= counts.keys()


def test_a_wrong_netlist_is_found() -> None:
    with pytest.raises((ProtocolError, VerificationError)):
        verify(on_netlist(room("imml_booth4").build(6, chip="ecp5"), ECP5, flipped), PLAN)


def test_a_chip_without_models_is_refused() -> None:
    with pytest.raises(SimulatorError, match="gates"):
        netlist(room("imml_booth4").build(6).design, CHIPS["gates"])


@pytest.mark.long
def test_a_netlist_with_blocks_of_the_7_series_passes() -> None:
    verify(on_netlist(room("small_fixed").build(12, chip="artix7"), CHIPS["artix7"]), PLAN)


@pytest.mark.long
@pytest.mark.parametrize("slug", own_cores())
def test_netlists_of_any_width_pass(slug: str, rng: random.Random) -> None:
    """Two of each core, the families and the widths as chance has it: MODMUL_SEED gives others."""
    families = [name for name in MODELLED if (slug, name) not in LACKING]
    for name in rng.sample(families, 2):
        width = rng.randint(3, 40)
        print(f"{slug}, {width} bits, {name}")
        verify(on_netlist(room(slug).build(width, chip=name), CHIPS[name]), PLAN)


@pytest.mark.long
@pytest.mark.parametrize("slug", own_cores())
def test_any_width_is_synthesised_without_a_warning(slug: str, rng: random.Random, tmp_path: Path) -> None:
    """For a few chips, also for those without models; MODMUL_SEED gives others."""
    for name in rng.sample(sorted(CHIPS), 3):
        width = rng.randint(3, 70)
        print(f"{slug}, {width} bits, {name}")
        synthesise(room(slug).build(width, chip=name).design, CHIPS[name], Store(tmp_path / "results.sqlite"))


@pytest.mark.long
@pytest.mark.parametrize(
    ("slug", "name"),
    [("imml_booth4", "ecp5"), ("rrm", "ecp5"), ("montgomery_dsp", "ecp5"), ("rrm", "artix7")],
)
def test_netlists_of_256_bits_pass(slug: str, name: str) -> None:
    verify(on_netlist(room(slug).build(256, chip=name), CHIPS[name]), PLAN)


# --- the record ---------------------------------------------------------------------------------------


def test_the_record_is_of_these_sources() -> None:
    """If this fails: make netlists."""
    assert stale(known()) == []


def test_nothing_is_wrong() -> None:
    assert not [each for each in known() if each.wrong]


def test_the_page_tells_what_is_known() -> None:
    text = netlists.PAGE.read_text(encoding="utf-8")
    assert netlists.renewed(text, known()) == text


# --- registers begin at random ------------------------------------------------------------------------

BEGINNING = """
module mm_beginning (
  input wire clk_i, input wire [17:0] a_i, b_i, output logic plain_o, output logic shifted_o,
  output logic [35:0] product_o
);
  logic [14:0] shift_q;
  always_ff @(posedge clk_i) begin
    plain_o              <= a_i[0];
    {shifted_o, shift_q} <= {shift_q, b_i[0]};
    product_o            <= a_i * b_i;
  end
endmodule
"""


@pytest.mark.parametrize("name", ["artix7"])
def test_registers_of_a_netlist_begin_at_random(name: str, tmp_path: Path) -> None:
    """Flip-flops and shift registers."""
    source = tmp_path / "mm_beginning.sv"
    source.write_text(BEGINNING)
    ports = [Port("clk_i", "input", 1), Port("a_i", "input", 18), Port("b_i", "input", 18)]
    ports += [Port("plain_o", "output", 1), Port("shifted_o", "output", 1), Port("product_o", "output", 36)]
    design = Design("beginning", "mm_beginning", (source,), ports=tuple(ports), multiplier_blocks=True)
    placed = netlist(design, CHIPS[name])
    assert {"DSP48E1", "SRL16E", "FDRE"} <= {
        *re.findall(r"^  (\w+) #\(", placed.sources[1].read_text(), re.M)
    }
    models = [Model(Unit(placed), seed=seed) for seed in range(1, 17)]
    for port in ("plain_o", "shifted_o"):
        assert len({model.peek(port) for model in models}) > 1


# --- models of blocks ---------------------------------------------------------------------------------

BENCH = """
module bench;
  reg clk = 0, read; reg [3:0] write; reg [13:0] a, b; reg [35:0] word; integer i, k, wrong = 0, meets;
  reg [13:0] places [0:7];
  wire [87:0] w, ww; wire [35:0] both, bboth, p, pp, s, ss;
  mm_plain u_plain (clk, read, write, a, b, word, w, both, p, s);
  mm_blocks u_mapped (clk, read, write, a, b, word, ww, bboth, pp, ss);
  initial begin
    meets = $test$plusargs("meets");
    places[0] = 14'h2c95;
    for (i = 1; i < 8; i = i + 1) places[i] = places[0] ^ 1 << (i < 6 ? i - 1 : i + 6);
    for (i = 0; i < 300; i = i + 1) begin
      word = {$random, $random};
      k = $random;
      a = places[k[2:0]];
      b = places[k[5:3]];
      {read, write} = k[10:6];
      if (a[13:5] == b[13:5] && !meets) b = b ^ 32;
      if (i < 16) {a, b, read, write} = {places[i % 8] ^ (i < 8 ? 14'd0 : 14'd32), ~a, 5'b01111};
      #1 clk = 1;
      #1 clk = 0;
      if (i > 40 && {w, both, p, s} !== {ww, bboth, pp, ss}) wrong = wrong + 1;
    end
    $display("%0d", wrong);
  end
endmodule
"""
"""The words that are read are written at first. No word of 36 bits is read and written at once, but with
+meets."""


@pytest.fixture(scope="module", params=["ecp5", "artix7", pytest.param("virtex2", marks=pytest.mark.long)])
def mapped(request: pytest.FixtureRequest) -> tuple[str, Design]:
    name = request.param
    return name, netlist(Design("blocks", "mm_blocks", (BLOCKS,), multiplier_blocks=True), CHIPS[name])


def wrong_cycles(placed: Design, folder: Path, right: str = "", wrong: str = "", *options: str) -> int:
    """In how many of some 260 cycles of any inputs the blocks differ from the source.

    Args:
        right: a text of the models, and what stands in its place.
        options: of the bench.
    """
    models, written = (source.read_text() for source in placed.sources)
    assert not right or models.count(right) == 1
    texts = {
        "models.v": models.replace(right, wrong) if right else models,
        "netlist.v": written,
        "plain.sv": BLOCKS.read_text().replace("module mm_blocks", "module mm_plain"),
        "bench.sv": BENCH,
    }
    return _wrong(texts, folder, *options)


def _wrong(texts: Mapping[str, str], folder: Path, *options: str) -> int:
    """What a bench counts."""
    for name, text in texts.items():
        (folder / name).write_text(text)
    compiling = ["iverilog", "-g2012", "-s", "bench", "-o", "bench.vvp", *texts]
    subprocess.run(compiling, cwd=folder, capture_output=True, timeout=600, check=True)
    running = ["vvp", "-n", "bench.vvp", *options]
    done = subprocess.run(running, cwd=folder, capture_output=True, text=True, timeout=600, check=True)
    return int(done.stdout)


MUTANTS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "ecp5": (
        ("{18{SIGNEDB & b[17]}}", "{18{b[17]}}"),
        ("rows[20*row+:18]", "rows[18*row+:18]"),
        ("{2'd0, address[2:1], 1'd0}", "{2'd0, address[1:0], 1'd0}"),
        ("addr_a[1:0]}", "{2{addr_a[0]}}}"),
        ('!(writes_a && WRITEMODE_A == "NORMAL")', "1'b1"),
    ),
    "artix7": (
        ("{ninths[at], bytes[8*at+:8]}", "{bytes[8*at+:8], ninths[at]}"),
        ("WRITE_WIDTH_B == 36 ? {in_b, in_a}", "WRITE_WIDTH_B == 36 ? {in_a, in_b}"),
        ("TWO ? b_q[17:0]", "b_q[17:0] == 0 ? b_q[17:0]"),
        ("ENBWREN && !(writes_b", "!(writes_b"),
        ("address[4] ? 5'd18 : 5'd0;", "5'd0;"),
    ),
    "virtex2": (
        ("{word[width/9*8+at], word[8*at+:8]}", "{word[8*at+:8], word[width/9*8+at]}"),
        ("apart[width/9*8+at]  = nines[9*at+8]", "apart[width/9*8+at] = nines[9*at]"),
        ("width == 18 ? 4'd3", "width == 18 ? 4'd1"),
        ("addr_b_i << LOW_B", "addr_b_i"),
        ("en_b_i && !(writes_b", "!(writes_b"),
    ),
}


def test_blocks_do_what_their_source_says(mapped: tuple[str, Design], tmp_path: Path) -> None:
    """But for what is read by a port while the other one writes it: that is lost."""
    _, placed = mapped
    assert wrong_cycles(placed, tmp_path) == 0
    assert wrong_cycles(placed, tmp_path, "", "", "+meets") > 0


@pytest.mark.parametrize("which", [0, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 2, 3, 4))])
def test_a_wrong_block_is_found(which: int, mapped: tuple[str, Design], tmp_path: Path) -> None:
    name, placed = mapped
    assert wrong_cycles(placed, tmp_path, *MUTANTS[name][which]) > 0


@pytest.mark.parametrize(
    ("name", "cell", "right", "wrong"),
    [
        ("ecp5", "MULT18X18D", "MULT18X18D ", 'MULT18X18D #(.REG_OUTPUT_CLK("CLK1")) '),
        ("ecp5", "DP16KD", '.CLKAMUX("CLKA")', '.CLKAMUX("INV")'),
        ("artix7", "RAMB18E1", ".DOA_REG(32'sd0)", ".DOA_REG(32'sd1)"),
    ],
)
def test_other_modes_are_refused(name: str, cell: str, right: str, wrong: str) -> None:
    def changed(text: str) -> str:
        assert right in text
        return text.replace(right, wrong, 1)

    placed = netlist(Design("blocks", "mm_blocks", (BLOCKS,), multiplier_blocks=True), CHIPS[name], changed)
    with pytest.raises(SimulatorError, match=f"{cell}_is_not_modelled"):
        Model(Unit(placed))


PRODUCTS = """
module mm_products (
  input wire [17:0] a_i, b_i,
  output logic [35:0] wide_o, wide_signed_o, output logic [17:0] short_o, short_signed_o
);
  assign wide_o         = a_i * b_i;
  assign wide_signed_o  = $signed(a_i) * $signed(b_i);
  assign short_o        = a_i[8:0] * b_i[8:0];
  assign short_signed_o = $signed(a_i[8:0]) * $signed(b_i[8:0]);
endmodule
"""
PRODUCTS_BENCH = """
module bench;
  reg [17:0] a, b; integer i, wrong = 0;
  wire [35:0] p, pp, s, ss; wire [17:0] q, qq, r, rr;
  mm_plain u_plain (a, b, p, s, q, r);
  mm_products u_mapped (a, b, pp, ss, qq, rr);
  initial begin
    for (i = 0; i < 300; i = i + 1) begin
      {a, b} = {$random, $random};
      #1 if ({p, s, q, r} !== {pp, ss, qq, rr}) wrong = wrong + 1;
    end
    $display("%0d", wrong);
  end
endmodule
"""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("", ""),
        ("{18{ASIGN & A[17]}}", "{18{A[17]}}"),
        ("{9{BSIGN & B[8]}}", "9'd0"),
        ("18'bx : wide_a", "18'bx : A"),
    ],
)
def test_products_of_gowin_do_what_their_source_says(right: str, wrong: str, tmp_path: Path) -> None:
    source = tmp_path / "mm_products.sv"
    source.write_text(PRODUCTS)
    placed = netlist(Design("products", "mm_products", (source,), multiplier_blocks=True), CHIPS["gowin"])
    models, written = (each.read_text() for each in placed.sources)
    assert {"MULT9X9", "MULT18X18"} <= {*re.findall(r"^  (\w+) ", written, re.M)}
    assert not right or models.count(right) == 1
    texts = {
        "models.v": models.replace(right, wrong) if right else models,
        "netlist.v": written,
        "plain.sv": PRODUCTS.replace("module mm_products", "module mm_plain"),
        "bench.sv": PRODUCTS_BENCH,
    }
    assert bool(_wrong(texts, tmp_path)) == bool(right)


@pytest.mark.parametrize(("cell", "mode"), [("MULT9X9", "OUT_REG"), ("MULT18X18", "AREG")])
def test_products_of_gowin_with_registers_are_refused(cell: str, mode: str, tmp_path: Path) -> None:
    def changed(text: str) -> str:
        assert f"  {cell} " in text
        return text.replace(f"  {cell} ", f"  {cell} #(.{mode}(1'b1)) ", 1)

    source = tmp_path / "mm_products.sv"
    source.write_text(PRODUCTS)
    design = Design("products", "mm_products", (source,), multiplier_blocks=True)
    with pytest.raises(SimulatorError, match=f"{cell}_is_not_modelled"):
        Model(Unit(netlist(design, CHIPS["gowin"], changed)))
