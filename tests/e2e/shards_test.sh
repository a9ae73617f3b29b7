#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One run on three machines: divided once, measured in parts, merged; and what a missing part means.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 fake_suite=$2
new_repository
export FAKE_GROUPS=a,b,c,slow TORCHGATE_GATE_ALLOW_NOISY=true

# Past durations divide: the slow group, which takes as long as its suite's other groups by estimate, has a shard of its own.
exits_with 0 "$torchgate" run --suite "$fake_suite" --processes 3 --save whole
exits_with 0 "$torchgate" run --suite "$fake_suite" --processes 2 --shards 3 --shard-plan plan.json
says "shard 3/3"
cp plan.json first.json
python3 - <<'PYTHON'
import json
plan = json.load(open("plan.json"))
whole = json.load(open(".torchgate/runs/whole.json"))["id"]
assert plan["schema"] == "torchgate.shards/1" and plan["processes"] == 2, plan
groups = [[g["group"] for g in shard] for shard in plan["shards"]]
assert sorted(sum(groups, [])) == ["fake/a", "fake/b", "fake/c", "fake/slow"], groups
assert ["fake/slow"] in groups, groups
assert all(g["from"] == whole for shard in plan["shards"] for g in shard), plan
PYTHON

for i in 1 2 3; do exits_with 0 "$torchgate" run --suite "$fake_suite" --shard "$i/3" --shard-plan plan.json --save "s$i"; done
exits_with 0 "$torchgate" merge s3 s1 s2 --save merged
says "8 cases of 8 processes from 3 of 3 shards"
exits_with 0 "$torchgate" merge .torchgate/runs/s1.json .torchgate/runs/s2.json .torchgate/runs/s3.json --save again
cmp .torchgate/runs/merged.json .torchgate/runs/again.json || complain "the order of the files matters"
exits_with 0 "$torchgate" compare whole merged --json report.json
python3 -c 'import json
cases = {f["case"] for f in json.load(open("report.json"))["findings"]}
assert len(cases) == 8, cases'

# A missing shard: kept, marked, never passed; its cases are neither missing nor judged. What fails still fails.
exits_with 3 "$torchgate" merge s1 s3 --save partly
says "INCOMPLETE: shard 2 of 3 is missing"
exits_with 3 "$torchgate" compare whole partly --json report.json
says "INCOMPLETE: shard 2 of 3 is missing"
python3 - <<'PYTHON'
import json
plan = json.load(open("plan.json"))
there = {g["group"] for i, shard in enumerate(plan["shards"]) for g in shard if i != 1}
report = json.load(open("report.json"))
assert report["findings"] and all(f["verdict"] != "missing" for f in report["findings"]), report["findings"]
assert {f["case"].rsplit("/", 2)[0] for f in report["findings"]} == there, report["findings"]
run = json.load(open(".torchgate/runs/s1.json"))
first = run["processes"][0]["cases"][0]
first["status"], first["message"] = "failed", "out of memory"
first["measurements"] = {}
run.pop("samples", None)
json.dump(run, open(".torchgate/runs/s1failed.json", "w"))
PYTHON
exits_with 3 "$torchgate" merge s1failed s3 --save partly_failed
exits_with 1 "$torchgate" compare whole partly_failed
exits_with 3 "$torchgate" gate partly --against whole --confirm none
exits_with 3 "$torchgate" gate s1 --against whole --confirm none
says "this is shard 1 of 3 alone"
exits_with 2 "$torchgate" baseline add partly --uncommitted
says "torchgate merge"
exits_with 2 "$torchgate" baseline add s1 --uncommitted

# What does not belong together.
exits_with 2 "$torchgate" merge s1 s2 s1
says "s1 and s1 are both shard 1 of 3"
exits_with 2 "$torchgate" merge whole s1
says "whole is not a shard"
exits_with 0 "$torchgate" run --suite "$fake_suite" --processes 2 --shards 3 --shard-plan plan.json --seed 99
exits_with 0 "$torchgate" run --suite "$fake_suite" --shard 2/3 --shard-plan plan.json --save other_seed
exits_with 2 "$torchgate" merge s1 other_seed s3
says "99 in other_seed"
sed 's/"host_key":"/"host_key":"x/' .torchgate/runs/s2.json >elsewhere.json
exits_with 3 "$torchgate" merge s1 elsewhere.json s3
says "never combined"
exits_with 2 "$torchgate" merge
exits_with 2 "$torchgate" merge nothing
exits_with 0 "$torchgate" merge --help

# The plan decides; what contradicts it is said. Groups it does not know are refused.
exits_with 2 "$torchgate" run --suite "$fake_suite" --shard 1/2 --shard-plan first.json
exits_with 2 "$torchgate" run --suite "$fake_suite" --shard 1/3 --shard-plan first.json --filter fake/a
says "--filter contradicts first.json"
exits_with 2 env FAKE_GROUPS=a,b,c,slow,later "$torchgate" run --suite "$fake_suite" --shard 1/3 --shard-plan first.json
says "fake/later is missing in the plan"
for shard in 0/3 4/3 1/1 x 1/ /2 1/2/3; do exits_with 2 "$torchgate" run --suite "$fake_suite" --shard "$shard"; done
exits_with 2 "$torchgate" run --suite "$fake_suite" --shards 3
exits_with 2 "$torchgate" run --suite "$fake_suite" --shard-plan first.json

# Without a plan: the same division and seed on every machine, by names and estimates; no history is looked at.
for i in 1 2; do exits_with 0 "$torchgate" run --suite "$fake_suite" --processes 2 --shard "$i/2" --save "n$i"; done
exits_with 0 "$torchgate" merge n1 n2 --save without_plan
says "8 cases of 8 processes from 2 of 2 shards"

# More machines than groups: some have nothing to do, and that is no error.
for i in 1 2 3 4 5 6; do exits_with 0 "$torchgate" run --suite "$fake_suite" --processes 1 --shard "$i/6" --save "m$i"; done
exits_with 0 "$torchgate" merge m1 m2 m3 m4 m5 m6 --save many
exits_with 3 "$torchgate" merge m1 m2 m3 m4 m5 --save many

# A shard that is killed goes on as that shard.
"$torchgate" run --suite "$fake_suite" --processes 20 --shard 1/2 --save k1 >killed.log 2>&1 &
child=$!
for ((i = 0; i < 600; ++i)); do
  (($(find .torchgate/runs -path '*.part/0*.json' 2>/dev/null | wc -l) >= 3)) && break
  sleep 0.05
done
kill -KILL "$child"
wait "$child" 2>/dev/null || true
exits_with 0 "$torchgate" run --suite "$fake_suite" --processes 20 --shard 2/2 --save k2
says "torchgate run --resume"
exits_with 3 "$torchgate" merge "$(echo .torchgate/runs/*.part)" k2
says "stopped before its plan was complete"
exits_with 0 "$torchgate" run --resume
says "k1.json"
exits_with 0 "$torchgate" merge k1 k2 --save killed_and_merged
says "8 cases of 80 processes"
finish
