#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How a Google Benchmark program is best measured in pairs: two processes of one program (A/A), one after the other or both at once in turns of
20 ms (the other one stopped by SIGSTOP), on any CPU or both on one that is drawn for the pair, with few long or many short repetitions, judged by their
median, lowest quartile or minimum. Prints the SD and the robust SD (1.48 MAD) of a pair's log ratio, per cent: what decides how many pairs a verdict takes. Times are Google Benchmark's real_time, so that a
repetition that was stopped is one of the slow ones.

    tests/studies/benchmark_pairs_study.py PROGRAM [--filter REGEX] [--pairs 24] [--seconds 0.3]
"""
import argparse
import json
import math
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile

TURN_S = 0.02
WAYS = [(6, 0.05), (24, 0.0125), (60, 0.005)]  # repetitions, seconds of each: 0.3 s a process
ESTIMATORS = {
    "median": statistics.median,
    "quartile": lambda values: statistics.quantiles(values, n=4)[0],
    "minimum": min,
}


def start(program, pattern, repetitions, seconds, out):
    return subprocess.Popen(
        [program, f"--benchmark_filter={pattern}", f"--benchmark_out={out}", "--benchmark_out_format=json",
         f"--benchmark_min_time={seconds}", f"--benchmark_repetitions={repetitions}",
         "--benchmark_report_aggregates_only=false"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)


def times_in(out):
    """The times of each benchmark in one process, by name."""
    with open(out, encoding="utf-8") as file:
        rows = json.load(file)["benchmarks"]
    times = {}
    for row in rows:
        if row.get("run_type", "iteration") == "iteration":
            times.setdefault(row["run_name"], []).append(row["real_time"])
    return times


def one_after_the_other(processes):
    for begin in processes:
        begin().wait()


def in_turns(processes):
    """Each runs for TURN_S while the other one's process group is stopped."""
    running = []
    for begin in processes:
        running.append(begin())
        os.killpg(running[-1].pid, signal.SIGSTOP)
    while running:
        for process in random.sample(running, len(running)):
            os.killpg(process.pid, signal.SIGCONT)
            try:
                process.wait(TURN_S)
                running.remove(process)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGSTOP)


ORDERS = {"one after the other": one_after_the_other, "turns": in_turns}
CPUS = ["any CPU", "one CPU"]


def measure_pair(program, pattern, way, folder):
    (order, cpus), repetitions, seconds = way
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {random.choice(sorted(allowed))} if cpus == "one CPU" else allowed)
    outs = [os.path.join(folder, f"{side}.json") for side in "ab"]
    ORDERS[order]([lambda out=out: start(program, pattern, repetitions, seconds, out) for out in outs])
    os.sched_setaffinity(0, allowed)
    return [times_in(out) for out in outs]


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
    ways = [((order, cpus), count, seconds * arguments.seconds / 0.3) for order in ORDERS for cpus in CPUS for count, seconds in WAYS]
    logs = {way: [] for way in ways}  # of each way: pairs of the two processes' times
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(arguments.pairs):
            for way in random.sample(ways, len(ways)):  # what disturbs the machine for a while disturbs all ways
                logs[way].append(measure_pair(arguments.program, arguments.filter, way, folder))
    names = list(logs[ways[0]][0][0])
    print("| benchmark | processes | repetitions | " + " | ".join(f"{name}: SD (robust)" for name in ESTIMATORS) + " |")
    print("|---" * (3 + len(ESTIMATORS)) + "|")
    for name in names:
        for way in ways:
            cells = []
            for estimate in ESTIMATORS.values():
                cells.append("{:.1f} % ({:.1f})".format(
                    *spread([math.log(estimate(b[name]) / estimate(a[name])) for a, b in logs[way]])))
            print(f"| {name} | {', '.join(way[0])} | {way[1]} of {1000 * way[2]:.1f} ms | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
