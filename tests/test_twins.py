# SPDX-License-Identifier: Apache-2.0
"""Twins: modules made of a family's cells, each proven equal to the plain module beside it."""

import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path

import pytest

from modmul.chips import CHIPS, twins_of
from modmul.design import Design, instantiated, literal, twin
from modmul.design import family as family_of
from modmul.export import export
from modmul.measure.area import Area
from modmul.measure.records import Record
from modmul.measure.synthesis import elaboration, run_yosys, synthesis_flow
from modmul.registry import room, shared
from modmul.tools.run import ToolFailure

TWINS = sorted(Path(str(files("modmul"))).rglob("mm_*.*.sv"))

FLUSH = 5
"""Cycles after which no register of a twin remembers what it began with."""

BUILDS: Mapping[str, Sequence[Mapping[str, int]]] = {
    "mm_rrm_corrector": [{"Word": 8}, {"Word": 16}],
    "mm_rrm_adder": [
        {"DigitBits": k, "Digits": digits} for k, digits in ((1, 1), (1, 4), (2, 1), (2, 4), (2, 5), (2, 12))
    ],
    "mm_rrm_digits": [{"DigitBits": k, "Digits": digits} for k, digits in ((1, 1), (1, 4), (2, 1), (2, 5))],
    "mm_rrm_split_adder": [{"Bits": bits} for bits in (3, 4, 5, 8, 16)],
    "mm_rrm_split_multiple": [
        {"Bits": bits, "TopBits": top} for bits, top in ((8, 1), (8, 3), (12, 4), (32, 4))
    ],
    "mm_rrm_split_triple": [{"DigitBits": k, "Digits": digits} for k, digits in ((3, 1), (4, 3), (5, 6))],
    "mm_rrm_split_residues": [
        {"DigitBits": 3, "Bits": 5, "Residues": 0x6B3A910F52},
        {"DigitBits": 4, "Bits": 16, "Residues": 0x8F2E7DCC6B5A09F8E7D6C5B4A3928170FFFE00013A9C << 60},
        {"DigitBits": 5, "Bits": 16, "Residues": sum(0x0C1E << 16 * digit for digit in range(1, 32, 2))},
    ],
    "mm_rrm_copy": [{"Bits": 1}, {"Bits": 4}],
    "mm_rrm_ripple": [{"Word": word, "Minus": minus} for word in (1, 8) for minus in (0, 1)],
    "mm_fmlm3_double": [
        {"Size": size, "Narrow": narrow, "Block": 3} for size, narrow in ((4, 0), (7, 0), (6, 1), (5, 0))
    ],
    "mm_engine_memory": [
        {"Word": word, "AddrBits": bits}
        for word, bits in ((20, 4), (10, 11), (6, 12), (3, 13), (2, 14), (16, 9))
    ],
    "mm_block_mul": [
        {"ABits": a, "BBits": b, "ASigned": signs & 1, "BSigned": signs >> 1, "Cycles": cycles}
        for a, b, signs, cycles in ((2, 3, 0, 1), (18, 2, 1, 2), (2, 18, 2, 4), (4, 4, 3, 5), (4, 4, 0, 3))
    ],
    "mm_small_add": [{"Bits": bits, "Minus": minus} for bits in (3, 8) for minus in (0, 1)],
    "mm_small_add3": [
        {"Bits": bits, "Short": short, "Minus": minus}
        for bits, short in ((5, 5), (9, 6), (7, 6), (3, 1))
        for minus in (0, 1)
    ],
    "mm_pipelined_add3": [
        {"Bits": bits, "Terms": terms, "Inverted": inverted}
        for bits, inverted in ((5, 0), (8, 0xA5C33E))
        for terms in (2, 3)
    ],
    "mm_small_mac": [
        {"ABits": a, "BBits": b, "CBits": c, "SBits": s, "Signed": signed, "Deep": deep}
        for a, b, c, s, signed, deep in (
            (3, 2, 4, 6, 0, 0),
            (2, 4, 3, 7, 1, 1),
            (4, 3, 9, 5, 0, 1),
            (1, 19, 2, 9, 1, 0),
            (2, 3, 4, 6, 1, 2),
            (19, 1, 3, 8, 0, 2),
        )
    ],
}
"""Parameters that a twin is tried with: odd and even lengths, and those of the default build."""

