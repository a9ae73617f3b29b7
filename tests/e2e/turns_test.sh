#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Pairs that take turns, through the program: what they record, and what is left when a side crashes, hangs, exits or forks in its turn, when
# the user stops them, and when torchgate itself is killed: no process, the right exit code, and pairs that can be resumed.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 suite=$2
new_repository
export TORCHGATE_GATE_ALLOW_NOISY=true

cp "$suite" suite-calm

nothing_left() {
  for ((i = 0; i < 50; ++i)); do
    pgrep -f "^$work/suite-" >left || return 0
    sleep 0.1
  done
  complain "$1: processes are left: $(ps -o pid,ppid,stat,args -p "$(paste -sd, left)")"
}

ab=("$torchgate" ab --before "$work/suite-calm" --quick)

echo "-- both are well"
exits_with_any "0 3" "${ab[@]}" --pairs 9 --after "$work/suite-calm" --filter steady --save well --json report.json
nothing_left "well"
python3 - <<'PYTHON' || complain "the record of the turns"
import json
run = json.load(open(".torchgate/runs/well.json"))
for p in run["processes"]:
    turns = p["cases"][0]["measurements"]["time"]["turns"]
    assert len(turns["means"]) == len(turns["counts"]) >= 5, turns
    assert 0 < turns["floor"] <= min(turns["means"]), turns
pairs = {}
for p in run["processes"]:
    pairs.setdefault(p["pair"], set()).add(len(p["cases"][0]["measurements"]["time"]["turns"]["means"]))
assert all(len(lengths) == 1 for lengths in pairs.values()), pairs
PYTHON

# troubled TROUBLE SAYS...: the after side fails, and the report says how and where
troubled() {
  echo "-- $1"
  cp "$suite" "suite-$1"
  exits_with 1 timeout 120 "${ab[@]}" --pairs 9 --after "$work/suite-$1" --filter trouble --json report.json --group-limit "${limit:-60}"
  says "$2"
  nothing_left "$1"
}
troubled crash "killed by SIGSEGV (Segmentation fault), in turn"
troubled exit "ended before its pair was complete, in turn"
limit=2 troubled hang "killed after its time limit of 2 s, in turn"
troubled nonsense 'answered "took forty-two"'
troubled throw "no more"
python3 - <<'PYTHON' || complain "the other side of a lost pair"
import glob, json, os
run = json.load(open(max(glob.glob(".torchgate/runs/*.json"), key=os.path.getmtime)))
assert all(p.get("status", "ok") == "ok" for p in run["processes"] if p["side"] == 0), run["processes"]
PYTHON

echo "-- fork"
cp "$suite" suite-fork
timeout 120 "${ab[@]}" --pairs 9 --after "$work/suite-fork" --filter trouble --verbose >fork.log 2>&1 || (($? == 3)) || complain "fork: $(cat fork.log)"
grep -q "child processes still running" fork.log || complain "a child that was left is not told: $(cat fork.log)"
nothing_left "fork"

# bash starts what runs beside it with SIGINT ignored.
# stopped SIGNAL: pairs that get this signal while a side is stopped for the other one's turn
stopped() {
  env --default-signal=INT "${ab[@]}" --after "$work/suite-calm" --filter steady --pairs 30 --every-pair --save "stopped-$1" >stopped.log 2>&1 &
  local pid=$! waits=0
  until (($(find .torchgate/runs -path '*.part/0*.json' | wc -l) >= 6)) && ps -o stat= -p "$(pgrep -fd, "^$work/suite-" || echo 1)" | grep -q T; do
    ((++waits < 3000)) || { complain "$1: no side was seen stopped: $(cat stopped.log)"; break; }
    sleep 0.01
  done
  kill "-$1" "$pid"
  local code=0
  wait "$pid" || code=$?
  echo "$1: exit code $code"
  nothing_left "$1"
  return $code
}
# whole NAME: all pairs are there, both halves of each
whole() {
  exits_with_any "0 3" "$torchgate" ab --resume --pairs 30 --every-pair
  python3 - "$1" <<'PYTHON' || complain "$1: the resumed pairs are not whole"
import json, sys
run = json.load(open(f".torchgate/runs/{sys.argv[1]}.json"))
assert not run.get("interrupted") and len(run["processes"]) == 60, len(run["processes"])
assert all(p.get("status", "ok") == "ok" for p in run["processes"])
PYTHON
}
echo "-- Ctrl-C"
code=0; stopped INT || code=$?
((code == 130)) || complain "SIGINT: exit code $code"
whole stopped-INT
echo "-- kill -9"
code=0; stopped KILL || code=$?
((code == 137)) || complain "SIGKILL: exit code $code"
# Half a pair that was saved before the other half is measured again, by both sides.
rm "$(find .torchgate/runs -path '*.part/0*.json' | sort | tail -n 1)"
whole stopped-KILL

finish
