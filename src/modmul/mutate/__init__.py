# SPDX-License-Identifier: Apache-2.0
"""Mutants of every module: whether the checks find them, and which of the others are equivalent."""