BEGINS: Mapping[str, tuple[str, int]] = {"mm_rrm_ripple": ("in_first_i", 1), "mm_small_mac": ("in_en_i", 4)}
"""Modules that remember for as long as they like: the input that makes them forget, for so many cycles."""

SIMULATED = ("mm_engine_memory",)
"""Memories, whose words a proof from any state does not know: test_engine.py simulates them."""


def parts(*sources: Path) -> list[Path]:
    """The shared parts that modules instantiate, and those of the parts."""
    own = {source.name.split(".")[0] for source in sources}
    below = {name for source in sources for name in instantiated(source)} - own
    found = [shared()[name] for name in below if name in shared()]
    return sorted({*found, *parts(*found)}) if found else []


def proof(plain: Path, tuned: Path, parameters: Mapping[str, int]) -> Iterator[str]:
    """Yosys commands that fail where a twin differs from the plain module.

    The registers of both begin with any values. After FLUSH cycles of any inputs the outputs are the same.
    """
    settings = " ".join(f"-set {name} {literal(value)}" for name, value in parameters.items())
    module, family = plain.stem, family_of(tuned)
    for side, source in (("plain", plain), ("tuned", tuned)):
        yield "design -reset"
        if side == "tuned":
            yield f"read_verilog -overwrite {twins_of(family).modelled}"
            yield from (f"read_verilog {models.name}" for models in twins_of(family).proofs)
        yield from (f"read_verilog -sv {path.name}" for path in (*parts(plain, tuned), source))
        yield f"chparam {settings} {module}"
        yield from (f"hierarchy -check -top {module}", "proc", "flatten", "opt_clean", f"rename -top {side}")
        yield f"design -stash {side}"
    yield "design -reset"
    yield from (f"design -copy-from {side} -as {side} {side}" for side in ("plain", "tuned"))
    yield from ("miter -equiv -flatten plain tuned both", "hierarchy -top both", "opt -full")
    port, cycles = BEGINS.get(module, ("", 0))
    begins = " ".join(f"-set-at {cycle} {port} 1" for cycle in range(1, cycles + 1))
    yield f"sat -verify -seq {FLUSH + 1} -prove-skip {FLUSH} {begins} -prove trigger 0 both"


def prove(plain: Path, tuned: Path, parameters: Mapping[str, int], folder: Path) -> None:
    sources = [plain, tuned, *parts(plain, tuned), *twins_of(family_of(tuned)).proofs]
    run_yosys([*proof(plain, tuned, parameters)], sources, folder, folder / "yosys.log", 60)


def plain_of(tuned: Path) -> Path:
    return tuned.with_name(f"{tuned.name.split('.')[0]}.sv")


def builds() -> list[tuple[Path, Mapping[str, int]]]:
    proven = [tuned for tuned in TWINS if plain_of(tuned).stem not in SIMULATED]
    return [(tuned, build) for tuned in proven for build in BUILDS[plain_of(tuned).stem]]


