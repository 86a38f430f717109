# SPDX-License-Identifier: Apache-2.0
"""What the tables of curves say of what is asked for, and of signatures a second."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from curve_costs import ASKED, EDDSA_BUILDS, batch, both, eddsa, met, met_by_batch, multiple

ASKED_FOR = {"cycles": 100, "ms": 0.5, "LUTs": 9_000}


def figures(cycles: int, ms: float | None = None, luts: int | None = None) -> Mapping[str, float | None]:
    return {"cycles": cycles, "ms": ms, "LUTs": luts, "MHz": 1}


@pytest.mark.parametrize(
    ("blinded", "plain", "verdict"),
    [
        (figures(100, 0.5, 9_000), figures(50, 0.2, 9_000), "blinded"),
        (figures(101, 0.5, 9_000), figures(50, 0.2, 9_000), "as it is"),
        (figures(100, 0.51, 9_000), figures(50, 0.2, 9_000), "as it is"),
        (figures(150, 0.9, 9_000), figures(99, 0.577, 9_000), "no: 0.577 ms"),
        (figures(150, 0.9, 9_001), figures(1_000, 0.5, 9_001), "no: 1,000 cycles, 9,001 LUTs"),
        (figures(101), figures(99), "as it is, cycles alone"),
        (figures(99, None, 9_000), figures(50, None, 9_000), "blinded, cycles and LUTs alone"),
        (figures(99, None, 9_001), figures(50, None, 9_001), "no: 9,001 LUTs"),
    ],
)
def test_what_is_asked_for_is_met_in_all_that_is_known(
    blinded: Mapping[str, float | None], plain: Mapping[str, float | None], verdict: str
) -> None:
    assert met(ASKED_FOR, {"blinded": blinded, "as it is": plain}) == verdict
    assert not met({}, {"blinded": blinded, "as it is": plain})


def test_batches_are_held_against_their_clock() -> None:
    """10,000 a second of 9,123 cycles each need 91.23 MHz."""
    asked = {"k P a second": 10_000}
    found = [met_by_batch(asked, 9_123, mhz) for mhz in (None, 91.22, 91.23)]
    assert found == ["not placed; it takes 92 MHz", "no: 9,999 a second", "yes"]
    assert met_by_batch({"cycles": 9_122}, 9_123, 500) == "no: 9,123 cycles"
    assert met_by_batch({"cycles": 9_123}, 9_123, None) == "yes, for each"
    assert not met_by_batch({}, 9_123, None)


def test_a_row_is_held_against_what_is_asked_for_with_its_own_scalars() -> None:
    """The time of each kind of scalars is that of their cycles."""
    row = multiple("p256", "rrm_split", {}, shipped=True)
    assert row["asked"] == ASKED["p256", False] and row["met"] == "as it is"
    assert row["ms as it is"] == pytest.approx(row["cycles"] / row["MHz"] / 1000)
    assert row["ms"] == pytest.approx(row["blinded"] / row["MHz"] / 1000)


def test_a_verification_is_two_multiples() -> None:
    one, several = (eddsa(*build, shipped=True) for build in EDDSA_BUILDS)
    assert one["signatures/s"] == pytest.approx(1e6 * one["MHz"] / one["cycles"])
    assert one["signatures/s"] == pytest.approx(2 * one["verifications/s"])
    assert one["signatures/s, kLUTeq"] == pytest.approx(1000 * one["signatures/s"] / one["LUTeq"])
    assert one["blinded"] < one["signatures/s"]
    assert several["scalars"] == 4 and several["cycles"] == batch(*EDDSA_BUILDS[1])["cycles"]
    assert several["signatures/s"] == pytest.approx(4e6 * several["MHz"] / several["cycles"], rel=1e-3)


def test_figures_of_another_form_are_refused() -> None:
    with pytest.raises(ValueError, match="no signatures by EdDSA"):
        eddsa("p256", "rrm", {})
    with pytest.raises(ValueError, match="no program for two points of x25519"):
        both("x25519", "rrm", {})
