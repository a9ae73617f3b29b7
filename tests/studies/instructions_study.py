#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How well do counts of instructions repeat, and do they find +0.3 % on a busy machine? Prints tables in Markdown.

    tests/studies/instructions_study.py repeat build/ci/suites/bin          # five runs: ten A/A processes of each CPU case, spread per case
    tests/studies/instructions_study.py repeat --of aa1 aa2 aa3 aa4 aa5     # existing runs
    tests/studies/instructions_study.py planted build/core/tests/harness/launch/counted_{suite,benchmark}
    tests/studies/instructions_study.py libtorch build/ci/suites/bin/fusion   # +0.3 % planted inside a function of LibTorch
    tests/studies/instructions_study.py cost build/ci/suites/bin --filter '^operators/'   # what counting takes, beside its estimate

`planted` and `libtorch` start a load of their own (twice as many busy processes as CPUs), measure a baseline, and compare ten runs with +0.3 % and ten with nothing: by
the variable COUNTED_EXTRA of those programs, or by a library before LibTorch whose at::relu runs a loop first. Works in a temporary folder, or in --folder. Exit code: 0, or 1 if a planted change
was missed or nothing was reported as changed. Needs a build and valgrind; no Python packages."""
import argparse
import collections
import contextlib
import itertools
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

THRESHOLD = 0.002  # gate.instructions
LEAST_TOLERANCE = 1e-4
TOLERANCE_FACTOR = 2
POLICY = '[gate]\nconfirm = "none"\n[[case]]\nmatch = "."\nmetrics = { instructions = "fail" }\n'


def run(torchgate, folder, suites, name, extra=(), environment=None):
    """A run with one timed process per group. Returns its record, and how long counting took, in seconds, and was said to take."""
    command = [torchgate, "run", "--instructions", "--allow-noisy", "--save", name, *extra]
    command += itertools.chain.from_iterable(("--suite", str(suite)) for suite in suites)
    process = subprocess.Popen(command, cwd=folder, env={**os.environ, "TORCHGATE_RUN_PROCESSES": "1", **(environment or {})},
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    began, said, output = None, "", []
    for line in process.stdout:
        output.append(line)
        if line.startswith("counting instructions of"):
            began, said = time.monotonic(), line.strip()
    seconds = time.monotonic() - began if began else 0
    if process.wait() not in (0, 1):
        raise SystemExit(f"{' '.join(map(str, command))}: exit code {process.returncode}\n{''.join(output)}")
    print(f"{name}: {said}; took {seconds:.0f} s", file=sys.stderr)
    return json.loads((folder / ".torchgate/runs" / f"{name}.json").read_text()), seconds, said


def counts_of(records):
    counts, unknown = collections.defaultdict(list), {}
    for record in records:
        for one in record.get("instructions", []):
            counts[one["case"]] += one["per_call"]
            if not one["per_call"]:
                unknown[one["case"]] = one["unknown"]
    return {case: values for case, values in counts.items() if values}, unknown


def spread(values):
    return max(values) / min(values) - 1 if min(values) > 0 else 0


def percent(ratio):
    return f"{ratio * 100:.2g} %" if ratio else "0"


def false_alarms(values):
    """Of all comparisons of two processes with two others: how many the gate would call changed, by the processes' own tolerance."""
    alarms = total = 0
    for before in itertools.combinations(values, 2):
        rest = list(values)
        for value in before:
            rest.remove(value)
        for after in itertools.combinations(rest, 2):
            change = abs(statistics.median(after) / statistics.median(before) - 1)
            tolerance = max(LEAST_TOLERANCE, TOLERANCE_FACTOR * max(spread(before), spread(after)))
            alarms += change > tolerance and change >= THRESHOLD
            total += 1
    return alarms, total


def repeat(records):
    counts, unknown = counts_of(records)
    runs = [{one["case"]: one["per_call"] for one in record.get("instructions", [])} for record in records]
    print(f"{len(counts)} CPU cases counted in {max(map(len, counts.values()))} processes of {len(records)} runs, "
          f"{len(unknown)} not counted\n")
    print("| spread of a case | cases |\n|---|---|")
    bounds = [(0, "0"), (1e-5, "up to 0.001 %"), (1e-4, "up to 0.01 %"), (1e-3, "up to 0.1 %"), (2e-3, "up to 0.2 %"),
              (1e-2, "up to 1 %"), (float("inf"), "more")]
    spreads = {case: spread(values) for case, values in counts.items()}
    below = -1.0
    for bound, words in bounds:
        print(f"| {words} | {sum(below < value <= bound for value in spreads.values())} |")
        below = bound
    alarms = [false_alarms(values) for values in counts.values() if len(values) >= 4]
    print(f"\ntwo processes against two others, of the same case: {sum(a for a, _ in alarms)} of {sum(n for _, n in alarms)} "
          f"comparisons would be `changed`, in {sum(a > 0 for a, _ in alarms)} of {len(alarms)} cases")
    within = collections.Counter()
    for a, b in itertools.combinations(runs, 2):
        for case in a.keys() & b.keys():
            if a[case] and b[case]:
                change = abs(statistics.median(b[case]) / statistics.median(a[case]) - 1)
                tolerance = max(LEAST_TOLERANCE, TOLERANCE_FACTOR * max(spread(a[case]), spread(b[case])))
                within[change > tolerance and change >= THRESHOLD] += 1
    print(f"run against run: {within[True]} of {sum(within.values())} comparisons of a case would be `changed`\n")
    print("| case | instructions per call | spread | processes |\n|---|---|---|---|")
    for case, value in sorted(spreads.items(), key=lambda item: (-item[1], item[0])):
        print(f"| {case} | {statistics.median(counts[case]):,.0f} | {percent(value)} | {len(counts[case])} |")
    for case, why in sorted(unknown.items()):
        print(f"| {case} | not counted: {why} | - | - |")


