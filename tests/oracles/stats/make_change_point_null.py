#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes stats/change_point_null_table.cpp: the null distributions of cpd.py at the places where a p-value needs them.

    cd tests/oracles/stats && python3 make_change_point_null.py > ../../../stats/change_point_null_table.cpp

Made with numpy 1.24.2 and scipy 1.10.1 (Debian 12); the draws are those of numpy's PCG64 with the seed in cpd._null.
Takes about half a minute.

A knot is (c, v): v is the c-th largest of the draws, in millionths and rounded up. Upwards, because a p-value counts draws
that are at least as large as what was observed, and a rank statistic that is observed often equals a draw. It is written as
seven digits of base 64 (0-9, A-Z, a-z, +, /): three for c, four for v.
"""
import sys

import numpy as np

import cpd

MIN_SEGMENT, SIZES, DRAWS, SCALE = 4, range(8, 121), 20000, 1e6
FEW_GROUPS = 60
LINE = 112  # characters, sixteen knots
WINDOW, WINDOW_TOP = 60, 200  # p-values of windows are compared with each other: every draw up to p = .01
CRITICAL = [20, 200, 1000]  # alpha .001, .01, .05: p <= alpha exactly when the statistic is above the c-th largest draw
GEOMETRIC = [round(20 * 1.18 ** i) for i in range(1, 14)] + [round(200 * 1.6 ** i) for i in range(1, 9)]
TARGETS = sorted(CRITICAL + list(range(1, 20)) + GEOMETRIC + [11000, 13500, 16000, 17500, 19000, DRAWS])
DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/'


def base64(number, digits):
    text = ''
    for _ in range(digits):
        number, digit = divmod(number, 64)
        text = DIGITS[digit] + text
    assert number == 0
    return text


def rounded(value):
    return int(np.ceil(value * SCALE))


def knots(largest_first, targets):
    """The targets, each with both ends of its group of equal draws: p then jumps where it does in the full list. Where
    there are few groups (a rank statistic of few values), all of them."""
    groups = np.unique(np.round(largest_first, 9), return_index=True)[1] + 1
    if len(groups) <= FEW_GROUPS:
        targets = groups
    chosen = set()
    for c in targets:
        equal = np.flatnonzero(np.abs(largest_first - largest_first[c - 1]) < 1e-9) + 1
        chosen |= {int(equal[0]), int(equal[-1])}
    return [(c, rounded(largest_first[c - 1])) for c in sorted(chosen)]


def attainable(n):
    """Every value the rank statistic can have, tied observations (half ranks) included."""
    values = []
    for k in range(MIN_SEGMENT, n - MIN_SEGMENT + 1):
        most = k * (n - k)  # twice the largest |rank sum - its mean|
        values.append(np.arange(most + 1) / 2 / np.sqrt(k * (n - k) * (n + 1) / 12.0))
    return np.unique(np.concatenate(values))


def check_rounding(n, largest_first):
    """No value that can be observed lies between a critical draw and what it was rounded to."""
    values = attainable(n)
    for c in CRITICAL:
        v = largest_first[c - 1]
        between = values[(values > v + 1e-9) & (values <= rounded(v) / SCALE)]
        if len(between):
            sys.exit(f'n {n}: rounding the {c}-th largest draw {v} jumps over {between}')


def main():
    tables = {'rank': [], 'pooled_t': []}
    for n in SIZES:
        targets = sorted(set(TARGETS) | set(range(1, WINDOW_TOP + 1))) if n == WINDOW else TARGETS
        rank, pooled_t = (null[::-1] for null in cpd._null(n, MIN_SEGMENT, DRAWS))
        check_rounding(n, rank)
        tables['rank'].append(knots(rank, targets))
        tables['pooled_t'].append(knots(pooled_t, targets))
    print('// SPDX-License-Identifier: Apache-2.0')
    print('// Made by tests/oracles/stats/make_change_point_null.py, whose head has the command. Not for reading or editing.')
    print('// Over 400 lines because it is a table: n = 8 ... 120, two statistics, (c, c-th largest of 20,000 draws in millionths).')
    print('#include "stats/change_point_null_table.hpp"\n\n#include <array>\n')
    print('namespace torchgate::stats {\nnamespace {\n\n// Each entry is several literals that belong together: no comma is missing.')
    print('// NOLINTBEGIN(bugprone-suspicious-missing-comma)\n// clang-format off')
    for name, lists in tables.items():
        print(f'constexpr std::array<std::string_view, {len(lists)}> {name}_knots = {{')
        for each in lists:
            text = ''.join(base64(c, 3) + base64(v, 4) for c, v in each)
            print('\n'.join(f'"{text[at:at + LINE]}"' for at in range(0, len(text), LINE)) + ',')
        print('};')
    print('// clang-format on\n// NOLINTEND(bugprone-suspicious-missing-comma)\n\n}  // namespace\n')
    print('NullKnots null_knots(NullStatistic statistic, std::size_t n) {')
    print('  if (n < null_smallest_n || n > null_largest_n) return NullKnots("");')
    print('  const std::size_t at = n - null_smallest_n;')
    print('  return NullKnots(statistic == NullStatistic::rank_cusum ? rank_knots[at] : pooled_t_knots[at]);')
    print('}\n\n}  // namespace torchgate::stats')


main()
