# SPDX-License-Identifier: Apache-2.0
"""Proofs about the hardware of a build, for all operands and for ever."""

from __future__ import annotations

__all__ = ["SECONDS"]

SECONDS = 300.0
"""That a solver may take for one question, unless somebody says otherwise."""
