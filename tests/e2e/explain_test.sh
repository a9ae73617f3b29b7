#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A planted copy is found by counting, without noise, and named; two A/A runs are silent; a planted wait is slower, and
# nothing is blamed for it.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 planted=$2
new_repository
# A throttled CPU, such as that of a container with a quota, decides nothing here.
export TORCHGATE_GATE_ALLOW_NOISY=true
case=planted/explained/tanh
measure() { "$torchgate" run --quick --processes "$1" --suite "$planted/$2" --filter "$case" --save "$3" >/dev/null 2>&1; }

# verdict FILE METRIC: verdict, value before, value after
counted() {
  python3 -c 'import json, sys
for f in json.load(open(sys.argv[1]))["findings"]:
    if f["case"] == sys.argv[2] and f["metric"]["name"] == sys.argv[3]:
        print(f["verdict"], int(f["before"]["value"]), int(f["after"]["value"]))' "$1" "$case" "$2"
}

measure 5 base before
measure 5 clone copies
exits_with 0 "$torchgate" compare before copies --rule exact --json copies.json
echo "  operator_calls: $(counted copies.json operator_calls); allocations: $(counted copies.json allocations); allocated_bytes: $(counted copies.json allocated_bytes)"
read -r verdict was is <<<"$(counted copies.json allocations)"
[[ $verdict == changed && $((is - was)) == 1 ]] || complain "a copy is one allocation more, not $was -> $is ($verdict)"
read -r verdict was is <<<"$(counted copies.json allocated_bytes)"
[[ $verdict == changed && $((is - was)) == 400000 ]] || complain "a copy of 100,000 floats is 400,000 bytes more, not $was -> $is ($verdict)"
[[ $(counted copies.json operator_calls) == changed* ]] || complain "the copy's operators were not counted"
exits_with 1 env TORCHGATE_GATE_CHANGED=fail "$torchgate" compare before copies --rule exact
exits_with 0 "$torchgate" explain "$case" before copies --json copies.json
says "aten::clone"
says "aten::copy_"
says "allocations 1 instead of 0"
grep -A1 '^Why' <<<"$out"

# A/A: nothing counted may ever differ (exact_metrics_test repeats more, of all suites).
silent=0
for repeat in 1 2; do
  measure 2 same "again$repeat"
  "$torchgate" compare before "again$repeat" --rule exact --quiet --json again.json 2>/dev/null || complain "A/A repeat $repeat: exit code $?"
  ! grep -q '"verdict": *"changed"' again.json || complain "A/A repeat $repeat: a count changed"
  silent=$((silent + 1))
done
echo "  $silent of 2 A/A repeats silent"

# A wait of 400 us: in interleaved pairs slower beyond doubt, and no operator to blame.
code=0
"$torchgate" ab --quick --filter "$case" --before "$planted/base" --after "$planted/spin" --save waits --json waits.json >/dev/null 2>&1 || code=$?
((code == 1)) || complain "ab with a planted wait: exit code $code"
echo "  $(finding waits.json "$case")"
[[ $(finding waits.json "$case") == "regressed fail"* ]] || complain "planted wait: $(finding waits.json "$case")"
exits_with 0 "$torchgate" explain "$case" waits --json why.json
says "changed (it refers to planted::spin_ns, which differs)"
says "the same operators with the same calls"
grep -q 'is spent outside of all operators' why.json || complain "where the time is spent is not said"
grep -q 'planted::spin_ns' waits.json || complain "the report does not name the function that changed"
grep -q 'is spent outside of all operators' waits.json || complain "the report does not say where the time is spent"

# The same for pairs of the copy: the finding itself says why. Not counted where times leave it open, which takes as long as all the rest.
TORCHGATE_GATE_COMPARE_CODE=false TORCHGATE_GATE_COUNT_UNDECIDED=false "$torchgate" ab --quick --filter "$case" --before "$planted/base" --after "$planted/clone" --json copy_pairs.json >/dev/null 2>&1 || true
echo "  $(finding copy_pairs.json "$case")"
[[ $(finding copy_pairs.json "$case") != regressed* ]] || grep -q '"per call +1 aten::' copy_pairs.json || complain "a regressed copy is not explained"

exits_with 2 "$torchgate" explain planted/explained/tan before copies
says "the nearest: planted/explained/tanh"
exits_with 2 "$torchgate" explain "$case" before
says "has one side"
finish
