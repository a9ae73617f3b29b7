#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The report on a terminal of 100 columns (a pseudo-terminal), without colours, and in a pipe.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 made_runs=$2
unset GITHUB_BASE_REF GITHUB_EVENT_NAME NO_COLOR
new_repository
export TORCHGATE_GATE_ALLOW_NOISY=true
"$made_runs" generate 12 30 5 1 before.json
python3 - <<'PYTHON'
import json
run = json.load(open("before.json"))
run["id"] = "5" * len(run["id"])
run.pop("samples", None)
run["cases"][0]["name"] += "/a-name-that-no-terminal-shows" * 9
for process in run["processes"]:
    for result in process["cases"][:5]:
        for values in result["measurements"].values():
            values[1:] = [value * 2 if isinstance(value, float) else value for value in values[1:]]
json.dump(run, open("after.json", "w"))
PYTHON

# on_terminal FILE COLUMNS [NAME=VALUE...]: what `compare` prints on a pseudo-terminal
on_terminal() {
  local file=$1 columns=$2
  shift 2
  env -u NO_COLOR TERM=xterm-256color LC_ALL=C.UTF-8 "$@" python3 - "$file" "$columns" "$torchgate" compare before.json after.json --verbose <<'PYTHON'
import fcntl, os, pty, struct, sys, termios
file, columns, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
child, terminal = pty.fork()
if child == 0:
    os.read(0, 1)  # until the size is set
    os.execv(command[0], command)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
settings = termios.tcgetattr(terminal)
settings[3] &= ~termios.ECHO
termios.tcsetattr(terminal, termios.TCSANOW, settings)
os.write(terminal, b"\n")
text = b""
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        break
    if not piece:
        break
    text += piece
os.waitpid(child, 0)
open(file, "wb").write(text.replace(b"\r\n", b"\n"))
PYTHON
}

on_terminal colors.txt 100
on_terminal plain.txt 100 NO_COLOR=1
on_terminal empty.txt 100 NO_COLOR=
on_terminal dumb.txt 100 TERM=dumb
on_terminal narrow.txt 72
"$torchgate" compare before.json after.json --verbose >pipe.txt || true
# The flag wins over the terminal and over NO_COLOR.
NO_COLOR=1 "$torchgate" compare before.json after.json --verbose --color always >always.txt || true
"$torchgate" compare before.json after.json --verbose --color always --write terminal=file.txt --quiet || true

python3 - <<'PYTHON' || complain "the report on a terminal"
import re, sys, unicodedata
read = lambda name: open(name, encoding="utf-8").read()
uncolored = lambda text: re.sub(r"\x1b\[[0-9;]*m", "", text)
bad = []
for name, columns in (("colors.txt", 100), ("plain.txt", 100), ("pipe.txt", 100), ("narrow.txt", 72)):
    text = uncolored(read(name))
    if "FAIL" not in text and "PASS" not in text and "NO VERDICT" not in text:
        bad.append(f"{name} has no verdict: {text[:300]!r}")
    for line in text.split("\n"):
        if sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line) > columns:
            bad.append(f"{name}: wider than {columns} columns: {line}")
if "\x1b[" not in read("colors.txt"): bad.append("a terminal has no colours")
if "\x1b[" not in read("empty.txt"): bad.append("an empty NO_COLOR takes the colours away")
for name in ("plain.txt", "dumb.txt", "pipe.txt"):
    if "\x1b" in read(name): bad.append(f"{name} has escapes")
# Colours are never the only sign: without them every word is there.
if uncolored(read("colors.txt")) != read("plain.txt"): bad.append("the text differs with and without colours")
if read("always.txt") != read("colors.txt"): bad.append("--color always in a pipe is not what a terminal shows")
if read("file.txt") != read("pipe.txt"): bad.append("a file differs from what is printed, or has colours")
if read("plain.txt") != read("pipe.txt"): bad.append("the text differs on a terminal and in a pipe")
print(*bad, sep="\n", file=sys.stderr)
sys.exit(1 if bad else 0)
PYTHON
finish
