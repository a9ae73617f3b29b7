#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles each file that needs no LibTorch alone, without generating code: batches and precompiled headers hide a missing #include.

    ci/scripts/compile_alone.py [FILE...]

FILEs, by default all of stats, harness, baselines, reports, ci and their tests but harness/bench/torch and fixtures: each .cpp, which includes its
own header first (tests/lint/check_includes.sh), and each header without a .cpp beside it. A header is compiled with the flags of the nearest .cpp. Needs what
`ci/scripts/setup.sh --program` installs, and Python. Exit code: 0, 1 with the first error of each file that does not compile, 2 when nothing
can be compiled."""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build/alone"
FOLDERS = ("stats", "harness", "baselines", "reports", "ci", "tests")
WITH_LIBTORCH = ("harness/bench/torch/", "tests/fixtures/")


def compile_flags():
    """Of each .cpp of the preset: the compiler and its flags, without input and output."""
    done = subprocess.run(["cmake", "--preset", "core", "-B", BUILD, "-DTORCHGATE_PCH=OFF", "-DTORCHGATE_UNITY=0",
                           "-DTORCHGATE_CCACHE=OFF"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        print(f"compile_alone.py: cmake --preset core failed; run ci/scripts/setup.sh --program\n{done.stdout}{done.stderr}", file=sys.stderr)
        raise SystemExit(2)
    flags = {}
    for entry in json.loads((BUILD / "compile_commands.json").read_text(encoding="utf-8")):
        words = shlex.split(entry["command"])
        flags[pathlib.Path(entry["file"]).resolve()] = words[:words.index("-o")]
    return flags


def distance(header, source):
    return source.stem != header.stem, -len(os.path.commonpath([header, source])), str(source)


def compile_alone(path, flags):
    """What the compiler says about PATH; None: not part of the preset."""
    if path.suffix == ".hpp":
        words, text = flags[min(flags, key=lambda source: distance(path, source))], f'#include "{path}"\n'
        words = [*words, "-x", "c++", "-"]
    elif path in flags:
        words, text = [*flags[path], str(path)], ""
    else:
        return None
    done = subprocess.run([*words, "-fsyntax-only", "-fdiagnostics-color=never"], cwd=BUILD, input=text, capture_output=True, text=True,
                          env={**os.environ, "LC_ALL": "C"})
    return done.stderr if done.returncode != 0 else ""


def fault(said):
    """The first error and the header that the compiler proposes."""
    error = re.search(r"^\S+: (fatal )?error: .*", said, re.MULTILINE)
    proposed = re.search(r"did you forget to '(#include [^']+)'", said)
    text = (error.group() if error else said.strip()).replace(f"{ROOT}/", "")
    return text + (f"; the compiler proposes {proposed.group(1)}" if proposed else "")


def main():
    paths = [pathlib.Path(name).resolve() for name in sys.argv[1:]]
    paths = paths or sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.?pp")
                            if not any(part in path.as_posix() for part in WITH_LIBTORCH)
                            and (path.suffix == ".cpp" or not path.with_suffix(".cpp").exists()))
    flags = compile_flags()
    if not any(path in flags or path.suffix == ".hpp" for path in paths):
        print("compile_alone.py: none of these files is part of the preset core; name files of " + ", ".join(FOLDERS), file=sys.stderr)
        return 2
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as threads:
        answers = list(zip(paths, threads.map(lambda path: compile_alone(path, flags), paths)))
    skipped = [path.relative_to(ROOT) for path, said in answers if said is None]
    failed = [(path.relative_to(ROOT), said) for path, said in answers if said]
    for path in skipped:
        print(f"skipped: {path} is not part of the preset core")
    for path, said in failed:
        print(f"{path}: does not compile alone: {fault(said)}")
    print(f"{len(answers) - len(skipped) - len(failed)} files compile alone, {len(failed)} do not")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
