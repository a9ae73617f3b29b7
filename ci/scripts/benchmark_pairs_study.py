#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How a Google Benchmark program is best measured in pairs: processes of one program, one after the other (A/A), with few long or many
short repetitions, judged by their median, lowest quartile or minimum. Prints the SD and the robust SD (1.48 MAD) of a pair's log ratio, per cent:
what decides how many pairs a verdict takes. Times are Google Benchmark's real_time.

    ci/scripts/benchmark_pairs_study.py PROGRAM [--filter REGEX] [--pairs 24] [--seconds 0.3]
"""
import argparse
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile

WAYS = [(6, 0.05), (12, 0.025), (24, 0.0125), (60, 0.005)]  # repetitions, seconds of each: 0.3 s a process
ESTIMATORS = {
    "median": statistics.median,
    "quartile": lambda values: statistics.quantiles(values, n=4)[0],
    "minimum": min,
}


def measure(program, pattern, repetitions, seconds, folder):
    """The times of each benchmark in one process, by name."""
    out = os.path.join(folder, "out.json")
    subprocess.run(
        [program, f"--benchmark_filter={pattern}", f"--benchmark_out={out}", "--benchmark_out_format=json",
         f"--benchmark_min_time={seconds}", f"--benchmark_repetitions={repetitions}",
         "--benchmark_report_aggregates_only=false"],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    with open(out, encoding="utf-8") as file:
        rows = json.load(file)["benchmarks"]
    times = {}
    for row in rows:
        if row.get("run_type", "iteration") == "iteration":
            times.setdefault(row["run_name"], []).append(row["real_time"])
    return times


def spread(differences):
    centre = statistics.median(differences)
    mad = statistics.median(abs(each - centre) for each in differences)
    return 100 * statistics.stdev(differences), 100 * 1.4826 * mad


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--filter", default=".")
    parser.add_argument("--pairs", type=int, default=24)
    parser.add_argument("--seconds", type=float, default=0.3, help="of each benchmark in each process")
    arguments = parser.parse_args()
    if not os.access(arguments.program, os.X_OK):
        sys.exit(f"{arguments.program}: not an executable file; build the program first")
    ways = [(count, seconds * arguments.seconds / 0.3) for count, seconds in WAYS]
    logs = {way: [] for way in ways}  # of each way: pairs of the two processes' times
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(arguments.pairs):
            for way in random.sample(ways, len(ways)):  # what disturbs the machine for a while disturbs all ways
                logs[way].append([measure(arguments.program, arguments.filter, *way, folder) for _ in range(2)])
    names = list(logs[ways[0]][0][0])
    print("| benchmark | repetitions | " + " | ".join(f"{name}: SD (robust)" for name in ESTIMATORS) + " |")
    print("|---" * (2 + len(ESTIMATORS)) + "|")
    for name in names:
        for way in ways:
            cells = []
            for estimate in ESTIMATORS.values():
                cells.append("{:.1f} % ({:.1f})".format(
                    *spread([math.log(estimate(b[name]) / estimate(a[name])) for a, b in logs[way]])))
            print(f"| {name} | {way[0]} of {1000 * way[1]:.1f} ms | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
