#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/fixtures/stats/change_points.json: random series, what cpd.py finds in them, and p-values of its nulls.

    cd tests/oracles/stats && python3 make_change_point_vectors.py > ../../fixtures/stats/change_points.json

Made with numpy 1.24.2 and scipy 1.10.1 (Debian 12). Values are whole numbers of 1e-5, which keeps the file small.
"""
import json
import sys

import numpy as np
import scipy

import cpd

SERIES, STEP = 200, 1e-5
rng = np.random.default_rng(20261121)


def noise(kind, n):
    """Eight kinds: normal, heavy tails, correlated, quiet, coarsely rounded, wandering, none at all, with spikes."""
    y = .02 * rng.standard_normal(n)
    if kind == 1:
        y = .02 * rng.standard_t(3, n)
    if kind == 2:
        for k in range(1, n):
            y[k] = .5 * y[k - 1] + .87 * y[k]
    if kind == 3:
        y = .1 * y
    if kind == 4:
        y = np.round(y, 2)
    if kind == 5:
        y = .3 * np.cumsum(y)
    if kind == 6:
        y = 0 * y
    if kind == 7:
        y[rng.random(n) < .05] += .1
    return y


def series(kind):
    n = int(rng.integers(8, 220))
    y = noise(kind, n)
    for _ in range(rng.integers(0, 7)):
        y[int(rng.integers(0, n)):] += rng.choice([.003, .006, .01, .02, .05, .1]) * rng.choice([-1, 1])
    return np.round(y / STEP).astype(int)


def detections():
    rows = []
    for i in range(SERIES):
        values = series(i % 8)
        alpha, magnitude = float(rng.choice([.001, .01, .01, .05])), float(rng.choice([.01, .01, .005, 0, .03]))
        rows.append(dict(values=values.tolist(), alpha=alpha, magnitude=magnitude, changes=[int(k) for k in cpd.detect(values * STEP, alpha, magnitude)]))
    return rows


def null_probabilities():
    """p of each statistic at points between and at the draws: count/20001 with all draws in hand."""
    rows = []
    for n in [8, 9, 10, 12, 15, 20, 30, 45, 59, 60, 61, 80, 100, 120]:
        for name, draws in zip(('rank_cusum', 'pooled_t'), cpd._null(n, 4)):
            at = [float(x) for x in np.quantile(draws, [0, .03, .2, .5, .8, .9, .94, .96, .985, .989, .9901, .995, .9985, .9989, .9991, .9996, .99993, 1])]
            at += [float(draws[-c]) for c in (1, 20, 21, 200, 201, 1000, 1001)] + [float(draws[-1]) + .5]
            rows.append(dict(n=n, statistic=name, points=[dict(maximum=x, p=float(cpd._p(draws, x))) for x in at]))
    return rows


def sums():
    """NumPy's sum and mean of numbers of very different size: the order of its additions shows in the last digits."""
    rows = []
    for n in [0, 1, 3, 7, 8, 9, 60, 120, 127, 128, 129, 136, 255, 256, 1000]:
        values = rng.standard_normal(n) * 10.0 ** rng.integers(-6, 6, n)
        rows.append(dict(values=values.tolist(), sum=float(values.sum())))
    return rows


json.dump(dict(made_with=f'numpy {np.__version__}, scipy {scipy.__version__}', command='make_change_point_vectors.py, see its head', unit=STEP,
               detections=detections(), null=null_probabilities(), sums=sums()), sys.stdout, separators=(',', ':'))
print()
