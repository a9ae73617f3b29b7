#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whole requests of pairs that take turns, on this machine as it is: forty cases (tests/harness/launch/turns/turns_suite.cpp, group turns/many) of two
identical builds, and of builds in which every fourth case has 5 % or 10 % more work. Prints, for each: requests with a false `regressed`, planted
changes found, cases decided, pairs, machine time and the share of a CPU that torchgate itself used. Busy loops of this script can run beside them.

    tests/studies/turns_requests.py [--build DIR] [--requests N] [--plus 0,5,10] [--busy N]
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

from busy_loops import busy_loops


def own_cpu_s(pid):
    """CPU time of the process without that of the suites that it starts; absent once it ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            user, system = file.read().rsplit(")", 1)[1].split()[11:13]
    except OSError:
        return None
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def request(torchgate, before, after, folder, seed):
    report = os.path.join(folder, "report.json")
    began = time.monotonic()
    cpu_s = 0
    with open(os.path.join(folder, "output.txt"), "w+", encoding="utf-8") as output:
        with subprocess.Popen(
                [torchgate, "ab", "--before", before, "--after", after, "--filter", "turns/many/", "--quick", "--seed", str(seed),
                 "--json", report], cwd=folder, stdout=output, stderr=subprocess.STDOUT) as running:
            while running.poll() is None:
                cpu_s = own_cpu_s(running.pid) or cpu_s
                time.sleep(0.5)
        output.seek(0)
        if running.returncode not in (0, 1, 3):
            sys.exit(f"torchgate ab: exit code {running.returncode}\n{output.read()}")
    with open(report, encoding="utf-8") as file:
        findings = json.load(file)["findings"]
    return time.monotonic() - began, cpu_s, {f["case"]: f for f in findings if f["metric"]["name"] == "time"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/ci")
    parser.add_argument("--requests", type=int, default=25)
    parser.add_argument("--plus", default="0,5,10", help="per cent of work planted, comma-separated")
    parser.add_argument("--busy", type=int, default=0, help="busy loops beside it")
    arguments = parser.parse_args()
    torchgate = os.path.abspath(os.path.join(arguments.build, "ci/cli/torchgate"))
    suite = os.path.abspath(os.path.join(arguments.build, "tests/harness/launch/turns_suite"))
    for program in (torchgate, suite):
        if not os.access(program, os.X_OK):
            sys.exit(f"{program} is missing; build it, or name its build with --build")
    with busy_loops(arguments.busy), tempfile.TemporaryDirectory() as folder:
        print("| planted | requests | with a false regressed | comparisons | planted found | decided | pairs of a case | s a request | torchgate's CPU |")
        print("|---|---|---|---|---|---|---|---|---|")
        before = shutil.copy(suite, os.path.join(folder, "suite-plus0"))
        for plus in (int(each) for each in arguments.plus.split(",")):
            after = os.path.join(folder, f"suite-plus{plus}")
            if plus == 0:
                after = os.path.join(folder, "after", "suite-plus0")
                os.mkdir(os.path.dirname(after))
            shutil.copy(suite, after)
            # Another file by its content: of the same objects on both sides nothing is called a regression, whatever was measured.
            with open(after, "ab") as file:
                file.write(b"after")
            false_alarms = found = planted = decided = compared = pairs = seconds = cpu_s = 0
            for seed in range(arguments.requests):
                spent, used, cases = request(torchgate, before, after, folder, seed + 1)
                seconds += spent
                cpu_s += used
                wrong = missed = open_cases = 0
                for name, finding in cases.items():
                    changed = plus > 0 and "/quarter:0/" in name
                    regressed = finding["verdict"] == "regressed"
                    planted += changed
                    found += changed and regressed
                    missed += changed and not regressed
                    if regressed and not changed:
                        wrong += 1
                        print(f"false regressed: seed {seed + 1}, {name}: {finding}", file=sys.stderr)
                    open_cases += finding["verdict"] not in ("regressed", "improved", "equivalent")
                    compared += 1
                    pairs += finding["confirmation"]["pairs"] if finding.get("confirmation") else 0
                false_alarms += wrong > 0
                decided += len(cases) - open_cases
                load = os.getloadavg()[0]
                print(f"+{plus} %, request {seed + 1}: {wrong} false, {missed} missed, {open_cases} not decided of {len(cases)}, "
                      f"{spent:.0f} s, load {load:.1f}", file=sys.stderr, flush=True)
            print(f"| +{plus} % | {arguments.requests} | {false_alarms} | {compared} | {found} of {planted} | "
                  f"{100 * decided / max(1, compared):.1f} % | {pairs / max(1, compared):.1f} | "
                  f"{seconds / arguments.requests:.0f} | {100 * cpu_s / seconds:.1f} % |", flush=True)


if __name__ == "__main__":
    main()
