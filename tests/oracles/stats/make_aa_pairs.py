# SPDX-License-Identifier: Apache-2.0
"""Interleaved pairs of a program with itself: the log ratio of the medians of both sides, pair by pair in the order measured.

    python3 make_aa_pairs.py FOLDER > ../../fixtures/stats/aa_pairs.csv

FOLDER has interleaved_process.csv.gz (tests/simulations/README.md, "What is recorded"); its sequences of the variant `aa` are used.
"""
import collections
import csv
import gzip
import math
import os
import sys

sequences = collections.defaultdict(list)
with gzip.open(os.path.join(sys.argv[1], "interleaved_process.csv.gz"), "rt", encoding="utf-8") as file:
    for row in csv.DictReader(file):
        if row["variant"] == "aa":
            sequences[row["workload"], row["rep"]].append((row["is_b"] == "1", math.log(float(row["median"]))))
out = csv.writer(sys.stdout, lineterminator="\n")
out.writerow(["workload", "sequence", "log_ratio"])
for (workload, repetition), processes in sorted(sequences.items()):
    for first, second in zip(processes[::2], processes[1::2]):
        before, after = (second, first) if first[0] else (first, second)
        assert after[0] and not before[0], "a pair has one process of each side"
        out.writerow([workload, repetition, f"{after[1] - before[1]:.6f}"])
