# SPDX-License-Identifier: Apache-2.0
"""``modmul choose``: held to what brute force over the records finds, and to figures left out on purpose."""

from __future__ import annotations

import io
import json
import shlex
from collections.abc import Callable, Iterable
from dataclasses import replace
from math import inf
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

from modmul.chips import CHIPS, chip
from modmul.cli import app, printing
from modmul.cli import choosing as cli_choosing
from modmul.core import PRIME_FIELD, Polynomial
from modmul.measure import SHIPPED, SHIPPED_SEEDS, Measurement, Record, Shelf, Timing, count_cells
from modmul.measure.weights import Weights
from modmul.moduli import modulus
from modmul.registry import on, room, rooms
from modmul.room import Build
from modmul.study import choosing
from modmul.study.choosing import AIMS, LIMITS, Wish, choose, measured
from modmul.study.estimate import Costs, curve
from modmul.study.measuring import Tools
from modmul.study.shipping import SYSTEMS

COSTS = Costs()


def wish(name: str | None = None, target: str = "ecp5", width: int = 0, **more: Any) -> Wish:
    found = modulus(name) if name else None
    return Wish(width or (found.bits if found else 256), chip(target), found, **more)


# ---- the plain questions of a new user


def test_p384_without_blocks_on_artix7() -> None:
    choice = choose(wish("p384", "artix7", max_luts=3000, max_dsp=0), COSTS)
    assert choice.best is not None
    assert (choice.best.build.slug, choice.best.row.config["Chains"]) == ("rrm_split", 1)


def test_one_result_a_clock_on_ultrascaleplus() -> None:
    choice = choose(wish("bn254-fp", "ultrascaleplus", max_interval=1), COSTS)
    assert choice.best is not None
    found = [(each.build.slug, each.build.design.parameters["Modulus"]) for each in choice.fitting[:2]]
    assert found == [("pipelined", modulus("bn254-fp").value), ("pipelined", 0)]
    assert choice.best.row.interval == 1


def with_system(folder: Path, slug: str, width: int) -> Costs:
    """What is known, and what a build of a system might cost: twice its core."""
    build = room(slug).build(width)
    core = of(build.slug.partition(":")[2], build.config.width)
    [inner] = [
        record
        for record in SHIPPED.all()
        if record.covers(core.design, CHIPS["ecp5"], ()) and record.fmax_mhz
    ]
    record = replace(
        inner,
        design=build.design.name,
        parameters=dict(build.design.parameters),
        digest=build.design.tuned("ecp5").digest,
        cells={name: 2 * count for name, count in inner.cells.items()},
    )
    shelf = Shelf(folder)
    shelf.write((*SHIPPED.all(), record))
    return Costs(shelf)


def test_rsa_2048_on_ecp5_fastest() -> None:
    """The one with multiplier blocks."""
    choice = choose(wish(None, width=2048, system="rsa_crt", aim="time"), COSTS)
    assert choice.best is not None and choice.best.row.time_us is not None
    assert choice.best.build.slug == "rsa_crt:montgomery_dsp" and choice.best.is_measured
    assert not all(each.is_measured for each in choice.fitting)
    times = [each.row.time_us for each in choice.fitting if each.row.time_us is not None]
    assert times == sorted(times) and len(times) > 10


def test_binary_field_of_233_bits() -> None:
    choice = choose(wish("b233"), COSTS)
    assert {each.build.slug for each in choice.fitting} == {
        "fips",
        "fips_literal",
        "gf2m_fixed",
        "gf2m_pipelined",
        "gf2m_serial",
    }
    assert {word for word, skipped in choice.out if skipped.core == "rrm"} == {"field"}


def test_the_same_on_ice40() -> None:
    choice = choose(wish("b233", "ice40hx"), COSTS)
    assert choice.best is not None and choice.best.build.slug == "gf2m_fixed"
    part = chip("ice40hx").part
    assert part is not None and all((each.row.luts or 0) <= part.luts for each in choice.fitting)


def test_what_the_part_does_not_hold_is_out() -> None:
    choice = choose(wish("p384", "ice40up"), COSTS)
    assert ("device", "imml_booth8") in {(word, skipped.core) for word, skipped in choice.out}
    assert all((each.row.luts or 0) <= 5280 for each in choice.fitting) and choice.best


