# SPDX-License-Identifier: Apache-2.0
"""Published vectors, from packages that hold them, on simulated hardware (docs/verification.md)."""
