#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Judges recorded sequences of pairs by the Python reference: what `simulations recordings` prints in its sequential rows.

    python3 -m venv /tmp/oracle && /tmp/oracle/bin/pip install numpy==2.4.6 scipy==1.17.1
    cd tests/oracles/stats && /tmp/oracle/bin/python recorded_pairs.py FOLDER/interleaved_process.csv.gz
"""
import collections
import csv
import gzip
import math
import sys

import procedure

sequences = collections.defaultdict(list)
with gzip.open(sys.argv[1], 'rt') as file:
    for row in csv.DictReader(file):
        place = int(row['block']) * 4 + int(row['pos'])
        sequences[row['sequence'], row['workload'], row['variant']].append((place, row['is_b'] == '1', math.log(float(row['median']))))
for family in (1, 200):
    regressed, judged = collections.Counter(), collections.Counter()
    for (_, workload, variant), processes in sequences.items():
        if (workload == 'sort' and variant.startswith('p')) or len(processes) < 96:
            continue
        processes.sort()
        d = [(second[2] - first[2]) * (-1 if first[1] else 1) for first, second in zip(processes[::2], processes[1::2])]
        judged[variant] += 1
        regressed[variant] += procedure.interleaved(d, family)[0] == 'regressed'
    print(f'alpha 1 %/{family}:', ', '.join(f'{v} {regressed[v]}/{judged[v]}' for v in sorted(judged)))
