#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does a program run from glibc 2.31 on, everywhere? Looks at what the loader will ask for, with readelf; runs nothing.

    ci/scripts/check_program.py PROGRAM

Checked: x86-64, the usual loader, no symbol version newer than the oldest supported C library, only libraries that every distribution has,
no search path, stripped, and at most 15 MB. Exit code: 0, 1 with a line per problem, 2 when PROGRAM cannot be read. Needs binutils; no
Python packages."""
import collections
import os
import re
import subprocess
import sys

# The newest version of each library's symbols: what Debian 11 has (Ubuntu 20.04 has the same C library). CXXABI and GLIBCXX are missing:
# libstdc++ is inside the program.
NEWEST = {"GLIBC": (2, 31), "GCC": (10, 0, 0)}
LIBRARIES = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "libgcc_s.so.1", "ld-linux-x86-64.so.2"}
LOADER = "/lib64/ld-linux-x86-64.so.2"
MOST_BYTES = 15_000_000  # what a team downloads in every job


def readelf(*arguments):
    done = subprocess.run(["readelf", "--wide", *arguments], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"})
    if done.returncode != 0 or "Not an ELF file" in done.stderr:
        print(f"{arguments[-1]}: not an executable file; {done.stderr.strip()}", file=sys.stderr)
        raise SystemExit(2)
    return done.stdout


def shown(symbols):
    few = 4
    return ", ".join(sorted(symbols)[:few]) + (f" and {len(symbols) - few} more" if len(symbols) > few else "")


def symbol_problems(program):
    symbols = collections.defaultdict(set)
    for symbol, version in re.findall(r"\bUND (\S+?)@@?(\S+)", readelf("--dyn-syms", program)):
        symbols[version].add(symbol)
    # Also what is asked of a library without a symbol, such as GLIBC_ABI_DT_RELR of new linkers.
    needs = readelf("--version-info", program).partition("Version needs section")[2]
    foreign = collections.defaultdict(set)
    for version in sorted({*symbols, *re.findall(r"Name: (\S+)", needs)}):
        family, _, number = version.partition("_")
        newest = NEWEST.get(family)
        if not newest:
            foreign[family] |= symbols[version]
        elif not re.fullmatch(r"[0-9.]+", number) or tuple(int(part) for part in number.split(".")) > newest:
            limit = f"{family}_{'.'.join(map(str, newest))}"
            yield f"needs {shown(symbols[version]) or 'something'} of {version}, newer than {limit}; call something else, or provide it in the program"
    for family, missing in foreign.items():
        yield f"needs {shown(missing) or 'something'} of {family}, which not every system has; link the static library"


def library_problems(program):
    dynamic = readelf("--dynamic", program)
    for library in re.findall(r"\(NEEDED\).*\[(.+)\]", dynamic):
        if library not in LIBRARIES:
            yield f"needs {library}, which not every system has; link the static library, or load it with dlopen()"
    for path in re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.+)\]", dynamic):
        yield f"looks for libraries in {path}; configure with CMAKE_SKIP_RPATH"


def file_problems(program):
    if "X86-64" not in readelf("--file-header", program):
        yield "not for x86-64; build it on such a machine"
    loader = re.search(r"interpreter: (.+)\]", readelf("--program-headers", program))
    if not loader or loader[1] != LOADER:
        yield f"starts with {loader[1] if loader else 'no loader'} instead of {LOADER}; link it as the preset `portable` does"
    if ".symtab" in readelf("--section-headers", program):
        yield "has its symbol table; strip it"
    size = os.path.getsize(program)
    if size > MOST_BYTES:
        yield f"{size / 1e6:.1f} MB, allowed are {MOST_BYTES / 1e6:.0f} MB; find out which library grew"


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__)
        raise SystemExit(0 if sys.argv[1:] in (["-h"], ["--help"]) else 2)
    program = sys.argv[1]
    problems = [*file_problems(program), *library_problems(program), *symbol_problems(program)]
    for problem in problems:
        print(f"{program}: {problem}", file=sys.stderr)
    if problems:
        raise SystemExit(1)
    print(f"{program}: {os.path.getsize(program) / 1e6:.1f} MB, runs from glibc {'.'.join(map(str, NEWEST['GLIBC']))} on")


if __name__ == "__main__":
    main()
