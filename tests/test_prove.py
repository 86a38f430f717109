# SPDX-License-Identifier: Apache-2.0
"""Proofs: that operands decide on nothing but results."""

from __future__ import annotations

from pathlib import Path

import pytest

from modmul.prove.control import control
from modmul.registry import room, rooms
from modmul.verify.mutant import mutant

WIDTH = 16


@pytest.mark.parametrize("slug", rooms())
def test_operands_of_no_core_decide_when_something_happens(slug: str) -> None:
    found = control(room(slug).build(WIDTH).design)
    assert found.proven, found.paths
    assert found.bits > 2


CHANGED = "mm_interleaved_radix2"


@pytest.mark.parametrize(
    ("right", "wrong", "way"),
    [
        (".in_valid_i, .in", ".in_valid_i(in_valid_i & ~y_q[1]), .in", {"y_i": "y_q[1]"}),
        (".out_ready_i,", ".out_ready_i(out_ready_i | z_q[0]),", {"x_i": "x_q[3]", "y_i": "z_q[0]"}),
    ],
)
def test_operands_that_decide_are_found(right: str, wrong: str, way: dict[str, str], tmp_path: Path) -> None:
    found = control(mutant(room("interleaved_radix2"), tmp_path, CHANGED, right, wrong).build(WIDTH).design)
    assert not found.proven and set(found.paths) == set(way)
    for operand, signal in way.items():
        path = found.paths[operand]
        assert path[0].startswith(operand) and signal in path
        assert path[-1].startswith(("out_valid_o", "in_ready_o", "ctx_ready_o", "u_frame."))


def test_what_is_told_to_everybody_may_depend_on_operands(tmp_path: Path) -> None:
    wrong = mutant(room("interleaved_radix2"), tmp_path, CHANGED, ".out_ready_i,", ".out_ready_i(z_q[0]),")
    design = wrong.build(WIDTH).design
    assert not control(design).proven
    assert control(design, told=("z_q",)).proven


@pytest.mark.parametrize("name", ["modexp:imml_booth4", "ladder:fips", "rsa_crt:montgomery_csa2"])
def test_operands_of_programs_decide_on_nothing(name: str) -> None:
    """Neither exponents nor messages do; of RSA, but for whether the result is released."""
    build = room(name).build(WIDTH)
    told = build.core.interface.told(build.config)
    assert control(build.design, told).proven
    assert bool(told) != control(build.design).proven
