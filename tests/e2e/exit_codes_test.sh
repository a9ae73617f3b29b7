#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The gate as a gate, on real LibTorch: an A/A pair must pass, a planted slow-down must fail the build, and everything that
# makes an answer impossible must be said. The suite is rebuilt in place, as a user's is.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 planted=$2
new_repository
# A throttled CPU, such as that of a container with a quota, decides nothing here.
export TORCHGATE_GATE_ALLOW_NOISY=true
slowed=planted/matmul/slowed
mkdir build
# Times decide here; layout_test and count_undecided_test are about code and counts.
export TORCHGATE_GATE_COMPARE_CODE=false TORCHGATE_GATE_COUNT_UNDECIDED=false

build_as() { rm -f build/planted; cp "$planted/$1/planted" build/planted; }
# Two of the suite's three groups: the third is explain_test's.
groups='^planted/(matmul|pointwise)/'
run() { "$torchgate" run --quick --suite build --filter "$groups" --save "$1" >/dev/null 2>&1; }
next_commit() { date +%N >code; git commit -qam "$1"; }

build_as base
run base
exits_with 0 "$torchgate" baseline add base
says "as a baseline of"
# Two stored runs: one alone says little on a busy machine, and what is tested here is the gate, not the runner.
run base2
exits_with 0 "$torchgate" baseline add base2

# A/A: the same build measured apart. Suspects may come up on a busy machine; pairs do not confirm them.
run again
# They end when the cases are decided: beside other programs that takes longer than a run.
exits_with 0 "$torchgate" gate again --budget 4m --json aa.json
! grep -q '"verdict": *"regressed"' aa.json || complain "an A/A run was called regressed"

# The same code rebuilt (another file) is as fast.
build_as same
next_commit "rebuild"
run same
exits_with 0 "$torchgate" gate same --budget 4m

# +30 % in one case: suspected, then confirmed with the baseline's kept objects (its file is gone from build/).
build_as plus30
next_commit "slow down"
# A disturbed run can hide even +30 % from the screen: it is measured again, three times at most.
for attempt in 1 2 3; do
  run plus30
  "$torchgate" gate plus30 --confirm none --unconfirmed warn --quiet --json screen.json 2>/dev/null || true
  echo "  screen, attempt $attempt: $(finding screen.json "$slowed")"
  [[ $(finding screen.json "$slowed") != suspected* ]] || break
done
# The progress has as many lines as the machine is slow: the report alone is what starts with the case.
report_of() { "$torchgate" gate "$@" 2>progress.txt; }
exits_with 1 report_of plus30 --budget 4m --json plus30.json
echo "  $(finding plus30.json "$slowed")"
[[ $(finding plus30.json "$slowed") == "regressed fail"* ]] || complain "planted +30 %: $(finding plus30.json "$slowed")"
head -n 3 <<<"$out" | grep -q "$slowed" || complain "the first lines do not name the case: $out; $(cat progress.txt)"
[[ $(finding plus30.json planted/pointwise/tanh) != regressed* ]] || complain "an untouched case was called regressed"
"$torchgate" gate plus30 --markdown plus30.md --quiet --confirm none || true
grep -q "$slowed" plus30.md || complain "the Markdown report does not name the case"

# A crash and a hang of the new build in the pairs are failures, named in the first lines; no evidence is no pass.
for trouble in crash:SIGABRT "hang:killed after its time limit of 3 s"; do
  PLANTED_TROUBLE=${trouble%%:*} TORCHGATE_RUN_GROUP_LIMIT_S=3 exits_with 1 "$torchgate" gate plus30 --json trouble.json
  [[ $(finding trouble.json "$slowed") == "failed fail"* ]] || complain "${trouble%%:*} in the pairs: $(finding trouble.json "$slowed")"
  head -n 1 <<<"$(grep FAIL <<<"$out")" | grep -q "$slowed: failed" || complain "the first line does not name it: $out"
  says "${trouble#*:}"
done

# Without the stored binaries it cannot be confirmed: suspected, and the policy decides. Whether stored times decide half of the
# others, as a pass asks, depends on the machine.
mv .torchgate/store/objects objects-away
exits_with_any "0 3" "$torchgate" gate plus30 --unconfirmed warn --json unconfirmed.json
[[ $(finding unconfirmed.json "$slowed") == "suspected warn"* ]] || complain "without objects: $(finding unconfirmed.json "$slowed")"
exits_with 1 "$torchgate" gate plus30 --unconfirmed fail
code=0
"$torchgate" gate plus30 --json beyond.json --quiet 2>/dev/null || code=$?
echo "  default policy, unconfirmed: exit code $code, $(finding beyond.json "$slowed")"
mv objects-away .torchgate/store/objects

# +5 % lies at the gate: whatever the verdict, exit code and report agree.
build_as plus5
next_commit "slow down a little"
run plus5
code=0
"$torchgate" gate plus5 --budget 4m --json plus5.json --quiet 2>/dev/null || code=$?
echo "  planted +5 %: exit code $code, $(finding plus5.json "$slowed")"
if grep -q '"action": *"fail"' plus5.json; then ((code == 1)) || complain "+5 %: exit code $code"; else ((code == 0 || code == 3)) || complain "+5 %: exit code $code"; fi

# What this machine can see: three runs of one build, kept for the gate, which says so.
build_as base
exits_with 0 "$torchgate" calibrate --quick --runs 3 --suite build --filter '^planted/matmul/' --json calibration.json
says "False alarms (identical builds reported as slower or changed)"
says "exact     0 of"
grep -q '"run_sd"' calibration.json || complain "no calibration.json"
exits_with 0 "$torchgate" gate calibration3 --against calibration2 --budget 4m
says "calibrated on"
for command in compare report; do
  exits_with_any "0 3" "$torchgate" $command calibration2 calibration3
  says "calibrated on"
  says "two separate runs"
done
build_as plus30
"$torchgate" run --quick --suite build --filter '^planted/matmul/' --save other_build >/dev/null 2>&1
exits_with 2 "$torchgate" calibrate --from calibration1 --from calibration2 --from other_build
says "did not load the same executables"

# Interleaved from the start.
exits_with 1 "$torchgate" ab --quick --filter '^planted/matmul/' --before "$planted/base" --after "$planted/plus30" --json ab.json
[[ $(finding ab.json "$slowed") == "regressed fail"* ]] || complain "ab +30 %: $(finding ab.json "$slowed")"
exits_with 0 "$torchgate" ab --quick --filter "$groups" --before "$planted/base" --after "$planted/same" --json ab_same.json
! grep -q '"verdict": *"regressed"' ab_same.json || complain "ab of the same code was called regressed"

# A modified tree is no commit's baseline.
echo 2 >code
build_as base
run modified
exits_with 2 "$torchgate" baseline add modified
git checkout -q code

# kill -9 of one suite process in mid-run: lost for what it is, the others count, the record is valid.
build_as base
"$torchgate" run --processes 2 --suite build --filter "$groups" --save killed >killed.log 2>&1 &
runner=$!
for _ in $(seq 100); do
  sleep 0.2
  victim=$(pgrep -P "$runner" -f torchgate_group | head -n 1) || continue
  kill -9 "$victim" && break
done
code=0
wait "$runner" || code=$?
((code == 1)) || complain "a run with a killed process ended with $code"
grep -q SIGKILL killed.log || complain "the killed process is not reported: $(cat killed.log)"
exits_with 0 "$torchgate" report killed
says "SIGKILL"
finish