@contextlib.contextmanager
def busy(processes):
    load = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for one in load:
            one.kill()
            one.wait()


def compared(torchgate, folder, before, after):
    report = folder / "report.json"
    report.unlink(missing_ok=True)
    subprocess.run([torchgate, "compare", before, after, "--allow-noisy", "--json", report, "--quiet"], cwd=folder,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    findings = json.loads(report.read_text())["findings"]
    return [f for f in findings if f["metric"]["name"] == "instructions" and f["verdict"] == "changed"]


def planted(torchgate, folder, programs, rounds, cases, environments):
    """ENVIRONMENTS: of the programs, by what is planted; the first one is that of the baseline."""
    (folder / "torchgate.toml").write_text(POLICY)
    table = {case: collections.Counter() for case in cases}
    extra = ["--filter", "(" + "|".join(map(re.escape, cases)) + ")$"]
    with busy(2 * (os.cpu_count() or 1)):
        run(torchgate, folder, programs, "before", extra, next(iter(environments.values())))
        for i, (name, environment) in itertools.product(range(1, rounds + 1), environments.items()):
            run(torchgate, folder, programs, "after", extra, environment)
            for finding in compared(torchgate, folder, "before", "after"):
                table[next(case for case in cases if finding["case"].endswith(case))][name] += finding["action"] == "fail"
    print(f"load: {2 * (os.cpu_count() or 1)} busy processes on {os.cpu_count()} CPUs\n")
    print("| case | planted | called changed |\n|---|---|---|")
    for case, (i, name) in itertools.product(cases, enumerate(environments)):
        print(f"| {case} | {name} | {table[case][name]} of {rounds} |")
    return all(table[case][name] == (rounds if i else 0) for case in cases for i, name in enumerate(environments))


RELU = "_ZN2at4_ops4relu4callERKNS_6TensorE"
# The result is returned through a pointer, which is the first argument.
BEFORE_LIBTORCH = f"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
typedef void* (*Relu)(void*, const void*);
void* {RELU}(void* result, const void* tensor) {{
  static Relu relu;
  static long turns;
  if (relu == 0) {{
    relu = (Relu)dlsym(RTLD_NEXT, "{RELU}");
    turns = atol(getenv("PLANTED_TURNS"));
  }}
  for (long i = turns; i > 0; --i) __asm__ volatile("");
  return relu(result, tensor);
}}
"""
INSTRUCTIONS_OF_A_TURN = 2  # it counts down


def planted_in_libtorch(torchgate, folder, suites, rounds):
    case = "fusion/linear_relu/eager/rows:32/device:cpu"
    record, _, _ = run(torchgate, folder, suites, "size", ["--filter", case + "$"])
    turns = round(0.003 * statistics.median(counts_of([record])[0][case]) / INSTRUCTIONS_OF_A_TURN)
    (folder / "before_libtorch.c").write_text(BEFORE_LIBTORCH)
    library = folder / "before_libtorch.so"
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", folder / "before_libtorch.c", "-o", library, "-ldl"], check=True)
    environments = {name: {"LD_PRELOAD": str(library), "PLANTED_TURNS": str(count)}
                    for name, count in (("nothing", 0), ("+0.3 % in at::relu", turns))}
    return planted(torchgate, folder, suites, rounds, [case], environments)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("repeat", "planted", "libtorch", "cost"))
    parser.add_argument("suites", nargs="*", type=lambda path: pathlib.Path(path).absolute())
    parser.add_argument("--torchgate", type=lambda path: pathlib.Path(path).absolute(),
                        default=pathlib.Path(__file__).absolute().parents[2] / "build/core/ci/cli/torchgate")
    parser.add_argument("--runs", type=int, default=5, help="of two processes each")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--filter", default=".*")
    parser.add_argument("--folder", type=pathlib.Path)
    parser.add_argument("--of", nargs="+", metavar="RUN")
    options = parser.parse_intermixed_args()
    with contextlib.ExitStack() as stack:
        folder = (options.folder or pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))).absolute()
        folder.mkdir(exist_ok=True, parents=True)
        if options.what == "planted":
            environments = {"nothing": {"COUNTED_EXTRA": "0"}, "+0.3 %": {"COUNTED_EXTRA": "3"}}
            cases = ["loop/loop/turns:100000", "BM_loop/100000"]
            return 0 if planted(options.torchgate, folder, options.suites, options.rounds, cases, environments) else 1
        if options.what == "libtorch":
            return 0 if planted_in_libtorch(options.torchgate, folder, options.suites, options.rounds) else 1
        if options.what == "cost":
            record, seconds, said = run(options.torchgate, folder, options.suites, "cost", ["--filter", options.filter])
            counts, unknown = counts_of([record])
            print(f"{said}\ntook {seconds:.0f} s for {len(counts)} cases ({len(unknown)} not counted)")
            return 0
        if options.of:
            records = [json.loads((folder / ".torchgate/runs" / f"{name}.json").read_text()) for name in options.of]
        else:
            records = [run(options.torchgate, folder, options.suites, f"aa{i}", ["--filter", options.filter])[0]
                       for i in range(1, options.runs + 1)]
        repeat(records)
    return 0


if __name__ == "__main__":
    sys.exit(main())
