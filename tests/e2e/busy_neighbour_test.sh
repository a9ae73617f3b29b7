#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A baseline from before, and a neighbour that takes half of the machine now: what the screen suspects is measured again in
# pairs, both sides suffer alike, nothing is confirmed, and the report says how busy it was. A real slow-down is confirmed
# under the same neighbour.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 planted=$2
new_repository
# A throttled CPU, such as that of a container with a quota, decides nothing here.
export TORCHGATE_GATE_ALLOW_NOISY=true
slowed=planted/matmul/slowed
mkdir build
export TORCHGATE_GATE_COMPARE_CODE=false TORCHGATE_GATE_COUNT_UNDECIDED=false
build_as() { rm -f build/planted; cp "$planted/$1/planted" build/planted; }
# Two of the suite's three groups: the third is explain_test's.
run() { "$torchgate" run --quick --suite build --filter '^planted/(matmul|pointwise)/' --save "$1" >"$1.log" 2>&1; }

build_as base
run before
exits_with 0 "$torchgate" baseline add before

# On every CPU: our processes share each of them with it.
neighbours=()
for ((cpu = 0; cpu < $(nproc); cpu++)); do
  while :; do :; done &
  neighbours+=("$!")
done
trap 'kill "${neighbours[@]}" 2>/dev/null || true; rm -rf "$work"' EXIT

date +%N >code
git commit -qam "change nothing that matters"
build_as same
run busy
# The screen of one stored run asks for much before it suspects; here it is told to suspect on a hint, so that there is
# something to confirm (slower cases only: there may be none, and then it says so).
for attempt in 1 2; do
  ((attempt == 1)) || run busy
  exits_with 0 env TORCHGATE_GATE_CANDIDATE_P=0.9 TORCHGATE_GATE_RUN_SD=0.0001 "$torchgate" gate busy --json busy.json
  suspects=$(python3 -c 'import json; print(json.load(open("busy.json"))["suspects"])')
  echo "  beside the neighbour, attempt $attempt: $suspects suspects"
  ((suspects == 0)) || break
done
! grep -q '"verdict": "regressed"' busy.json || complain "a busy neighbour was taken for a regression"
((suspects == 0)) || grep -q "interleaved pairs did not" busy.json || complain "the report does not say that pairs did not confirm it"
grep -q -e "other programs used" -e "waited for a CPU" busy.json || complain "the report does not say how busy the machine was"

date +%N >code
git commit -qam "slow down"
build_as plus30
# Under such a neighbour even +30 % may hide from the screen of one stored run, which leaves it open; pairs decide it, where they may take
# longer than the run did.
for attempt in 1 2; do
  run slow
  code=0
  "$torchgate" gate slow --budget 4m --json slow.json --quiet 2>/dev/null || code=$?
  echo "  +30 % beside the neighbour, attempt $attempt: exit code $code, $(finding slow.json "$slowed")"
  ((code != 1)) || break
done
((code == 1)) || complain "a real slow-down beside the neighbour: exit code $code"
[[ $(finding slow.json "$slowed") == "regressed fail"* ]] || complain "a real slow-down: $(finding slow.json "$slowed")"
[[ $(finding slow.json planted/pointwise/tanh) != regressed* ]] || complain "an untouched case was called regressed"
finish
