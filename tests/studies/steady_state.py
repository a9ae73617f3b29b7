#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where does a LibTorch series become steady, and which cut finds it? Records long series of the suites in fresh processes,
from the third call on, and prints for each rule the share of processes whose next 40 samples, or whose process value (the
median of what the rule keeps), are more than 1 % off the level that the process ends at. Let nothing else run meanwhile.

    tests/studies/steady_state.py --processes 20 build/release/suites/bin/fusion build/release/suites/bin/batching
    tests/studies/steady_state.py                # the recorded series again, without measuring
    tests/studies/steady_state.py --simulated    # false cuts on simulated series that are steady from the first sample

A series whose second half leaves its own level by more than 1 % says nothing about warm-up: the machine's speed drifts. Such series
are counted and left out; on a busy machine that is most of them, and --metric cpu_time keeps more.

Needs the suites of the release preset; no Python packages."""
import argparse
import array
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile

OFF = 0.01  # more than this share off the final level is off: the margin of the gate
NEXT = 40   # how many samples after the cut are looked at
BATCH = 5   # of MSER-5
SHORTEST = 800  # samples: room for a warm-up, a window, and the level of the last quarter
METRICS = ("time", "cpu_time")


def mser(values, batch=BATCH):
    """(samples to drop, whether that is as many as may be)."""
    means = [sum(values[i:i + batch]) / batch for i in range(0, len(values) - batch + 1, batch)]
    best, cut, farthest = math.inf, 0, len(means) // 2
    total = squares = 0.0
    for d in range(len(means) - 1, -1, -1):  # tail sums around the last mean: the digits of a log are few
        x = means[d] - means[-1]
        total, squares = total + x, squares + x * x
        length = len(means) - d
        score = (squares - total * total / length) / length**2
        if d <= farthest and score <= best:
            best, cut = score, d
    return cut * batch, cut == farthest


def mser_as_used(values):
    """As harness/bench uses it: at the limit nothing is cut, because the cut says nothing."""
    cut, at_limit = mser(values)
    return 0 if at_limit else cut


RULES = {
    "no cut": lambda logs: 0,
    "drop 5": lambda logs: 5,
    "drop 10": lambda logs: 10,
    "MSER-5": lambda logs: mser(logs)[0],
    "MSER-5, none at its limit (ours)": mser_as_used,
    "MSER-5 on raw times": lambda logs: mser([math.exp(v) for v in logs])[0],
    "MSER-5, at least 10": lambda logs: max(10, mser_as_used(logs)),
    "half": lambda logs: len(logs) // 2,
}
# What a profile of the sampler does before its first sample: least calls, least milliseconds.
WARM_UPS = {"none": (0, 0), "quick": (10, 10), "default": (10, 50)}
SIZES = (40, 100, 400)


class Share:
    def __init__(self):
        self.hits = self.of = 0

    def add(self, hit):
        self.hits += bool(hit)
        self.of += 1

    def __str__(self):
        return f"{100 * self.hits / self.of:5.1f} %" if self.of else "      –"


def off(samples, level):
    return abs(statistics.median(samples) - level) > math.log1p(OFF)


class Evidence:
    def __init__(self):
        self.next, self.value, self.later, self.cut, self.limit, self.dropped = {}, {}, {}, {}, {}, {}
        self.series = self.quiet = 0

    def add(self, times_ns, calls_per_sample):
        logs = [math.log(t) for t in times_ns]
        level = statistics.median(logs[-len(logs) // 4:])
        self.series += 1
        half = len(logs) // 2
        # Blocks of 100, because single 40s are off now and then by chance: 5 % of them may be.
        blocks = [logs[i:i + 100] for i in range(half, len(logs) - 99, 100)]
        if sum(off(block, level) for block in blocks) > len(blocks) * 0.05:
            return
        self.quiet += 1
        for warm_up, (calls, ms) in WARM_UPS.items():
            begin = spent = 0
            while begin < len(logs) and (begin * calls_per_sample < calls or spent < ms * 1e6):
                spent += times_ns[begin] * calls_per_sample
                begin += 1
            for n in SIZES:
                if begin + n + NEXT > len(logs) * 3 // 4:
                    continue  # the level is taken from the last quarter
                window = logs[begin:begin + n]
                for rule, cut_of in RULES.items():
                    cut, key = cut_of(window), (warm_up, n, rule)
                    self.next.setdefault(key, Share()).add(off(logs[begin + cut:begin + cut + NEXT], level))
                    self.value.setdefault(key, Share()).add(off(window[cut:], level))
        # What wandering alone does, long after any warm-up: the same window, from the middle of the series.
        for n in SIZES:
            middle = len(logs) // 2
            if middle + n > len(logs) * 3 // 4:
                continue
            window = logs[middle:middle + n]
            self.later.setdefault(n, Share()).add(off(window[:NEXT], level))
            cut, at_limit = mser(window)
            self.cut.setdefault(n, Share()).add(cut > 0)
            self.limit.setdefault(n, Share()).add(at_limit)
            self.dropped.setdefault(n, []).append((0 if at_limit else cut) / n)

    def print(self):
        for title, table in (("next 40 samples after the cut", self.next), ("process value", self.value)):
            print(f"\n| {title}, off by more than 1 %: warm-up, n | " + " | ".join(f"{w}, {n}" for w in WARM_UPS for n in SIZES) + " |")
            print("|---" * (1 + len(WARM_UPS) * len(SIZES)) + "|")
            for rule in RULES:
                print(f"| {rule} | " + " | ".join(str(table.get((w, n, rule), Share())) for w in WARM_UPS for n in SIZES) + " |")
        print(f"\n{self.quiet} of {self.series} series are quiet in their second half. Long enough after the warm-up (n = "
              + "/".join(map(str, SIZES)) + "): " + ", ".join(f"{w}: {table_size(self.value, w)}" for w in WARM_UPS))
        print("\n| in the middle of the same series | " + " | ".join(f"n = {n}" for n in SIZES) + " |")
        print("|---" * (1 + len(SIZES)) + "|")
        print("| first 40 samples more than 1 % off: wandering, not warm-up | " + " | ".join(str(self.later.get(n, Share())) for n in SIZES) + " |")
        print("| MSER-5 cuts something | " + " | ".join(str(self.cut.get(n, Share())) for n in SIZES) + " |")
        print("| MSER-5 at its limit | " + " | ".join(str(self.limit.get(n, Share())) for n in SIZES) + " |")
        print("| share of samples that ours drops, mean | " + " | ".join(
            f"{100 * statistics.mean(self.dropped[n]):5.1f} %" if n in self.dropped else "      –" for n in SIZES) + " |")


def table_size(table, warm_up):
    return "/".join(str(table.get((warm_up, n, "no cut"), Share()).of) for n in SIZES)


def simulated():
    """False cuts on series that are steady from the first sample, 4,000 of each kind, fixed seed."""
    draw = random.Random(20261121)
    print("\n| simulated, steady | " + " | ".join(f"cuts / at limit / mean share dropped by ours, n = {n}" for n in SIZES) + " |")
    print("|---" * (1 + len(SIZES)) + "|")
    for name, phi, spikes in (("normal", 0, 0), ("AR(1) 0.4", 0.4, 0), ("AR(1) 0.7", 0.7, 0), ("normal, 3 % spikes", 0, 0.03)):
        cells = []
        for n in SIZES:
            cuts, limits, dropped = Share(), Share(), []
            for _ in range(4000):
                level, series = draw.gauss(0, 1) / math.sqrt(1 - phi * phi), []
                for _ in range(n):
                    level = phi * level + draw.gauss(0, 1)
                    series.append(0.01 * level + (abs(draw.gauss(0, 0.3)) if draw.random() < spikes else 0))
                cut, at_limit = mser(series)
                cuts.add(cut > 0)
                limits.add(at_limit)
                dropped.append((0 if at_limit else cut) / n)
            cells.append(f"{cuts} / {limits} / {100 * statistics.mean(dropped):.1f} %")
        print(f"| {name} | " + " | ".join(cells) + " |")


def record(suite, processes, threads, folder):
    """One file of doubles for each process and case: calls per sample, then wall and CPU time of each sample in turn."""
    listing, out = os.path.join(folder, "list.json"), os.path.join(folder, "out.json")
    subprocess.run([suite, f"--torchgate_list={listing}"], check=True)
    groups = [group["name"] for group in json.load(open(listing))["groups"]]
    for number in range(processes):
        for group in groups:
            subprocess.run([suite, "--torchgate_profile=series", f"--torchgate_group={group}", f"--torchgate_out={out}",
                            f"--torchgate_seed={number}", f"--torchgate_threads={threads}"], check=True)
            report = json.load(open(out))
            for result in report["results"]:
                if "time" not in result["measurements"]:
                    continue  # skipped, failed or wrong
                numbers = array.array("d", [result.get("calls_per_sample", 1)])
                for metric in METRICS:
                    numbers.extend(result["measurements"][metric]["samples"])
                name = report["cases"][result["case"]]["name"].replace("/", "~")
                with open(os.path.join(folder, f"{name}.{number}.series"), "wb") as file:
                    numbers.tofile(file)
        print(f"{os.path.basename(suite)}: process {number + 1} of {processes}", file=sys.stderr)


def read_series(folder, metric):
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".series"):
            continue
        numbers = array.array("d")
        with open(os.path.join(folder, name), "rb") as file:
            numbers.frombytes(file.read())
        n = (len(numbers) - 1) // len(METRICS)
        first = 1 + n * METRICS.index(metric)
        if n >= SHORTEST:
            yield list(numbers[first:first + n]), numbers[0]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--processes", type=int, default=20, help="of each group (default: 20)")
    arguments.add_argument("--threads", type=int, default=1)
    arguments.add_argument("--metric", choices=METRICS, default="time")
    arguments.add_argument("--folder", default=".torchgate/steady_state", help="where the series are kept")
    arguments.add_argument("--simulated", action="store_true")
    arguments.add_argument("suites", nargs="*")
    options = arguments.parse_args()
    if options.simulated:
        return simulated()
    os.makedirs(options.folder, exist_ok=True)
    for suite in options.suites:
        record(suite, options.processes, options.threads, options.folder)
    evidence = Evidence()
    for series, calls_per_sample in read_series(options.folder, options.metric):
        evidence.add(series, calls_per_sample)
    if evidence.series == 0:
        arguments.error(f"no series in {options.folder}: name the suite programs to record")
    evidence.print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
