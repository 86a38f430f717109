# SPDX-License-Identifier: Apache-2.0
"""Several pieces of work at a time, each of which runs tools."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from typing import TypeVar

from modmul.tools.run import kill_tools

__all__ = ["run_all"]

PULSE = 0.5
"""Seconds after which a waiting thread looks whether a signal has come."""

Item = TypeVar("Item")
Result = TypeVar("Result")


class _Dropped(Exception):
    """Work that was not begun, because other work had failed."""


def run_all(
    items: Iterable[Item],
    work: Callable[[Item], Result],
    *,
    workers: int,
    on_failure: Callable[[], None] = lambda: None,
) -> list[Result]:
    """``work`` of every item, several at a time; the results in the order of the items.

    An exception of the work, or KeyboardInterrupt here, kills the tools that are running, drops what has not
    begun, and is raised again when all work has ended.

    Args:
        workers: pieces of work at the same time, at least 1.
        on_failure: called once then, to stop work that runs no tool.
    """
    failed = threading.Event()

    def unless_failed(item: Item) -> Result:
        if failed.is_set():
            raise _Dropped
        try:
            return work(item)
        except BaseException:
            failed.set()
            raise

    pool = ThreadPoolExecutor(workers)
    futures: list[Future[Result]] = []
    try:
        for item in items:
            futures.append(pool.submit(unless_failed, item))
        left = set(futures)
        while left:
            # A signal may reach another thread: this one has to wake up for its handler to run.
            done, left = wait(left, timeout=PULSE, return_when=FIRST_EXCEPTION)
            for error in (future.exception() for future in done):
                if error is not None and not isinstance(error, _Dropped):
                    raise error
        return [future.result() for future in futures]
    except BaseException:
        failed.set()
        on_failure()
        pool.shutdown(wait=False, cancel_futures=True)
        while not all(future.done() for future in futures):
            kill_tools()
            time.sleep(0.05)
        raise
    finally:
        pool.shutdown()
