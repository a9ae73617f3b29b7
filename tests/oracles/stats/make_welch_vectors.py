#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/fixtures/stats/welch_pairs.json: 20 sample pairs, published and generated, with SciPy's Welch t, df and p,
and Cohen's d from its definition in exact rational arithmetic.

    python3 -m venv /tmp/oracle && /tmp/oracle/bin/pip install numpy==2.4.6 scipy==1.17.1
    cd tests/oracles/stats && /tmp/oracle/bin/python make_welch_vectors.py > ../../fixtures/stats/welch_pairs.json
"""
import csv
import json
import math
import sys
from fractions import Fraction

import numpy as np
import scipy
from scipy import stats

# Student's sleep data (Cushny & Peebles 1905), as in R's datasets::sleep; R's own help page gives p = 0.07939 for it.
SLEEP = ([0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0], [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4])
# Darwin's maize (The Effects of Cross and Self Fertilisation, 1876): heights of self- and cross-fertilised plants, inches.
MAIZE = ([17.375, 20.375, 20, 20, 18.375, 18.625, 18.625, 15.25, 16.5, 18, 16.25, 18, 12.75, 15.5, 18],
         [23.5, 12, 21, 22, 19.125, 21.5, 22.125, 20.375, 18.25, 21.625, 23.25, 21, 22.125, 23, 12])


def silver():
    """NIST StRD AtmWtAg: the atomic weight of silver by two instruments, less 107 (exact in doubles). With the 107 the means
    differ in their eighth digit only, and SciPy's p is good to seven digits, ours to eight."""
    groups = {}
    with open('../../fixtures/stats/nist/AtmWtAg.csv') as f:
        for row in csv.DictReader(f):
            groups.setdefault(row['group'], []).append(float(row['y']) - 107)
    return groups['1'], groups['2']


def generated():
    rng = np.random.default_rng(20241121)
    lognormal = lambda centre, sigma, n: (centre * np.exp(sigma * rng.normal(size=n))).round(3).tolist()
    yield 'no_change_30v30', lognormal(1000, .02, 30), lognormal(1000, .02, 30)
    yield 'slower_2pct_30v30', lognormal(1000, .02, 30), lognormal(1020, .02, 30)
    yield 'slower_5pct_30v30', lognormal(1000, .02, 30), lognormal(1050, .02, 30)
    yield 'faster_10pct_30v30', lognormal(1000, .03, 30), lognormal(900, .03, 30)
    yield 'two_values_a_side', [100.0, 101.0], [103.0, 104.5]
    yield 'two_against_hundred', lognormal(50, .1, 2), lognormal(55, .1, 100)
    yield 'unequal_spread_10v40', lognormal(10, .3, 10), lognormal(11, .01, 40)
    yield 'one_side_constant', [5.0] * 6, [5.0, 5.1, 4.9, 5.2, 5.3, 5.1]
    yield 'before_varies_after_does_not', lognormal(7, .05, 8), [7.5] * 8
    yield 'tiny_values', (np.array(lognormal(3, .1, 12)) * 1e-12).tolist(), (np.array(lognormal(3.2, .1, 12)) * 1e-12).tolist()
    yield 'nanoseconds_of_an_hour', lognormal(3.6e12, .01, 15), lognormal(3.65e12, .01, 15)
    yield 'p_far_in_the_tail', lognormal(100, .01, 40), lognormal(160, .01, 40)
    yield 'heavy_tails_25v25', (100 + rng.standard_t(2, 25)).round(4).tolist(), (101 + rng.standard_t(2, 25)).round(4).tolist()
    yield 'bimodal_20v20', (100 + 8 * (rng.random(20) < .3) + rng.normal(size=20)).round(4).tolist(), (100 + 8 * (rng.random(20) < .3) + rng.normal(size=20)).round(4).tolist()
    yield 'one_outlier_12v12', lognormal(200, .01, 11) + [900.0], lognormal(200, .01, 12)
    yield 'negative_values', (-5 + rng.normal(size=9)).round(4).tolist(), (-4 + rng.normal(size=9)).round(4).tolist()
    yield 'large_1000v1000', lognormal(1000, .2, 1000), lognormal(1010, .2, 1000)


def exact_cohen_d(a, b):
    """The definition of statistics' textbooks with rational sums: no rounding before the last division and root."""
    a, b = [Fraction(x) for x in a], [Fraction(x) for x in b]
    ma, mb = sum(a) / len(a), sum(b) / len(b)
    pooled = (sum((x - ma) ** 2 for x in a) + sum((x - mb) ** 2 for x in b)) / (len(a) + len(b) - 2)
    square = (mb - ma) ** 2 / pooled
    return math.copysign(math.sqrt(square), mb - ma)


def main():
    pairs = [('sleep', *SLEEP), ('maize', *MAIZE), ('silver_less_107', *silver()), *generated()]
    assert len(pairs) == 20
    rows = []
    for name, a, b in pairs:
        t = stats.ttest_ind(b, a, equal_var=False)
        rows.append(dict(name=name, before=a, after=b, t=float(t.statistic), df=float(t.df), p=float(t.pvalue), d=exact_cohen_d(a, b)))
    assert round(rows[0]['p'], 5) == 0.07939, "R's published p for the sleep data"
    json.dump(dict(made_with=f'numpy {np.__version__}, scipy {scipy.__version__}', command='make_welch_vectors.py, see its head', pairs=rows), sys.stdout, indent=0)
    print()


main()
