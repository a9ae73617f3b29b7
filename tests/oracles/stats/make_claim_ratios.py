#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the claims about times of recorded runs as a table: per claim the log ratio of its two cases in each process.

    python3 make_claim_ratios.py NAME=RUN.json [NAME=RUN.json ...] > ../../fixtures/stats/claim_ratios.csv

Oriented so that larger is worse: a ratio above the promise breaks the claim; "at least" is inverted. Per item where the claim is.
"""
import json
import math
import sys

PROCESSES = 5


def medians(run):
    """Median of each case and timed metric in each process of the last side."""
    timed = {metric['name'] for metric in run['metrics'] if metric['kind'] == 'timed'}
    median = run['summary_columns'].index('median')
    values = {}
    for process in run['processes']:
        if process['side'] != len(run['sides']) - 1:
            continue
        for case in process.get('cases', []):
            for metric, value in case.get('measurements', {}).items():
                if metric in timed and isinstance(value, list) and value[median]:
                    values.setdefault((run['cases'][case['case']]['name'], metric), {})[process['index']] = value[median]
    return values


def rows(name, run):
    values = medians(run)
    items = {case['name']: case.get('items_per_call', 1) for case in run['cases']}
    for claim in (claim for group in run['groups'] for claim in group.get('claims', [])):
        case, reference, metric = claim['case'], claim.get('reference_case', ''), claim['metric']
        ours, theirs = values.get((case, metric), {}), values.get((reference, metric), {})
        both = sorted(set(ours) & set(theirs))
        if len(both) != PROCESSES:
            continue
        per_item = items[case] / items[reference] if claim.get('per_item') else 1
        sign = 1 if claim['relation'] == 'at_most' else -1
        ratios = [sign * math.log(ours[i] / theirs[i] / per_item) for i in both]
        yield [name, case, reference, metric, '%.7g' % (sign * math.log(claim['ratio']))] + ['%.6f' % r for r in ratios]


print(','.join(['run', 'case', 'reference', 'metric', 'log_promise'] + ['p%d' % (i + 1) for i in range(PROCESSES)]))
for argument in sys.argv[1:]:
    label, path = argument.split('=', 1)
    with open(path, encoding='utf-8') as file:
        for row in rows(label, json.load(file)):
            print(','.join(row))
