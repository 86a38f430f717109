# SPDX-License-Identifier: Apache-2.0
"""Adds up what Yosys and nextpnr say of a core, beside what modmul measured: for Python 3.8 or later alone.

``python figures.py RULE.json CELLS.json [SEEDn.json ...]``: how the cells of the chip count, Yosys' count of
cells, nextpnr's reports.
"""

from __future__ import annotations

import json
import re
import sys
from fractions import Fraction
from math import ceil
from pathlib import Path
from statistics import median
from typing import Any


def count(cells: dict[str, int], rules: list[tuple[str, dict[str, str]]]) -> dict[str, int]:
    """What cells cost: each counts by all the rules whose pattern is its whole name; sums are rounded up.

    Raises:
        ValueError: naming the cells without a rule.
    """
    total: dict[str, Fraction] = {}
    unknown = []
    for name, number in cells.items():
        found = [costs for pattern, costs in rules if re.fullmatch(pattern, name)]
        if not found:
            unknown.append(name)
        for costs in found:
            for column, cost in costs.items():
                total[column] = total.get(column, Fraction()) + Fraction(cost) * number
    if unknown:
        raise ValueError(f"no rule says how to count {', '.join(sorted(unknown))}")
    return {column: ceil(cost) for column, cost in total.items()}


def leaves(statistics: dict[str, Any]) -> dict[str, int]:
    """The cells in Yosys' count; modules that stay as they are (keep_hierarchy) count by what is in them."""
    modules = {name[1:] if name.startswith("\\") else name for name in statistics["modules"]}
    cells = statistics["design"]["num_cells_by_type"]
    return {name: number for name, number in cells.items() if name not in modules}


def frequency(report: dict[str, Any]) -> float:
    """The clock frequency of a report of nextpnr, in MHz.

    Raises:
        ValueError: it has no clock, or several.
    """
    clocks = list(report["fmax"].values())
    if len(clocks) != 1:
        raise ValueError(f"expected one clock, nextpnr reports {len(clocks)}")
    return float(clocks[0]["achieved"])


def read(name: str) -> Any:
    """A JSON file."""
    return json.loads(Path(name).read_text(encoding="utf-8"))


def rows(mhz: dict[str, float]) -> dict[str, str]:
    """The frequencies as rows of the table; none without seeds."""
    if not mhz:
        return {}
    shown = {f"seed {seed}, MHz": f"{value:.2f}" for seed, value in mhz.items()}
    return {**shown, "median, MHz": f"{median(mhz.values()):.2f}"}


def main(arguments: list[str]) -> int:
    """Print the table; the exit code is 1 where a file does not tell a figure."""
    rule, cells, *names = arguments
    told = read(rule)
    try:
        area = count(leaves(read(cells)), told["rules"])
        mhz = {re.sub(r"\D", "", Path(name).name): frequency(read(name)) for name in names}
    except ValueError as error:
        print(f"{told['chip']}: {error}", file=sys.stderr)
        return 1
    here = {**{column: f"{area.get(column, 0):,}" for column in told["columns"]}, **rows(mhz)}
    for name, patterns in told["readings"].items():
        text = Path(cells).with_name(name).read_text(encoding="utf-8", errors="replace")
        here.update({reading: re.findall(pattern, text)[-1] for reading, pattern in patterns.items()})
    known = told["measured"]
    there = {}
    if known:
        there = {column: f"{known['area'][column]:,}" for column in told["columns"]}
        if set(mhz) <= set(known["fmax_mhz"]):
            there.update(rows({seed: known["fmax_mhz"][seed] for seed in mhz}))
    print(f"{told['design']} on {told['title']}")
    print(f"{'':16}{'here':>12}{'measured' if known else '':>12}".rstrip())
    for name, text in here.items():
        print(f"{name:16}{text:>12}{there.get(name, ''):>12}".rstrip())
    if known:
        tools = ", ".join(f"{tool} {version}" for tool, version in known["tools"].items())
        same = all(here[name] == text for name, text in there.items())
        print(
            f"{'the same as' if same else 'other versions of the tools give other figures:'} "
            f"modmul measured with {tools} on {known['date']}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