# ---- brute force over the records


def brute(target: str, name: str | None, aim: str, limits: dict[str, float]) -> list[tuple[float, str, str]]:
    """The builds of 256 bits with a record that serve a modulus within limits, best first."""
    found = []
    value = modulus(name).value if name else None
    for record in SHIPPED.all():
        if record.target != target or record.parameters.get("Width") != 256 or "/" in record.design:
            continue
        options = {k: v for k, v in record.parameters.items() if k != "Width"}
        build = room(record.design).build(256, options)
        only = build.core.function.only_modulus(build.config)
        if only is not None and value != only:
            continue
        if value is None and PRIME_FIELD not in build.config.fields:  # a width alone means numbers
            continue
        if value is not None and not build.core.function.serves(build.config, value):
            continue
        if not build.reduced(value):
            continue
        area = count_cells(record.cells, CHIPS[target])
        mhz = median(record.fmax_mhz.values()) if record.fmax_mhz else None
        weighed = Weights.of(CHIPS[target]).equivalents(area.luts, area.dsp, area.bram)
        assert weighed is not None
        time = build.latency / mhz if mhz else build.latency
        each = build.interval / mhz if mhz else build.interval
        has = {
            "max_luts": area.luts,
            "max_dsp": area.dsp,
            "max_bram": area.bram,
            "max_time": time if mhz else inf,
            "max_latency": build.latency,
            "max_interval": build.interval,
        }
        if any(has[limit] > most for limit, most in limits.items()):
            continue
        cost = {
            "area-time": weighed * (time if mhz else each),
            "area": weighed,
            "time": time,
            "rate": each,
        }[aim]
        found.append((cost, build.slug, str(sorted(options.items()))))
    return sorted(found)


QUESTIONS = [
    ("ecp5", None, "area-time", {}),
    ("ecp5", None, "area", {}),
    ("ecp5", None, "time", {"max_dsp": 0}),
    ("ecp5", None, "rate", {"max_luts": 4000}),
    ("ecp5", "p256", "area-time", {"max_dsp": 0, "max_bram": 0}),
    ("ecp5", "p256", "rate", {"max_luts": 2000}),
    ("ecp5", "secp256k1", "area", {"max_time": 0.7}),
    ("ecp5", None, "area", {"max_interval": 70, "max_dsp": 0}),
    ("artix7", None, "area-time", {"max_dsp": 0}),
    ("artix7", None, "area", {"max_latency": 130}),
    ("artix7", "p256", "rate", {"max_luts": 1800}),
    ("virtex6", None, "time", {"max_luts": 2500, "max_dsp": 0}),
    ("virtex2", None, "area-time", {"max_bram": 0, "max_dsp": 0}),
    ("virtex2", "p256", "area", {"max_interval": 140}),
]


@pytest.mark.parametrize(("target", "name", "aim", "limits"), QUESTIONS)
def test_the_best_is_that_of_brute_force(
    target: str, name: str | None, aim: str, limits: dict[str, float]
) -> None:
    budget: dict[str, Any] = {**limits}
    choice = choose(wish(name, target, 256, aim=aim, **budget), COSTS)
    right = brute(target, name, aim, limits)
    # Builds without a record may fit too: they are estimates, and stand among the others.
    ours = [
        (each.build.slug, str(sorted(each.row.config.items())))
        for each in choice.fitting
        if each.is_measured and each.row.reduced
    ]
    assert right and ours[0] == right[0][1:]
    assert sorted(ours) == sorted(each[1:] for each in right)


@pytest.mark.parametrize("aim", AIMS)
def test_the_front_is_what_nothing_beats(aim: str) -> None:
    choice = choose(wish("p256", aim=aim), COSTS)
    time = AIMS[aim].time
    points = [
        (each.row.lut_equivalents or 0, time(each.row), each) for each in choice.fitting if each.row.reduced
    ]
    for area, took, each in points:
        beaten = any(a <= area and t <= took and (a, t) != (area, took) for a, t, _ in points)
        assert each.front == (not beaten)


# ---- wishes


