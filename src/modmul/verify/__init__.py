# SPDX-License-Identifier: Apache-2.0
"""Proves a core right in simulation, against Python's own integers."""
