#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which practices of `torchgate advise` do the suites leave out, and are the answers right? Measures all suites once and prints, for each
practice, the cases that it named with their evidence. Whether a case leaves a practice out on purpose is for a person to say: the table of
ci/advise/README.md has the answers.

    tests/studies/advise_suites.py                 # one run with the default profile
    tests/studies/advise_suites.py --quick
    tests/studies/advise_suites.py --of RUN        # an existing run
    tests/studies/advise_suites.py --of RUN --check ci/advise/README.md

Exit code: 0, or 1 with --check if a practice named a group that its row of the page's table does not have. Needs a build; no Python
packages."""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time


def measured(torchgate, suites, quick):
    name = "advise-suites"
    command = [torchgate, "run", "--suite-dir", suites, "--allow-noisy", "--save", name] + ["--quick"] * quick
    started = time.monotonic()
    log = subprocess.run(command, stdout=subprocess.PIPE, stderr=sys.stderr, text=True)
    print(f"{name}: {time.monotonic() - started:.0f} s, exit code {log.returncode}", file=sys.stderr)
    if log.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(map(str, command))}: exit code {log.returncode}\n{log.stdout}")
    return name


def advice_of(torchgate, run):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "advice.json"
        code = subprocess.run([torchgate, "advise", run, "--quiet", "--write", f"json={path}"]).returncode
        if not path.exists():
            raise SystemExit(f"torchgate advise {run}: exit code {code}, no advice")
        return json.loads(path.read_text())


def group_of(case):
    return "/".join(case.split("/")[:2])


def show(advice):
    print(f"run {advice['run']}, {advice['cases']} cases")
    for row in advice["practices"]:
        print(f"\n{row['id']}: {row['answer']}, {len(row['evidence'])} of {row['applicable']} cases")
        for each in row["evidence"]:
            print(f"  {each['case']}: {each['text']}")


def listed(page):
    """Of each practice the groups that its row of the table "On the suites of this repository" names."""
    rows = {}
    section = pathlib.Path(page).read_text().split("## On the suites of this repository", 1)[-1]
    for line in section.splitlines():
        name = re.match(r"\| `([a-z_]+)`", line)
        if name:
            rows.setdefault(name[1], set()).update(re.findall(r"`([a-z_0-9]+/[a-z_0-9]+)`", line))
    return rows


def check(advice, page):
    rows = listed(page)
    missing = 0
    for row in advice["practices"]:
        for group in sorted({group_of(each["case"]) for each in row["evidence"]} - rows.get(row["id"], set())):
            cases = [each["case"] for each in row["evidence"] if group_of(each["case"]) == group]
            print(f"{row['id']}: {group} is not in the table of {page}: {', '.join(cases)}")
            missing += 1
    print(f"{missing} groups are not in the table" if missing else "the table has every group that a practice named")
    return missing


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/release", help="folder of the build")
    parser.add_argument("--quick", action="store_true", help="the profile quick instead of default")
    parser.add_argument("--of", metavar="RUN", help="show the advice of this run, measure nothing")
    parser.add_argument("--check", metavar="PAGE", help="compare with the table of this page")
    options = parser.parse_args()
    build = pathlib.Path(options.build)
    torchgate = build / "ci" / "cli" / "torchgate"
    if not torchgate.exists():
        parser.error(f"{torchgate} is missing: cmake --preset release && cmake --build --preset release")
    advice = advice_of(torchgate, options.of or measured(torchgate, build / "suites" / "bin", options.quick))
    show(advice)
    return 1 if options.check and check(advice, options.check) else 0


if __name__ == "__main__":
    sys.exit(main())
