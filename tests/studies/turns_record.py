#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records pairs of processes of one suite (A/A), one after the other, in turns on any CPU, and in turns on one CPU, for tests/studies/turns_study.py.

    tests/studies/turns_record.py SUITE --case NAME [--case NAME ...] --folder FOLDER [--pairs 40] [--profile quick] [--busy N]

SUITE: a suite executable. Each case of NAME becomes FOLDER/NAME.csv.gz, with the columns mode, pair, turn, side, us_per_call. Pairs of both modes and of
all cases alternate, so that what disturbs the machine for a while disturbs all of them. --busy: so many busy loops beside it.
The conversation with a suite that takes turns is that of harness/launch/README.md, "Turns"; limits as in harness/launch/turns/turn_plan.hpp and
shared_cpu.cpp, but for the most turns: 48, so that the study can tell what fewer would say."""
import argparse
import csv
import functools
import gzip
import json
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile

from busy_loops import busy_loops

TURN_NS, FEWEST, FEWEST_LONG, MOST, NEAR_FLOOR = 8_000_000, 16, 5, 48, 6
CONTENDED, MOST_MOVES = 0.1, 3
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


class Suite:
    """A process of the suite that measures one case; SOCKETS: whether it takes turns."""

    def __init__(self, options, case, seed, folder, in_turns):
        self.out = folder / f"{seed}-{in_turns}-{os.urandom(4).hex()}.json"
        self.command = [options.suite, "--torchgate_group=" + "/".join(case.split("/")[:2]), f"--torchgate_out={self.out}",
                        f"--torchgate_profile={options.profile}", f"--torchgate_filter=^{re.escape(case)}$", f"--torchgate_seed={seed}"]
        self.case = case
        if not in_turns:
            return
        ours, theirs = socket.socketpair()
        self.process = subprocess.Popen(self.command + [f"--torchgate_turns={theirs.fileno()}"], pass_fds=[theirs.fileno()],
                                        stdout=subprocess.DEVNULL, start_new_session=True, env=ENVIRONMENT)
        theirs.close()
        ours.settimeout(60)
        self.socket, self.lines = ours, ours.makefile("r")
        self.rounds = self.near = 0
        greeting = self.read()
        if greeting != ["turns", "1"]:
            sys.exit(f"{options.suite}: said {' '.join(greeting)!r} instead of 'turns 1'")
        self.signal(signal.SIGSTOP)

    def signal(self, number):
        os.killpg(self.process.pid, number)

    def waited_ns(self):
        """For a CPU, so far."""
        with open(f"/proc/{self.process.pid}/schedstat", encoding="utf-8") as file:
            return int(file.read().split()[1])

    def say(self, text):
        self.socket.sendall(f"{text}\n".encode())

    def read(self):
        line = self.lines.readline()
        if not line:
            sys.exit(f"{self.case}: a process ended within its turns, exit code {self.process.wait()}")
        return line.split()

    def ask(self, text):
        self.signal(signal.SIGCONT)
        self.say(text)
        answer = self.read()
        self.signal(signal.SIGSTOP)
        return answer

    def samples(self):
        """Of each turn, or of the process as a whole: microseconds of each call."""
        with open(self.out, encoding="utf-8") as file:
            results = json.load(file)["results"]
        self.out.unlink()
        for result in results:
            if time := result["measurements"].get("time"):
                rest = iter(time["samples"])
                counts = time.get("turns", {}).get("counts", [len(time["samples"])])
                return [[next(rest) / 1e3 for _ in range(count)] for count in counts]
        sys.exit(f"{self.case}: no such case in this profile, or it has no times")


def sequential_pair(options, case, rng, folder):
    pair = []
    for _ in "AB":
        suite = Suite(options, case, rng.randrange(1 << 32), folder, False)
        subprocess.run(suite.command, check=True, stdout=subprocess.DEVNULL, env=ENVIRONMENT)
        pair.append([[each for turn in suite.samples() for each in turn]])
    return pair


def pair_in_turns(options, case, rng, folder, one_cpu=True):
    seed = rng.randrange(1 << 32)
    sides = [Suite(options, case, seed, folder, True) for _ in "AB"]
    budget_rounds = MOST
    for side in sides:
        word, *numbers = side.ask(f"case {case}")
        if word != "ready":
            sys.exit(f"{case}: does not take turns")
        sample_ns, budget_ns = map(int, numbers)
        budget_rounds = min(budget_rounds, max(FEWEST_LONG, budget_ns // max(TURN_NS, sample_ns)))
    rounds = moves = 0
    allowed = sorted(os.sched_getaffinity(0))
    cpu = rng.choice(allowed)
    while rounds < budget_rounds and (rounds < FEWEST or min(side.near for side in sides) < NEAR_FLOOR):
        if one_cpu:
            for side in sides:
                os.sched_setaffinity(side.process.pid, {cpu})
        waited = 0
        for side in rng.sample(sides, 2):
            before = side.waited_ns()
            side.near = int(side.ask(f"turn {TURN_NS}")[2])
            waited += side.waited_ns() - before
        if waited > CONTENDED * 2 * TURN_NS and moves < min(MOST_MOVES, len(allowed) - 1):
            moves += 1
            cpu = allowed[(allowed.index(cpu) + 1) % len(allowed)]
        rounds += 1
    for side in sides:
        side.ask("end")
        side.signal(signal.SIGCONT)
        side.say("finish")
        if side.process.wait() != 0:
            sys.exit(f"{case}: exit code {side.process.returncode}")
    return [side.samples() for side in sides]


def record(options):
    rng = random.Random(options.seed)
    modes = {"sequential": sequential_pair, "turns": pair_in_turns,
             "turns on any CPU": functools.partial(pair_in_turns, one_cpu=False)}
    rows = {case: [] for case in options.case}
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        jobs = [(case, mode, pair) for pair in range(options.pairs) for case in options.case for mode in modes]
        for case, mode, number in jobs:
            for side, turns in zip("AB", modes[mode](options, case, rng, folder)):
                rows[case] += [(mode, number, turn, side, f"{each:.4g}") for turn, values in enumerate(turns) for each in values]
    for case, its in rows.items():
        path = options.folder / (re.sub(r"[^A-Za-z0-9]+", "_", case) + ".csv.gz")
        with gzip.open(path, "wt", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["mode", "pair", "turn", "side", "us_per_call"])
            writer.writerows(its)
        print(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", type=pathlib.Path)
    parser.add_argument("--case", action="append", required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--profile", default="quick")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--busy", type=int, default=0)
    options = parser.parse_args()
    if not os.access(options.suite, os.X_OK):
        sys.exit(f"{options.suite}: not an executable file; build it first")
    options.suite = options.suite.resolve()
    options.folder.mkdir(parents=True, exist_ok=True)
    with busy_loops(options.busy):
        record(options)


if __name__ == "__main__":
    main()
