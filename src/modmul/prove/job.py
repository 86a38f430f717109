# SPDX-License-Identifier: Apache-2.0
"""``python -m modmul.prove.job SOLVER JOB.json SECONDS``: what a solver says of each SMT-LIB text of a JSON
list.

It prints a line for each: ``sat``, ``unsat`` or ``unknown``. A process of its own can be ended when it takes
too long.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def bitwuzla(text: str, seconds: float) -> str:
    import bitwuzla as solver  # noqa: PLC0415 (one of them is enough)

    options = solver.Options()
    options.set(solver.Option.TIME_LIMIT_PER, int(1000 * seconds))
    parser = solver.Parser(solver.TermManager(), options)
    parser.parse(text, True, False)
    return str(parser.bitwuzla().check_sat())


def z3(text: str, seconds: float) -> str:
    import z3 as solver  # noqa: PLC0415

    found: Any = solver.Solver()  # type: ignore[no-untyped-call]
    found.set("timeout", int(1000 * seconds))
    found.from_string(text)
    return str(found.check())


SOLVERS = {"bitwuzla": bitwuzla, "z3": z3}

if __name__ == "__main__":
    ask, limit = SOLVERS[sys.argv[1]], float(sys.argv[3])
    for each in json.loads(Path(sys.argv[2]).read_text(encoding="utf-8")):
        print(ask(each, limit), flush=True)
