#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/fixtures/stats/verdicts.json: what the Python reference answers to more than 10,000 drawn inputs.

    python3 -m venv /tmp/oracle && /tmp/oracle/bin/pip install numpy==2.4.6 scipy==1.17.1
    cd tests/oracles/stats && /tmp/oracle/bin/python make_verdicts.py > ../../fixtures/stats/verdicts.json

An argument names another folder with procedure.py and statlib.py. The inputs are not in the file: tests/stats/
drawn_inputs.hpp draws the same ones. They are whole numbers times 2^-46, so that no rounding differs between languages.
"near" lists the inputs for which a quantity lies within 1e-9 of the limit it is compared with.
"""
import json
import math
import os
import sys
from fractions import Fraction

sys.path.insert(0, sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.abspath(__file__)))
import numpy as np
import scipy
from scipy import stats

import procedure
import statlib

UNIT = 2.0 ** -46
CENTRE = 6 << 46
MODE = round(.05 * 2 ** 46)
SCALES = [4, 20, 60, 200, 600, 1600]  # SD 0.0002, 0.001, 0.003, 0.01, 0.03, 0.08
EFFECTS = [round(math.log1p(x) * 2 ** 46) for x in (0, 0, 0, .004, .01, .02, .05, .1, .3, 1, -.02, -.05, -.1)]
RATIOS = [round(math.log(x) * 2 ** 46) for x in (.5, .8, .88, .9, .92, 1, 1.3)]
FAMILIES = [1, 2, 3, 10, 50, 200, 500]
SUITES = [1, 4, 9, 10, 12, 20, 24]
PAIRS = [6, 9, 17, 30, 48, 48, 48, 55]
RUN_SDS = [.01, .02]
PROMISES = [.5, .9, 1.0]
ALPHAS = [.01, .001]
CLAIMS = [1, 2, 3, 4, 9, 27, 60]
SHIFTS = [0, 0, round(.01 * 2 ** 46), round(-.02 * 2 ** 46)]
NO_HARM = [.95, .98]
SHARES = [1.0, .5, .2]
NEAR = 1e-9
LETTERS = {'regressed': 'r', 'improved': 'i', 'equivalent': 'e', 'inconclusive': '?'}


class Draw:
    """splitmix64 and what is made of it. The order of the calls is part of the fixture."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & (2 ** 64 - 1)
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & (2 ** 64 - 1)
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & (2 ** 64 - 1)
        return z ^ (z >> 31)

    def below(self, n):
        return self.next() % n

    def pick(self, choices):
        return choices[self.below(len(choices))]

    def noise(self):
        """The sum of eight 32-bit numbers about 0, nearly normal: SD 3.5e9."""
        total = -8 * 2 ** 31
        for _ in range(4):
            z = self.next()
            total += (z >> 32) + (z & 0xFFFFFFFF)
        return total

    def value(self, kind, scale):
        v = self.noise() * scale
        if kind == 1 and self.below(16) == 0:
            v *= 8
        if kind == 2 and self.below(10) < 3:
            v += MODE
        return v

    def values(self, n, centre, kind, scale):
        return [centre + self.value(kind, scale) for _ in range(n)]


def real(x):
    return np.asarray(x, float) * UNIT


def short(x):
    return float('%.7g' % x)


def close(value, limit):
    return abs(value - limit) <= NEAR * max(abs(limit), NEAR)


def flags(e, p, se, df, m):
    """0-3: candidate, and 2 more when all of its interval lies beyond the gate; and whether one of these is near a limit."""
    bound = e - stats.t.ppf(1 - procedure.ALPHA / (2 * m), df) * se
    near = close(p, procedure.SCREEN_P) or close(abs(e), procedure.SCREEN_EFFECT) or close(bound, procedure.GATE)
    return int(procedure.is_candidate(e, p)) + 2 * int(procedure.beyond_gate(e, se, df, m)), near


