# SPDX-License-Identifier: Apache-2.0
"""Results that are never computed twice: one SQLite file, keyed by everything a result depends on."""

from __future__ import annotations

import json
import shlex
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from modmul.tools.extras import needed_version
from modmul.tools.paths import cache_dir
from modmul.tools.run import DiskFull

__all__ = ["Store", "StoreError", "file_digest", "result_key", "tool_versions"]

LOCK_SECONDS = 60.0

TABLE = "CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, value TEXT NOT NULL)"


def tool_versions(*distributions: str) -> dict[str, str]:
    """Installed version of each Python distribution (``"pyosys"``).

    Raises:
        MissingExtra: one is not installed, and an extra brings it.
        importlib.metadata.PackageNotFoundError: one is not installed, and no extra brings it.
    """
    return {name: needed_version(name) for name in distributions}


def result_key(
    kind: str,
    *,
    inputs: Iterable[str],
    target: str,
    options: Sequence[str],
    tools: Mapping[str, str],
) -> str:
    """The key of a result: a SHA-256, in hexadecimal, of all it depends on.

    Args:
        kind: what sort of result it is (``"synthesis"``).
        inputs: digests of what went in: ``Design.digest``, :func:`file_digest`.
        target: name of the target.
        options: commands and options of the tools, in order.
        tools: name and version of each tool.
    """
    content = {
        "kind": kind,
        "inputs": list(inputs),
        "target": target,
        "options": list(options),
        "tools": dict(tools),
    }
    return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def file_digest(*files: Path) -> str:
    """SHA-256, in hexadecimal, of the names and contents of files; their folders do not count."""
    content = [(file.name, sha256(file.read_bytes()).hexdigest()) for file in files]
    return sha256(json.dumps(content).encode()).hexdigest()


class StoreError(RuntimeError):
    """The results store cannot be used; the message is one line and says what to do."""


class Store:
    """Results by key in one SQLite file; safe from several threads and processes.

    Nothing is read or written before the first :meth:`get` or :meth:`put`, so what needs no results, shipped
    measurements for one, does not need the file either.

    Every :meth:`put` is committed before it returns, so an interruption loses nothing.
    """

    def __init__(self, path: Path | None = None) -> None:
        """The file at ``path``, made when it is needed; ``results.sqlite`` in the cache folder by default."""
        self._path = path

    @cached_property
    def path(self) -> Path:
        """The file.

        Raises:
            PlaceError: the cache folder cannot be written.
        """
        return self._path or cache_dir() / "results.sqlite"

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """The database with its table.

        Raises:
            StoreError: the file is damaged, or cannot be read or written.
            DiskFull: there is no room to write it.
        """
        try:
            with closing(sqlite3.connect(self.path, timeout=LOCK_SECONDS)) as database, database:
                database.execute(TABLE)
                yield database
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_FULL:
                raise DiskFull(self.path) from error
            raise StoreError(f"cannot use the results store {self.path}: {error}") from error
        except (sqlite3.DatabaseError, json.JSONDecodeError, UnicodeDecodeError) as error:
            aside = shlex.join(["mv", str(self.path), f"{self.path}.damaged"])
            raise StoreError(
                f"the results store {self.path} is damaged ({error}); put it aside to begin anew: {aside}"
            ) from error

    def open(self) -> None:
        """Make the file where there is none: to be refused before the work begins, and not in the middle.

        Raises:
            PlaceError, StoreError, DiskFull: as :meth:`get` and :meth:`put` would.
        """
        with self._transaction():
            pass

    def get(self, key: str) -> dict[str, Any] | None:
        """The value stored under ``key``, or ``None``."""
        with self._transaction() as database:
            row = database.execute("SELECT value FROM results WHERE key = ?", (key,)).fetchone()
            value: dict[str, Any] | None = row and json.loads(row[0])
        return value

    def put(self, key: str, value: Mapping[str, Any]) -> None:
        """Store ``value`` (whatever JSON can hold) under ``key``, replacing what was there."""
        with self._transaction() as database:
            database.execute("INSERT OR REPLACE INTO results VALUES (?, ?)", (key, json.dumps(dict(value))))
