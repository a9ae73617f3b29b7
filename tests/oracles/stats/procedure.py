# SPDX-License-Identifier: Apache-2.0
"""The procedure of stats/README.md in Python: the oracle for the C++ engine. Inputs are natural logs of process values (medians of iterations).
Slow and plain. numpy + scipy; statlib.py beside it."""
import numpy as np
from scipy import stats
from statlib import hl1, limma_shrink, signed_rank, yuen1

GATE, MARGIN, EQUIVALENCE, HARM = np.log(1.05), np.log(1.01), np.log(1.05), np.log(1.02)
ALPHA, SCREEN_P, SCREEN_EFFECT, PRIOR_RUN_SD = 0.01, 0.10, np.log(1.005), 0.01
WINSOR_FACTOR = {8: .815, 9: .836, 10: .851, 12: .879, 15: .902, 20: .925}      # E[SSW/(h-1)] / sigma^2, normal, one value winsorised a side


def winsor_factor(k):
    ks = sorted(WINSOR_FACTOR)
    return float(np.interp(k, ks, [WINSOR_FACTOR[i] for i in ks]))


def run_value(processes):
    """One number per run: Hodges-Lehmann of its process values."""
    p = np.asarray(processes, float)
    return float(p[0]) if p.size == 1 else float(hl1(p))


def screen_few(baseline, current, run_sd=PRIOR_RUN_SD):
    """K = 1-4 stored runs: Welch on process values plus a known run-to-run variance on each side. baseline: list of arrays, current: array.
    Returns effect (log ratio, positive = slower), two-sided p, standard error, degrees of freedom, Cohen's d of the process values."""
    a, b = np.concatenate([np.asarray(x, float) for x in baseline]), np.asarray(current, float)
    va, vb = a.var(ddof=1) / a.size, b.var(ddof=1) / b.size
    extra = run_sd ** 2 * (1 / len(baseline) + 1)
    s2 = va + vb + extra
    df = s2 ** 2 / (va ** 2 / (a.size - 1) + vb ** 2 / (b.size - 1)) if va + vb > 0 else np.inf
    e = b.mean() - a.mean()
    pooled = ((a.size - 1) * a.var(ddof=1) + (b.size - 1) * b.var(ddof=1)) / (a.size + b.size - 2)
    return e, 2 * stats.t.sf(abs(e) / np.sqrt(s2), df), np.sqrt(s2), df, e / np.sqrt(pooled) if pooled > 0 else None


def screen_history(z_base, z_new, shift=0.0):
    """K >= 5 stored runs for a whole suite. z_base: (cases, K) run values, z_new: (cases,) or (cases, R). shift: log shift measured by control cases (0 without).
    Returns effect, two-sided p, standard error, degrees of freedom (arrays over cases)."""
    z = np.asarray(z_base, float); n = np.asarray(z_new, float)
    r = 1 if n.ndim == 1 else n.shape[1]; n = n if n.ndim == 1 else n.mean(1)
    k = z.shape[1]; s = np.sort(z, 1)
    if k >= 8:
        w = s.copy(); w[:, 0], w[:, -1] = s[:, 1], s[:, -2]; h = k - 2
        mu, s2, df, c = s[:, 1:-1].mean(1), w.var(1) * k / ((h - 1) * winsor_factor(k)), h - 1, 1 / r + 1 / h
    else:
        mu, s2, df, c = z.mean(1), z.var(1, ddof=1), k - 1, 1 / r + 1 / k
    d0 = 0.0
    if z.shape[0] >= 10:
        s2, d0, _ = limma_shrink(s2, df)
    e = n - shift - mu; se = np.sqrt(s2 * c)
    return e, 2 * stats.t.sf(np.abs(e) / se, df + d0), se, df + d0


def is_candidate(e, p):
    return (p < SCREEN_P) & (np.abs(e) >= SCREEN_EFFECT)


def beyond_gate(e, se, df, m, alpha=ALPHA, gate=GATE):
    """An unconfirmed suspect fails the build only when its whole 1 - alpha/m interval lies beyond the gate."""
    return e - stats.t.ppf(1 - alpha / (2 * m), df) * se > gate


def first_look(m, share=0.1, alpha=ALPHA):
    """Smallest useful first look: one that can alarm at all."""
    n = 12 if m <= 2 else 16
    while 2.0 ** (1 - n) > share * alpha / m:
        n += 1
    return n