def few(draw):
    kind, scale, run_scale, effect = draw.below(3), draw.pick(SCALES), draw.pick(SCALES[:4]), draw.pick(EFFECTS)
    runs = 1 + draw.below(4)
    baseline = []
    for k in range(runs):
        level = CENTRE + draw.noise() * run_scale
        baseline.append(draw.values((1 if k else 2) + draw.below(7), level, kind, scale))
    current = draw.values(2 + draw.below(7), CENTRE + draw.noise() * run_scale + effect, kind, scale)
    run_sd, m = draw.pick(RUN_SDS), draw.pick(FAMILIES)
    e, p, se, df, _ = procedure.screen_few([real(run) for run in baseline], real(current), run_sd)
    return (*flags(e, p, se, df, m), p)


def history(draw):
    cases, runs, now, kind = draw.pick(SUITES), 5 + draw.below(16), 1 + draw.below(3), draw.below(3)
    base, new = [], []
    for _ in range(cases):
        scale, effect = draw.pick(SCALES), draw.pick(EFFECTS)
        base.append(draw.values(runs, CENTRE, kind, scale))
        new.append(draw.values(now, CENTRE + effect, kind, scale))
    shift, m = draw.pick(SHIFTS) * UNIT, draw.pick(FAMILIES)
    z = real(new)
    e, p, se, df = procedure.screen_history(real(base), z[:, 0] if now == 1 else z, shift)
    return [(*flags(e[i], p[i], se[i], df, m), p[i]) for i in range(cases)]


def pair_limits(d, m, alpha, level):
    """Everything that `interleaved` compares on its way, and whether one of these lies near its limit."""
    looks = {procedure.first_look(m, alpha=alpha): .1, 28: .3, 48: .6}
    near = False
    for n in range(6, min(48, d.size) + 1):
        x = d[None, :n]
        if n in looks:
            near |= close(statlib.signed_rank(x)[0][0], alpha * looks[n] / m)
            near |= close(abs(statlib.hl1(x)[0]), procedure.MARGIN)
        centre, se, df = statlib.yuen1(x, .1)
        wide, narrow = stats.t.ppf(.5 + level / 2, df) * se[0], stats.t.ppf(.95, df) * se[0]
        near |= close(centre[0] + wide, procedure.HARM) or close(centre[0] - wide, -procedure.EQUIVALENCE)
        near |= close(centre[0] + wide, -procedure.MARGIN)
        near |= close(centre[0] + narrow, procedure.EQUIVALENCE) or close(centre[0] - narrow, -procedure.EQUIVALENCE)
    return bool(near)


def interleaved(draw):
    n, m, kind, scale, effect = draw.pick(PAIRS), draw.pick(FAMILIES), draw.below(3), draw.pick(SCALES), draw.pick(EFFECTS)
    d = real([effect + draw.value(kind, scale) - draw.value(kind, scale) for _ in range(n)])
    level, alpha = draw.pick(NO_HARM), procedure.ALPHA * draw.pick(SHARES)
    verdict, used, e, _ = procedure.interleaved(d, m, alpha=alpha, no_harm=level)
    return LETTERS[verdict], used, e, pair_limits(d, m, alpha, level)


def claim(draw):
    n, kind, scale, ratio = 5 + draw.below(8), draw.below(3), draw.pick(SCALES), draw.pick(RATIOS)
    reference = draw.values(n, CENTRE, kind, scale)
    optimised = draw.values(n, CENTRE + ratio, kind, scale)
    promised, alpha = draw.pick(PROMISES), draw.pick(ALPHAS)
    r = real(optimised) - real(reference)
    bound = r.mean() - stats.t.ppf(1 - alpha, n - 1) * r.std(ddof=1) / math.sqrt(n)
    return procedure.claim_broken(real(reference), real(optimised), promised, alpha), close(bound, math.log(promised))


def claim_family(draw):
    """The claims of one run. Some have four processes only, which are too few."""
    claims, alpha = [], draw.pick(ALPHAS)
    for _ in range(draw.pick(CLAIMS)):
        n, kind, scale, ratio = 4 + draw.below(8), draw.below(3), draw.pick(SCALES), draw.pick(RATIOS)
        reference = draw.values(n, CENTRE, kind, scale)
        optimised = draw.values(n, CENTRE + ratio, kind, scale)
        claims.append((real(reference), real(optimised), draw.pick(PROMISES)))
    rows = procedure.judge_claims(claims, alpha)
    near = any(close(upper, math.log(claim[2])) or (adjusted is not None and close(adjusted, alpha))
               for claim, (_, adjusted, _, upper) in zip(claims, rows) if upper is not None)
    bounds = [row[2:] for row in rows if row[2] is not None] or [(0.0, 0.0)]
    return ''.join(row[0] for row in rows), near, float(sum(b[0] for b in bounds)), float(sum(b[1] for b in bounds))


