#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How much do the samples of a process beyond the first ones say? Of a saved run with raw samples: the run-to-run spread of each case, computed
from the first part of the samples of each process.

    torchgate run --suite-dir build/release/suites/bin --save budget
    tests/studies/budget_study.py .torchgate/runs/budget.json [--shares 1 0.67 0.5 0.33]

For each share: the samples that are left, and over the cases the median and the 90 % quantile of the SD between processes of the log of their
median and of their 1 % quantile; only cases with more than the least number of samples (40) are shortened. No Python packages."""
import argparse
import json
import math
import pathlib
import statistics
import struct

LEAST = 40  # SamplerSettings::samples_least


def quantile(values, share):
    ordered = sorted(values)
    at = (len(ordered) - 1) * share
    below = int(at)
    return ordered[below] + (at - below) * (ordered[min(below + 1, len(ordered) - 1)] - ordered[below])


def series_of(run_file):
    """{case: [samples of each process]} of the metric `time`; the format is in harness/record/README.md, "The samples file"."""
    run = json.loads(run_file.read_text())
    data = (run_file.parent / (run["samples"]["sha256"] + ".samples")).read_bytes()
    at = 24
    (count, _), at = struct.unpack_from("<QQ", data, at), at + 16
    heads = []
    for _ in range(count):
        (process, samples, case, metric), at = struct.unpack_from("<QQII", data, at), at + 24
        heads.append((process, samples, data[at:at + case].decode(), data[at + case:at + case + metric].decode()))
        at += case + metric
    at = (at + 7) // 8 * 8
    series = {}
    for _, samples, case, metric in heads:
        if metric == "time":
            series.setdefault(case, []).append(struct.unpack_from(f"<{samples}d", data, at))
        at += 8 * samples
    return series


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=pathlib.Path)
    parser.add_argument("--shares", type=float, nargs="+", default=[1, 0.67, 0.5, 0.33])
    options = parser.parse_args()
    series = {case: processes for case, processes in series_of(options.run).items()
              if len(processes) > 2 and min(map(len, processes)) > LEAST and min(map(min, processes)) > 0}
    if not series:
        parser.error(f"{options.run}: no case has three processes of more than {LEAST} samples each")
    print(f"{len(series)} cases with more than {LEAST} samples\n")
    print("| share | samples | medians: SD | 90 % of the cases | 1 % quantiles: SD | 90 % of the cases |\n|--:|--:|--:|--:|--:|--:|")
    for share in options.shares:
        cut = {case: [each[:max(LEAST, round(share * len(each)))] for each in processes] for case, processes in series.items()}
        row = [f"{share:g}", str(sum(len(each) for processes in cut.values() for each in processes))]
        for number in (statistics.median, lambda values: quantile(values, 0.01)):
            spread = [100 * statistics.stdev(math.log(number(each)) for each in processes) for processes in cut.values()]
            row += [f"{quantile(spread, at):.2f} %" for at in (0.5, 0.9)]
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
