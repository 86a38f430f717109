# SPDX-License-Identifier: Apache-2.0
"""Where the project keeps what it may lose: builds, logs and the results store."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

__all__ = ["CacheError", "cache_dir"]


class CacheError(ValueError):
    """The cache folder cannot be used; the message says which and why."""


def cache_dir() -> Path:
    """The cache folder, created if need be; the environment variable MODMUL_CACHE overrides it.

    Raises:
        CacheError: it cannot be created.
    """
    folder = Path(os.environ.get("MODMUL_CACHE") or platformdirs.user_cache_path("modmul")).absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CacheError(
            f"the cache folder {folder} cannot be made: {error.strerror}; set MODMUL_CACHE to another"
        ) from error
    return folder