def moderation(draw):
    n, df = 10 + draw.below(50), 2 + draw.below(18)
    spread = 1 + draw.below(14)
    s2 = np.array([(1 + draw.below(2 ** 20)) * 2 ** draw.below(spread) for _ in range(n)], float) * 2.0 ** -40
    post, d0, s02 = statlib.limma_shrink(s2, df)
    return ['inf' if math.isinf(d0) else d0, s02, post[0], post[-1]]


def hodges_lehmann(draw):
    return float(statlib.hl1(real(draw.values(1 + draw.below(40), CENTRE, draw.below(3), draw.pick(SCALES)))))


def mser5(draw):
    """The definition in exact arithmetic: [white-1997] with batches of 5, at most half cut, the smallest of equal cuts."""
    n, kind, scale, warm = 10 + draw.below(190), draw.below(3), draw.pick(SCALES), draw.below(60)
    y = [v + (draw.below(3) << 43) // (1 + i) * (i < warm) for i, v in enumerate(draw.values(n, CENTRE, kind, scale))]
    means = [Fraction(sum(y[i:i + 5]), 5) for i in range(0, n - n % 5, 5)]
    scores = []
    for d in range(len(means) // 2 + 1):
        left = means[d:]
        mean = sum(left) / len(left)
        scores.append(sum((z - mean) ** 2 for z in left) / len(left) ** 2)
    return 5 * scores.index(min(scores))


def main():
    out = dict(made_with=f'numpy {np.__version__}, scipy {scipy.__version__}', command='make_verdicts.py, see its head',
               mode=MODE, scales=SCALES, effects=EFFECTS, ratios=RATIOS, families=FAMILIES, suites=SUITES, pairs=PAIRS,
               run_sds=RUN_SDS, promises=PROMISES, alphas=ALPHAS, shifts=SHIFTS,
               candidate_p=procedure.SCREEN_P, no_harm=NO_HARM, alpha_shares=SHARES)
    rows = [few(Draw(1000000 + i)) for i in range(3000)]
    out['few'] = dict(seed=1000000, flags=''.join(str(r[0]) for r in rows), p=[short(r[2]) for r in rows],
                      near=[i for i, r in enumerate(rows) if r[1]])
    rows = [row for i in range(200) for row in history(Draw(2000000 + i))]
    out['history'] = dict(seed=2000000, suites=200, flags=''.join(str(r[0]) for r in rows), p=[short(r[2]) for r in rows],
                          near=[i for i, r in enumerate(rows) if r[1]])
    rows = [interleaved(Draw(3000000 + i)) for i in range(4000)]
    out['interleaved'] = dict(seed=3000000, verdicts=''.join(r[0] for r in rows), pairs=[r[1] for r in rows],
                              effect=[short(r[2]) for r in rows], near=[i for i, r in enumerate(rows) if r[3]])
    rows = [claim(Draw(4000000 + i)) for i in range(1500)]
    out['claims'] = dict(seed=4000000, broken=''.join(str(int(r[0])) for r in rows), near=[i for i, r in enumerate(rows) if r[1]])
    rows = [claim_family(Draw(8000000 + i)) for i in range(200)]
    out['claim_families'] = dict(seed=8000000, sizes=CLAIMS, calls=[r[0] for r in rows], lower=[short(r[2]) for r in rows],
                                 upper=[short(r[3]) for r in rows], near=[i for i, r in enumerate(rows) if r[1]])
    out['moderation'] = dict(seed=5000000, answers=[moderation(Draw(5000000 + i)) for i in range(200)])
    out['hodges_lehmann'] = dict(seed=6000000, answers=[hodges_lehmann(Draw(6000000 + i)) for i in range(200)])
    out['mser5'] = dict(seed=7000000, answers=[mser5(Draw(7000000 + i)) for i in range(200)])
    json.dump(out, sys.stdout, separators=(',', ':'))
    print()


main()
