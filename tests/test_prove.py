# SPDX-License-Identifier: Apache-2.0
"""Proofs: that operands decide on nothing but results."""

from __future__ import annotations

from pathlib import Path

import pytest

from modmul.prove.control import any_rows, control
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


PROGRAMS = ["modexp:imml_booth4", "rsa_crt:montgomery_csa2", "ecc_b163:gf2m_serial"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_no_data_of_the_engine_decide_whatever_its_rows_are(name: str) -> None:
    """No word of an operand, of a context or of a result reaches an address, an enable or a handshake."""
    found = room(name)
    build = found.build(found.core.builds.only_width or WIDTH)
    told = build.core.interface.told(build.config)
    proof = any_rows(build.design, told)
    assert proof.proven, proof.paths
    assert proof.bits > 100
    assert bool(told) != any_rows(build.design).proven


@pytest.mark.parametrize(
    ("module", "right", "wrong", "signal"),
    [
        ("lane", "port_write : result | late", "port_write : (result | late) & ~flag_o", "flag_o"),
        ("lane", ".exp_beat_i(exp_beat)", ".exp_beat_i(exp_beat ^ InBits'(a_word))", "u_a.read_addr_i[0]"),
        ("feed", "assign move     = ok_q", "assign move     = ok_q & ~x_pair[0]", "core_valid_o"),
        ("sum", "first_end & (test_q ==", "first_end & use_u & (test_q ==", "run_q"),
    ],
)
def test_data_of_the_engine_that_decide_are_found(
    module: str, right: str, wrong: str, signal: str, tmp_path: Path
) -> None:
    changed = mutant(room("rsa_crt:montgomery_csa2"), tmp_path, f"mm_engine_{module}", right, wrong)
    build = changed.build(WIDTH)
    found = any_rows(build.design, build.core.interface.told(build.config))
    assert set(found.paths) == {"x_i", "y_i", "ctx_data_i", "z_o"}
    for way in found.paths.values():
        assert any(each.endswith(f".{signal}") for each in way), way


def test_a_core_has_no_rows() -> None:
    with pytest.raises(ValueError, match="no program of the engine"):
        any_rows(room("fips").build(WIDTH).design)
