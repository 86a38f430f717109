# SPDX-License-Identifier: Apache-2.0
"""What was found before of programs, and comes with the package: orders of rows, and cycles."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from curve_costs import CURVE_BUILDS

from modmul.moduli import curve
from modmul.registry import curve_on
from modmul.systems import arranging, engine, kept
from modmul.systems.curves import CurveConfig
from modmul.systems.kept import Kept

BUILDS = [build for build in CURVE_BUILDS if build[1] in ("rrm", "rrm_split", "gf2m_serial")]
"""Those whose cycles are counted in a second."""


def built(name: str, slug: str, parameters: Mapping[str, int]) -> CurveConfig:
    at = curve(name)
    config = curve_on(at, slug)[1].build(at.bits, parameters, at.modulus).config.at(at.modulus)
    assert isinstance(config, CurveConfig)
    return config


def forget() -> None:
    for each in (engine._arranged, engine._latency):
        each.cache_clear()


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> Iterator[Kept]:
    """What comes along, to be changed."""
    found = Kept(json.loads(kept.FILE.read_text()))
    monkeypatch.setattr(engine, "kept", lambda: found)
    forget()
    yield found
    forget()


def test_what_comes_along_is_of_these_sources() -> None:
    content = json.loads(kept.FILE.read_text())
    assert content["of"] == kept.sources(), "the engine has changed: make orders"


@pytest.mark.parametrize(
    ("name", "counts"), [("engine", True), ("whole", True), ("sharing", True), ("running", False)]
)
def test_a_change_of_what_counts_is_a_change_of_sources(
    name: str, counts: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = kept.sources()
    for file in kept.FILE.parent.glob("*.py"):
        more = "# more\n" if file.stem == name else ""
        (tmp_path / file.name).write_text(file.read_text() + more)
    monkeypatch.setattr(kept, "FILE", tmp_path / kept.FILE.name)
    kept.sources.cache_clear()
    after = kept.sources()
    kept.sources.cache_clear()
    assert (after != before) is counts


def test_builds_that_are_compared_are_ordered_with_patience(known: Kept) -> None:
    for build in CURVE_BUILDS:
        tries, *_ = known.orders[engine._order_key(built(*build).idle)]
        assert tries > arranging.TRIES, build


def test_kept_cycles_are_those_that_are_counted(known: Kept, rng: random.Random) -> None:
    config = built(*rng.choice(BUILDS))
    told = engine.latency(config)
    assert known.cycles.pop(engine._cycles_key(config)) == told
    forget()
    assert engine.latency(config) == told


def test_cycles_in_another_order_are_not_taken(known: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    config = built("b163", "gf2m_serial", {})
    known.learns = True
    cycles = engine.latency(config)
    monkeypatch.setattr(engine, "_arrangement", lambda _config, _tries: (0, []))
    engine.arrange(config.idle, 1_000_000)
    assert engine.latency(config) > cycles


def test_cycles_of_other_sources_are_not_taken() -> None:
    content = json.loads(kept.FILE.read_text())
    assert Kept(content).cycles and not Kept(content | {"of": "others"}).cycles


@pytest.mark.parametrize(
    "wrong",
    [
        lambda tries, way, *order: [tries, way, *reversed(order)],
        lambda tries, way, *order: [tries, way, *order[:-1]],
        lambda tries, way, first, *order: [tries, way, order[0], *order],
        lambda tries, way, *order: [tries, way, *order[-1:], *order[:-1]],
        lambda tries, way, *order: [tries, arranging.WAYS, *order],
        lambda tries, way, *order: [tries, -1, *order],
        lambda tries, way, *order: [],
    ],
)
def test_a_wrong_order_is_not_taken(wrong: Any, known: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    config = built("b163", "gf2m_serial", {}).idle
    name = engine._order_key(config)
    assert known.orders[name][1] > 2
    anew = 0, [*range(len(config.written.rows))]
    monkeypatch.setattr(engine, "_arrangement", lambda _config: anew)
    assert config.program != config.written
    known.orders[name] = wrong(*known.orders[name])
    forget()
    assert config.program == config.written


def test_what_is_found_is_learned_and_the_rest_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Kept({"of": kept.sources(), "cycles": {"x": 1}, "orders": {"y": [1, 0]}})
    monkeypatch.setattr(engine, "kept", lambda: found)
    monkeypatch.setattr(kept, "kept", lambda: found)
    monkeypatch.setattr(engine, "_arrangement", lambda _config: (0, []))
    forget()
    config = built("b163", "gf2m_serial", {})
    with kept.learning():
        cycles = engine.latency(config)
    forget()
    found.used.clear()
    with kept.learning():
        assert engine.latency(config) == cycles  # is known, so the order is not looked up
    forget()
    again = Kept(json.loads(found.tidied().text()))
    assert list(again.cycles.values()) == [cycles] and list(again.orders.values()) == [[arranging.TRIES, 0]]
