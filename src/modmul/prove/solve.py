# SPDX-License-Identifier: Apache-2.0
"""Obligations of a proof, each a text in SMT-LIB for one solver, and what the solver says of them."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from modmul.prove.reach import Outcome, Verdict
from modmul.tools.run import ToolFailure, log_file, own_log, run_tool, work_dir
from modmul.tools.store import Store, result_key, tool_versions

__all__ = ["SOLVERS", "Obligation", "discharge"]

SOLVERS = {"bitwuzla": "bitwuzla", "z3": "z3-solver"}
"""The packages of the solvers."""

GRACE = 60.0
"""Seconds that a process of a solver may take beyond what it gives its questions."""


@dataclass(frozen=True)
class Obligation:
    """A question for a solver, and the right answer.

    Attributes:
        layer: what part of the proof it belongs to.
        name: what it says.
        solver: one of :data:`SOLVERS`.
        texts: in SMT-LIB, without ``(check-sat)``; each has to be answered alike.
        holds: whether the answer is to be that nothing fulfils a text, which proves what it denies; otherwise
            something has to, which shows that what the proof assumes is possible.
    """

    layer: str
    name: str
    solver: str
    texts: tuple[str, ...]
    holds: bool = True

    @property
    def digest(self) -> str:
        """SHA-256 of the texts."""
        content = sha256()
        for text in self.texts:
            content.update(text.encode() + b"\0")
        return content.hexdigest()


def discharge(
    obligations: Sequence[Obligation], store: Store, seconds: float, name: str = "proof"
) -> Iterator[tuple[Obligation, Outcome]]:
    """What the solvers say of obligations, one after the other; what is known already is not asked again.

    Args:
        seconds: that each text may take.
        name: of the log.

    Raises:
        ToolFailure: a solver failed; one that takes too long is an outcome, and no failure.
    """
    for each in obligations:
        key = result_key(
            "obligation",
            inputs=(each.digest,),
            target=each.solver,
            options=(str(each.holds),),
            tools=tool_versions(SOLVERS[each.solver]),
        )
        known = store.get(key)
        if known is None:
            outcome = _ask(each, seconds, name)
            if outcome.verdict is not Verdict.UNKNOWN:
                store.put(key, {"verdict": str(outcome.verdict), "seconds": outcome.seconds})
        else:
            outcome = Outcome(Verdict(known["verdict"]), each.solver, known["seconds"])
        yield each, outcome


def _ask(obligation: Obligation, seconds: float, name: str) -> Outcome:
    right, wrong = ("unsat", "sat") if obligation.holds else ("sat", "unsat")
    begun = time.monotonic()
    kept = log_file(f"{name}-{obligation.solver}-{obligation.digest[:12]}")
    with work_dir() as folder, own_log(folder, kept) as log:
        (folder / "job.json").write_text(json.dumps(obligation.texts), encoding="utf-8")
        command = (
            sys.executable,
            "-P",
            "-m",
            "modmul.prove.job",
            obligation.solver,
            "job.json",
            f"{seconds:g}",
        )
        try:
            run_tool(command, folder=folder, log=log, timeout=seconds * len(obligation.texts) + GRACE)
        except ToolFailure as failure:
            if "took longer" not in failure.reason:
                raise
        answers = log.read_text(errors="replace").split()
    took = time.monotonic() - begun
    if wrong in answers:
        return Outcome(Verdict.REFUTED, obligation.solver, took)
    if answers == [right] * len(obligation.texts):
        return Outcome(Verdict.PROVEN, obligation.solver, took)
    return Outcome(Verdict.UNKNOWN, obligation.solver, took)
