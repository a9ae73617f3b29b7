#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How often does each claim of the suites hold? Measures the suites several times and prints, for each suite and run, how many
claims hold, are undecided and are broken, and every claim that did not hold in all runs. Let nothing else run meanwhile.

    tests/studies/claims_study.py                      # five runs with the default profile
    tests/studies/claims_study.py --isa avx2 --quick   # limited to what a CPU with AVX2 has
    tests/studies/claims_study.py --of RUN1 RUN2       # existing runs

Also whether each exact metric is the same in all processes of all runs. Exit code: 0, or 1 if a claim is broken in one of the runs,
15 % and more of the claims are undecided in one, or an exact metric differs. Claims of cases that this machine skips are counted
apart. Needs a build; no Python packages."""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

MOST_UNDECIDED = 0.15
STATES = ("holds", "undecided", "broken", "not_measured")
# Every library that has kernels for more than one instruction set, limited.
ISA = {
    "all": {},
    "avx2": {"ATEN_CPU_CAPABILITY": "avx2", "MKL_ENABLE_INSTRUCTIONS": "AVX2", "ONEDNN_MAX_CPU_ISA": "AVX2",
             "FBGEMM_ENABLE_INSTRUCTIONS": "AVX2"},
}


def measured(torchgate, suites, isa, quick, count):
    for i in range(1, count + 1):
        name = f"claims-{isa}-{i}"
        command = [torchgate, "run", "--suite-dir", suites, "--allow-noisy", "--save", name] + ["--quick"] * quick
        started = time.monotonic()
        log = subprocess.run(command, env={**os.environ, **ISA[isa]}, stdout=subprocess.PIPE, stderr=sys.stderr, text=True)
        print(f"{name}: {time.monotonic() - started:.0f} s, exit code {log.returncode}", file=sys.stderr)
        if log.returncode not in (0, 1):
            raise SystemExit(f"{' '.join(map(str, command))}: exit code {log.returncode}\n{log.stdout}")
        yield name


def claims_of(torchgate, run):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "report.json"
        code = subprocess.run([torchgate, "report", run, "--allow-noisy", "--format", "json", "-o", path]).returncode
        if not path.exists():
            raise SystemExit(f"torchgate report {run}: exit code {code}, no report")
        return json.loads(path.read_text())["claims"]


def table(runs, names):
    suites = sorted({claim["case"].split("/")[0] for claims in runs for claim in claims})
    width = max(len(name) for name in [*names, "run"])
    print(f"{'run':{width}}  {'suite':14}" + "".join(f"{state.replace('_', ' '):>14}" for state in STATES))
    for name, claims in zip(names, runs):
        for suite in [*suites, "all"]:
            counts = collections.Counter(c["state"] for c in claims if suite in ("all", c["case"].split("/")[0]))
            print(f"{name:{width}}  {suite:14}" + "".join(f"{counts[state]:14}" for state in STATES))


def ratio(claim):
    if claim["state"] == "not_measured":
        return "-"
    value, bound = (claim.get(key) for key in ("measured_ratio", "bound"))
    return f"{claim['state']} {value:.3g} ({bound:.3g})" if value is not None and bound is not None else claim["state"]


def others(runs):
    """The claims that were undecided or broken in at least one run, with the ratio and its bound for each run."""
    by_claim = collections.defaultdict(list)
    for claims in runs:
        for claim in claims:
            by_claim[claim["case"], claim["text"]].append(claim)
    print("\nnot held in every run: state, measured ratio (bound of its confidence interval)")
    for (case, text), claims in sorted(by_claim.items()):
        if any(claim["state"] in ("undecided", "broken") for claim in claims):
            print(f"  {case}: {text}: {'; '.join(map(ratio, claims))}")


def exact_values(names):
    """{(case, metric): the values of all processes}"""
    values = collections.defaultdict(list)
    for name in names:
        path = pathlib.Path(name) if pathlib.Path(name).is_file() else pathlib.Path(".torchgate/runs") / f"{name}.json"
        run = json.loads(path.read_text())
        for process in run["processes"]:
            for result in process["cases"]:
                for metric, value in result.get("measurements", {}).items():
                    if not isinstance(value, list):
                        values[run["cases"][result["case"]]["name"], metric].append(value)
    return values


def show_exact(names):
    values = exact_values(names)
    differ = {key: found for key, found in values.items() if len(set(found)) > 1}
    processes = max(map(len, values.values()), default=0)
    print(f"\n{len(values)} exact metrics of {len({case for case, _ in values})} cases in up to {processes} processes: {len(differ)} differ")
    for (case, metric), found in sorted(differ.items()):
        print(f"  {case}: {metric}: {', '.join(f'{value:g}' for value in sorted(set(found)))}")
    return bool(differ)


def fails(claims):
    states = collections.Counter(claim["state"] for claim in claims)
    judged = states["holds"] + states["undecided"] + states["broken"]
    return states["broken"] > 0 or judged == 0 or states["undecided"] / judged >= MOST_UNDECIDED


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/release", help="folder of the build")
    parser.add_argument("--runs", type=int, default=5, help="how often the suites are measured")
    parser.add_argument("--isa", choices=ISA, default="all", help="instruction sets that the libraries may use")
    parser.add_argument("--quick", action="store_true", help="the profile quick instead of default")
    parser.add_argument("--of", nargs="+", metavar="RUN", help="judge these runs, measure nothing")
    options = parser.parse_args()
    build = pathlib.Path(options.build)
    torchgate = build / "ci" / "cli" / "torchgate"
    if not torchgate.exists():
        parser.error(f"{torchgate} is missing: cmake --preset release && cmake --build --preset release")
    names = options.of or list(
        measured(torchgate, build / "suites" / "bin", options.isa, options.quick, options.runs))
    runs = [claims_of(torchgate, name) for name in names]
    table(runs, names)
    others(runs)
    exact_differ = show_exact(names)
    return 1 if exact_differ or any(map(fails, runs)) else 0


if __name__ == "__main__":
    sys.exit(main())
