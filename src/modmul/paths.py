# SPDX-License-Identifier: Apache-2.0
"""Where the project keeps what it may throw away."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

__all__ = ["cache_dir"]


def cache_dir() -> Path:
    """The folder for results, logs and builds; it is created when missing.

    The environment variable ``MODMUL_CACHE`` overrides the user's cache folder.
    """
    folder = Path(os.environ.get("MODMUL_CACHE") or platformdirs.user_cache_dir("modmul", appauthor=False))
    folder.mkdir(parents=True, exist_ok=True)
    return folder.resolve()
