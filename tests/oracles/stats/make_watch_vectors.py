#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/fixtures/stats/watch.json: control charts of random series, from their definitions and Python's own statistics.

    cd tests/oracles/stats && python3 make_watch_vectors.py > ../../fixtures/stats/watch.json

Made with Python 3.11.
"""
import json
import random
import statistics
import sys

WEIGHT, SDS, BASELINE, FEWEST = .2, 3, 20, 8
random.seed(7)


def chart(x):
    rows, before = [], False
    for i in range(FEWEST, len(x)):
        base = x[:min(i, BASELINE)]
        mean, sd, middle = statistics.fmean(base), statistics.stdev(base), statistics.median(base)
        spread = 1.4826 * statistics.median([abs(v - middle) for v in base])
        r = i - FEWEST + 1
        # The recursion written out: weights fall by 1 - w, and what is left belongs to the start.
        e = (1 - WEIGHT) ** r * statistics.fmean(x[:FEWEST]) + sum(WEIGHT * (1 - WEIGHT) ** (i - j) * x[j] for j in range(FEWEST, i + 1))
        limit = SDS * sd * (WEIGHT / (2 - WEIGHT) * (1 - (1 - WEIGHT) ** (2 * r))) ** .5
        beyond = x[i] > middle + SDS * spread
        rows.append(dict(index=i, sds_above=(x[i] - mean) / sd, ewma_above=e - mean, ewma_limit=limit, three_sigma=x[i] > mean + SDS * sd,
                         two_in_a_row=beyond and before, ewma=e > mean + limit))
        before = beyond
    return rows


def series(i):
    x = [round(6 + random.gauss(0, .02), 6) for _ in range(random.randint(9, 60))]
    if i % 3 == 1:  # a slow creep
        x = [round(v + .001 * k, 6) for k, v in enumerate(x)]
    if i % 3 == 2:  # outliers, some of them in pairs
        for k in range(10, len(x) - 1):
            if random.random() < .1:
                x[k] = round(x[k] + .12, 6)
                x[k + 1] = round(x[k + 1] + random.choice([0, .12]), 6)
    return x


json.dump(dict(command='make_watch_vectors.py, see its head', charts=[dict(values=x, states=chart(x)) for x in map(series, range(12))]), sys.stdout,
          separators=(',', ':'))
print()
