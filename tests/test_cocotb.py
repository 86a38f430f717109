# SPDX-License-Identifier: Apache-2.0
"""The port contract in Icarus, through cocotb: see cocotb_bench.py."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner

from modmul.registry import Room, room


@pytest.mark.parametrize(
    ("slug", "width", "options"),
    [("imml_booth4", 16, {}), ("montgomery_csa1", 16, {"word": 8}), ("toy", 16, {"word": 7})],
)
def test_protocol(
    slug: str,
    width: int,
    options: dict[str, int],
    toy: Room,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = room(slug)
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    runner = get_runner("icarus")
    runner.build(
        sources=found.sources,
        hdl_toplevel=found.core.top,
        parameters=found.core.builds.config(width, **options).parameters(),
        build_dir=tmp_path,
        timescale=("1ns", "1ps"),
    )
    results = runner.test(
        test_module="cocotb_bench",
        hdl_toplevel=found.core.top,
        build_dir=tmp_path,
        test_dir=tmp_path,
        timescale=("1ns", "1ps"),
        extra_env={
            "MODMUL_SLUG": slug,
            "MODMUL_WIDTH": str(width),
            "MODMUL_OPTIONS": json.dumps(options),
        },
    )
    assert get_results(results) == (4, 0)