@pytest.mark.parametrize("tuned", TWINS, ids=lambda path: path.name)
def test_a_twin_lies_beside_its_plain_module(tuned: Path) -> None:
    """It belongs to a family of some target, and has the same parameters and ports, to the letter."""
    family = family_of(tuned)
    assert family in {target.family for target in CHIPS.values()}
    assert twin(plain_of(tuned), family) == tuned
    assert re.search(rf"\b{re.escape(tuned.name)}", plain_of(tuned).read_text(encoding="utf-8"))
    heads = [
        re.search(r"^module .*?^\);", path.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
        for path in (plain_of(tuned), tuned)
    ]
    assert heads[0] and heads[1] and heads[0][0] == heads[1][0]


@pytest.mark.parametrize(("tuned", "build"), builds(), ids=lambda it: getattr(it, "name", str(it)))
def test_a_twin_is_equal_to_its_plain_module(tuned: Path, build: Mapping[str, int], tmp_path: Path) -> None:
    prove(plain_of(tuned), tuned, build, tmp_path)


def multiplier() -> Path:
    [tuned] = [path for path in TWINS if path.name == "mm_block_mul.ecp5.sv"]
    return tuned


def change(tuned: Path, right: str, wrong: str, folder: Path) -> Path:
    """A copy of a twin, its plain module beside it, with a text that stands in it once replaced."""
    text = tuned.read_text(encoding="utf-8")
    assert text.count(right) == 1
    folder.mkdir()
    changed = folder / tuned.name
    changed.write_text(text.replace(right, wrong), encoding="utf-8")
    shutil.copyfile(plain_of(tuned), plain_of(changed))
    return changed


def test_every_bit_of_a_block_has_its_wire() -> None:
    """The proof is for short operands, which leave the upper bits of the block 0."""
    pins = re.findall(r"\.([ABP])(\d+)\(([abp])\[(\d+)\]\)", multiplier().read_text(encoding="utf-8"))
    assert all(pin.lower() == wire and number == bit for pin, number, wire, bit in pins)
    assert len({pin[:2] for pin in pins}) == len(pins) == 18 + 18 + 36


@pytest.mark.parametrize(
    ("a", "right", "wrong"),
    [
        (4, ".A1(a[1])", ".A1(a[2])"),
        (4, ".P0(p[0]), .P1(p[1])", ".P0(p[1]), .P1(p[0])"),
        (4, 'Cycles > 2 ? "CLK0"', 'Cycles > 3 ? "CLK0"'),
        (4, "a = 18'($signed(a_i))", "a = 18'(a_i)"),
        (18, ".SIGNEDA(ASigned != 0)", ".SIGNEDA(1'b0)"),
    ],
)
def test_a_wrong_block_is_found(a: int, right: str, wrong: str, tmp_path: Path) -> None:
    mutant = change(multiplier(), right, wrong, tmp_path / "mutant")
    with pytest.raises(ToolFailure, match="proof did fail"):
        prove(plain_of(mutant), mutant, {"ABits": a, "BBits": 2, "ASigned": 1}, tmp_path)


SHORT = ("localparam int Block = 18;", "localparam int Block = 3;")
"""As if a block took operands of three bits, so that a proof about several of them is short."""


@pytest.mark.parametrize(
    ("a", "b", "signs", "cycles"),
    [(4, 4, 0, 1), (5, 6, 0, 3), (6, 4, 3, 4), (3, 5, 1, 2), (5, 4, 1, 5), (8, 4, 2, 4)],
)
def test_several_blocks_are_equal_to_one_multiplier(
    a: int, b: int, signs: int, cycles: int, tmp_path: Path
) -> None:
    short = change(multiplier(), *SHORT, tmp_path / "short")
    build = {"ABits": a, "BBits": b, "ASigned": signs & 1, "BSigned": signs >> 1, "Cycles": cycles}
    prove(plain_of(short), short, build, tmp_path)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("wide_b << BLow", "wide_b << ALow"),
        ("BSigned != 0 ? PBits'($signed(cross_b)) :", "BSigned == 0 ? PBits'($signed(cross_b)) :"),
        ("BBits <= Block || Cycles < 4 ? 1 : 2", "BBits <= Block || Cycles < 5 ? 1 : 3"),
        (".ABits(ALow), .BBits(BHigh), .ASigned(0)", ".ABits(ALow), .BBits(BHigh), .ASigned(ASigned)"),
    ],
)
def test_a_wrong_sum_of_blocks_is_found(right: str, wrong: str, tmp_path: Path) -> None:
    short = change(multiplier(), *SHORT, tmp_path / "short")
    mutant = change(short, right, wrong, tmp_path / "mutant")
    with pytest.raises(ToolFailure, match="proof did fail"):
        prove(plain_of(mutant), mutant, {"ABits": 6, "BBits": 4, "ASigned": 1, "Cycles": 5}, tmp_path)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("m1 - row : m1 + row", "m1 + row : m1 + row"),
        ("Wide'(a_q[Block-1:0])", "Wide'($signed(a_q[Block-1:0]))"),
        ("Wide'($signed(b_q))", "Wide'(b_q)"),
        (".Cycles(2)", ".Cycles(1)"),
        ("Size - Block;", "Size - Block - 1;"),
    ],
)
def test_a_wrong_row_beside_a_block_is_found(right: str, wrong: str, tmp_path: Path) -> None:
    [tuned] = [path for path in TWINS if path.name == "mm_fmlm3_double.ecp5.sv"]
    mutant = change(tuned, right, wrong, tmp_path / "mutant")
    with pytest.raises(ToolFailure, match="proof did fail"):
        prove(plain_of(mutant), mutant, BUILDS["mm_fmlm3_double"][-1], tmp_path)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (" && High == Low)", ")"),
        ("i > 0 && Low == column(Residues, Below) && High", "i > 0 && High"),
        (".INIT({High, Low})", ".INIT({Low, High})"),
    ],
)
def test_a_wrong_column_is_found(right: str, wrong: str, tmp_path: Path) -> None:
    [tuned] = [path for path in TWINS if path.name == "mm_rrm_split_residues.xilinx.sv"]
    text = tuned.read_text(encoding="utf-8")
    assert text.count(right) == 1
    mutant = tmp_path / tuned.name
    mutant.write_text(text.replace(right, wrong), encoding="utf-8")
    shutil.copyfile(plain_of(tuned), plain_of(mutant))
    work = tmp_path / "work"
    work.mkdir()
    with pytest.raises(ToolFailure, match="proof did fail"):
        prove(plain_of(mutant), mutant, BUILDS["mm_rrm_split_residues"][-1], work)


