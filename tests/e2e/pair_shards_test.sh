#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Pairs of a plan on three machines: each measures whole groups, one job judges them all. The same values give the same verdicts as on one
# machine; what was not measured is named, and what does not belong together is refused.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 fake_suite=$2
new_repository
export FAKE_GROUPS=a,b,c TORCHGATE_GATE_ALLOW_NOISY=true TORCHGATE_GATE_PAIRS=24
export TORCHGATE_GATE_COMPARE_CODE=false TORCHGATE_GATE_COUNT_UNDECIDED=false  # the fake suite cannot be counted

build() { build_fake "$fake_suite" "$1"; }
build 1000
exits_with 0 "$torchgate" run --suite build --save main
exits_with 0 "$torchgate" baseline add main
echo 2 >code
git commit -qam second
build 1300
exits_with 0 "$torchgate" run --suite build --save slower
exits_with 0 "$torchgate" gate slower --pair-plan plan.json
says "plan.json: 6 to confirm in pairs"

exits_with 0 "$torchgate" ab --pair-plan plan.json --save whole
for i in 1 2 3; do
  exits_with 0 "$torchgate" ab --pair-plan plan.json --shard "$i/3" --save "part$i"
  says "shard $i of 3: the pairs of fake/"
  says "pairs of 2 cases"
done
exits_with 0 "$torchgate" merge part3 part1 part2 --save merged
says "6 cases"
exits_with 1 "$torchgate" gate slower --pairs-from whole --json whole.json
exits_with 1 "$torchgate" gate slower --pairs-from merged --json merged.json
python3 - <<'PYTHON' || complain "the verdicts differ"
import json
def verdicts(file):
    return {(f["case"], f["metric"]["name"]): (f["verdict"], f["action"]) for f in json.load(open(file))["findings"]}
one, three = verdicts("whole.json"), verdicts("merged.json")
assert one == three and len(one) >= 6 and ("regressed", "fail") in one.values(), (one, three)
PYTHON

# Processes of other groups come in between: their seeds, and so these numbers, are others. With the numbers of the one machine in the parts, pair by
# pair, the report is its report.
python3 - <<'PYTHON'
import json
whole = json.load(open(".torchgate/runs/whole.json"))
def place(p):
    return p["group"], p["side"], p["pair"]
def of_case(run, p):
    return {run["cases"][c["case"]]["name"]: c["measurements"] for c in p["cases"]}
measured = {place(p): of_case(whole, p) for p in whole["processes"]}
for i in 1, 2, 3:
    part = json.load(open(f".torchgate/runs/part{i}.json"))
    groups = {p["group"] for p in part["processes"]}
    assert {place(p) for p in part["processes"]} == {at for at in measured if at[0] in groups}, groups
    for p in part["processes"]:
        for c in p["cases"]:
            c["measurements"] = measured[place(p)][part["cases"][c["case"]]["name"]]
    part.pop("samples", None)
    json.dump(part, open(f"same{i}.json", "w"))
whole.pop("samples", None)
json.dump(whole, open("whole_pairs.json", "w"))
PYTHON
exits_with 0 "$torchgate" merge same1.json same2.json same3.json --save same
exits_with 1 "$torchgate" gate slower --pairs-from whole_pairs.json --json whole.json
exits_with 1 "$torchgate" gate slower --pairs-from same --json same_report.json
python3 - <<'PYTHON' || complain "the same values give another report"
import json
one, three = (json.load(open(file)) for file in ("whole.json", "same_report.json"))
for key in "findings", "outcome", "headline":
    assert one[key] == three[key], (key, one[key], three[key])
PYTHON

# A part that is missing: its groups are named, and what was measured still fails.
exits_with 3 "$torchgate" merge part1 part3 --save partly
says "INCOMPLETE: shard 2 of 3 is missing: its groups were not measured and are not judged (fake/"
exits_with 1 "$torchgate" gate slower --pairs-from partly --json partly.json
grep -q "not confirmed: its group was not measured in pairs: shard 2 of 3 is missing" partly.json || complain "no reason in the report"
python3 - <<'PYTHON' || complain "the groups of the missing part"
import json
lost = json.load(open(".torchgate/runs/part2.json"))["processes"][0]["group"]
for finding in json.load(open("partly.json"))["findings"]:
    of_lost = finding["case"].startswith(lost + "/")
    if finding["metric"]["name"] == "time":
        assert finding["verdict"] == ("suspected" if of_lost else "regressed"), finding
PYTHON
exits_with 2 "$torchgate" gate slower --pairs-from part1
says "these pairs are shard 1 of 3 alone"

# What does not belong together.
exits_with 2 "$torchgate" merge part1 part2 part1
says "part1 and part1 are both shard 1 of 3"
exits_with 2 "$torchgate" merge whole part1
says "whole is not a shard; measure one with \`torchgate ab --pair-plan FILE --shard 1/2\`"
exits_with 0 "$torchgate" ab --pair-plan plan.json --shard 2/2 --save half
exits_with 2 "$torchgate" merge part1 half
says "shards: 3 in part1 and 2 in half"
exits_with 0 "$torchgate" gate slower --pair-plan seeded.json --seed 99
exits_with 0 "$torchgate" ab --pair-plan seeded.json --shard 2/3 --save other_plan
exits_with 2 "$torchgate" merge part1 other_plan part3
says "99 in other_plan; give all shards one pair plan"
exits_with 0 "$torchgate" run --suite build --shard 1/3 --save of_run
exits_with 2 "$torchgate" merge of_run part2
says "different numbers of sides"
echo 3 >code
git commit -qam third
exits_with 0 "$torchgate" run --suite build --save third
exits_with 0 "$torchgate" gate third --pair-plan third.json
exits_with 0 "$torchgate" ab --pair-plan third.json --shard 2/3 --save other_commit
exits_with 2 "$torchgate" merge part1 other_commit part3
says "commit $(git rev-parse HEAD^) in part1 and $(git rev-parse HEAD) in other_commit"
exits_with 2 "$torchgate" gate third --pairs-from merged
says "another plan: the run is"

# More machines than groups: some have nothing to do, and that is not an error.
for i in 1 2 3 4; do exits_with 0 "$torchgate" ab --pair-plan plan.json --shard "$i/4" --save "many$i"; done
says "shard 4 of 4: no groups"
exits_with 0 "$torchgate" merge many1 many2 many3 many4 --save many
exits_with 1 "$torchgate" gate slower --pairs-from many

for shard in 0/3 4/3 1/1 x; do exits_with 2 "$torchgate" ab --pair-plan plan.json --shard "$shard"; done
exits_with 2 "$torchgate" ab --before build --after build --shard 1/2
says "--pair-plan"
exits_with 0 env TORCHGATE_GATE_BUDGET="24 pairs" "$torchgate" gate slower --pair-plan pairs.json
exits_with 2 "$torchgate" ab --pair-plan pairs.json --shard 1/2
says "a number of pairs, which shards cannot share"
finish
