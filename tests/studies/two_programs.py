#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Is this build of torchgate slower than an earlier one? Both programs do the same work on the same made files, in turns; printed are CPU seconds
(user and system, the least of the calls), peak memory and the ratio.

    tests/studies/two_programs.py BEFORE AFTER --made-runs build/ci/tests/e2e/made_runs [--calls 5] [--cases 10000] [--runs 300]

BEFORE, AFTER: programs `torchgate`, built with the same flags. Rows: judging 10,000 cases x 30 samples a side from our files, Google Benchmark's
and Go's, importing them, and the site of a store of so many runs x 100 cases, from nothing and after one more run. No Python packages."""
import argparse
import os
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import tempfile


def go_text(seed, cases):
    dice = random.Random(seed)
    lines = ["goos: linux", "goarch: amd64", "pkg: example.org/large"]
    for case in range(cases):
        lines += [f"BenchmarkCase{case}/n=1000-8 \t 100000\t {(100 + case) * (1 + (dice.random() - 0.5) / 50):.1f} ns/op" for _ in range(30)]
    return "\n".join([*lines, "PASS", ""])


def cpu_seconds(command, folder):
    """CPU seconds and peak MiB of one call, of which at least what this program itself has. Exit code 2 ends the study."""
    with open(os.devnull, "w", encoding="utf-8") as nowhere, tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, cwd=folder, stdout=nowhere, stderr=said)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 1, 3):
            said.seek(0)
            sys.exit(f"{' '.join(map(str, command))}: exit code {process.returncode}\n{said.read().decode(errors='replace')}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def compared(label, programs, arguments, calls, folder, prepare=lambda: None):
    best = [(float("inf"), 0.0)] * 2
    for _ in range(calls):
        for side, program in enumerate(programs):
            prepare()
            best[side] = min(best[side], cpu_seconds([program, *arguments], folder))
    (before, before_mib), (after, after_mib) = best
    print(f"{label:45s} {before:7.3f} s {before_mib:5.0f} MiB   {after:7.3f} s {after_mib:5.0f} MiB   {after / before:5.2f}", flush=True)


def sites(programs, made_runs, runs, folder):
    """Each program fills a store of its own and writes the site of it."""
    subprocess.run(["git", "init", "-q", "."], cwd=folder, check=True)
    author = ["-c", "user.name=study", "-c", "user.email=study@example.org"]
    for commit in range(runs):
        subprocess.run(["git", *author, "commit", "-q", "--allow-empty", "-m", str(commit)], cwd=folder, check=True)
    commits = subprocess.run(["git", "rev-list", "--reverse", "HEAD"], cwd=folder, check=True, capture_output=True, text=True).stdout
    (folder / "commits").write_text(commits)
    (folder / "runs").mkdir()
    subprocess.run([made_runs, "history", str(runs), str(runs - 15), "1.07", "commits", "runs", "100"], cwd=folder, check=True)
    times = {"whole": [], "one more": []}
    for side, program in enumerate(programs):
        store, pages = folder / f"store{side}", f"pages{side}"
        os.environ["TORCHGATE_BASELINE_STORE"] = str(store)
        add = [program, "baseline", "add", "--without-objects"]
        for run in range(runs - 1):
            subprocess.run([*add, f"runs/{run}.json"], cwd=folder, check=True, capture_output=True)
        times["whole"].append(cpu_seconds([program, "report", "--site", pages], folder))
        subprocess.run([*add, f"runs/{runs - 1}.json"], cwd=folder, check=True, capture_output=True)
        times["one more"].append(cpu_seconds([program, "report", "--site", pages], folder))
    for name, ((before, before_mib), (after, after_mib)) in times.items():
        label = f"site of {runs} runs x 100 cases, {name}"
        print(f"{label:45s} {before:7.3f} s {before_mib:5.0f} MiB   {after:7.3f} s {after_mib:5.0f} MiB   {after / before:5.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=pathlib.Path)
    parser.add_argument("after", type=pathlib.Path)
    parser.add_argument("--made-runs", type=pathlib.Path, required=True)
    parser.add_argument("--calls", type=int, default=5)
    parser.add_argument("--cases", type=int, default=10000)
    parser.add_argument("--runs", type=int, default=300)
    options = parser.parse_args()
    programs = [str(options.before.resolve()), str(options.after.resolve())]
    made_runs = str(options.made_runs.resolve())
    for program in (*programs, made_runs):
        if not os.access(program, os.X_OK):
            parser.error(f"{program}: not a program; build it first")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="torchgate-study-"))
    try:
        for side in ("1", "2"):
            subprocess.run([made_runs, "generate", str(options.cases), "30", "5", side, f"ours{side}.json"], cwd=folder, check=True)
            subprocess.run([made_runs, "google_benchmark", f"ours{side}.json", f"google{side}.json"], cwd=folder, check=True)
            (folder / f"go{side}.txt").write_text(go_text(int(side), options.cases))
        written = ["--quiet", "--markdown", "report.md", "--json", "report.json"]
        print(f"{'':45s} {'before':>21s}   {'after':>21s}   ratio")
        for label, files, more in (("judge our files", "ours{}.json", []), ("judge Google Benchmark's", "google{}.json", []),
                                   ("the same, --rule textbook", "google{}.json", ["--rule", "textbook"]),
                                   ("judge Go's, --rule textbook", "go{}.txt", ["--rule", "textbook"])):
            compared(label, programs, ["compare", files.format(1), files.format(2), *more, *written], options.calls, folder)
        for label, file in (("import Google Benchmark's", "google1.json"), ("import Go's", "go1.txt")):
            compared(label, programs, ["import", file, "--save", "imported"], options.calls, folder,
                     lambda: shutil.rmtree(folder / ".torchgate", ignore_errors=True))
        sites(programs, made_runs, options.runs, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
