#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How often does code that did not change become slower or faster, and what does the gate say of it? A chain of builds of Snappy, each compared
with the one before it by `torchgate ab`; prints a table in Markdown.

    tests/studies/layout_study.py [--builds 10] [--gate 0.02] [--seed 1] [--folder DIR] [--torchgate build/ci/ci/cli/torchgate]

The benchmark is Snappy's own, on its own data (snappy_benchmark, 1.1.9, fetched from Debian, with Google Benchmark). Each build differs from the one
before it outside of compression: casts in decompression, functions that nothing calls. The cases BM_ZFlat compress, so what they execute is the same
at other addresses; so is what BM_UFlat (decompression) executes, but for the casts. The last change is one of compression.
Cases whose code changes may not be called `layout`; the others may not fail.
Run nothing else meanwhile. A folder that has builds and comparisons is continued. Exit code: 0; 1 if a case without a change of code failed or one
with a change was cleared; 2 wrong usage or a failed command. Needs cmake, g++, libbenchmark-dev, valgrind."""
import argparse
import collections
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request

SOURCE = "http://deb.debian.org/debian/pool/main/s/snappy/snappy_1.1.9.orig.tar.gz"
SHA256 = "75c1fbb3d618dd3a0483bff0e26d0a92b495bbe5059c8b4f1c962b478b6e06e7"
FILES = ["snappy.cc", "snappy-sinksource.cc", "snappy-stubs-internal.cc", "snappy_test_data.cc", "snappy-test.cc", "snappy_benchmark.cc"]
# As Snappy's own CMakeLists.txt sets them, optimised as distributions do.
FLAGS = ["-O2", "-DNDEBUG", "-DHAVE_CONFIG_H", "-fno-exceptions", "-fno-rtti", "-std=c++11", "-w"]
PROGRAM = "snappy_benchmark"
COMPRESSION, DECOMPRESSION, NONE = "/BM_ZFlat/", "/BM_UFlat/", "$^"
CASES = "/BM_(ZFlat|UFlat)/(0|1|3|6|7)$"

# They change the code of decompression, and no result.
CAST = [("op + len_min_offset - len;", "op + len_min_offset - static_cast<uint8_t>(len);"),
        ("          op += len;\n", "          op += static_cast<uint8_t>(len);\n")]
# A checksum of every 16th byte that is compressed.
SLOW = [("    writer->Append(dest, end - dest);\n    written", """    uint32_t sum = 1;
    for (size_t i = 0; i < fragment_size; i += 16) sum = (sum ^ static_cast<uint8_t>(fragment[i])) * 16777619u;
    if (sum == 0) __builtin_abort();
    writer->Append(dest, end - dest);
    written""")]
# Where functions that nothing calls are put: before compression, between it and decompression, in another file.
PLACES = [("snappy.cc", "namespace snappy {\n\nnamespace {"), ("snappy.cc", "static inline void Report("),
          ("snappy-sinksource.cc", "namespace snappy {")]


def give_up(message):
    print(message, file=sys.stderr)
    sys.exit(2)


def run(command, **options):
    done = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode not in (0, 1):
        give_up(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}")
    return done


def fetched(folder):
    source = folder / "snappy-1.1.9"
    if not source.exists():
        try:
            with urllib.request.urlopen(SOURCE, timeout=60) as answer:
                archive = answer.read()
        except OSError as error:
            give_up(f"{SOURCE}: {error}; check the network, or unpack Snappy 1.1.9 as {source}")
        if hashlib.sha256(archive).hexdigest() != SHA256:
            give_up(f"{SOURCE}: another SHA-256 than expected")
        (folder / "snappy.tar.gz").write_bytes(archive)
        with tarfile.open(folder / "snappy.tar.gz") as tar:
            tar.extractall(folder, filter="data") if hasattr(tarfile, "data_filter") else tar.extractall(folder)
    if not (source / "configured/config.h").exists():
        run(["cmake", "-S", source, "-B", source / "configured", "-DSNAPPY_BUILD_TESTS=OFF", "-DSNAPPY_BUILD_BENCHMARKS=OFF", "-DHAVE_LIBZ=0",
             "-DHAVE_LIBLZO2=0", "-DHAVE_LIBLZ4=0"])
    return source


def uncalled(name, random_source):
    """A function of 20 to 800 bytes that nothing calls and the linker keeps."""
    lines = "".join(f"  x ^= x * {random_source.randrange(3, 1 << 30)}u + (x >> {random_source.randrange(1, 20)});\n"
                    for _ in range(random_source.randrange(1, 50)))
    return f'extern "C" unsigned {name}(unsigned x) {{\n{lines}  return x;\n}}\n'


class Edits:
    """The state of the sources along the chain, and what each step did."""

    def __init__(self, source, seed):
        self.original = {file: (source / file).read_text() for file in FILES}
        self.random = random.Random(seed)
        self.cast = self.slow = False
        self.added = []  # (place, text)

    def step(self, number):
        """What the step changes, and the cases whose code changes."""
        if number % 3 == 1:
            self.cast = not self.cast
            return "casts in decompression " + ("added" if self.cast else "removed"), DECOMPRESSION
        text = uncalled(f"nothing_calls_{number}", self.random)
        place = self.random.choice(PLACES)
        self.added.append((place, text))
        return f"a function of {text.count('^=')} statements that nothing calls, in {place[0]}", NONE

    def last_step(self):
        self.slow = True
        return "a checksum in compression", COMPRESSION

    def sources(self):
        texts = dict(self.original)
        for (file, where), text in self.added:
            assert where in texts[file], (file, where)
            texts[file] = texts[file].replace(where, text + where, 1)
        for before, after in (CAST if self.cast else []) + (SLOW if self.slow else []):
            assert before in texts["snappy.cc"], before
            texts["snappy.cc"] = texts["snappy.cc"].replace(before, after)
        return texts


def build(source, texts, folder):
    target = folder / PROGRAM
    if target.exists():
        return
    with tempfile.TemporaryDirectory() as place:
        for file, text in texts.items():
            pathlib.Path(place, file).write_text(text)
        command = ["g++", *FLAGS, "-I", source / "configured", "-I", source, *FILES, "-lbenchmark_main", "-lbenchmark", "-lpthread", "-o", "built"]
        built = run(command, cwd=place)
        if built.returncode:
            give_up(f"{target}: does not build: {built.stdout}")
        folder.mkdir(parents=True)
        shutil.move(pathlib.Path(place, "built"), target)


def compare(arguments, folder, source, number, before, after):
    """The findings about time of two builds; a comparison that is there is not repeated."""
    report = folder / f"{after}.json"
    if not report.exists():
        command = [arguments.torchgate, "ab", "--before", folder / before / PROGRAM, "--after", folder / after / PROGRAM, "--filter", CASES, "--quick",
                   "--gate", arguments.gate, "--pairs", arguments.pairs, "--seed", number, "--save", after, "--allow-noisy", "--json", report, "--quiet"]
        run(command, cwd=folder, env={**os.environ, "srcdir": str(source)})
    return [one for one in json.loads(report.read_text())["findings"] if one["metric"]["name"] == "time"]


def percent(ratio):
    return f"{ratio * 100:+.1f} %"


def row(number, what, findings, changed):
    """A line of the table, and the faults: what was said of cases whose code is known to have changed or not."""
    said, faults = collections.Counter(), []
    moved = [one["change"] for one in findings if one["verdict"] == "layout"]
    for one in findings:
        may_differ = re.search(changed, one["case"]) is not None
        said[may_differ, one["verdict"]] += 1
        if one["verdict"] == "layout" and may_differ:
            faults.append(f"{number}: {one['case']}: layout, but its code changed")
        if one["action"] == "fail" and not may_differ:
            faults.append(f"{number}: {one['case']}: failed ({'; '.join(one['reasons'])}), but its code did not change")
    cells = [str(number), what]
    for may_differ in (False, True):
        of = {verdict: count for (differs, verdict), count in said.items() if differs == may_differ}
        cells.append(", ".join(f"{count} {verdict}" for verdict, count in sorted(of.items())) or "-")
    cells.append(f"{percent(min(moved))} to {percent(max(moved))}" if len(moved) > 1 else percent(moved[0]) if moved else "-")
    return "| " + " | ".join(cells) + " |", faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--builds", type=int, default=10)
    parser.add_argument("--gate", type=float, default=0.02)
    parser.add_argument("--pairs", type=int, default=48)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path(".torchgate/layout_study"))
    parser.add_argument("--torchgate", type=pathlib.Path, default=pathlib.Path("build/ci/ci/cli/torchgate"))
    arguments = parser.parse_args()
    arguments.torchgate = arguments.torchgate.resolve()
    if not arguments.torchgate.exists():
        give_up(f"{arguments.torchgate}: not built; build the preset ci, or name another program (--torchgate)")
    folder = arguments.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    source = fetched(folder)
    edits, faults = Edits(source, arguments.seed), []
    build(source, edits.sources(), folder / "build0")
    print("| | change to the build before | cases without a change of code | cases with one | called layout: change of time |\n|---|---|---|---|---|")
    before, verdicts, beyond = "build0", collections.Counter(), 0
    for number in range(1, arguments.builds + 2):
        is_last = number > arguments.builds
        what, changed = edits.last_step() if is_last else edits.step(number)
        after = f"last{arguments.builds}" if is_last else f"build{number}"
        build(source, edits.sources(), folder / after)
        findings = compare(arguments, folder, source, number, before, after)
        line, found = row(number, what, findings, changed)
        print(line, flush=True)
        faults += found
        unchanged = [one for one in findings if not re.search(changed, one["case"])]
        verdicts.update(one["verdict"] for one in unchanged)
        beyond += sum(one["verdict"] == "layout" and one["change"] >= arguments.gate for one in unchanged)
        before = after
    of = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common())
    print(f"\nof {verdicts.total()} comparisons without a change of code: {of}; {beyond} of those called layout are slower by the gate or more")
    print("\n".join(["", *faults] if faults else ["", "no case without a change of code failed; no case with one was called layout"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