def test_builds_that_are_not_reduced_win_only_when_asked_for() -> None:
    usual, lazy, strict = (
        choose(wish(unreduced=a, reduced=b), COSTS) for a, b in ((False, False), (True, False), (False, True))
    )
    reduced = [each.row.reduced for each in usual.fitting]
    assert reduced == sorted(reduced, reverse=True) and False in reduced
    assert lazy.best is not None and not lazy.best.row.reduced
    assert all(each.row.reduced for each in strict.fitting)


def test_a_domain_leaves_out_the_other() -> None:
    choice = choose(wish("p256", domain="plain"), COSTS)
    assert {each.row.domain for each in choice.fitting} == {"plain"}
    assert ("domain", "rrm") in {(word, skipped.core) for word, skipped in choice.out}


def test_every_core_is_in_the_answer_or_out_for_a_reason() -> None:
    for question in (wish("p256", max_luts=2000), wish("b163"), wish(None, width=7), wish("0x100")):
        choice = choose(question, COSTS)
        answered = {each.build.slug for each in choice.fitting}
        assert answered | {skipped.core for _, skipped in choice.out} == set(rooms())
        assert answered.isdisjoint(skipped.core for _, skipped in choice.out)
        assert all(word and " " not in word and skipped.reason for word, skipped in choice.out)


def test_an_even_modulus_and_a_dense_one() -> None:
    words = {
        skipped.core: word
        for word, skipped in choose(wish("0x1000000000000000000000000000000000"), COSTS).out
    }
    assert words["rrm"] == "even" and words["sparse_prime"] == "form"


def test_no_core_is_built_for_one_rsa_key() -> None:
    choice = choose(wish("rsa2048", aim="time"), COSTS)
    words = {skipped.core: word for word, skipped in choice.out}
    assert words["sparse_prime"] == words["sparse_prime_dsp"] == "modulus"
    as_number = choose(wish(hex(int(modulus("rsa2048").value)), aim="time"), COSTS)
    assert "sparse_prime" in {each.build.slug for each in as_number.fitting}


def test_nothing_fits_and_the_nearest_says_what_it_needs() -> None:
    choice = choose(wish("p256", max_luts=300), COSTS)
    assert choice.best is None and choice.nearest
    needed = [each.row.luts or 0 for each in choice.nearest]
    assert needed == sorted(needed) and f"{needed[0]:,} LUTs" in choice.nearest[0].needs
    again = choose(wish("p256", max_luts=float(needed[0])), COSTS)
    assert {each.build.slug for each in again.fitting} == {choice.nearest[0].build.slug}


def test_a_clock_that_is_counted_on() -> None:
    choice = choose(wish("p256", "artix7", clock_mhz=200, max_time=1.0), COSTS)
    assert choice.fitting and all(each.row.fmax_mhz == 200 for each in choice.fitting)
    assert all(each.row.latency <= 200 for each in choice.fitting)
    with pytest.raises(ValueError, match="--clock"):
        wish("p256", "artix7", max_time=1.0)


