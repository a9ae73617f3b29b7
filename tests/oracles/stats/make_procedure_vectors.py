#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/fixtures/stats/procedure.json: generated inputs and what the Python reference (procedure.py) answers.

    python3 -m venv /tmp/oracle && /tmp/oracle/bin/pip install numpy==2.4.6 scipy==1.17.1
    cd tests/oracles/stats && /tmp/oracle/bin/python make_procedure_vectors.py > ../../fixtures/stats/procedure.json

An infinite number is written as the string "inf", an absent one as null.
"""
import json
import sys

import numpy as np
import scipy

import procedure
import statlib

rng = np.random.default_rng(20241122)


def numbers(x):
    """Rounded for the size of the file: the answers are computed from the rounded numbers."""
    return [float(v) for v in np.round(np.asarray(x, float), 9)]


def number(x):
    if x is None:
        return None
    return 'inf' if np.isinf(x) else float(x)


def noise(n):
    """Shapes of process-level noise: quiet, ordinary, heavy-tailed, two modes."""
    kind, sd = rng.integers(4), 10 ** rng.uniform(-3, -1.2)
    if kind == 0:
        return sd * .2 * rng.normal(size=n)
    if kind == 1:
        return sd * rng.normal(size=n)
    if kind == 2:
        return sd * rng.standard_t(2, size=n)
    return sd * rng.normal(size=n) + .05 * (rng.random(n) < .3)


def effect():
    return float(np.log1p(rng.choice([0, 0, 0, .004, .01, .02, .05, .1, .3, 1, -.02, -.05, -.1])))


def few():
    rows = []
    for _ in range(150):
        base = [numbers(6 + noise(rng.integers(1 if k else 2, 9))) for k in range(rng.integers(1, 5))]
        current = numbers(6 + effect() + noise(rng.integers(2, 9)))
        run_sd, m = float(rng.choice([0.0, .01, .02])), int(rng.choice([1, 5, 50]))
        e, p, se, df, d = procedure.screen_few(base, current, run_sd)
        rows.append(dict(baseline=base, current=current, run_sd=run_sd, m=m, effect=number(e), p=number(p), se=number(se), df=number(df), d=number(d),
                         candidate=bool(procedure.is_candidate(e, p)), beyond_gate=bool(procedure.beyond_gate(e, se, df, m))))
    return rows


def history():
    rows = []
    for i in range(40):
        cases, k, r = int(rng.choice([1, 4, 9, 10, 12, 20])), int(rng.integers(5, 25)), int(rng.integers(1, 4))
        scale = 10 ** rng.uniform(-1.2, .3, cases) if i % 3 else np.ones(cases)
        z = np.round(np.stack([6 + s * noise(k) for s in scale]), 7)
        new = np.round(np.stack([6 + effect() + s * noise(r) for s in scale]), 7)
        shift = float(rng.choice([0, 0, .01, -.02]))
        m = int(rng.choice([1, 5, 50]))
        e, p, se, df = procedure.screen_history(z, new[:, 0] if r == 1 else new, shift)
        rows.append(dict(baseline=z.tolist(), current=new.tolist(), shift=shift, m=m, effect=e.tolist(), p=p.tolist(), se=se.tolist(), df=number(df),
                         candidate=procedure.is_candidate(e, p).tolist(), beyond_gate=procedure.beyond_gate(e, se, df, m).tolist()))
    return rows


def interleaved(levels, shares, count, withins=(None,)):
    rows = []
    for _ in range(count):
        n, m = int(rng.choice([6, 9, 17, 30, 48, 55])), int(rng.choice([1, 2, 3, 10, 50, 500]))
        d = numbers(effect() + noise(n) - noise(n))
        level, share = float(rng.choice(levels)), float(rng.choice(shares))
        within, start = withins[rng.integers(len(withins))], int(rng.choice([3, 4, 5, 6, 8]))
        verdict, used, e, p = procedure.interleaved(d, m, alpha=procedure.ALPHA * share, no_harm=level, within=within, within_from=start)
        rows.append(dict(differences=d, m=m, no_harm=level, share=share, within=within, within_from=start, verdict=verdict, pairs=int(used), effect=number(e), p=number(p)))
    return rows


def claims():
    rows = []
    for _ in range(100):
        n = int(rng.integers(5, 12))
        reference = numbers(6 + noise(n))
        optimised = numbers(6 + np.log(rng.choice([.5, .8, .88, .9, .92, 1, 1.3])) + noise(n))
        promised, alpha = float(rng.choice([.5, .9, 1.0])), float(rng.choice([.01, .001]))
        rows.append(dict(reference=reference, optimised=optimised, promised=promised, alpha=alpha, broken=procedure.claim_broken(reference, optimised, promised, alpha)))
    return rows


def moderation():
    rows = []
    for _ in range(40):
        n, df = int(rng.integers(10, 60)), int(rng.integers(2, 15))
        s2 = 1e-4 * 10 ** (rng.uniform(0, 1.5) * rng.normal(size=n)) * rng.chisquare(df, n) / df
        post, d0, s02 = statlib.limma_shrink(s2, df)
        rows.append(dict(s2=s2.tolist(), df=df, post=post.tolist(), d0=number(d0), s02=number(s02)))
    return rows


def run_values():
    rows = [numbers(6 + noise(n)) for n in [1, 2, 3, 4, 5, 5, 5, 6, 7, 10, 20, 50]]
    return [dict(processes=x, value=procedure.run_value(x)) for x in rows]


def trimmed():
    rows = []
    for n in [2, 3, 6, 9, 10, 11, 20, 30, 48, 50]:
        x = numbers(noise(n))
        tm, se, df = statlib.yuen1(np.array(x), .1)
        rows.append(dict(values=x, mean=number(tm), se=number(se), df=number(df)))
    return rows


out = dict(made_with=f'numpy {np.__version__}, scipy {scipy.__version__}', command='make_procedure_vectors.py, see its head', candidate_p=procedure.SCREEN_P, few=few(), history=history(),
           interleaved=interleaved([.95], [1], 200) + interleaved([.98], [.2, .5, .8], 200) + interleaved([.98], [.5], 300, [.9, .98]), claims=claims(), moderation=moderation(), run_values=run_values(), trimmed=trimmed(),
           first_look=[dict(m=m, n=procedure.first_look(m)) for m in (1, 2, 3, 10, 50, 500, 10000)])
json.dump(out, sys.stdout, separators=(',', ':'))
print()
