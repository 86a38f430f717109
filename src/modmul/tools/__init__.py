# SPDX-License-Identifier: Apache-2.0
"""What the tools have in common."""
