# SPDX-License-Identifier: Apache-2.0
"""Where things are written: the cache of what may be lost (builds, logs, results), and the user's files."""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import platformdirs

__all__ = ["PlaceError", "cache_dir", "cache_or_scratch", "check_writable", "replacing", "writing"]


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


@contextmanager
def replacing(what: str, file: Path, mode: int = 0o666) -> Iterator[Callable[[bytes], None]]:
    """A file that is written as a whole or not at all, refused before there is anything to write.

    The body gets a function that takes all its bytes, once: they go to a file beside it, which then takes its
    place, with the permissions of the file that was there. Until that is called, and where it fails, what was
    there stays. A device or a pipe is written as it is.

    Args:
        mode: of a file that was not there, as far as the process allows it.

    Raises:
        PlaceError: the file cannot be written.
    """
    with writing(what, file):
        place = file.resolve()
        regular = place.is_file() or not place.exists()
        if regular and place.exists():
            place.open("ab").close()
        part = place.with_name(f".modmul-{secrets.token_hex(8)}") if regular else place
        new = os.O_EXCL if regular else os.O_TRUNC
        stream = os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | new, mode), "wb")

    def put(data: bytes) -> None:
        with writing(what, file):
            with stream:
                stream.write(data)
            if regular:
                if place.exists():
                    shutil.copymode(place, part)
                part.replace(place)

    try:
        yield put
    finally:
        with suppress(OSError):  # of bytes that could not be written, which put has told
            stream.close()
        if regular:
            part.unlink(missing_ok=True)


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


def cache_or_scratch() -> Path:
    """The cache folder; where it cannot be written, one that goes with this process.

    For what is written quickly and wanted only while this process runs, so that it works everywhere.
    """
    try:
        return cache_dir()
    except PlaceError:
        return Path(_scratch().name)


@cache
def _scratch() -> tempfile.TemporaryDirectory[str]:
    """Removed when the process ends."""
    return tempfile.TemporaryDirectory(prefix="modmul-")
