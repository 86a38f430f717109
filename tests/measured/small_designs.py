# SPDX-License-Identifier: Apache-2.0
"""Small designs whose measurements take seconds, and a way to see that none takes place."""

from __future__ import annotations

from pathlib import Path

import pytest

from modmul.core import PORTS
from modmul.design import Design
from modmul.measure import CHIPS, Job
from modmul.registry import Room
from modmul.tools import machine

__all__ = ["BODY", "design_with", "forbid_tools", "job", "small"]

BODY = """
assign {ctx_ready_o, ctx_error_o, in_ready_o, out_valid_o} = {rst_ni, ctx_valid_i, in_valid_i, out_ready_i};
logic [Width-1:0] q;
always_ff @(posedge clk_i) q <= x_i ^ y_i ^ ctx_data_i;
"""
"""Of :func:`design_with`: all outputs but ``z_o``, and a word q for it."""


def small(booth: Room, width: int = 8) -> Design:
    return booth.design(booth.core.builds.config(width=width))


def job(booth: Room, name: str = "ecp5", seeds: tuple[int, ...] = (), width: int = 8) -> Job:
    return Job(small(booth, width), CHIPS[name], seeds)


def forbid_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on a tool that is run fails the test."""

    def refuse(*_: object, **__: object) -> float:
        raise AssertionError("a tool was run")

    monkeypatch.setattr(machine, "run_tool", refuse)


def design_with(
    booth: Room, tmp_path: Path, body: str, width: int = 8, *, multiplier_blocks: bool = False
) -> Design:
    """A design with the contract's ports whose outputs ``body`` drives."""
    ports = booth.core.interface.ports(booth.core.builds.config(width=width))
    words = [name for name, _, bits in PORTS if bits == "word"]
    types = {True: "input wire", False: "output logic"}
    declared = ", ".join(
        f"{types[port.is_input]} {'[Width-1:0] ' if port.name in words else ''}{port.name}" for port in ports
    )
    top = tmp_path / "mm_broken.sv"
    top.write_text(
        "`default_nettype none\nmodule mm_broken #(parameter int Width = 8) "
        f"({declared});\n{body}\nendmodule\n"
    )
    return Design("broken", top.stem, (top,), {"Width": width}, ports, multiplier_blocks=multiplier_blocks)
