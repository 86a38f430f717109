# SPDX-License-Identifier: Apache-2.0
"""What ``import modmul`` gives to scripts and notebooks."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

import modmul
from modmul.api import Table
from modmul.measure import SHIPPED
from modmul.moduli import NAMED

P256 = NAMED["p256"].value


def test_a_loaded_core_multiplies_and_says_what_it_is() -> None:
    core = modmul.load("interleaved_radix2", modulus=251)
    assert [core.multiply(x, y) for x, y in ((3, 5), (250, 250), (0, 9))] == [15, 1, 0]
    assert repr(core).count("\n") == 0 and "interleaved_radix2" in repr(core)
    assert core.latency == core.build.at(251).latency and core.interval >= 1
    with pytest.raises(ValueError, match="252"):
        core.multiply(252, 1)
    assert core.multiply(7, 7) == 49, "the next operation is right again"


def test_a_montgomery_core_gives_the_plain_product() -> None:
    core = modmul.load("montgomery_csa2", modulus="0xfb", Word=8)
    assert core.build.config.options()["Word"] == 8
    assert core.multiply(200, 199) == 200 * 199 % 251


@pytest.mark.parametrize(
    ("core", "more"),
    [
        ("nonsense", {"modulus": 7}),
        ("rrm", {"modulus": "nonsense"}),
        ("rrm", {"modulus": 8}),
        ("rrm", {"modulus": P256, "Wrod": 3}),
        ("rrm", {"modulus": P256, "target": "nonsense"}),
    ],
)
def test_what_cannot_be_loaded_is_refused_at_once(core: str, more: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        modmul.load(core, **more)


def test_the_best_is_loaded_with_its_parameters() -> None:
    answer = modmul.choose("p384", target="artix7", max_luts=3000, max_dsp=0)
    best = answer.choice.best
    assert best and answer.best and answer.export
    core = modmul.load(answer.best, modulus="p384", **answer.parameters)
    assert core.build == best.build != modmul.load(answer.best, modulus="p384").build
    assert answer.export.split()[:3] == ["modmul", "export", answer.best] and "Chains=1" in answer.export
    none = modmul.choose("p256", max_luts=1)
    assert (none.best, none.parameters, none.export) == (None, {}, None)


def test_choosing_gives_a_table_with_the_best_first() -> None:
    answer = modmul.choose("p256", target="ecp5", max_luts=2000, aim="area-time")
    assert answer.best == answer.choice.fitting[0].build.slug
    assert len(answer) == len(answer.choice.fitting) and all(luts <= 2000 for luts in answer.column("luts"))
    assert modmul.choose("p256", max_luts=1).best is None
    for wrong in ({}, {"modulus": "p256", "aim": "beauty"}):
        with pytest.raises(ValueError, match=r".+"):
            modmul.choose(**wrong)
    with pytest.raises(TypeError):
        modmul.choose("p256", max_beauty=1)


def test_records_are_those_of_the_shelf() -> None:
    table = modmul.records("rrm", target="ecp5")
    shipped = [r for r in SHIPPED.all() if r.design == "rrm" and r.target == "ecp5"]
    assert len(table) == len(shipped) and set(table.column("width")) == {
        r.parameters["Width"] for r in shipped
    }
    assert set(modmul.records(width=256).column("width")) == {256}
    assert len(table.where(width=256)) == len(modmul.records("rrm", target="ecp5", width=256))
    json.dumps(list(table))
    for wrong in ({"core": "nonsense"}, {"target": "nonsense"}):
        with pytest.raises(ValueError, match=r".+"):
            modmul.records(**wrong)
    with pytest.raises(KeyError, match="luts"):
        table.column("lust")


def test_tables_are_shown() -> None:
    table = Table(("name", "value"), [{"name": "<a>", "value": 1.23456}, {"name": "b", "value": None}])
    assert repr(table).splitlines()[1].split() == ["<a>", "1.235"]
    cells = [cell.text for cell in ElementTree.fromstring(table._repr_html_()).iter("td")]
    assert cells == ["<a>", "1.235", "b", None]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_tables_are_handed_on(library: str) -> None:
    pytest.importorskip(library)
    table = Table(("name", "value"), [{"name": "a", "value": 1.5}, {"name": "b", "value": None}])
    frame = getattr(table, f"to_{library}")()
    assert list(frame.columns) == ["name", "value"] and len(frame) == 2
    assert list(frame["name"]) == ["a", "b"] and frame["value"][0] == 1.5


def test_nothing_is_loaded_before_it_is_asked_for() -> None:
    assert set(dir(modmul)) >= {"load", "choose", "records"}
    with pytest.raises(AttributeError, match="nonsense"):
        _ = modmul.nonsense
