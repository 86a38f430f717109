# SPDX-License-Identifier: Apache-2.0
"""Several pieces of work at a time, each of which runs tools."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

from modmul.tools.run import kill_tools

__all__ = ["run_all"]

PULSE = 0.5
"""Seconds after which a waiting thread looks whether a signal has come."""

Item = TypeVar("Item")
Result = TypeVar("Result")


def run_all(
    items: Iterable[Item],
    work: Callable[[Item], Result],
    *,
    workers: int | Callable[[], int],
    on_failure: Callable[[], None] = lambda: None,
) -> list[Result]:
    """``work`` of every item, several at a time; the results in the order of the items.

    An exception of the work, or KeyboardInterrupt here, kills the tools that are running, drops what has not
    begun, and is raised again when all work has ended.

    Args:
        workers: pieces of work at the same time, at least 1; a function is asked again and again.
        on_failure: called once then, to stop work that runs no tool.
    """
    todo = list(items)
    pool = ThreadPoolExecutor(max(1, len(todo)))  # a thread is started when there is work for it
    futures: list[Future[Result]] = []
    left: set[Future[Result]] = set()
    try:
        while left or len(futures) < len(todo):
            at_most = workers() if callable(workers) else workers
            while len(futures) < len(todo) and len(left) < at_most:
                futures.append(pool.submit(work, todo[len(futures)]))
                left.add(futures[-1])
            # A signal may reach another thread: this one has to wake up for its handler to run.
            done, left = wait(left, timeout=PULSE, return_when=FIRST_COMPLETED)
            for future in done:
                future.result()
        return [future.result() for future in futures]
    except BaseException:
        on_failure()
        pool.shutdown(wait=False, cancel_futures=True)
        while not all(future.done() for future in futures):
            kill_tools()
            time.sleep(0.05)
        raise
    finally:
        pool.shutdown()
