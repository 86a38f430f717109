# SPDX-License-Identifier: Apache-2.0
"""Checkouts of repositories of others, whose files are read where they lie and are never copied into this."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

__all__ = ["PEERS", "CheckoutError", "checked_out"]

PEERS = "MODMUL_PEERS"
"""The environment variable with the folder of the checkouts; each lies in it under its repository's name."""

SECONDS = 60
"""That git may take to look at one."""


class CheckoutError(ValueError):
    """A checkout that is not there, or not at its commit; the message says how to get it."""


def checked_out(url: str, commit: str, files: Sequence[str]) -> tuple[Path, ...]:
    """Files of a repository, in the checkout that :data:`PEERS` leads to.

    Args:
        url: of the repository; the checkout is named by the last part.
        commit: where the checkout has to be; the files must be as they are there.
        files: paths in it.

    Raises:
        CheckoutError: there is no checkout, it is at another commit, or a file was changed.
    """
    name = url.rstrip("/").rpartition("/")[2]
    place = os.environ.get(PEERS)
    if not place:
        raise CheckoutError(f"set {PEERS} to a folder with a checkout of it: git clone {url} {name}")
    folder = (Path(place) / name).absolute()
    if not folder.is_dir():
        raise CheckoutError(
            f"there is no {folder}: git clone {url} {folder} && git -C {folder} checkout {commit}"
        )
    if (found := _git(folder, "rev-parse", "HEAD")) != commit:
        raise CheckoutError(f"{folder} is at {found[:12]}: git -C {folder} checkout {commit}")
    if changed := _git(folder, "status", "--porcelain", "--", *files):
        raise CheckoutError(f"{folder} has changes: {' '.join(changed.split())}; git -C {folder} stash")
    missing = [file for file in files if not (folder / file).is_file()]
    if missing:
        raise CheckoutError(f"{folder} has no {missing[0]}: git -C {folder} sparse-checkout disable")
    return tuple(folder / file for file in files)


def _git(folder: Path, *arguments: str) -> str:
    """What git says of a checkout: of this folder itself, and of none around it."""
    around = {"GIT_CEILING_DIRECTORIES": str(folder.parent)}
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    try:
        return subprocess.run(
            ("git", "-C", str(folder), *arguments),
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=True,
            env=kept | around,
        ).stdout.strip()
    except FileNotFoundError as error:
        raise CheckoutError("git is not installed, and looks at the checkout; install it") from error
    except subprocess.SubprocessError as error:
        told = getattr(error, "stderr", "") or str(error)
        raise CheckoutError(f"git cannot read {folder}: {' '.join(str(told).split())}") from error
