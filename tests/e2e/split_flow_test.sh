#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Screen, pairs and verdict in three jobs with folders of their own: the job that runs foreign code is not the one that judges.
# The verdict is that of the one-step gate.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 fake_suite=$2
new_repository
export FAKE_GROUPS=a,b TORCHGATE_GATE_ALLOW_NOISY=true TORCHGATE_GATE_PAIRS=24
export TORCHGATE_GATE_COUNT_UNDECIDED=false TORCHGATE_GATE_COMPARE_CODE=false # the fake suite cannot be counted

build() { build_fake "$fake_suite" "$1"; }
build 1000
exits_with 0 "$torchgate" run --suite build --save main
exits_with 0 "$torchgate" baseline add main
echo 2 >code
git commit -qam second
exits_with 0 "$torchgate" run --suite build --save same
rm -r build
build 1300
exits_with 0 "$torchgate" run --suite build --save slower
rm .torchgate/runs/main.json

# job NAME FILE...: a folder with the repository, the store and these files
job() {
  local name=$1 file
  shift
  mkdir -p "$work/jobs/$name/.torchgate/runs"
  cp -r "$work/.git" "$work/code" "$work/.gitignore" "$work/jobs/$name"
  cp -r "$work/.torchgate/store" "$work/jobs/$name/.torchgate"
  for file in "$@"; do cp "$file" "$work/jobs/$name/"; done
  cd "$work/jobs/$name"
}
with_runs() { cp "$work"/.torchgate/runs/*.json "$work"/.torchgate/runs/*.samples .torchgate/runs/; }

# The same in one step, to compare with.
job whole
with_runs
exits_with 1 "$torchgate" gate slower --json report.json --run-recorded-files  # the runs are of another folder
[[ $(finding report.json fake/a/eager/device:cpu) == "regressed fail "* ]] || complain "one step: $(finding report.json fake/a/eager/device:cpu)"

# 1. The screen: not red by itself, and nothing is measured.
job screen
with_runs
exits_with 0 "$torchgate" gate slower --pair-plan plan.json --json report.json
says "plan.json: 4 to confirm in pairs"
[[ $(finding report.json fake/a/eager/device:cpu) == "suspected warn "* ]] || complain "screen: $(finding report.json fake/a/eager/device:cpu)"
python3 - <<'PYTHON'
import json
plan = json.load(open("plan.json"))
run = json.load(open(".torchgate/runs/slower.json"))
assert plan["schema"] == "torchgate.plan/1" and plan["run"] == run["id"], plan
assert len(plan["cases"]) == plan["family"] == 4 and plan["pairs"] == 24, plan
PYTHON
exits_with 0 "$torchgate" gate same --pair-plan nothing.json
exits_with 2 "$torchgate" gate slower --pair-plan plan.json --pairs-from plan.json
python3 - <<'PYTHON'
import json
run = json.load(open(".torchgate/runs/slower.json"))
run["id"] = "00000000000000aa"
first = run["processes"][0]["cases"][0]
first["status"], first["message"] = "failed", "out of memory"
first["measurements"] = {}
run.pop("samples")
json.dump(run, open("failed.json", "w"))
PYTHON
exits_with 1 "$torchgate" gate failed.json --pair-plan other.json  # no pairs change that

# 2. The pairs: measured with the kept objects of the baseline, not judged.
job pairs "$work/jobs/screen/plan.json" "$work/jobs/screen/nothing.json"
with_runs
exits_with 2 "$torchgate" ab --pair-plan plan.json --save pairs
says "--run-recorded-files"
exits_with 0 "$torchgate" ab --pair-plan plan.json --save pairs --run-recorded-files
says "pairs of 4 cases"
exits_with 0 "$torchgate" ab --pair-plan nothing.json --save none
says "nothing to confirm"
[[ -e .torchgate/runs/none.json ]] && complain "pairs of nothing"
exits_with 2 "$torchgate" ab --pair-plan plan.json --before build
exits_with 2 "$torchgate" ab --pair-plan /nonexistent.json
exits_with 2 "$torchgate" ab
cp .torchgate/runs/*.samples .

# 3. The verdict: nothing of the change runs here, its binaries are not even there.
job verdict "$work/jobs/pairs/.torchgate/runs/pairs.json" "$work"/jobs/pairs/*.samples
with_runs
mv "$work/build" "$work/gone"
exits_with 1 "$torchgate" gate slower --pairs-from pairs.json --json report.json
python3 - "$work/jobs/whole/report.json" report.json <<'PYTHON' || complain "the verdicts differ"
import json, sys
def verdicts(file):
    return {(f["case"], f["metric"]["name"]): (f["verdict"], f["action"]) for f in json.load(open(file))["findings"]}
one, three = verdicts(sys.argv[1]), verdicts(sys.argv[2])
assert one == three and len(one) >= 4, (one, three)
PYTHON
exits_with 0 "$torchgate" gate same --pairs-from /nonexistent.json  # nothing is suspected: nothing to read
exits_with 2 "$torchgate" gate slower --pairs-from /nonexistent.json

# Pairs of another plan, or of other objects, are refused.
python3 - <<'PYTHON'
import copy, json
pairs = json.load(open("pairs.json"))
def kept(name, change):
    other = copy.deepcopy(pairs)
    change(other)
    other.pop("samples", None)
    json.dump(other, open(name, "w"))
kept("other_run.json", lambda p: p["plan"]["confirms"].update(run="00000000000000bb"))
kept("other_baseline.json", lambda p: p["plan"]["confirms"].update(baseline="00000000000000bb"))
kept("smaller_family.json", lambda p: p["plan"]["confirms"].update(family=1))
kept("other_cases.json", lambda p: p["plan"].update(filter="^(?:fake/a/eager/device:cpu)$"))
kept("fewer_pairs.json", lambda p: p["plan"].update(processes=6))
kept("other_seed.json", lambda p: p["plan"].update(seed=1))
kept("other_warmup.json", lambda p: p["plan"].update(warmup_calls=1))
kept("other_samples.json", lambda p: p["plan"].update(samples=7))
kept("no_confirmation.json", lambda p: p["plan"].pop("confirms"))
def another_build(p):
    side = next(q for q in p["processes"] if q["side"] == 1)
    for o in p["objects"]:
        if o.get("executable"): o["sha256"] = "ab" * 32
kept("other_objects.json", another_build)
def another_suite(p):
    for q in p["processes"]: q["suite"] = "elsewhere"
kept("other_suite.json", another_suite)
PYTHON
refused() {
  exits_with 2 "$torchgate" gate slower --pairs-from "$1.json"
  says "$2"
}
refused other_run "another plan: the run is"
refused other_baseline "another plan: the baseline is"
refused smaller_family "the number of verdicts that share the risk is 1, expected 4"
refused other_cases "the list of cases is"
refused fewer_pairs "the largest number of pairs is 6, expected 24"
refused other_seed "the seed is 1"
refused other_warmup "another plan: --warmup is 1, expected none"
refused other_samples "another plan: --samples is 7, expected none"
refused no_confirmation "is not a confirmation of suspects"
refused other_objects "the loaded files differ from the recorded baseline"
refused other_suite "the suite elsewhere, which has no suspect"
exits_with 2 "$torchgate" gate slower --pairs-from .torchgate/runs/same.json
finish
