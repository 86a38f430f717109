# SPDX-License-Identifier: Apache-2.0
"""Netlists are checked like the sources they are made of, and a wrong one is found."""

import re

import pytest

from modmul.chips import CHIPS
from modmul.registry import room
from modmul.study.netlists import netlist, on_netlist
from modmul.verify.failures import ProtocolError, SimulatorError, VerificationError
from modmul.verify.runner import Plan, verify

ECP5 = CHIPS["ecp5"]
PLAN = Plan(count=100, source=False)


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
