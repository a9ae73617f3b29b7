#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How often the second half of ci/scripts/try.sh finds its slower case on this machine: a run of the demo suite, then pairs of its second build, which has
10 % more work in demo/solver/refine. One line each, and the sum; busy loops of this script can run beside them.

    tests/studies/demo_study.py [--build DIR] [--times N] [--busy N]
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

from busy_loops import busy_loops

SLOWER = "demo/solver/refine"


def torchgate(program, *words, folder):
    done = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"torchgate {' '.join(words)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.returncode


def evidence_of(findings):
    """What found the slower case: ("time", ...) or ("instructions", ...); None: nothing did."""
    for finding in findings:
        if finding["case"] != SLOWER or finding["verdict"] != "regressed" or finding["action"] != "fail":
            continue
        if counted := finding.get("counted"):
            return "instructions", f"{counted['change']:+.2%} instructions"
        if pairs := finding.get("confirmation"):
            return "time", f"{finding['change']:+.1%} in {pairs['pairs']} pairs"
    return None


def one_time(program, before, after, folder):
    began = time.monotonic()
    torchgate(program, "run", "--quick", "--suite", before, "--save", "before", folder=folder)
    code = torchgate(program, "gate", "--quick", "--suite", after, "--against", "before", "--store", "store", "--json", "report.json", folder=folder)
    with open(os.path.join(folder, "report.json"), encoding="utf-8") as file:
        findings = json.load(file)["findings"]
    others = sorted({f["case"] for f in findings if f["action"] == "fail"} - {SLOWER})
    return code, evidence_of(findings), others, time.monotonic() - began


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--busy", type=int, default=0, help="busy loops beside it")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    programs = [os.path.join(build, name) for name in ("ci/cli/torchgate", "demo/before/demo", "demo/after/demo")]
    for each in programs:
        if not os.access(each, os.X_OK):
            sys.exit(f"{each} is missing; build torchgate, demo_before and demo_after, or name their build with --build")
    found = {"time": 0, "instructions": 0}
    false = 0
    with busy_loops(options.busy):
        for number in range(1, options.times + 1):
            with tempfile.TemporaryDirectory() as folder:
                code, evidence, others, seconds = one_time(*programs, folder)
            false += bool(others)
            if evidence:
                found[evidence[0]] += 1
            print(f"{number:3}: exit code {code}, {evidence[1] if evidence else 'not found'}"
                  f"{', failing beside it: ' + ', '.join(others) if others else ''}, {seconds:.0f} s, load {os.getloadavg()[0]:.1f}", flush=True)
    print(f"found {sum(found.values())} of {options.times}: {found['time']} by time, {found['instructions']} by instructions; "
          f"{false} with another case that fails")


if __name__ == "__main__":
    main()