@pytest.mark.parametrize("limit", [limit.name for limit in LIMITS if not limit.timed])
def test_each_limit_is_kept(limit: str) -> None:
    everything = choose(wish("p256"), COSTS)
    get = next(each for each in LIMITS if each.name == limit).value
    values = sorted({value for each in everything.fitting if (value := get(each.row)) is not None})
    middle = values[len(values) // 2]
    most: dict[str, Any] = {limit: max(middle, 1)}
    kept = choose(wish("p256", **most), COSTS)
    assert {each.build for each in kept.fitting} == {
        each.build for each in everything.fitting if (get(each.row) or 0) <= max(middle, 1)
    }


# ---- estimates


def test_a_curve_goes_through_its_points_and_is_a_power_law_between() -> None:
    points = [(64, 100.0), (256, 400.0), (1024, 1600.0)]
    assert [curve(points, width, 0.0) for width, _ in points] == [100.0, 400.0, 1600.0]
    assert curve(points, 128, 0.0) == pytest.approx(200)
    assert curve(points, 2048, 0.0) == pytest.approx(3200)
    assert curve(points[:1], 128, 2.0) == pytest.approx(400)
    assert curve([(64, 0.0), (128, 8.0)], 96, 1.0) == pytest.approx(4)


def test_two_widths_side_by_side_tell_nothing_of_another() -> None:
    near = [(512, 167.0), (521, 120.0)]
    assert curve(near, 1024, -0.2) == pytest.approx(120 * (1024 / 521) ** -0.2)
    assert curve(near, 256, -0.2) == pytest.approx(167 * 2**0.2)
    assert curve([(130, 240.0), *near], 1042, 0.0) == pytest.approx(120 / 2**0.5, rel=0.01)
    assert 120 < curve(near, 516, 0.0) < 167


def of(slug: str, width: int, **options: int) -> Build:
    return room(slug).build(width, options)


def test_a_record_is_taken_as_it_is_and_another_width_is_said() -> None:
    exact = COSTS.of(of("rrm", 256), chip("ecp5"))
    between = COSTS.of(of("rrm", 200), chip("ecp5"))
    assert exact and exact.area.how == "measured" and exact.seeds == 3
    assert between and between.area.how == "interpolated" and 128 in between.area.widths
    assert between.luts < exact.luts and between.seeds == 0


def shelf_without(tmp_path: Path, leave_out: Callable[[Record], bool]) -> Shelf:
    shelf = Shelf(tmp_path)
    shelf.write([record for record in SHIPPED.all() if not leave_out(record)])
    return shelf


def test_what_the_chip_lacks_comes_from_its_likest(tmp_path: Path) -> None:
    def lost(record: Record) -> bool:
        return record.design == "montgomery_csa2" and record.target == "virtex6"

    found = Costs(shelf_without(tmp_path, lost)).of(of("montgomery_csa2", 256), chip("virtex6"))
    truth = COSTS.of(of("montgomery_csa2", 256), chip("virtex6"))
    assert found and truth and found.area.how == "estimated" and found.area.chip == "artix7"
    assert truth.area.how == "measured" and abs(found.luts / truth.luts - 1) < 0.1


def test_errors_are_those_of_records_left_out() -> None:
    lines = {(a.core, a.chip, a.how, a.quantity): a for a in COSTS.accuracy()}
    line = lines["rrm", "ecp5", "interpolated", "luts"]
    assert line.records >= 2 and 0 <= line.middle <= line.worst < 0.5
    assert COSTS.error(of("rrm", 200), chip("ecp5"), "interpolated", "luts") == pytest.approx(line.middle)
    assert ("rrm", "ecp5", "interpolated", "time") in lines


def test_a_wrong_record_makes_a_large_error(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path)
    shelf.write(
        replace(r, cells={**r.cells, "LUT4": 20 * r.cells["LUT4"]})
        if (r.design, r.target, r.parameters.get("Width")) == ("rrm", "ecp5", 512)
        else r
        for r in SHIPPED.all()
    )
    worst = {
        name: max(a.worst for a in costs.accuracy() if (a.core, a.chip) == ("rrm", "ecp5"))
        for name, costs in (("right", COSTS), ("wrong", Costs(shelf)))
    }
    assert worst["wrong"] > 3 * worst["right"]


def test_a_system_is_put_together_from_its_core(tmp_path: Path) -> None:
    costs = with_system(tmp_path, "modexp:fips", 256)
    whole = on("modexp", "imml_booth4").build(256)
    found, inner = costs.of(whole, chip("ecp5")), costs.of(of("imml_booth4", 256), chip("ecp5"))
    assert found and inner and found.area.how == "composed" and found.luts > inner.luts
    known = costs.of(on("modexp", "fips").build(256), chip("ecp5"))
    assert known and known.area.how == "measured"


def test_a_system_of_two_lanes_has_two_cores() -> None:
    """And besides them what is the median of those that are measured."""
    ecp5, besides = chip("ecp5"), []
    for slug in {core for name, core, bits, _ in SYSTEMS if (name, bits) == ("rsa_crt", 1024)}:
        known, one = COSTS.of(on("rsa_crt", slug).build(1024), ecp5), COSTS.of(of(slug, 512), ecp5)
        assert known and one
        if known.area.how == "measured" and known.clock:
            besides.append(known.luts - 2 * one.luts)
    found = COSTS.of(on("rsa_crt", "montgomery_csa2").build(1024), ecp5)
    core = COSTS.of(of("montgomery_csa2", 512), ecp5)
    assert core and found and besides
    assert found.luts == round(2 * core.luts + median(besides))


def test_a_system_on_another_build_of_its_core_is_known_alone() -> None:
    """Its record is of no use for those on the core's default build, which costs something else."""
    ecp5, found = chip("ecp5"), on("rsa_crt", "montgomery_dsp")
    changed = found.build(1024, {"Columns": 12, "Word": 36, "Lazy": 1})
    assert changed.design.inner == {"Columns": 12, "Lazy": 1}
    timing = Timing(dict.fromkeys(SHIPPED_SEEDS, 100.0), {}, 1.0, {})
    record = Record.of(changed.design, ecp5, count_cells({"LUT4": 1000}, ecp5), timing)
    assert Record.from_json(json.loads(record.lines())) == record
    costs = Costs(SHIPPED.beside([record]))
    measured = costs.of(changed, ecp5)
    assert measured and measured.area.how == "measured" and measured.luts == 1000
    assert changed in list(costs.builds(found, 1024, ecp5))
    assert changed not in list(COSTS.builds(found, 1024, ecp5))
    for width in (1024, 2048):
        usual = found.build(width)
        assert not usual.design.inner
        assert costs.of(usual, ecp5) == COSTS.of(usual, ecp5) is not None


def test_a_system_with_options_of_its_own_is_known() -> None:
    ecp5, found = chip("ecp5"), on("ecc_x25519", "rrm")
    several = found.build(255, {"Batch": 3, "Blind": 0})
    record = Record.of(several.design, ecp5, count_cells({"LUT4": 1000}, ecp5), None)
    assert several in list(Costs(SHIPPED.beside([record])).builds(found, 255, ecp5))


def test_a_system_without_records_costs_what_its_relatives_do(tmp_path: Path) -> None:
    ladder, curve = on("ladder", "rrm_split").build(256), on("ecc_sm2", "rrm").build(256)
    of_powers = COSTS.of(ladder, chip("ecp5"))
    assert of_powers and of_powers.area.how == "composed"
    alone = shelf_without(tmp_path, lambda record: record.design.startswith(("modexp", "ladder", "ecc_")))
    assert any(record.design.startswith("rsa_crt") for record in alone.all())  # of two engines
    assert Costs(alone).of(ladder, chip("ecp5")) is None
    curves = shelf_without(tmp_path, lambda record: record.design.startswith(("modexp", "ladder", "rsa_crt")))
    of_curves, found = Costs(curves).of(curve, chip("ecp5")), COSTS.of(curve, chip("ecp5"))
    assert found and of_curves and found.luts == of_curves.luts and found.area.how == "composed"
    assert found.luts != of_powers.luts


# ---- the command


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["choose", *arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        return 2, str(result.exception)
    return result.exit_code, result.output


def test_json_is_the_choice() -> None:
    code, text = run("-m", "p256", "--max-luts", "2000", "--json")
    data = json.loads(text)
    assert code == 0 and data["limits"] == {"max_luts": 2000}
    assert all(each["luts"] <= 2000 for each in data["fitting"])
    assert {each["core"] for each in data["out"]}.isdisjoint(each["core"] for each in data["fitting"])


def test_nothing_fits_is_a_failure_and_names_the_nearest() -> None:
    code, text = run("-m", "p256", "--max-luts", "300")
    nearest = choose(wish("p256", max_luts=300), COSTS).nearest[0]
    assert code == 1 and nearest.build.slug in text and nearest.needs in text


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("-m", "nonsense"),
        ("-w", "256", "-t", "nonsense"),
        ("-w", "256", "--for", "beauty"),
        ("-w", "256", "--domain", "middle"),
        ("-w", "256", "--max-time", "3parsecs"),
        ("-w", "256", "--max-luts", "-1"),
        ("-w", "256", "--clock", "0"),
        ("-w", "256", "--unreduced", "--reduced"),
        ("-w", "256", "--system", "nonsense"),
        ("-w", "256", "--weights", "dsp=x"),
        ("-w", "256", "-t", "artix7", "--min-mhz", "100"),
    ],
)
def test_bad_input_is_refused_in_a_line(arguments: tuple[str, ...]) -> None:
    code, text = run(*arguments)
    assert code == 2 and text.strip()


