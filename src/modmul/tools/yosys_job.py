# SPDX-License-Identifier: Apache-2.0
"""``python -m modmul.tools.yosys_job JOB.json``: runs a JSON list of Yosys commands in order.

Yosys ends its process at the first error; therefore it gets one of its own.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from pyosys import libyosys as ys  # type: ignore[attr-defined]

if __name__ == "__main__":
    design = ys.Design()
    for command in json.loads(Path(sys.argv[1]).read_text()):
        ys.run_pass(command, design)
