#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many one-line faults do the tests find? A copy of this commit is built without LibTorch; one after the other, random faults are planted in it
(an operator, a condition, a constant), and the test programs are built and run until one fails.

    tests/studies/mutants.py [--count 100] [--seed 1] [--folders stats,ci/gate,harness/record,baselines]
                            [--without ci/cli] [--minutes M]

The programs of the fault's own folder come first, then those of the others in FOLDERS, of the reports, of the workflow and of the command line;
simulations and end-to-end tests are not run, so they may find some of what is listed as not found. Tests that fail without a fault are left out and
named: without optimisation, torchgate's own instructions are too many for some. A fault that does not compile is replaced by another one.
Printed: each fault and the program that found it, the share found, and those that were not, which include faults that change nothing.
The copy stays in build/mutants for the next call. No Python packages."""
import argparse
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
TREE = ROOT / "build/mutants/tree"
BUILD = ROOT / "build/mutants/build"
FAILED = re.compile(r"^\[  FAILED  \] ([\w/]+\.[\w/]+)", re.MULTILINE)
LEAST_LIMIT_S = 60  # of a program, beside other work
OPERATORS = {" < ": " <= ", " <= ": " < ", " > ": " >= ", " >= ": " > ", " == ": " != ", " != ": " == ", " && ": " || ", " || ": " && ",
             " + ": " - ", " - ": " + ", " * ": " / ", " / ": " * ", "return true;": "return false;", "return false;": "return true;"}
NUMBER = re.compile(r"(?<![\w.'\"])(\d+(?:\.\d+)?)(?![\w.'\"])")
CONDITION = re.compile(r"\bif \((?!constexpr)([^;{}]*)\)(?= return| \{$|$| break| continue)")
NOT_CODE = re.compile(r"^\s*(//|#|using |template|static_assert|namespace |\}|\{)")


class Fault(NamedTuple):
    file: str
    line: int  # from 1
    old: str   # the line
    new: str

    def __str__(self):
        return f"{self.file}:{self.line}: {self.old.strip()}  =>  {self.new.strip()}"


def in_text(line, at):
    """Whether the place is in a string or behind a comment's slashes."""
    return line[:at].count('"') % 2 == 1 or "//" in line[:at]


def faults_of_line(file, number, line):
    if NOT_CODE.match(line):
        return
    for old, new in OPERATORS.items():
        for found in re.finditer(re.escape(old), line):
            # `template <class T> ...` and `std::vector<A> * ` are not comparisons; operators have a space on both sides.
            if not in_text(line, found.start()):
                yield Fault(file, number, line, line[:found.start()] + new + line[found.end():])
    for found in CONDITION.finditer(line):
        if not in_text(line, found.start()) and found.group(1).count("(") == found.group(1).count(")") and " = " not in found.group(1):
            yield Fault(file, number, line, f"{line[:found.start()]}if (!({found.group(1)})){line[found.end():]}")
    for found in NUMBER.finditer(line):
        if not in_text(line, found.start()):
            text = found.group(1)
            other = str(int(text) + 1) if "." not in text else str(float(text) * 1.5 or 1.5)
            yield Fault(file, number, line, line[:found.start()] + other + line[found.end():])


def faults_in(folders):
    faults = []
    for folder in folders:
        for path in sorted((TREE / folder).rglob("*.cpp")):
            name = path.relative_to(TREE).as_posix()
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                faults += faults_of_line(name, number, line)
    return faults


def prepare():
    """The copy at this commit, configured and built once."""
    if TREE.exists():
        subprocess.run(["git", "-C", TREE, "checkout", "-q", "--force", "--detach",
                        subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()],
                       check=True)
    else:
        subprocess.run(["git", "worktree", "prune"], cwd=ROOT, check=True)
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", TREE, "HEAD"], cwd=ROOT, check=True)
    # A fault compiles one file: no batches. What is tested runs once: no optimisation.
    configured = subprocess.run(["cmake", "--preset", "core", "-B", BUILD, "-DTORCHGATE_UNITY=0", "-DCMAKE_CXX_FLAGS_RELEASE=-O0 -DNDEBUG"],
                                cwd=TREE, capture_output=True, text=True)
    if configured.returncode != 0:
        sys.exit(f"mutants.py: cmake --preset core failed; run ci/scripts/setup.sh --core\n{configured.stdout}{configured.stderr}")


