#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Names and messages of somebody else's files and suites reach stdout and stderr of every command as text: nothing that a terminal
# obeys, and no line that a CI system runs.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 made_runs=$2 fake_suite=$3
unset GITHUB_BASE_REF GITHUB_EVENT_NAME
new_repository
export TORCHGATE_GATE_ALLOW_NOISY=true

# Clears the screen, sets the window's title, runs two commands of GitHub's and one of Azure's, turns the text round, and CSI of C1.
evil=$'evil\e[2J\e]0;x\a\n::error::x\r\n \xc2\xa0::add-mask::a\n##[error]y ##vso[task.complete]\xe2\x80\xae\xc2\x9b1m'
export evil

# inert CODE NAME COMMAND...: with that exit code; the name is there, and nothing of it works
inert() {
  local code=$1 name=$2
  shift 2
  exits_with "$code" "$@"
  [[ $out == *evil* ]] || { complain "$name: the name is not in the output, so this shows nothing"; echo "$out" >&2; }
  printf '%s' "$out" >out.bytes
  python3 - out.bytes <<'PYTHON' || complain "$name: not inert"
import re, sys, unicodedata
text = open(sys.argv[1], "rb").read().decode("utf-8")
bad = [hex(ord(c)) for c in text if c not in "\n\t" and unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp")]
bad += [line for line in text.split("\n") if line.strip().startswith("::")]
bad += re.findall(r"##(?:vso|teamcity)?\[.*", text)
print(*bad, file=sys.stderr)
sys.exit(1 if bad else 0)
PYTHON
}

"$made_runs" generate 2 9 3 1 base.json
"$made_runs" google_benchmark base.json gb.json
# make FILE CODE: what the Python CODE does to the record `run`
make() {
  python3 - "$1" "$2" <<'PYTHON'
import json, os, sys
run, gb, evil = json.load(open("base.json")), json.load(open("gb.json")), os.environ["evil"]
run.pop("samples")
result = run
scope = dict(run=run, gb=gb, evil=evil, json=json)
exec(sys.argv[2], scope)
json.dump(scope.get("result", run), open(sys.argv[1], "w"))
PYTHON
}

# A report on the terminal: names of cases, messages, warnings.
make named.json 'run["id"] = "0" * 16; run["cases"][0]["name"] = evil; run["warnings"] = [evil]'
inert 1 "compare" "$torchgate" compare base.json named.json
inert 0 "report" "$torchgate" report named.json
inert 0 "report, Markdown" "$torchgate" report named.json --format markdown
inert 0 "report, JSON" "$torchgate" report named.json --format json
make failed.json '
run["id"] = "1" * 16
for process in run["processes"]:
    process["cases"][0] = {"case": 0, "status": "failed", "message": evil, "calls_per_sample": 1, "measurements": {}}'
inert 1 "compare, a message" "$torchgate" compare base.json failed.json

# Errors, warnings and answers of the other commands.
make s1.json 'run["plan"].update(shard=1, shards=2, division=[["made/group"], ["h"]], profile=evil)'
make s2.json 'run["id"] = "2" * 16; run["plan"].update(shard=2, shards=2, division=[["h"], ["made/group"]], profile="quick")'
inert 2 "merge" "$torchgate" merge s1.json s2.json
make s1.json 'run["warnings"] = [evil]; run["plan"].update(shard=1, shards=2, division=[["made/group"], [evil]])'
inert 3 "merge, a warning" "$torchgate" merge s1.json
make twins.json '
for entry in gb["benchmarks"]:
    entry.update(name=evil, run_name=evil, repetition_index=0)
result = gb'
inert 0 "import" "$torchgate" import twins.json
make unit.json 'gb["benchmarks"][0]["time_unit"] = evil; result = gb'
inert 2 "import, an error" "$torchgate" import unit.json
make objects.json '
run["id"] = "3" * 16
run["sides"][0].update(commit="a" * 40, modified=False)
run["objects"] = [{"path": "/nowhere/" + evil, "bytes": 1, "executable": True, "inode": 1, "mtime_ns": 1, "sha256": "b" * 64}]
for process in run["processes"]: process["objects"] = [0]'
inert 0 "baseline add" "$torchgate" baseline add objects.json --store store
make plan.json '
result = {"schema": "torchgate.plan/1", "run": "0" * 16, "baseline": evil, "family": 1, "pairs": 9, "profile": "quick", "seed": 1, "cases": ["x"]}'
inert 2 "ab --pair-plan" "$torchgate" ab --pair-plan plan.json
make shards.json '
one = {"group": evil, "seconds": 1, "from": "x"}
result = {"schema": "torchgate.shards/1", "profile": "quick", "filter": ".*", "processes": 1, "seed": 1, "shards": [[one], [one]]}'
inert 2 "a plan of shards" "$torchgate" run --suite "$fake_suite" --shard 1/2 --shard-plan shards.json
python3 -c 'import json, os; print("[gate]\n" + json.dumps(os.environ["evil"]) + " = 1")' >evil.toml
inert 2 "TOML" "$torchgate" compare base.json named.json --config evil.toml
printf '[gate]\nx = "evil %s"\n' "$evil" >evil.toml
exits_with 2 "$torchgate" compare base.json named.json --config evil.toml
inert 2 "arguments" "$torchgate" compare base.json "$evil"
exits_with 1 "$torchgate" compare base.json named.json --json report.json
inert 2 "accept" "$torchgate" accept "$evil" --reason x --report report.json

# Suites: the list, the line of each process, and what a suite says when it ends badly.
export FAKE_GROUPS=$evil
inert 0 "run --list" "$torchgate" run --suite "$fake_suite" --list
inert 0 "run --list --json" "$torchgate" run --suite "$fake_suite" --list --json
cat >bad_suite <<'SUITE'
#!/bin/sh
case "$*" in *--torchgate_list*) exec "$FAKE_SUITE_PROGRAM" "$@" ;; esac
printf '%s\n' "$evil" >&2
exit 3
SUITE
chmod +x bad_suite
export FAKE_SUITE_PROGRAM=$fake_suite
code=0
"$torchgate" run --suite ./bad_suite --processes 1 >/dev/null 2>&1 || code=$?
inert "$code" "run" "$torchgate" run --suite ./bad_suite --processes 1
finish
