# SPDX-License-Identifier: Apache-2.0
"""Where things are written: the cache of what may be lost (builds, logs, results), and the user's files."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import platformdirs

__all__ = ["PlaceError", "cache_dir", "check_writable", "writing"]


class PlaceError(ValueError):
    """A place that cannot be written; the message says which, why, and what to do."""


@contextmanager
def writing(what: str, place: Path, instead: str = "give another") -> Iterator[None]:
    """Turn what the operating system refuses while a place is written into a :class:`PlaceError`.

    Args:
        what: what the place is, for the message.
        place: the file or folder.
        instead: what to do, for the message.
    """
    try:
        yield
    except (FileExistsError, NotADirectoryError) as error:
        raise PlaceError(f"cannot write the {what} {place}: it or its parent is a file; {instead}") from error
    except OSError as error:
        raise PlaceError(f"cannot write the {what} {place}: {error.strerror or error}; {instead}") from error


def check_writable(what: str, file: Path) -> None:
    """Refuse a file that cannot be written, before there is anything to write. Nothing is left behind.

    Raises:
        PlaceError: it is a folder, its folder does not exist, or the system does not let it be written.
    """
    with writing(what, file):
        new = not file.exists()
        with file.open("ab"):
            pass
        if new:
            file.unlink()


def cache_dir() -> Path:
    """The cache folder, created if need be; the environment variable MODMUL_CACHE overrides it.

    Raises:
        PlaceError: it cannot be created or written.
    """
    folder = Path(os.environ.get("MODMUL_CACHE") or platformdirs.user_cache_path("modmul")).absolute()
    with writing("cache folder", folder, "set MODMUL_CACHE to another"):
        folder.mkdir(parents=True, exist_ok=True)
        _probe(folder)
    return folder


@cache
def _probe(folder: Path) -> None:
    """Write into a folder, once a run: one that is there may be read-only."""
    with tempfile.TemporaryFile(dir=folder):
        pass