def side_by_side(designs: Sequence[Design], folder: Path) -> Path:
    """A module that has each of some designs in it, with all their ports as its own."""
    written = [f"write_json ports{k}.json" for k in range(len(designs))]
    commands = [
        command
        for design, write in zip(designs, written, strict=True)
        for command in ("design -reset", *elaboration(design), write)
    ]
    sources = {path.name: path for design in designs for path in design.sources}
    run_yosys(commands, [*sources.values()], folder, folder / "ports.log", 60)
    bits = {"input": 0, "output": 0}
    instances = []
    for k, design in enumerate(designs):
        modules = json.loads((folder / f"ports{k}.json").read_text())["modules"]
        [top] = [module for module in modules.values() if int(module["attributes"].get("top", "0"), 2)]
        ports = {"clk_i": "clk_i"} if "clk_i" in top["ports"] else {}
        for name, port in top["ports"].items():
            if name not in ports:
                way, count = port["direction"], len(port["bits"])
                ports[name] = f"{way}s[{bits[way]} +: {count}]"
                bits[way] += count
        settings = ", ".join(f".{name}({value})" for name, value in design.settings.items())
        connected = ", ".join(f".{name}({net})" for name, net in ports.items())
        instances.append(f"  {design.top} #({settings}) u_{k} ({connected});\n")
    ways = ", ".join(f"{way} wire [{count - 1}:0] {way}s" for way, count in bits.items())
    made = folder / "mm_side_by_side.sv"
    made.write_text(f"module {made.stem} (input wire clk_i, {ways});\n{''.join(instances)}endmodule\n")
    return made


@pytest.mark.parametrize("family", sorted({*map(family_of, TWINS)}))
def test_yosys_reads_the_twins_of_a_family_without_a_word(family: str, tmp_path: Path) -> None:
    """And synthesises them, in one run; what is read for a plain module is the module alone."""
    target = next(target for target in CHIPS.values() if target.family == family)
    plains, twins = [], []
    for tuned in (tuned for tuned in TWINS if family_of(tuned) == family):
        shared = (*parts(plain_of(tuned), tuned),)
        build = BUILDS[plain_of(tuned).stem][-1]
        plain = Design("twin", plain_of(tuned).stem, (*shared, plain_of(tuned)), build)
        assert not [command for command in elaboration(plain) if "cells_sim" in command]
        plains.append(plain)
        twins.append(plain.tuned(family))
        assert twins[-1].sources == (*(twin(path, family) or path for path in shared), tuned)
        assert "cells_sim" in next(elaboration(twins[-1]))
    made = side_by_side(plains, tmp_path)
    sources = {path.name: path for design in twins for path in design.sources}
    together = Design("twins", made.stem, (*sources.values(), made))
    folder = tmp_path / "twins"
    folder.mkdir()
    run_yosys(synthesis_flow(together, target), together.sources, folder, folder / "yosys.log", 60)


