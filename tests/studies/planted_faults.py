#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants a fault in each group of the suites and checks that torchgate reports it.

A copy of this commit is built with all faults of planted_faults.toml, its suites are measured and compared with the unchanged ones. Each
fault names the case and the expected verdict. A case that cannot run on this machine (no GPU, no compiled packages) is skipped, with
its reason. Exit code 1 if a fault is not reported.

    tests/studies/planted_faults.py [--build build/release] [--preset release] [--only SUITE]... [--full]
    tests/studies/planted_faults.py --check     measures nothing: a group without a fault, or a fault whose place is missing
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tomllib
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERDICTS = ("wrong", "failed", "changed", "claim_broken")
LONGEST_FILTER = 1000  # torchgate takes a regular expression of 1024 bytes
# Groups of which no fault can be reported, and why.
WITHOUT_FAULT = {}


class Fault(NamedTuple):
    what: str
    case: str  # the beginning of its name
    said: str
    file: str
    old: str
    new: str
    profile: str = "default"
    processes: int = 2  # of its group

    @property
    def measured(self):
        """Faults with the same answer are measured in one run."""
        return self.profile, self.processes

    @property
    def suite(self):
        return self.file.split("/")[1]

    @property
    def group(self):
        return "/".join(self.case.split("/")[:2])


def faults_of_file():
    path = ROOT / "tests/studies/planted_faults.toml"
    return [Fault(**row) for row in tomllib.loads(path.read_text(encoding="utf-8"))["fault"]]


def problems_of(faults):
    """What is wrong with the list itself, a sentence each."""
    found = []
    for fault in faults:
        text = (ROOT / fault.file).read_text(encoding="utf-8") if (ROOT / fault.file).is_file() else ""
        if text.count(fault.old) != 1:
            found.append(f"{fault.file}: the place of the fault \"{fault.what}\" occurs {text.count(fault.old)} times; adapt it")
        overlapping = [other.what for other in faults
                       if other.file == fault.file and text.find(fault.old) < text.find(other.old) < text.find(fault.old) + len(fault.old)]
        found += [f"{fault.file}: the places of the faults \"{fault.what}\" and \"{other}\" overlap; adapt one" for other in overlapping]
        if fault.said not in VERDICTS:
            found.append(f"{fault.case}: unknown verdict {fault.said}; verdicts: {', '.join(VERDICTS)}")
    catalogue = (ROOT / "suites/README.md").read_text(encoding="utf-8").split("## Every optimisation")[0]
    groups = re.findall(r"^\| `([a-z0-9_]+/[a-z0-9_]+)` \|", catalogue, re.MULTILINE)
    with_fault = {fault.group for fault in faults}
    found += [f"{group}: no planted fault; add one" for group in groups if group not in with_fault and group not in WITHOUT_FAULT]
    found += [f"{group}: not a group of suites/README.md" for group in sorted(with_fault - set(groups))]
    return found


def run(command, **options):
    print("+", *command, file=sys.stderr)
    return subprocess.run(command, **options)


def with_faults(text, faults):
    """TEXT with all of its FAULTS. Their places are those of the unchanged text: what one writes may be what another looks for."""
    places = sorted(((text.index(fault.old), fault) for fault in faults), reverse=True)
    for begin, fault in places:
        text = text[:begin] + fault.new + text[begin + len(fault.old):]
    return text


def build_planted(faults, tree, preset):
    for file in sorted({fault.file for fault in faults}):
        path = tree / file
        text = path.read_text(encoding="utf-8")
        path.write_text(with_faults(text, [fault for fault in faults if fault.file == file]), encoding="utf-8")
    run(["cmake", "--preset", preset, "-DTORCHGATE_TESTS=OFF"], cwd=tree, check=True, stdout=subprocess.DEVNULL)
    targets = sorted({"suite_" + fault.suite for fault in faults})
    run(["cmake", "--build", "--preset", preset, "--target", *targets], cwd=tree, check=True, stdout=sys.stderr)


