#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A screen that fails, and pairs that cannot confirm it: crashed, cut short, interrupted or forged. None of them passes.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 fake_suite=$2
new_repository
export FAKE_GROUPS=a TORCHGATE_GATE_ALLOW_NOISY=true TORCHGATE_GATE_PAIRS=16
export TORCHGATE_GATE_COUNT_UNDECIDED=false TORCHGATE_GATE_COMPARE_CODE=false # the fake suite cannot be counted
export FAKE_MARK=$work/marks
name=fake/a/eager/device:cpu

build() { build_fake "$fake_suite" "$1"; }
build 1000
exits_with 0 "$torchgate" run --suite build --save main
exits_with 0 "$torchgate" baseline add main
git commit -q --allow-empty -m second
exits_with 0 "$torchgate" run --suite build --save same
build 2000
exits_with 0 "$torchgate" run --suite build --save slower

# attack WANT WHAT COMMAND...: the exit code has to be WANT
attack() {
  local want=$1 what=$2
  shift 2
  echo "-- $what"
  exits_with "$want" "$@"
}
expect_finding() { [[ $(finding report.json "$name") == "$1"* ]] || complain "$(finding report.json "$name") instead of $1"; }
gate=("$torchgate" gate slower --json report.json)

attack 1 "the screen alone" "${gate[@]}" --confirm none
expect_finding "suspected fail"
attack 1 "honest pairs" "${gate[@]}"
expect_finding "regressed fail"
attack 0 "honest pairs of no change" "$torchgate" gate same

attack 1 "the new build crashes in every pair" env FAKE_AFTER=crash "${gate[@]}"
expect_finding "failed fail"
says "FAIL  fake/a/eager/device:cpu: failed"
says "in the pairs, in 2 of 2 processes: killed by SIGSEGV"
attack 1 "the new build ends with an exit code in every pair" env FAKE_AFTER=exit3 "${gate[@]}"
expect_finding "failed fail"
attack 1 "the new build hangs in every pair" env FAKE_AFTER=hang TORCHGATE_RUN_GROUP_LIMIT_S=3 "${gate[@]}"
expect_finding "failed fail"
attack 1 "the new build fails in every pair" env FAKE_AFTER=failing "${gate[@]}"
expect_finding "failed fail"
says "out of memory"
attack 1 "the new build is wrong in every pair" env FAKE_AFTER=wrong "${gate[@]}"
expect_finding "wrong fail"
attack 1 "the new build cannot be listed" env FAKE_AFTER=unlisted "${gate[@]}"
attack 1 "both builds crash in every pair" env FAKE_GROUPS=crash "${gate[@]}"
attack 1 "a total limit of 0.2 s" env TORCHGATE_RUN_TOTAL_LIMIT_S=0.2 FAKE_AFTER=slow "${gate[@]}"
expect_finding "suspected fail"
attack 1 "a group limit of 0.001 s" env TORCHGATE_RUN_GROUP_LIMIT_S=0.001 "${gate[@]}"
attack 1 "two pairs at most" env TORCHGATE_GATE_PAIRS=2 "${gate[@]}"

# interrupted SIGNAL: while confirming; in the foreground as far as signals are concerned
interrupted() {
  local i code=0
  rm -f "$FAKE_MARK" report.json
  FAKE_AFTER=slow python3 -c 'import os, signal, sys
for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP): signal.signal(each, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "${gate[@]}" >interrupted.log 2>&1 &
  for ((i = 0; i < 600; ++i)); do
    [[ ! -e $FAKE_MARK ]] || (($(wc -l <"$FAKE_MARK") < 3)) || break
    sleep 0.05
  done
  kill "-$1" $!
  wait $! || code=$?
  echo "-- SIG$1 while confirming"
  ((code == 130)) || complain "SIG$1 while confirming: exit code $code: $(cat interrupted.log)"
  [[ ! -e report.json ]] || complain "SIG$1 while confirming: a report was written"
}
interrupted INT
interrupted TERM
interrupted HUP

