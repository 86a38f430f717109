# SPDX-License-Identifier: Apache-2.0
"""Cores and systems on an AXI bus, and drivers for them (``docs/bus.md``)."""