def report_of(faults, profile, processes, suites, torchgate, folder):
    """The comparison of the good and the planted suites."""
    groups = "^(" + "|".join(sorted({fault.group + "/" for fault in faults})) + ")"
    if len(groups) > LONGEST_FILTER:
        groups = "^(" + "|".join(sorted({fault.suite for fault in faults})) + ")/"
    names = {side: f"planted-{side}-{profile}-{processes}" for side in suites}
    for side, path in suites.items():
        # The exit code says that cases are wrong; what is said of each is in the report.
        run([torchgate, "run", "--processes", str(processes), "--allow-noisy", "--suite", path, "--filter", groups, "--save", names[side]]
            + (["--full"] if profile == "full" else []), stdout=sys.stderr)
    report = folder / f"report-{profile}-{processes}.json"
    run([torchgate, "compare", names["good"], names["bad"], "--rule", "exact", "--quiet", "--json", report], stdout=sys.stderr)
    return json.loads(report.read_text(encoding="utf-8"))


def verdicts_of(report, case):
    said = {finding["verdict"] for finding in report["findings"] if finding["case"].startswith(case)}
    broken = {"claim_broken" for claim in report["claims"] if claim["case"].startswith(case) and claim["state"] == "broken"}
    return said | broken


def verdict_on(fault, report):
    said = verdicts_of(report, fault.case)
    if fault.said in said:
        return "ok", said
    return ("skipped" if said == {"skipped"} else "MISSED"), said


def measure(faults, options):
    build = (ROOT / options.build).resolve()
    tree = ROOT / ".torchgate" / "planted-faults"
    run(["git", "worktree", "remove", "--force", tree], cwd=ROOT, stderr=subprocess.DEVNULL)
    run(["git", "worktree", "add", "--quiet", "--detach", tree, "HEAD"], cwd=ROOT, check=True)
    try:
        if (ROOT / ".deps").exists() and not (tree / ".deps").exists():
            (tree / ".deps").symlink_to(ROOT / ".deps")
        build_planted(faults, tree, options.preset)
        suites = {"good": build / "suites" / "bin", "bad": tree / "build" / options.preset / "suites" / "bin"}
        torchgate = build / "ci" / "cli" / "torchgate"
        return {measured: report_of([fault for fault in faults if fault.measured == measured], *measured, suites, torchgate, tree)
                for measured in sorted({fault.measured for fault in faults})}
    finally:
        run(["git", "worktree", "remove", "--force", tree], cwd=ROOT)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/release", help="folder of the unchanged build")
    parser.add_argument("--preset", default="release", help="preset that the copy is built with")
    parser.add_argument("--only", metavar="SUITE", action="append", help="plant in this suite only (repeatable)")
    parser.add_argument("--full", action="store_true", help="also the groups that only a full run measures")
    parser.add_argument("--check", action="store_true", help="check the list; measure nothing")
    options = parser.parse_args()
    faults = faults_of_file()
    if options.check:
        problems = problems_of(faults)
        print("\n".join(problems) or f"{len(faults)} faults, each in its place; every group has one")
        return 1 if problems else 0
    faults = [fault for fault in faults
              if (not options.only or fault.suite in options.only) and (options.full or fault.profile == "default")]
    if problems := problems_of(faults_of_file()):
        raise SystemExit("\n".join(problems))
    if not faults:
        raise SystemExit(f"no fault for the suite {' '.join(options.only)}")
    reports = measure(faults, options)
    counts = {"ok": 0, "skipped": 0, "MISSED": 0}
    for fault in faults:
        verdict, said = verdict_on(fault, reports[fault.measured])
        counts[verdict] += 1
        print(f"{verdict:8}{fault.case}: {fault.what}: expected {fault.said}, reported {', '.join(sorted(said)) or 'nothing'}")
    print(f"{counts['ok']} reported, {counts['skipped']} skipped here, {counts['MISSED']} missed")
    return 1 if counts["MISSED"] else 0


if __name__ == "__main__":
    sys.exit(main())
