# SPDX-License-Identifier: Apache-2.0
"""What the checks of the contract reach in the hardware, and what nothing can reach."""
