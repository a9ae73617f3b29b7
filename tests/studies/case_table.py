#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the cases of a saved run as a Markdown table: time, ratio to the reference, peak bytes, operator calls, output error.

    build/release/ci/cli/torchgate run --full --suite-dir build/release/suites/bin --filter '^models/' --save models
    tests/studies/case_table.py .torchgate/runs/models.json

Time: the median over the processes of the median of a process; the ratio: the median over the processes of the ratio in a
process. No Python packages."""
import collections
import json
import pathlib
import statistics
import sys

EXACT = ("peak_bytes", "operator_calls", "output_error")


def in_unit(value, units):
    """Three digits and the largest unit that leaves at least 1."""
    for size, unit in units:
        if abs(value) >= size:
            digits = f"{value / size:.3g}"
            return f"{float(digits):g} {unit}"
    return f"{value:g} {units[-1][1]}"


TIMES = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1, "ns"))
BYTES = ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1, "B"))


def measurements(run):
    """[case index][metric] -> {process: median or exact value}"""
    median = run["summary_columns"].index("median")
    values = collections.defaultdict(lambda: collections.defaultdict(dict))
    for process in run["processes"]:
        for result in process["cases"]:
            for metric, value in result.get("measurements", {}).items():
                values[result["case"]][metric][process["index"]] = value[median] if isinstance(value, list) else value
    return values


def exact(values, metric):
    """The value if all processes agree on it."""
    seen = set(values[metric].values())
    return seen.pop() if len(seen) == 1 else None


def parameters(case):
    return case.get("parameters", {})


def in_order(case):
    """Numbers by their value: the shorter one first."""
    return case["group"], [(len(value), value) for value in parameters(case).values()]


def reference_of(case, run):
    names = {group["name"]: group.get("reference") for group in run["groups"]}
    for index, other in enumerate(run["cases"]):
        same = (other["group"], parameters(other)) == (case["group"], parameters(case))
        if same and other["variant"] == names[case["group"]]:
            return index
    return None


def row(index, run, values):
    case, own = run["cases"][index], values[index]
    reference = reference_of(case, run)
    times = own["time"]
    ratio = ""
    if reference is not None:
        of_reference = values[reference]["time"]
        ratio = f"{statistics.median(times[p] / of_reference[p] for p in times if p in of_reference):.2f}"
    peak, calls, error = (exact(own, metric) for metric in EXACT)
    where = ", ".join(f"{key} {value}" for key, value in parameters(case).items())
    return (case["group"].split("/")[1] + (", " + where if where else ""), f"`{case['variant']}`",
            in_unit(statistics.median(times.values()), TIMES), ratio, "" if peak is None else in_unit(peak, BYTES),
            "" if calls is None else f"{calls:g}", "" if error is None else f"{error:.2g}")


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        run = json.loads(pathlib.Path(sys.argv[1]).read_text())
    except (OSError, ValueError) as error:
        print(f"{sys.argv[1]}: {error}; name the file of a run, .torchgate/runs/NAME.json", file=sys.stderr)
        return 2
    values = measurements(run)
    print("| group | variant | time | ratio | peak bytes | operator calls | output error |")
    print("|---|---|---|---|---|---|---|")
    measured = [index for index in range(len(run["cases"])) if values[index]["time"]]
    for index in sorted(measured, key=lambda index: in_order(run["cases"][index])):
        print("| " + " | ".join(row(index, run, values)) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
