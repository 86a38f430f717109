# SPDX-License-Identifier: Apache-2.0
"""Verifies several configurations at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace

from modmul.room import Build
from modmul.tools.paths import cache_dir
from modmul.tools.pool import run_all
from modmul.tools.progress import Listener, Progress, ignore
from modmul.verify.failures import ProtocolError, SimulatorError, VerificationError
from modmul.verify.runner import Plan, Verification, verify

__all__ = ["verify_all"]


def verify_all(
    builds: Sequence[Build],
    plan: Plan,
    *,
    workers: int = 2,
    listener: Listener = ignore,
    on_success: Callable[[Build, Verification], None] = lambda *_: None,
) -> dict[Build, Verification | Exception]:
    """Verify several builds at a time; a failing one does not stop the others.

    Args:
        workers: builds at the same time, at least 1.
        listener: told at once, and after each batch.
        on_success: called as soon as one has passed, in any thread.

    Returns:
        For each the :class:`Verification`, or what :func:`~modmul.verify.runner.verify` raised. An interrupt
        stops the others after their batch at hand and is raised again.

    Raises:
        PlaceError: the cache folder cannot be written.
    """
    stop = threading.Event()
    done = dict.fromkeys(builds, 0)
    total = sum(plan.random(build.room) for build in builds)
    lock = threading.Lock()
    cache_dir()  # one that cannot be written is refused before anything is told
    listener(Progress("verify", "", 0, total))

    def work(build: Build) -> Verification | Exception:
        def progress(step: Progress) -> None:
            with lock:
                done[build] = min(step.done, step.total)
                listener(replace(step, done=sum(done.values()), total=total))

        try:
            verified = verify(build, plan, listener=progress, stop=stop)
        except (VerificationError, ProtocolError, SimulatorError, ValueError) as error:
            return error.with_traceback(None)  # it would keep the simulations alive
        on_success(build, verified)
        return verified

    outcomes = run_all(builds, work, workers=workers, on_failure=stop.set)
    return dict(zip(builds, outcomes, strict=True))
