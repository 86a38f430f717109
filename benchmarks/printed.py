# SPDX-License-Identifier: Apache-2.0
"""Rows of figures on standard output: a table for people, or JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any

from modmul.cli.printing import out, print_table
from modmul.moduli.named import shown

__all__ = ["print_rows"]

WIDEST = 8
"""Characters in a line of a heading."""


def print_rows(rows: Sequence[Mapping[str, Any]], *, as_json: bool) -> None:
    """Print rows.

    Args:
        rows: name to value; the first row has every name. ``core`` and ``parameters`` share a column of the
            table, and ``others`` stand below it. A single row is printed a value a line.
    """
    if as_json:
        out.print_json(json.dumps(rows))
        return
    if not rows:
        out.print("There is no such build.")
        return
    names = [name for name in rows[0] if name not in ("parameters", "others")]
    if len(rows) == 1:
        print_table(("", _build(rows[0])), [(name, _text(rows[0][name])) for name in names if name != "core"])
        _print_others(rows)
        return
    headings = [fill(name, WIDEST, break_long_words=False) for name in names]
    cells = [[_build(row) if name == "core" else _text(row.get(name)) for name in names] for row in rows]
    print_table(headings, cells, numbers=True)
    _print_others(rows)


def _print_others(rows: Sequence[Mapping[str, Any]]) -> None:
    for row in {row["others"]: row for row in rows if row.get("others")}.values():
        out.print(f"Others on {row['curve']}: {row['others']}", markup=False)


def _build(row: Mapping[str, Any]) -> str:
    parameters = row["parameters"]
    if not isinstance(parameters, str):
        parameters = " ".join(f"{name}={shown(name, value)}" for name, value in parameters.items())
    return f"{row['core']} {parameters}".strip()


def _text(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{_text(of)} {name}" for name, of in value.items())
    if isinstance(value, float):
        return f"{value:,.2f}"
    return f"{value:,}" if isinstance(value, int) else str(value or "")
