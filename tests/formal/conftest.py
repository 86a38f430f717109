# SPDX-License-Identifier: Apache-2.0
"""What the tests of proofs share."""

from __future__ import annotations

from pathlib import Path

import pytest

from modmul.tools.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """An empty one: nothing is taken as known."""
    return Store(tmp_path / "results.sqlite")
