#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/fixtures/stats/noise.json: what stats/variance_components, effective_sample_size, outliers, dip, trend and
budget have to answer, worked the slow way. Nothing here is written as the C++ is: variance components by matrices of the
quadratic forms and by statsmodels' REML, the dip as a linear program, sums by definition.

    /usr/bin/python3 tests/oracles/stats/make_noise_vectors.py > tests/fixtures/stats/noise.json

Debian 12: python3-numpy 1.24, python3-scipy 1.10, python3-statsmodels 0.13.5."""
import json
import math
import sys
import warnings

import numpy as np
from scipy import optimize, stats
from statsmodels.regression.mixed_linear_model import MixedLM

random = np.random.default_rng(20261121)


def draw_runs(sizes, iteration_sd, process_sd, run_sd):
    return [[list(np.round(5 + run + process + iteration_sd * random.standard_normal(n), 6))
             for n in run_sizes for process in [process_sd * random.standard_normal()]]
            for run_sizes in sizes for run in [run_sd * random.standard_normal()]]


def henderson_1(runs):
    """Sums of squares as y'Ay with projections, their expectations as traces: no formula for unbalanced sizes is used."""
    y = np.array([v for run in runs for process in run for v in process])
    y -= y[0]  # the answer does not depend on it, its digits do
    run_of = [r for r, run in enumerate(runs) for process in run for _ in process]
    process_of, number = [], 0
    for run in runs:
        for process in run:
            process_of += [number] * len(process)
            number += 1
    indicator = lambda labels: np.eye(max(labels) + 1)[labels]
    project = lambda x: x @ np.linalg.pinv(x)
    n, runs_z, processes_z = len(y), indicator(run_of), indicator(process_of)
    p0, p_run, p_process = np.full((n, n), 1 / n), project(runs_z), project(processes_z)
    covariances = [np.eye(n), processes_z @ processes_z.T, runs_z @ runs_z.T]
    quadratics = [np.eye(n) - p_process, p_process - p_run, p_run - p0]
    expected = np.array([[np.trace(a @ v) for v in covariances] for a in quadratics])
    return list(np.linalg.solve(expected, [y @ a @ y for a in quadratics]))


def reml(runs):
    y, groups, parts = [], [], []
    for r, run in enumerate(runs):
        for p, process in enumerate(run):
            y += process
            groups += [r] * len(process)
            parts += [p] * len(process)
    frame_process = [np.eye(max(parts) + 1)[[q for q, g in zip(parts, groups) if g == r]] for r in range(len(runs))]
    scale = np.std(y)
    model = MixedLM(np.array(y) / scale, np.ones((len(y), 1)), groups=np.array(groups), exog_re=np.ones((len(y), 1)),
                    exog_vc={"process": {r: m for r, m in enumerate(frame_process)}})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit = model.fit(reml=True, method=["lbfgs", "bfgs"], maxiter=2000)
    return [fit.scale * scale**2, fit.vcomp[0] * scale**2, float(np.asarray(fit.cov_re)[0, 0]) * scale**2]


def variance_components():
    cases = []
    balanced = lambda a, b, n: [[n] * b] * a
    for name, sizes, sds in (
            ("balanced 4x5x6", balanced(4, 5, 6), (0.02, 0.01, 0.03)),
            ("balanced 6x3x10", balanced(6, 3, 10), (0.05, 0.02, 0.02)),
            ("no run part", balanced(3, 4, 5), (0.02, 0.05, 0.0)),
            ("two of everything", balanced(2, 2, 2), (0.02, 0.01, 0.01)),
            ("unbalanced iterations", [[3, 10, 7], [40, 5, 6], [2, 2, 9]], (0.02, 0.01, 0.03)),
            ("unbalanced processes", [[5, 5], [5, 5, 5, 5, 5], [5], [5, 5, 5]], (0.02, 0.01, 0.03)),
            ("unbalanced everything", [[4, 9], [2, 3, 30, 1], [17], [6, 6, 2]], (0.02, 0.03, 0.01)),
            ("large mean", balanced(3, 3, 4), (2e-6, 1e-6, 3e-6))):
        runs = draw_runs(sizes, *sds)
        if name == "large mean":
            runs = [[[round(v + 20, 9) for v in process] for process in run] for run in runs]
        case = {"name": name, "runs": runs, "components": henderson_1(runs)}
        # REML and the analysis of variance agree on balanced sets without a negative estimate.
        if name.startswith("balanced") and min(case["components"]) > 0:
            case["reml"] = reml(runs)
        cases.append(case)
    return cases


def effective_sample_size(x):
    x = np.asarray(x) - np.mean(x)
    n = len(x)
    gamma = [float(np.dot(x[k:], x[:n - k])) / n for k in range(n)]
    total, k = 0.0, 0
    while k + 1 < n and gamma[k] + gamma[k + 1] > 0:
        total += gamma[k] + gamma[k + 1]
        k += 2
    inflation = (2 * total - gamma[0]) / gamma[0]
    return float(n if inflation <= 1 else max(1.0, n / inflation))


def outliers(x):
    middle = np.median(x)
    far = 3.5 * np.median(np.abs(x - middle)) / stats.norm.ppf(0.75)
    return int(np.sum(np.abs(x - middle) > far))


def trend(x):
    n, ranks = len(x), stats.rankdata(x)
    time = np.arange(n)
    line = np.polyfit(time, ranks, 1)
    residuals = ranks - np.polyval(line, time)
    effective = effective_sample_size(residuals)
    error = math.sqrt(np.sum(residuals**2) / (n - 2) / np.sum((time - time.mean())**2) * n / effective)
    third = n // 3
    return {"rise": float(np.median(x[-third:]) - np.median(x[:third])), "effective": effective,
            "p": float(2 * stats.t.sf(abs(line[0] / error), effective - 2))}


