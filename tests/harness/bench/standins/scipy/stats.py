# SPDX-License-Identifier: Apache-2.0
# What compare.py --no-utest needs of scipy; used where the real one is not installed.
import math


class Row(list):
    def any(self):
        return any(value != 0 for value in self)


def gmean(rows):
    """Geometric mean of each column."""
    return Row(math.exp(sum(map(math.log, column)) / len(column)) for column in zip(*rows))


def mannwhitneyu(*_, **__):
    raise RuntimeError("only --no-utest works with this stand-in")
