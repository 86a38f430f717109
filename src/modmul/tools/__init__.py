# SPDX-License-Identifier: Apache-2.0
"""What every part that starts programs shares: one runner, one pool, one store, one shape of progress."""