def interleaved(d, m=1, alpha=ALPHA, last=48, no_harm=0.95, within=None, within_from=6):
    """d: log differences (after - before) of pairs in the order measured. m: number of cases judged together.
    no_harm: level of the interval that may stop early with "no harm": .98 when a gate confirms suspects, .95 in `ab`.
    within: level of the interval that may stop early as equivalent, from within_from pairs on; None: no such stop.
    A share of alpha for one class of cases is that share of `alpha`.
    Returns verdict, pairs used, effect (Hodges-Lehmann), p at the deciding look (None otherwise)."""
    d = np.asarray(d, float); n0 = first_look(m, alpha=alpha); looks = {n0: .1, 28: .3, last: .6}
    for n in range(min(6, within_from), min(last, d.size) + 1):
        x = d[:n]
        if n in looks and n >= 6:
            p, _ = signed_rank(x[None, :]); e = float(hl1(x[None, :])[0])
            if p[0] < alpha * looks[n] / m and abs(e) >= MARGIN:
                return ('regressed' if e > 0 else 'improved'), n, e, float(p[0])
        tm, se, df = yuen1(x[None, :], .1); h = float(stats.t.ppf(.5 + no_harm / 2, df) * se[0]); upper = float(tm[0]) + h; lower = float(tm[0]) - h
        if n >= 6 and upper < HARM and lower > -EQUIVALENCE and not upper < -MARGIN:
            return 'equivalent', n, float(hl1(x[None, :])[0]), None
        if within and n >= within_from:
            w = float(stats.t.ppf(.5 + within / 2, df) * se[0]); upper = float(tm[0]) + w; lower = float(tm[0]) - w
            if -EQUIVALENCE < lower <= MARGIN and -MARGIN <= upper < EQUIVALENCE:
                return 'equivalent', n, float(hl1(x[None, :])[0]), None
    x = d[:last]; e = float(hl1(x[None, :])[0]); tm, se, df = yuen1(x[None, :], .1); q = float(stats.t.ppf(.95, df) * se[0])
    return ('equivalent' if tm[0] + q < EQUIVALENCE and tm[0] - q > -EQUIVALENCE else 'inconclusive'), x.size, e, None


def claim_broken(reference, optimised, promised_ratio, alpha=0.01):
    """reference, optimised: log process values from the same processes. Broken only if the one-sided bound excludes the promise."""
    r = np.asarray(optimised, float) - np.asarray(reference, float); n = r.size
    lower = r.mean() - stats.t.ppf(1 - alpha, n - 1) * r.std(ddof=1) / np.sqrt(n)
    return bool(lower > np.log(promised_ratio))


def holm(p):
    """Adjusted p values, by the definition: the k-th smallest times (m - k + 1), never below one before it."""
    p = np.asarray(p, float); adjusted = np.empty(p.size); largest = 0.0
    for k, i in enumerate(np.argsort(p, kind='stable')):
        largest = max(largest, (p.size - k) * p[i])
        adjusted[i] = min(1.0, largest)
    return adjusted


def judge_claims(claims, alpha=0.01, processes=5):
    """claims: (reference, optimised, promised_ratio) of one run. `broken` with at most alpha over the run: Holm; from three claims on over those measured
    beyond their promise, each with its two-sided p. `holds` with at most alpha each. Fewer processes: undecided, and not in the family.
    Returns for each claim the call ('b', 'h', '?'), its adjusted p (None: not in the family), lower and upper bound of the log ratio (None: untested)."""
    rows = []
    for reference, optimised, promised in claims:
        r = np.asarray(optimised, float) - np.asarray(reference, float)
        rows.append((r.size, r.mean() - np.log(promised), r.std(ddof=1) / np.sqrt(r.size), r.mean()) if r.size >= processes else None)
    family = [i for i, row in enumerate(rows) if row]
    two_sided = len(family) >= 3
    if two_sided:
        family = [i for i in family if rows[i][1] > 0]

    def p_of(row):
        n, beyond, se, _ = row
        if se == 0:
            return 0.0 if beyond > 0 else 1.0
        return 2 * stats.t.sf(abs(beyond / se), n - 1) if two_sided else stats.t.sf(beyond / se, n - 1)
    adjusted = dict(zip(family, holm([p_of(rows[i]) for i in family])))
    broken = {i for i in family if rows[i][1] > 0 and adjusted[i] < alpha}
    last_step = alpha / (2 if two_sided else 1) / max(1, len(family) - len(broken))
    out = []
    for i, row in enumerate(rows):
        if row is None:
            out.append(('?', None, None, None))
            continue
        n, beyond, se, mean = row
        lower, upper = mean - stats.t.isf(last_step, n - 1) * se, mean + stats.t.isf(alpha, n - 1) * se
        call = 'b' if i in broken else 'h' if beyond + stats.t.isf(alpha, n - 1) * se <= 0 else '?'
        out.append((call, adjusted.get(i), float(lower), float(upper)))
    return out


if __name__ == '__main__':
    rng = np.random.default_rng(1)
    for eff in (0, .02, .05, .2, -.05):
        out = {}
        for _ in range(300):
            v, n, *_ = interleaved(np.log1p(eff) + rng.normal(size=48) * .02, m=50); out.setdefault(v, []).append(n)
        print('%+.0f%%' % (eff * 100), {v: (len(n), round(float(np.mean(n)), 1)) for v, n in out.items()})
    z = rng.normal(size=(200, 10)) * .01; e, p, se, df = screen_history(z, rng.normal(size=200) * .01); print('screen level', (p < .05).mean(), 'df', df)
    print('few runs', screen_few([rng.normal(size=5) * .01], .3 + rng.normal(size=5) * .01))
    print('claim', claim_broken(rng.normal(size=5) * .01, -.2 + rng.normal(size=5) * .01, .9), claim_broken(rng.normal(size=5) * .01, rng.normal(size=5) * .01, .9))
