# SPDX-License-Identifier: Apache-2.0
"""Tables on the terminal and elsewhere; ``test_page.py`` has those of comparisons."""

import io
import re

import pytest
from rich.console import Console

from modmul.cli import printing


@pytest.mark.parametrize("terminal", [False, True])
def test_a_table_of_numbers_is_never_cut(terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts are folded on a narrow terminal, and only there; where that is not enough, lines are longer."""
    screen = io.StringIO()
    monkeypatch.setattr(
        printing, "out", Console(file=screen, width=60, force_terminal=terminal, color_system=None)
    )
    numbers = [f"{10**k:,}" for k in range(3, 12)]
    headings = ("curve", "core", *(f"of\n{k}" for k in range(9)))
    printing.print_table(headings, [("p256", "rrm_split Cores=2 Word=32", *numbers)], numbers=True)
    text = re.sub(r"\x1b\[\d*m", "", screen.getvalue())
    assert "…" not in text and set(numbers) <= set(text.split())
    assert ("rrm_split Cores=2 Word=32" in text) == (not terminal)
    assert {"rrm_split", "Cores=2", "Word=32"} <= set(text.split())
