#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which tests take the CPU time of a ctest run, and which programs in them: of the kernel's process accounting.

    apt-get install acct; touch FILE; accton FILE; ctest --preset ci; accton off      (as root)
    tests/studies/cpu_of_tests.py FILE [LOG] [--tests N] [--programs N]

LOG is ctest's LastTest.log (default: that of build/ci). ctest itself knows how long a test took, which on a machine with two cores says little of
what it costs. Processes that end within 10 ms count as 0: the sum is a tenth below what `time` says of ctest. A process whose parent has ended before
it is nobody's."""
import argparse
import collections
import re
import struct
import sys

# struct acct_v3 of linux/acct.h. Times are comp_t: 13 bits, and 3 bits of exponent to the base 8, of AHZ = 100 per second.
RECORD = struct.Struct("<BBHIIIIIIf" + "8H16s")
TICKS = 100
OTHER_PROGRAM_S = 0.1  # of two tests that took as long as a process, the one whose program has its name
WHOLE_SECOND = 1.5  # when a process began is known to the second

Process = collections.namedtuple("Process", "pid parent began lasted cpu name")


def ticks(compressed):
    return (compressed & 0x1FFF) << (3 * (compressed >> 13))


def processes_in(path):
    with open(path, "rb") as file:
        content = file.read()
    if len(content) % RECORD.size or (content and content[1] & 0xF != 3):
        sys.exit(f"{path}: not a file of accton with records of version 3; record one as --help says")
    for fields in RECORD.iter_unpack(content):
        pid, parent, began, lasted, user, system = fields[6:12]
        yield Process(pid, parent, began, lasted / TICKS, (ticks(user) + ticks(system)) / TICKS,
                      fields[-1].split(b"\0")[0].decode(errors="replace"))


def tests_in(log):
    """[name, program, seconds] of each."""
    tests = []
    with open(log, errors="replace") as lines:
        for line in lines:
            if match := re.match(r"\d+/\d+ Testing: (.*)", line):
                tests.append([match[1], "", None])
            elif tests and not tests[-1][1] and (match := re.match(r'Command: "([^"]*)"', line)):
                tests[-1][1] = match[1].rsplit("/", 1)[-1][:15]
            elif tests and (match := re.match(r"Test time = +([\d.]+) sec", line)):
                tests[-1][2] = float(match[1])
    return [test for test in tests if test[2] is not None]


class Family:
    """Who started whom."""

    def __init__(self, processes, root):
        self.by_pid = collections.defaultdict(list)
        for process in processes:
            self.by_pid[process.pid].append(process)
        self.tests = [process for process in processes if process.parent == root.pid]
        self.test = {id(process): process for process in self.tests}

    def parent_of(self, process):
        """Process numbers are used again: the one that was there from before it began until after it ended."""
        end = process.began + process.lasted
        there = [each for each in self.by_pid.get(process.parent, ())
                 if each.began <= process.began + WHOLE_SECOND and each.began + each.lasted + WHOLE_SECOND >= end]
        return max(there, key=lambda each: each.began, default=None)

    def test_of(self, process):
        """The child of ctest that it descends from, or None."""
        path = []
        while process is not None and id(process) not in self.test:
            path.append(process)
            self.test[id(process)] = None  # until known
            process = self.parent_of(process)
        found = None if process is None else self.test[id(process)]
        for each in path:
            self.test[id(each)] = found
        return found


def named(roots, tests):
    """Which test each child of ctest is: the one that took as long."""
    free, name = list(tests), {}
    for process in sorted(roots, key=lambda each: -each.lasted):
        test = min(free, key=lambda each: abs(each[2] - process.lasted) + (each[1] != process.name) * OTHER_PROGRAM_S, default=None)
        if test is not None:
            free.remove(test)
        name[id(process)] = test[0] if test else "?"
    return name


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("accounting")
    parser.add_argument("log", nargs="?", default="build/ci/Testing/Temporary/LastTest.log")
    parser.add_argument("--tests", type=int, default=60)
    parser.add_argument("--programs", type=int, default=20)
    options = parser.parse_args()
    processes = list(processes_in(options.accounting))
    ctest = max((each for each in processes if each.name == "ctest"), key=lambda each: each.lasted, default=None)
    if ctest is None:
        sys.exit(f"{options.accounting}: ctest is missing; let it end before `accton off`")
    family = Family(processes, ctest)
    of_test = collections.defaultdict(collections.Counter)  # CPU time by program
    programs, count = collections.Counter(), collections.Counter()
    for process in processes:
        test = family.test_of(process)
        if test is None:
            continue
        of_test[id(test)][process.name] += process.cpu
        programs[process.name] += process.cpu
        count[process.name] += 1
    cpu = {test: sum(seconds.values()) for test, seconds in of_test.items()}
    name = named(family.tests, tests_in(options.log))
    print(f"{len(family.tests)} tests, {sum(count.values())} processes, {sum(cpu.values()):.0f} s of CPU time in {ctest.lasted:.0f} s")
    for test in sorted(family.tests, key=lambda each: -cpu[id(each)])[:options.tests]:
        most = "  ".join(f"{program} {seconds:.0f}" for program, seconds in of_test[id(test)].most_common(3) if seconds >= 1)
        print(f"{cpu[id(test)]:8.1f} s of CPU time in {test.lasted:6.1f} s  {name[id(test)]}: {most}")
    print("programs")
    for program, seconds in programs.most_common(options.programs):
        print(f"{seconds:8.1f} s of CPU time in {count[program]:6} processes  {program}")


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        sys.exit(f"{error.filename}: {error.strerror}; record both files as --help says")