def test_times_have_units() -> None:
    for text in ("700ns", "0.7us", "0.0007ms", "7e-7", "0.7µs"):
        code, said = run("-w", "256", "--max-time", text, "--json")
        assert code == 0 and json.loads(said)["limits"]["max_time"] == pytest.approx(0.7)


@pytest.mark.parametrize("name", ["p256", "p384"])
def test_the_export_line_exports_that_build(name: str, tmp_path: Path) -> None:
    choice = choose(wish(name, "artix7", max_dsp=0), COSTS)
    for candidate in choice.fitting[:3]:
        line = choice.export(candidate)
        place = tmp_path / candidate.build.slug
        result = CliRunner().invoke(app, [*line[1:], "-o", str(place), "--count", "3"])
        assert result.exit_code == 0, shlex.join(line)
        options = candidate.build.config.parameters()
        bench = "".join(path.read_text() for path in place.rglob("*.sv") if "tb" in path.name)
        for key, value in options.items():
            assert f"{key}" in bench and (key != "Width" or str(value) in bench)


def test_measuring_replaces_estimates(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MODMUL_CACHE", str(tmp_path))
    before = choose(wish(None, "artix7", 16, max_luts=400), COSTS, [room("interleaved_radix2")])
    after = measured(before, 1, Tools(workers=1))
    assert before.best and after.best and not before.best.is_measured and after.best.is_measured
    assert after.best.row.luts != before.best.row.luts


def test_polynomials_are_served_by_what_knows_the_field() -> None:
    found = modulus("b233").value
    assert isinstance(found, Polynomial)
    for each in choose(wish("b233"), COSTS).fitting:
        each.build.check(found)


@pytest.mark.parametrize("width", [80, 120, 250])
def test_an_answer_of_systems_on_a_narrow_terminal(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is cut, and operations for the area go last of what goes."""
    screen = io.StringIO()
    console = Console(file=screen, width=width, highlight=False, markup=False)
    for module in (cli_choosing, printing):
        monkeypatch.setattr(module, "out", console)
    choice = choose(
        wish("curve25519", system="ecc_x25519", aim="rate"), COSTS, [room("sparse_prime_dsp"), room("rrm")]
    )
    cli_choosing._print(choice, 8)
    lines = screen.getvalue().splitlines()
    start = next(at for at, line in enumerate(lines) if "LUTs" in line)
    end = next(at for at, line in enumerate(lines) if line.startswith("* no other"))
    assert all(len(line) <= width and "…" not in line for line in lines[start:end])
    headings = set(lines[start].split())
    assert {"LUTs", "DSP", "Operations"} <= headings and "Rate" not in headings
    assert ("Ops/kLUTeq" in headings, "Interval" in headings) == (width > 80, width == 250)


def test_the_help_names_every_aim() -> None:
    said = CliRunner().invoke(app, ["choose", "--help"]).output
    assert "|".join(AIMS) in said


def test_a_chip_without_records_gives_no_advice(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(SHIPPED, "folder", tmp_path)
    monkeypatch.setattr(SHIPPED, "_known", {})
    code, said = run("-m", "p256", "-t", "gates")
    assert code == 0 and "modmul export" not in said and "--measure" in said


def test_measuring_finds_a_clock_where_the_area_alone_is_shipped(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Only what is asked of the tools: the build is not run here."""
    shelf = Shelf(tmp_path)
    shelf.write(replace(each, fmax_mhz={}) for each in SHIPPED.records("rrm") if each.target == "nexus")
    areas = Costs(shelf)
    asked: list[Build] = []

    def no_tools(jobs: Iterable[Build], *_: object) -> dict[Build, Measurement]:
        asked.extend(jobs)
        return {}

    monkeypatch.setattr(choosing, "run_jobs", no_tools)
    found = choose(wish(None, "nexus", 64), areas, [room("rrm")])
    assert found.best and found.best.is_measured and found.best.clock is None
    measured(found, 1, Tools())
    assert asked == [found.best.build]
    asked.clear()
    counted = choose(wish(None, "nexus", 64, clock_mhz=100), areas, [room("rrm")])
    measured(counted, 1, Tools())
    assert asked == []
