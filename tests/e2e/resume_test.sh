#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# kill -9 in the middle of a run, and going on with it: every process once, nothing half-written.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 fake_suite=$2
new_repository
export FAKE_GROUPS=slow,ok TORCHGATE_GATE_ALLOW_NOISY=true FAKE_MARK=$work/marks

# killed SIGNAL PIECES COMMAND...: starts it, and sends the signal when so many processes are kept
killed() {
  local signal=$1 pieces=$2 child i
  shift 2
  "$@" >killed.log 2>&1 &
  child=$!
  for ((i = 0; i < 600; ++i)); do
    (($(find .torchgate/runs -path '*.part/0*.json' 2>/dev/null | wc -l) >= pieces)) && break
    sleep 0.05
  done
  kill "-$signal" "$child" 2>/dev/null || complain "it ended before it could be killed: $(cat killed.log)"
  wait "$child" 2>/dev/null || true
}

# whole NAME PROCESSES: the record has every place of the schedule once, and its raw samples
whole() {
  python3 - "$1" "$2" <<'PYTHON' || complain "$1 is not whole"
import glob, json, os, sys
name, count = sys.argv[1], int(sys.argv[2])
run = json.load(open(f".torchgate/runs/{name}.json"))
assert not run.get("interrupted"), "interrupted"
assert sorted(p["index"] for p in run["processes"]) == list(range(count)), [p["index"] for p in run["processes"]]
assert all(p.get("status", "ok") == "ok" for p in run["processes"])
assert os.path.exists(f".torchgate/runs/{run['samples']['sha256']}.samples")
assert run["samples"]["count"] == 2 * 3 * count, run["samples"]
assert any("was interrupted after" in w for w in run["warnings"]), run["warnings"]
assert not glob.glob(".torchgate/runs/*.part"), "the journal is still there"
PYTHON
}

killed KILL 3 "$torchgate" run --suite "$fake_suite" --processes 8 --save mine
part=$(echo .torchgate/runs/*.part)
id=$(basename "$part" .part)
[[ -e .torchgate/runs/mine.json ]] && complain "a record of a run that was killed"
kept=$(find "$part" -name '0*.json' | wc -l)

# What was measured can be looked at, and compared; it never passes.
exits_with 0 env FAKE_GROUPS=ok "$torchgate" run --suite "$fake_suite" --processes 2 --save other
says "run $id of"
says "torchgate run --resume $id"
exits_with 3 "$torchgate" compare other "$id"
exits_with 3 "$torchgate" compare other "$part"
exits_with 3 "$torchgate" gate "$id" --against other --confirm none

exits_with 2 "$torchgate" run --resume nonsense
says "unfinished: $id"
exits_with 2 "$torchgate" run --resume --suite "$fake_suite"
exits_with 2 "$torchgate" ab --resume
exits_with 3 "$torchgate" run --resume --threads 3
says 'threads was "OMP_NUM_THREADS=1" and is "OMP_NUM_THREADS=3"'
rm "$FAKE_MARK"
exits_with 0 "$torchgate" run --resume
whole mine 16
began=$(wc -l <"$FAKE_MARK")
((began == 16 - kept)) || complain "$began processes ran, and $kept of 16 were kept"
exits_with 2 "$torchgate" run --resume
says "no unfinished run"

# Killed after it was saved and before its journal went: nothing to go on with.
killed KILL 2 "$torchgate" run --suite "$fake_suite" --processes 3 --save last
cp -r .torchgate/runs/*.part .
exits_with 0 "$torchgate" run --resume
cp -r ./*.part .torchgate/runs/
exits_with 2 "$torchgate" run --resume
says "no unfinished run"
[[ -e $(echo .torchgate/runs/*.part) ]] && complain "a journal that nobody needs"
rm -r ./*.part

# An executable that is another one now.
cp "$fake_suite" suite
killed KILL 2 "$torchgate" run --suite ./suite --processes 8 --save changed
cp suite new
echo >>new
mv new suite  # in place it might be busy: a suite that was killed takes a moment to go
exits_with 2 "$torchgate" run --resume
says "/suite changed since the run was started"
rm -r .torchgate/runs/*.part

# Asked to stop: what is complete is kept as a record at once, and can be finished later.
killed TERM 2 "$torchgate" run --suite "$fake_suite" --processes 8 --save stopped
[[ -e .torchgate/runs/stopped.json ]] || complain "no record of a run that was stopped: $(cat killed.log)"
exits_with 0 "$torchgate" run --resume
whole stopped 16

# A calibration that is stopped replaces no run of an earlier one.
mv .torchgate/runs/stopped.json .torchgate/runs/calibration1.json
cp .torchgate/runs/calibration1.json complete.json
rm "$FAKE_MARK"
"$torchgate" calibrate --suite "$fake_suite" --processes 30 >killed.log 2>&1 &
for ((i = 0; i < 600; ++i)); do (($(cat "$FAKE_MARK" 2>/dev/null | wc -l) >= 4)) && break; sleep 0.05; done
kill -TERM $!
wait $! || (($? == 130)) || complain "a stopped calibration: exit code $?"
grep -q "interrupted in run 1: no run is complete" killed.log || complain "the calibration says: $(cat killed.log)"
cmp -s complete.json .torchgate/runs/calibration1.json || complain "calibration1 was replaced by an interrupted run"

# Pairs.
killed KILL 5 "$torchgate" ab --before "$fake_suite" --after "$fake_suite" --pairs 6 --save pairs --rule exact
exits_with 2 "$torchgate" run --resume
says "no unfinished run of \`torchgate run\`"
exits_with 2 "$torchgate" run --resume "$(basename "$(echo .torchgate/runs/*.part)" .part)"
says "torchgate ab --resume"
"$torchgate" ab --resume --pairs 6 --rule exact >ab.log 2>&1 || (($? == 3)) || complain "ab --resume: $(cat ab.log)"
python3 - <<'PYTHON' || complain "the pairs are not whole"
import glob, json
run = json.load(open(".torchgate/runs/pairs.json"))
places = [p["index"] for p in run["processes"]]
assert len(places) == len(set(places)) and not run.get("interrupted"), places
assert {p["side"] for p in run["processes"]} == {0, 1}
assert not glob.glob(".torchgate/runs/*.part")
PYTHON
finish
