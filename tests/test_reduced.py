# SPDX-License-Identifier: Apache-2.0
"""Builds whose results may be above M-1: said of a build in one place, marked and ranked where rows stand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from modmul.core import Polynomial
from modmul.measure import CHIPS
from modmul.moduli import NAMED
from modmul.registry import room, rooms
from modmul.study.measuring import row
from modmul.study.rows import UNREDUCED, Comparison, Row, short_labels

WEIGHTS = Comparison("", None, CHIPS["ecp5"], []).weights


@pytest.mark.parametrize("slug", rooms())
def test_what_a_build_says_follows_from_its_results(slug: str) -> None:
    for build in rooms()[slug].fitting(64):
        modulus = build.core.function.some_modulus(build.config)
        largest = build.result_max()
        below = 1 << modulus.degree if isinstance(modulus, Polynomial) else modulus
        assert build.reduced() == (largest < below)
        assert build.reduced() or build.results() != "M-1"


def test_lazy_builds_are_not_reduced() -> None:
    for slug in ("rrm", "montgomery_dsp"):
        found = {build.config.options()["Lazy"]: build for build in room(slug).fitting(256)}
        assert (found[0].reduced(), found[0].results()) == (True, "M-1")
        assert not found[1].reduced() and found[1].results().endswith("M-1") and found[1].results() != "M-1"
        assert found[1].result_max(NAMED["p256"].value) >= NAMED["p256"].value


def rows() -> list[Row]:
    """Reduced and not; the one that is not is the better one by far."""
    found = [row(build, WEIGHTS, None, 0, None) for build in room("rrm").fitting(256)]
    return [
        replace(each, luts=1000 if each.reduced else 10, fmax_mhz=100.0, fmax_spread_mhz=1.0)
        for each in found
    ]


def test_they_are_marked_and_do_not_win_unless_asked_for() -> None:
    comparison = Comparison("", None, CHIPS["ecp5"], rows())
    assert [each.reduced for each in comparison.ranked] == [True, False]
    assert all(each.reduced for each in comparison.contenders)
    asked = replace(comparison, unreduced=True)
    assert [each.reduced for each in asked.ranked] == [False, True]
    assert asked.contenders == asked.ranked
    for labels in ([each.label for each in comparison.ranked], short_labels(comparison.ranked)):
        assert [UNREDUCED in label for label in labels] == [False, True]
    alone = replace(comparison, rows=[each for each in comparison.rows if not each.reduced])
    assert alone.contenders == alone.rows
    assert Comparison.from_json(asked.to_json()) == asked