def targets_of(folders, without):
    """Test programs by folder of the source, those of FOLDERS first; none of WITHOUT."""
    said = subprocess.run(["ninja", "-C", BUILD, "-t", "targets", "all"], check=True, capture_output=True, text=True).stdout
    programs = sorted(set(re.findall(r"^(tests/\S+_test): CXX_EXECUTABLE", said, re.MULTILINE)))
    order = [*folders, *(folder for folder in ("reports", "ci/policy", "ci/workflow", "ci/cli") if folder not in without)]
    rank = {}
    for program in programs:
        folder = program.removeprefix("tests/")
        if program.endswith("_rates_test"):  # simulations: minutes each
            continue
        places = [i for i, each in enumerate(order) if folder.startswith(each + "/")]
        if places:
            rank[program] = min(places)
    return rank


def programs_for(file, rank):
    own = [program for program in rank if file.startswith(os.path.dirname(program).removeprefix("tests/") + "/")]
    return own + sorted((program for program in rank if program not in own), key=lambda program: rank[program])


def built_at(program):
    path = BUILD / program
    return path.stat().st_mtime_ns if path.exists() else 0


def compiles(program):
    return subprocess.run(["ninja", "-C", BUILD, program], capture_output=True).returncode == 0


class Program(NamedTuple):
    name: str
    left_out: list  # tests that fail without a fault
    limit_s: float


def run_tests(program, *arguments, limit_s=None):
    return subprocess.run([BUILD / program, "--gtest_brief=1", *arguments], cwd=BUILD / os.path.dirname(program), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=limit_s, text=True, errors="replace")


def without_fault(name):
    """The program built and run once; None where it does not build, or fails in no test that could be left out."""
    if not compiles(name):
        return None
    begin = time.monotonic()
    ended = run_tests(name)
    failed = sorted(set(FAILED.findall(ended.stdout)))
    if ended.returncode != 0 and not failed:
        return None
    for test in failed:
        print(f"left out, it fails without a fault: {os.path.basename(name)}: {test}", flush=True)
    return Program(name, failed, LEAST_LIMIT_S + 3 * (time.monotonic() - begin))


def finds(program):
    try:
        return run_tests(program.name, "--gtest_fail_fast", "--gtest_filter=-" + ":".join(program.left_out), limit_s=program.limit_s).returncode != 0
    except subprocess.TimeoutExpired:
        return True


def try_out(fault, programs):
    """The program that finds it; "" where none does; None where it does not compile."""
    path = TREE / fault.file
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    lines[fault.line - 1] = fault.new + "\n"
    path.write_text("".join(lines), encoding="utf-8")
    try:
        for program in programs:
            before = built_at(program.name)
            if not compiles(program.name):
                return None
            # One that is not linked again does not contain the fault.
            if built_at(program.name) != before and finds(program):
                return program.name
        return ""
    finally:
        path.write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folders", default="stats,ci/gate,harness/record,baselines")
    parser.add_argument("--without", default="", help="folders whose tests are not run, such as ci/cli,ci/workflow, which take minutes for a fault that is not found")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begins no further fault after them; the first build does not count")
    options = parser.parse_args()
    if shutil.which("ninja") is None:
        parser.error("ninja is missing; run ci/scripts/setup.sh --core")
    prepare()
    folders = options.folders.split(",")
    rank = targets_of(folders, options.without.split(","))
    faults = faults_in(folders)
    if not faults:
        parser.error(f"--folders {options.folders}: no C++ files there; folders are as below the repository, with commas between them")
    programs = {name: without_fault(name) for name in rank}
    broken = [name for name, program in programs.items() if program is None]
    if broken:
        sys.exit(f"mutants.py: {', '.join(broken)}: does not build, or ends with an error without a fault; repair it first")
    random.Random(options.seed).shuffle(faults)
    begin, tried, found, missed = time.monotonic(), 0, 0, []
    for fault in faults:
        if tried == options.count or time.monotonic() - begin > 60 * options.minutes:
            break
        by = try_out(fault, [programs[name] for name in programs_for(fault.file, rank)])
        if by is None:
            continue
        tried += 1
        found += by != ""
        if by == "":
            missed.append(fault)
        print(f"{'found by ' + os.path.basename(by) if by else 'NOT FOUND'}: {fault}", flush=True)
    print(f"\n{found} of {tried} faults found ({100 * found / max(1, tried):.0f} %), seed {options.seed}, of {len(faults)} places in {options.folders}")
    for fault in missed:
        print(f"  not found: {fault}")


if __name__ == "__main__":
    main()
