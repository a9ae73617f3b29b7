#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plays small inputs that were once answered wrongly, and says of each whether it is answered right now.

usage: tests/studies/reported_inputs.py [--torchgate PROGRAM] FOLDER

Each folder in FOLDER has `cmd`, a shell command that is run in a copy of the folder with `torchgate` in PATH, and `expected`, what the answer should
say. reported_inputs.toml beside this script has a check for each folder by its name: exit codes, and what must and must not be printed.

Exit code: 0 no answer is wrong, 1 one is, 2 wrong usage.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib

LONGEST_S = 120  # a command: a compare of such small files takes milliseconds
LINES_SHOWN = 3


def run(folder, program, scratch):
    """The exit code and the output of the folder's command."""
    copy = pathlib.Path(scratch) / folder.name
    shutil.copytree(folder, copy, copy_function=shutil.copy2)
    subprocess.run(["chmod", "-R", "u+w", copy], check=True)
    environment = dict(os.environ)
    if program:
        tools = pathlib.Path(scratch) / "bin"
        tools.mkdir(exist_ok=True)
        if not (tools / "torchgate").exists():
            (tools / "torchgate").symlink_to(program.resolve())
        environment["PATH"] = f"{tools}:{environment['PATH']}"
    try:
        done = subprocess.run(
            ["bash", "cmd"], cwd=copy, env=environment, timeout=LONGEST_S, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
    except subprocess.TimeoutExpired:
        return 124, f"no answer within {LONGEST_S} s"
    return done.returncode, done.stdout.decode("utf-8", "replace")


def unwrapped(text):
    """The text, and the same with its wrapped lines joined: a sentence may go on in the next line."""
    return text + "\n" + re.sub(r"\s*\n\s+", " ", text)


def wrong_because(check, code, output):
    """Why the answer is wrong, a list of short sentences; empty: it is right."""
    why = []
    if code not in check.get("exit", [0]):
        why.append(f"exit code {code}, not {' or '.join(map(str, check.get('exit', [0])))}")
    if not output.strip():
        why.append("prints nothing")
    text = unwrapped(output)
    why += [f"lacks /{pattern}/" for pattern in check.get("must", []) if not re.search(pattern, text)]
    why += [f"has /{pattern}/" for pattern in check.get("must_not", []) if re.search(pattern, text)]
    return why


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--torchgate", type=pathlib.Path, help="the program (default: torchgate in PATH)")
    parser.add_argument("folder", type=pathlib.Path)
    arguments = parser.parse_args()
    folders = sorted(path.parent for path in arguments.folder.glob("*/cmd"))
    if not folders:
        parser.error(f"{arguments.folder}: no folder in it has a file cmd")
    if arguments.torchgate and not os.access(arguments.torchgate, os.X_OK):
        parser.error(f"{arguments.torchgate}: not an executable file")
    if not arguments.torchgate and not shutil.which("torchgate"):
        parser.error("no torchgate in PATH; give --torchgate PROGRAM")
    with open(pathlib.Path(__file__).with_suffix(".toml"), "rb") as table:
        checks = tomllib.load(table)
    counts = {"right": 0, "WRONG": 0, "not known": 0}
    for folder in folders:
        with tempfile.TemporaryDirectory() as scratch:
            code, output = run(folder, arguments.torchgate, scratch)
        why = wrong_because(checks[folder.name], code, output) if folder.name in checks else []
        word = "not known" if folder.name not in checks else "WRONG" if why else "right"
        counts[word] += 1
        print(f"== {folder.name}: {word}" + (f" ({'; '.join(why)})" if why else ""))
        expected = folder / "expected"
        if expected.exists():
            print("   expected: " + (expected.read_text().splitlines() or [""])[0])
        print(f"   exit code {code}")
        for line in [line for line in output.splitlines() if line.strip()][:LINES_SHOWN]:
            print("   | " + line)
    print(", ".join(f"{count} {word}" for word, count in counts.items()))
    return 1 if counts["WRONG"] else 0


if __name__ == "__main__":
    sys.exit(main())