# The same pairs from another job.
exits_with 0 "$torchgate" gate slower --pair-plan plan.json
exits_with 0 "$torchgate" ab --pair-plan plan.json --save pairs
attack 1 "recorded pairs" "${gate[@]}" --pairs-from pairs
expect_finding "regressed fail"
FAKE_AFTER=crash exits_with 0 "$torchgate" ab --pair-plan plan.json --save crashed
attack 1 "recorded pairs with a crash" "${gate[@]}" --pairs-from crashed
expect_finding "failed fail"
python3 - <<'PYTHON'
import copy, json
pairs = json.load(open(".torchgate/runs/pairs.json"))
after = lambda p: [q for q in p["processes"] if q.get("side", 0) == 1]
def forged(name, change):
    other = copy.deepcopy(pairs)
    change(other)
    other.pop("samples", None)
    json.dump(other, open(f"{name}.json", "w"))
def as_before(p):  # the old build's numbers as the new one's
    for one in p["processes"]:
        if one.get("side", 0) == 0:
            for other in after(p):
                if other["pair"] == one["pair"]: other["cases"] = copy.deepcopy(one["cases"])
def every_after(p, **keys):
    as_before(p)
    for one in after(p): one.update(keys)
forged("no_processes", lambda p: p.update(processes=[]))
forged("nothing_at_all", lambda p: p.update(processes=[], cases=[], groups=[]))
def one_pair(p):
    as_before(p)
    p["processes"] = [q for q in p["processes"] if q["pair"] == 0]
forged("one_pair", one_pair)
forged("interrupted", lambda p: (one_pair(p), p.update(interrupted=True)))
forged("failed_with_numbers", lambda p: every_after(p, status="failed", message="exit code 1", objects=[]))
forged("lost_with_numbers", lambda p: every_after(p, status="timed_out", message="", objects=[]))
forged("other_host", lambda p: p["machine"].update(host_key="elsewhere"))
forged("other_commit", lambda p: p["sides"][1].update(commit="ab" * 20))
forged("other_protocol", lambda p: [c.update(protocol="fake/2") for c in p["cases"]])
forged("other_order", lambda p: [q.update(order_in_pair=1 - q.get("order_in_pair", 0)) for q in p["processes"]])
forged("other_seed_of_a_process", lambda p: p["processes"][3].update(seed=p["processes"][3]["seed"] ^ 1))
forged("swapped_sides", lambda p: [q.update(side=1 - q.get("side", 0)) for q in p["processes"]])
def again(p):
    p["processes"] += copy.deepcopy(p["processes"][:2])
forged("process_twice", again)
def more(p):
    last = copy.deepcopy(p["processes"][-2:])
    for i, one in enumerate(last): one.update(index=1000 + i, pair=500)
    p["processes"] += last
forged("more_than_planned", more)
forged("first_pair_missing", lambda p: p.update(processes=[q for q in p["processes"] if q["pair"] != 0]))
forged("half_a_pair_missing", lambda p: p["processes"].pop(4))
forged("with_a_budget", lambda p: p["plan"].update(budget_s=1.0))
def unknown_library(p):
    for o in p["objects"]:
        if o.get("system"): o["sha256"] = "cd" * 32
forged("other_system_library", unknown_library)
PYTHON
# refused NAME TEXT: exit code 2, and why
refused() {
  attack 2 "forged pairs: ${1//_/ }" "${gate[@]}" --pairs-from "$1.json"
  says "$2"
}
refused no_processes "the group fake/a has no process"
refused one_pair "fake/a has 1 of 16 pairs and is not decided by them"
refused interrupted "they were interrupted"
refused failed_with_numbers "and is not decided by them"
refused lost_with_numbers "and is not decided by them"
# Which machine of a pool a job gets is chance: such pairs decide nothing, and the screen's suspects stay.
attack 1 "pairs of another host" "${gate[@]}" --pairs-from other_host.json
says "measured on another machine than the run"
refused other_commit 'side "after" is of abababab'
refused other_protocol "was measured with another protocol"
refused other_order "the order of process"
refused other_seed_of_a_process "the seed of process 3 is"
refused swapped_sides "the side of process"
refused process_twice "duplicate process 0"
refused more_than_planned "process 1000 is not part of the schedule of 32"
refused first_pair_missing "pair 0 of fake/a is missing"
refused half_a_pair_missing "pair 2 of fake/a has one side only"
refused with_a_budget "the budget is 1, expected none"
refused other_system_library "these pairs loaded another version of"
refused nothing_at_all "of the plan is missing"
finish