def test_a_design_takes_the_twins_of_a_family(tmp_path: Path) -> None:
    """And a record is of the sources with their twins."""
    plain, other = tmp_path / "mm_leaf.sv", tmp_path / "mm_top.sv"
    tuned = tmp_path / "mm_leaf.ecp5.sv"
    for path in (plain, tuned, other):
        path.write_text(f"module {path.name.split('.')[0]}; endmodule // {path.name}\n")

    def design() -> Design:
        return Design("top", "mm_top", (plain, other))

    ecp5, artix7, virtex2 = (CHIPS[name] for name in ("ecp5", "artix7", "virtex2"))
    assert design().tuned(ecp5.family).sources == (tuned, other)
    assert design().tuned(ecp5.family).tuned(ecp5.family).sources == (tuned, other)
    assert design().tuned(ecp5.family).families == ("ecp5",)
    assert design().tuned(artix7.family) == design().tuned(virtex2.family) == design()
    assert design().twins == ((tuned, plain, "ecp5"),)
    area = Area(1, 0, 0, 0, 0, 0, {"LUT4": 1})
    records = {target: Record.of(design(), target, area, None) for target in (ecp5, artix7)}
    assert all(record.covers(design(), target, ()) for target, record in records.items())
    tuned.write_text("module mm_leaf; wire changed; endmodule\n")
    assert not records[ecp5].covers(design(), ecp5, ())
    assert records[artix7].covers(design(), artix7, ())


def test_an_export_has_the_twins(tmp_path: Path) -> None:
    """In a folder for each family, and each chip's file list takes those of its own."""
    found = room("rrm")
    folder = tmp_path / "out"
    written = export(found.of(found.core.builds.at(16)[0]), None, folder, count=1)
    places = [path.relative_to(folder).as_posix() for path in written]
    twins = [path for path in TWINS if path.parent == found.path]
    assert twins and {f"twins/{family_of(path)}/{path.name}" for path in twins} <= set(places)
    plain = (folder / "mm_rrm.f").read_text().split()
    assert plain == [f"rtl/{source.name}" for source in found.sources]
    for chip in CHIPS.values():
        listed = (folder / "chips" / chip.slug / "mm_rrm.f").read_text().split()
        assert all((folder / place).is_file() for place in listed)
        modules = [Path(place).name.partition(".")[0] for place in listed]
        assert modules == [Path(place).stem for place in plain], "each module once, in the same order"
        taken = {place for place in listed if place.startswith("twins/")}
        assert taken == {place for place in places if place.startswith(f"twins/{chip.family or '-'}/")}


@pytest.mark.parametrize(
    ("name", "right", "wrong"),
    [
        ("a bit", "16'h5A6A", "16'h5A7A"),
        ("a carry that goes on", "16'hF00A", "16'h000A"),
        ("a carry that starts", "16'h5A6A", "16'h5A6C"),
        ("a register too many", "fill_q <= {2{fill_i}};", "late_q <= {2{fill_i}}; fill_q <= late_q;"),
    ],
)
def test_a_wrong_twin_is_found(name: str, right: str, wrong: str, tmp_path: Path) -> None:
    [tuned] = [path for path in TWINS if path.name == "mm_rrm_adder.ecp5.sv"]
    mutant = change(tuned, right, wrong, tmp_path / "mutant")
    text = mutant.read_text(encoding="utf-8")
    mutant.write_text(re.sub(r"(logic \[1:0\] +)fill_q;", r"\1fill_q, late_q;", text), encoding="utf-8")
    with pytest.raises(ToolFailure, match="proof did fail"):
        prove(plain_of(mutant), mutant, {"DigitBits": 2, "Digits": 4}, tmp_path)
