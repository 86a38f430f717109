# SPDX-License-Identifier: Apache-2.0
"""A comparison, or the papers' figures beside ours, as one HTML file that needs nothing else.

Tables, diagrams and words are in the HTML; scripts of this folder, inlined, draw the charts, sort, filter and
step through recordings.
"""

from __future__ import annotations

from modmul.report.page.comparison import render
from modmul.report.page.papers import render_papers

__all__ = ["render", "render_papers"]
