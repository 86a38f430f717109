# SPDX-License-Identifier: Apache-2.0
"""Proofs about the hardware of a build, for all operands and for ever."""
