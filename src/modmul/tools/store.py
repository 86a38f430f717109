# SPDX-License-Identifier: Apache-2.0
"""Results that are never computed twice: one SQLite file, keyed by everything a result depends on."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from modmul.tools.extras import needed_version
from modmul.tools.paths import cache_dir

__all__ = ["Store", "file_digest", "result_key", "tool_versions"]

LOCK_SECONDS = 60.0


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


class Store:
    """Results by key in one SQLite file; safe from several threads and processes.

    Every :meth:`put` is committed before it returns, so an interruption loses nothing.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Open or create the file at ``path``; ``results.sqlite`` in the cache folder by default."""
        self.path = path or cache_dir() / "results.sqlite"
        with self._transaction() as database:
            database.execute("CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, value TEXT NOT NULL)")

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.path, timeout=LOCK_SECONDS)) as database, database:
            yield database

    def get(self, key: str) -> dict[str, Any] | None:
        """The value stored under ``key``, or ``None``."""
        with self._transaction() as database:
            row = database.execute("SELECT value FROM results WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        value: dict[str, Any] = json.loads(row[0])
        return value

    def put(self, key: str, value: Mapping[str, Any]) -> None:
        """Store ``value`` (whatever JSON can hold) under ``key``, replacing what was there."""
        with self._transaction() as database:
            database.execute("INSERT OR REPLACE INTO results VALUES (?, ?)", (key, json.dumps(dict(value))))
