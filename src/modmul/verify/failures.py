# SPDX-License-Identifier: Apache-2.0
"""How a verification fails; a module of its own, for those who ask without being able to simulate."""

from __future__ import annotations

__all__ = ["ProtocolError", "SimulatorError", "VerificationError"]


class SimulatorError(RuntimeError):
    """The simulator could not be built; the message holds the tool's own words."""


class ProtocolError(RuntimeError):
    """The simulated core broke the port contract (docs/contract.md)."""


class VerificationError(AssertionError):
    """The hardware disagrees with Python's integers, the metadata or the contract."""