def series():
    rows = []
    for n, phi, slope, spikes in ((20, 0, 0, 0), (31, 0.5, 0, 0), (40, 0, 0.03, 0), (64, -0.6, 0, 0), (100, 0.7, 0, 0.05),
                                  (101, 0.3, 0.06, 0.03), (400, 0.9, 0, 0), (250, 0.2, -0.02, 0.1)):
        level, x = 0.0, []
        for i in range(n):
            level = phi * level + 0.01 * random.standard_normal()
            x.append(10 + level + slope * i / n + (abs(0.3 * random.standard_normal()) if random.random() < spikes else 0))
        x = np.round(x, 5)  # some ties
        rows.append({"values": list(x), "effective": effective_sample_size(x), "outliers": outliers(x), "trend": trend(x)})
    return rows


def dip(x):
    """Smallest d for which some function, convex up to a data point, concave from it on and with a jump there if need be,
    stays within d of the empirical distribution function: one linear program for each place of the mode."""
    values, counts = np.unique(x, return_counts=True)
    m = len(values)
    right = np.cumsum(counts) / len(x)
    left = right - counts / len(x)
    best = math.inf
    for mode in range(m):
        # Variables: G at every value (left limit at the mode), G to the right of the mode, d.
        rows, limits = [], []

        def at_most(terms, limit):
            row = np.zeros(m + 2)
            for index, factor in terms:
                row[index] += factor
            rows.append(row)
            limits.append(limit)

        after = lambda i: m if i == mode else i  # the variable of a value, seen from the right
        for i in range(m):
            at_most([(i, 1), (m + 1, -1)], left[i])
            at_most([(after(i), -1), (m + 1, -1)], -right[i])
            at_most([(i, -1), (m + 1, -1)], -left[i])
            at_most([(after(i), 1), (m + 1, -1)], right[i])
            if i + 1 < m:
                at_most([(after(i), 1), (i + 1, -1)], 0)
        at_most([(mode, 1), (m, -1)], 0)
        for i in range(1, m - 1):
            a, b = values[i] - values[i - 1], values[i + 1] - values[i]
            if i + 1 <= mode:  # convex: slope before <= slope after
                at_most([(i, b + a), (i - 1, -b), (i + 1, -a)], 0)
            if i - 1 >= mode:  # concave
                at_most([(after(i - 1), b), (i + 1, a), (i, -a - b)], 0)
        found = optimize.linprog([0] * (m + 1) + [1], A_ub=rows, b_ub=limits, bounds=[(0, 1)] * (m + 2), method="highs")
        best = min(best, found.fun)
    return best


def dips():
    rows = []
    for n in (4, 5, 6, 8, 10, 12, 15, 20, 25, 30):
        for kind in range(4):
            x = (random.standard_normal(n) if kind == 0 else random.random(n) if kind == 1
                 else np.where(random.random(n) < 0.5, 0, 3) + 0.5 * random.standard_normal(n) if kind == 2
                 else random.exponential(size=n))
            x = np.sort(np.round(x, 4))
            if len(np.unique(x)) == n:
                rows.append({"sorted": list(x), "dip": dip(x)})
    for x in ([1, 1, 1, 2, 2, 3, 5, 5, 8, 8, 8, 9], [0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 2, 2, 3, 3, 3, 3, 3, 4, 4, 5]):
        rows.append({"sorted": x, "dip": dip(np.array(x, float))})
    return rows


def budget():
    t = lambda q, df: float(stats.t.ppf(q, df)) if math.isfinite(df) else float(stats.norm.ppf(q))
    pairs = [{"sd": sd, "pairs": n, "alpha": alpha, "power": power,
              "effect": (t(1 - alpha / 2, n - 1) + t(power, n - 1)) * sd * math.sqrt(math.pi / 3 / n)}
             for sd, n, alpha, power in ((0.02, 20, 0.01, 0.9), (0.01, 48, 0.0005, 0.8), (0.05, 31, 0.001, 0.8))]
    screens = []
    for stored, processes, iterations, parts in ((5, 5, 40, (0.02, 0.01, 0.01)), (10, 5, 40, (0.02, 0.01, 0.01)),
                                                 (7, 3, 15, (0.05, 0.02, 0.005)), (1, 5, 40, (0.02, 0.01, 0.01)),
                                                 (3, 4, 20, (0.03, 0.02, 0.005))):
        of_process = parts[1]**2 + parts[0]**2 * math.pi / 2 / iterations
        if stored >= 5:
            kept = stored - 2 if stored >= 8 else stored
            se, df = math.sqrt((parts[2]**2 + of_process / processes) * (1 + 1 / kept)), kept - 1
        else:
            a, b = of_process / processes / stored, of_process / processes
            between = parts[2]**2 * (1 + 1 / stored)
            se = math.sqrt(a + b + between)
            df = se**4 / (a**2 / (stored * processes - 1) + b**2 / (processes - 1))
        screens.append({"stored": stored, "processes": processes, "iterations": iterations, "parts": parts,
                        "effect": (t(0.975, df) + t(0.8, df)) * se})
    return {"pairs": pairs, "screens": screens}


json.dump({"variance_components": variance_components(), "series": series(), "dips": dips(), "budget": budget()},
          sys.stdout, indent=None, separators=(",", ":"))
print()
