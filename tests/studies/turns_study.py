#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which number of a pair of processes says most about a change of code? Compares what can be computed from recorded pairs, one after the other and in
turns, and prints a table in Markdown for each recording.

    tests/studies/turns_study.py FOLDER [--pairs 24] [--resamples 1000] [--seed 1]

FOLDER: recordings of unchanged code, *.csv.gz (tests/studies/turns_record.py makes them), with the columns mode (sequential, turns, and others that are
also in turns), pair, turn, side (A, B), us_per_call; one row for each sample, in the order measured. Both sides ran the same code, so every difference is noise and either side may be called "before": the
resamples draw pairs with replacement and swap their sides by a coin.

SD and MAD (scaled to an SD) are those of the log ratio of a pair. Of the resamples of 24 pairs: false alarms (a signed-rank interval of 99 % wholly on
the slow side; nominal 0.5 %), a factor of 5 and of 10 % found, every third sample slower by 30 % found (10 % of the mean, invisible in a
minimum), and decided: the 98 % interval lies within 5 %. "Equal time": the number of pairs that takes as long as 24 pairs one after the other.
The rows with two numbers test each at half of the risk, as stats/two_series.hpp does. Plain Python, a few seconds for each recording."""
import argparse
import collections
import csv
import functools
import gzip
import math
import pathlib
import random
import statistics
import sys

FALSE_ALARM_LEVEL, DECIDED_LEVEL = 0.99, 0.98
EQUIVALENCE = math.log(1.05)
SLOW_CALL, SLOW_EVERY = 1.3, 3


def quantile(values, share):
    ordered = sorted(values)
    at = (len(ordered) - 1) * share
    below = int(at)
    return ordered[below] + (at - below) * (ordered[min(below + 1, len(ordered) - 1)] - ordered[below])


def lowest(values, share, least):
    return statistics.fmean(sorted(values)[:max(least, round(share * len(values)))])


POOLED = {
    "median": statistics.median,
    "minimum": min,
    "mean of the 3 smallest": lambda v: lowest(v, 0, 3),
    "mean of the 6 smallest": lambda v: lowest(v, 0, 6),
    "mean of the lowest 2 %, at least 3": lambda v: lowest(v, 0.02, 3),
    "mean of the lowest 5 %, at least 3": lambda v: lowest(v, 0.05, 3),
    "1 % quantile": lambda v: quantile(v, 0.01),
    "5 % quantile": lambda v: quantile(v, 0.05),
    "15 % quantile": lambda v: quantile(v, 0.15),
}
OF_TURN = {
    "means": statistics.fmean,
    "means without the slowest tenth": lambda v: lowest(v, 0.9, 1),
    "harmonic means": statistics.harmonic_mean,
    "medians": statistics.median,
    "minima": min,
}
FEW_TURNS = 24
FLOOR, TYPICAL = "turns, 1 % quantile", "neighbouring turns, harmonic means"


def read(path):
    """Of each mode: pairs, each a list of turns, each the samples of both sides."""
    modes = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(lambda: ([], []))))
    with gzip.open(path, "rt", newline="") as rows:
        for row in csv.DictReader(rows):
            modes[row["mode"]][int(row["pair"])][int(row["turn"])]["AB".index(row["side"])].append(float(row["us_per_call"]))
    complete = {}
    for mode, pairs in modes.items():
        kept = [[turn for turn in pair.values() if turn[0] and turn[1]] for pair in pairs.values()]
        complete[mode] = [pair for pair in kept if pair]
    if not complete.get("sequential") or not complete.get("turns"):
        raise SystemExit(f"turns_study: {path}: needs pairs of both modes, sequential and turns")
    return complete.pop("sequential"), complete.pop("turns"), complete


def slow_calls(pair, side):
    """The same pair with every third sample of a side slower."""
    count, slower = 0, []
    for turn in pair:
        samples = []
        for value in turn[side]:
            count += 1
            samples.append(value * SLOW_CALL if count % SLOW_EVERY == 0 else value)
        slower.append((samples, turn[1]) if side == 0 else (turn[0], samples))
    return slower


def pooled_ratio(estimate, pair):
    before, after = ([value for turn in pair for value in turn[side]] for side in (0, 1))
    return math.log(estimate(after) / estimate(before))


def neighbour_ratio(estimate, pair):
    return statistics.median(math.log(estimate(after) / estimate(before)) for before, after in pair)


class Series:
    """A number of every pair: of the code as it is, and with the slow calls in its second and in its first side."""

    def __init__(self, ratio, pairs):
        self.plain = [ratio(pair) for pair in pairs]
        self.slow = [(ratio(slow_calls(pair, 1)), -ratio(slow_calls(pair, 0))) for pair in pairs]

    def drawn(self, draw):
        return [-self.plain[i] if swapped else self.plain[i] for i, swapped in draw]

    def drawn_slow(self, draw):
        return [self.slow[i][swapped] for i, swapped in draw]

    def sd(self):
        return math.sqrt(statistics.fmean(value * value for value in self.plain))

    def mad(self):
        return statistics.median(abs(value) for value in self.plain) / statistics.NormalDist().inv_cdf(0.75)


@functools.cache
def ranks_cut(pairs, level):
    """How many Walsh averages the exact interval leaves out on each side; none: no interval of this level."""
    ways = [1] + [0] * (pairs * (pairs + 1) // 2)
    for rank in range(1, pairs + 1):
        for total in range(len(ways) - 1, rank - 1, -1):
            ways[total] += ways[total - rank]
    limit, below = (1 - level) / 2 * 2 ** pairs, 0
    for cut, count in enumerate(ways):
        below += count
        if below > limit:
            return cut - 1 if cut else None
    return None


class Walsh:
    """The signed-rank answers of one series, computed from its ordered Walsh averages."""

    def __init__(self, values):
        self.pairs = len(values)
        self.averages = sorted((values[i] + values[j]) / 2 for i in range(len(values)) for j in range(i, len(values)))
        self.centre = statistics.median(self.averages)

    def interval(self, level):
        cut = ranks_cut(self.pairs, level)
        return (-math.inf, math.inf) if cut is None else (self.averages[cut], self.averages[-1 - cut])

    def slower(self, shift=0.0, level=FALSE_ALARM_LEVEL):
        return self.interval(level)[0] + shift > 0

    def within(self):
        low, high = self.interval(DECIDED_LEVEL)
        return -EQUIVALENCE < low and high < EQUIVALENCE

    def width(self):
        low, high = self.interval(DECIDED_LEVEL)
        return high - low


class Choice:
    """A row of the table: one series, the more precise of two (by the width of the interval, which does not depend on where it lies), or two that
    share the risk."""

    def __init__(self, name, series, shared=False):
        self.name, self.series, self.shared = name, series, shared
        self.counts = collections.Counter()

    def count(self, draws):
        for draw in draws:
            plain = [Walsh(one.drawn(draw)) for one in self.series]
            slow = [Walsh(one.drawn_slow(draw)) for one in self.series]
            if not self.shared:
                plain, slow = [min(plain, key=Walsh.width)], [min(slow, key=Walsh.width)]
            level = 1 - (1 - FALSE_ALARM_LEVEL) / len(plain)
            self.counts["false"] += any(one.slower(0, level) for one in plain)
            self.counts["+5"] += any(one.slower(math.log(1.05), level) for one in plain)
            self.counts["+10"] += any(one.slower(math.log(1.10), level) for one in plain)
            self.counts["third"] += any(one.slower(0, level) for one in slow)
            contradicted = any(abs(one.centre) >= EQUIVALENCE for one in plain)
            self.counts["decided"] += any(one.within() for one in plain) and not contradicted

    def precision(self):
        if len(self.series) > 1:
            return "", ""
        return f"{100 * self.series[0].sd():.1f}", f"{100 * self.series[0].mad():.1f}"


def choices_of(sequential, turns, others):
    rows = []
    for mode, pairs in (("sequential", sequential), ("turns", turns)):
        for name, estimate in POOLED.items():
            rows.append(Choice(f"{mode}, {name}", [Series(functools.partial(pooled_ratio, estimate), pairs)]))
    for name, estimate in OF_TURN.items():
        rows.append(Choice(f"neighbouring turns, {name}", [Series(functools.partial(neighbour_ratio, estimate), turns)]))
    for mode, pairs in others.items():
        rows.append(Choice(f"{mode}, 1 % quantile", [Series(functools.partial(pooled_ratio, POOLED["1 % quantile"]), pairs)]))
        rows.append(Choice(f"{mode}, neighbours' harmonic means", [Series(functools.partial(neighbour_ratio, OF_TURN["harmonic means"]), pairs)]))
    few = [pair[:FEW_TURNS] for pair in turns]
    rows.append(Choice(f"the first {FEW_TURNS} turns, 1 % quantile", [Series(functools.partial(pooled_ratio, POOLED["1 % quantile"]), few)]))
    rows.append(Choice(f"the first {FEW_TURNS} turns, neighbours' harmonic means",
                       [Series(functools.partial(neighbour_ratio, OF_TURN["harmonic means"]), few)]))
    by_name = {row.name: row.series[0] for row in rows}
    both = [by_name[FLOOR], by_name[TYPICAL]]
    rows.append(Choice("the more precise of floor (1 % quantile) and harmonic means", both))
    rows.append(Choice("both of them, the risk shared", both, shared=True))
    return rows


def measured_time(pairs):
    return statistics.fmean(sum(value for turn in pair for side in turn for value in side) for pair in pairs)


def draws_of(rng, pairs, size, resamples):
    return [[(rng.randrange(pairs), rng.randrange(2)) for _ in range(size)] for _ in range(resamples)]


def study(path, options):
    rng = random.Random(options.seed)
    sequential, turns, others = read(path)
    equal = max(6, round(options.pairs * measured_time(sequential) / measured_time(turns)))
    print(f"\n{path.name}: {len(sequential)} pairs one after the other, {len(turns)} in turns; equal time is {equal} pairs in turns\n")
    print("| number of a pair | SD, % | MAD, % | false alarms, % | +5 % found | +10 % | every third call | decided | decided, equal time |")
    print("|---|---|---|---|---|---|---|---|---|")
    for row in choices_of(sequential, turns, others):
        in_turns = not row.name.startswith("sequential")
        row.count(draws_of(rng, len(row.series[0].plain), options.pairs, options.resamples))
        cells = [f"{100 * row.counts[key] / options.resamples:.3g}" for key in ("false", "+5", "+10", "third", "decided")]
        row.counts.clear()
        row.count(draws_of(rng, len(row.series[0].plain), equal if in_turns else options.pairs, options.resamples))
        cells.append(f"{100 * row.counts['decided'] / options.resamples:.3g}")
        print("| " + " | ".join([row.name, *row.precision(), *cells]) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--pairs", type=int, default=24)
    parser.add_argument("--resamples", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.pairs < 6 or options.resamples < 1:
        parser.error("needs at least 6 pairs and 1 resample")
    recordings = sorted(options.folder.glob("*.csv.gz"))
    if not recordings:
        raise SystemExit(f"turns_study: {options.folder}: no *.csv.gz in it")
    for path in recordings:
        study(path, options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
