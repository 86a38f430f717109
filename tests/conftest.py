# SPDX-License-Identifier: Apache-2.0
"""The seed of all random tests: fixed, printed, and changed with the environment variable MODMUL_SEED."""

import os
import random
import zlib

import pytest

SEED = int(os.environ.get("MODMUL_SEED", "4004"), 0)


def pytest_report_header() -> str:
    return f"MODMUL_SEED={SEED}"


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    """Random numbers that depend on the seed and on the test's name alone."""
    return random.Random(SEED ^ zlib.crc32(request.node.nodeid.encode()))
