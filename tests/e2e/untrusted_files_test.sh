#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Files that a change, or another machine, may have written: records that name programs, committed runs, forged dates,
# calibrations and policies. None of them runs anything, and none turns a failure into a pass.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 fake_suite=$2 made_runs=$3
new_repository
export FAKE_GROUPS=a TORCHGATE_GATE_ALLOW_NOISY=true TORCHGATE_GATE_PAIRS=12
export TORCHGATE_GATE_COUNT_UNDECIDED=false TORCHGATE_GATE_COMPARE_CODE=false # the fake suite cannot be counted
marker=$work/a_record_ran_it
# nothing_ran WHAT: the program that the records name was not started
nothing_ran() {
  if [[ -e $marker ]]; then complain "$1: a program that a record names was run"; fi
  rm -f "$marker"
}
build() { build_fake "$fake_suite" "$1"; }

# An honest history: a baseline, and a run that is 30 % slower. Its pairs need no flag where it was measured.
build 1000
exits_with 0 "$torchgate" run --suite build --processes 3 --save main
exits_with 0 "$torchgate" baseline add main
echo 2 >code
git commit -qam second
build 1300
exits_with 0 "$torchgate" run --suite build --processes 3 --save slower
exits_with 1 "$torchgate" gate slower --json report.json
[[ $(finding report.json fake/a/eager/device:cpu) == "regressed fail "* ]] || complain "honest pairs: $(finding report.json fake/a/eager/device:cpu)"
exits_with 1 "$torchgate" compare main --json report.json # measures again what the user named, whatever it holds now

# 1. Records that name programs.
printf '#!/bin/sh\n: >%s\n' "$marker" >evil
cp evil evil_program
chmod 644 evil
chmod 755 evil_program
mkdir evil_folder
cp evil_program evil_folder/fake
python3 - "$work" <<'PYTHON'
import hashlib, json, os, sys
work = sys.argv[1]
sha = hashlib.sha256(open("evil", "rb").read()).hexdigest()
kept = next(o["sha256"] for o in json.load(open(".torchgate/runs/main.json"))["objects"] if o.get("executable"))
def forged(name, number, base, path=None, suite=None, suites=None, library=False, **more):
    run = json.load(open(f".torchgate/runs/{base}.json"))
    run["id"] = f"{number:016x}"
    run.pop("samples", None)
    for o in run["objects"]:
        if o.get("executable") and path:
            o.update(path=path, sha256=sha, **more)
    if library:  # one that only the store has, so that everything is copied
        run["objects"].append({"path": "/nowhere/libx.so", "soname": "libx.so", "bytes": 1, "inode": 1, "mtime_ns": 1,
                               "sha256": kept})
        for p in run["processes"]: p["objects"].append(len(run["objects"]) - 1)
    if suite:
        for c in run["cases"] + run["processes"] + run["groups"]: c["suite"] = suite
        run["plan"]["suites"] = [suite]
    if suites:
        for s in run["sides"]: s["suite_paths"] = suites
    json.dump(run, open(name + ".json", "w"))
    return run
forged("relative", 1, "slower", "evil", library=True)
forged("absolute", 2, "slower", work + "/evil_program")
forged("system", 3, "slower", work + "/evil_program", system=True)
forged("climbing", 4, "slower", work + "/evil_program", suite=work + "/climbed", library=True)
forged("again", 5, "main", suites=["evil_folder"])
forged("elsewhere", 6, "main", work + "/gone")
# A run that was interrupted, as its journal would have it.
header = forged("part", 7, "main", suites=["evil_folder"])
header.update(processes=[], objects=[], interrupted=True)
os.makedirs("forged.part")
json.dump(header, open("forged.part/run.json", "w"))
open("forged.part/executables", "w").write(f"{sha}  {work}/evil_folder/fake\n")
open("forged.part/save_as", "w").write("")
PYTHON
for record in relative absolute system climbing; do
  exits_with 1 "$torchgate" gate "$record.json"
  says "launched from this workspace"
  says "--run-recorded-files"
  nothing_ran "gate $record.json"
done
[[ ! -e climbed ]] || complain "the name of a suite became a path"
exits_with 1 "$torchgate" gate slower --against elsewhere.json --unconfirmed fail
exits_with 2 "$torchgate" compare again.json
says "--run-recorded-files"
nothing_ran "compare"
exits_with 2 "$torchgate" run --resume forged.part
says "--run-recorded-files"
nothing_ran "run --resume"
exits_with 2 "$torchgate" run --resume forged.part --list
nothing_ran "run --resume --list"
exits_with 0 "$torchgate" gate absolute.json --pair-plan plan.json
cp absolute.json .torchgate/runs/
exits_with 2 "$torchgate" ab --pair-plan plan.json
says "--run-recorded-files"
nothing_ran "ab --pair-plan"
# With the flag they run: it is for jobs that may run any code.
"$torchgate" gate absolute.json --run-recorded-files >/dev/null 2>&1 || true
[[ -e $marker ]] || complain "--run-recorded-files does nothing"
rm -f "$marker" .torchgate/runs/absolute.json
# A baseline's commit is built again for a run that the store has, not for any record that names a commit.
export TORCHGATE_BASELINE_BUILD=": >$marker" TORCHGATE_RUN_SUITES=build
exits_with 1 "$torchgate" gate slower --against elsewhere.json --unconfirmed fail
nothing_ran "baseline.build for a record of anybody's"
unset TORCHGATE_BASELINE_BUILD TORCHGATE_RUN_SUITES

# 2. Evidence from the future. The newest run of this folder would be the one before it: it is not judged instead.
python3 - <<'PYTHON'
import json
run = json.load(open(".torchgate/runs/main.json"))
run["id"], run["created"] = "00000000000000f0", "2999-01-01T00:00:00.000Z"
run["sides"] = json.load(open(".torchgate/runs/slower.json"))["sides"]
run.pop("samples", None)
json.dump(run, open(".torchgate/runs/future.json", "w"))
PYTHON
find .torchgate/runs -name '*.json' ! -name main.json ! -name slower.json ! -name future.json -delete
exits_with 2 "$torchgate" gate
says "the newest run has a time that lies ahead; name another one, or remove the file"
exits_with 2 "$torchgate" gate future
says "is later than now"
exits_with 2 "$torchgate" baseline add future --uncommitted
stored=$(find .torchgate/store/runs -name '*.json' ! -name '2999*')
host=$(basename "$(dirname "$stored")")
first=$(git rev-parse HEAD~1)
python3 - "$stored" "$host" "$first" <<'PYTHON'
import json, sys
run = json.load(open(sys.argv[1]))
run["id"], run["created"] = "00000000000000f1", "2999-01-01T00:00:00.000Z"
run.pop("samples", None)
json.dump(run, open(f".torchgate/store/runs/{sys.argv[2]}/29990101T000000.000Z-{sys.argv[3][:12]}-00000000000000f1.json", "w"))
PYTHON
exits_with 1 "$torchgate" gate slower --verbose
says "is not used in the baseline"
exits_with 3 "$torchgate" history fake/a/eager/device:cpu --host "$host"
says "is later than now"
rm .torchgate/store/runs/*/2999*.json .torchgate/runs/future.json

# 3. Calibrations that nothing could be seen with.
calibration() {
  mkdir -p ".torchgate/store/calibrations/$host"
  printf '{"schema": "torchgate.calibration/1", "host_key": "%s", "created": "%s", "tool_version": "0", "profile": "default", "processes": 5, "pairs": 48, "runs": %s, "run_sd": %s, "cases": [], "rules": []}' \
    "$host" "${3:-2026-01-01T00:00:00.000Z}" "$1" "$2" >".torchgate/store/calibrations/$host/${4:-20260101000000000}.json"
}
unconfirmed() { "$torchgate" gate slower --confirm none "$@"; }
exits_with 1 unconfirmed
calibration '["a", "b", "c"]' 9
exits_with 2 unconfirmed
says "must be above 0 and at most"
calibration '[]' 0.4
exits_with 2 unconfirmed
says "different runs"
calibration '["a", "b", "c"]' 0.4 2999-01-01T00:00:00.000Z 29990101000000000
rm .torchgate/store/calibrations/*/20260101000000000.json
exits_with 1 unconfirmed --verbose
says "its time is later than now, so this calibration is ignored"
rm -r .torchgate/store/calibrations

# 4. What a record says of itself overrules nothing.
python3 - <<'PYTHON'
import json
for name, base in (("hot", "slower"), ("cool", "main")):
    run = json.load(open(f".torchgate/runs/{base}.json"))
    run.pop("samples", None)
    run["machine"]["checks_before"] = []
    hot = {"name": "thermal_throttling", "answer": "bad", "severity": "fatal", "seen": "it was hot", "advice": "cool it"}
    run["machine"]["checks_after"] = [hot] if name == "hot" else []
    run["machine"]["noisy_allowed"] = True
    json.dump(run, open(name + ".json", "w"))
PYTHON
exits_with 3 env -u TORCHGATE_GATE_ALLOW_NOISY "$torchgate" compare cool.json hot.json
exits_with 1 env -u TORCHGATE_GATE_ALLOW_NOISY TORCHGATE_GATE_UNCONFIRMED=fail "$torchgate" compare cool.json hot.json --allow-noisy

# 5. Committed evidence.
exits_with 0 "$torchgate" baseline list
git add -f .torchgate/store
git commit -qm "bring a baseline"
for command in "gate slower" "compare main slower" "ab --before build --after build" "baseline list" "calibrate --from main" \
  "history fake/a/eager/device:cpu" "run --resume"; do
  # shellcheck disable=SC2086 # words
  exits_with 2 "$torchgate" $command
  says ".torchgate/store/"
  says "copy the folder away first"
done
git rm -rq --cached .torchgate
git commit -qm "and take it away"
exits_with 1 "$torchgate" gate slower
# Elsewhere in the work tree, and behind a link.
mkdir data
cp -r .torchgate/store data/store
git add data
git commit -qm "a store"
exits_with 2 "$torchgate" gate slower --store data/store
ln -s data aside
exits_with 2 "$torchgate" gate slower --store aside/store
exits_with 2 "$torchgate" gate slower --store "file://$work/data/store"
git rm -rq --cached data
git commit -qm "no store"
exits_with 1 "$torchgate" gate slower --store data/store
rm -r data aside
# A branch for data, checked out as a work tree of its own, is not the change's.
git worktree add -q --detach data "$first"
cp -r .torchgate/store data/store
git -C data add store
git -C data commit -qm data
exits_with 1 "$torchgate" gate slower --store data/store
git worktree remove --force data

# 6. Whose policy judges: made runs, with which the defaults pass and the base branch's policy fails.
"$made_runs" generate 4 150 5 1 before.json
"$made_runs" generate 4 150 5 2 same.json
"$made_runs" scale same.json after.json 1.3 1 3 >/dev/null
export TORCHGATE_GATE_MIN_DECIDED=0  # one run a side and no pairs decide few cases
pull() { "$torchgate" gate after.json --against before.json --rule welch "$@"; }
git checkout -q -b strict
printf '[gate]\nunconfirmed = "fail"\n' >torchgate.toml
git add torchgate.toml
git commit -qm "a policy"
git checkout -q -b change
printf '[gate]\nunconfirmed = "warn"\n[baseline]\nbuild = ": >%s"\nsuites = ["build"]\n' "$marker" >torchgate.toml
git commit -qam "loosen it"
exits_with 0 pull
systems=("GITHUB_EVENT_NAME=pull_request GITHUB_BASE_REF=strict" "CI_MERGE_REQUEST_IID=1 CI_MERGE_REQUEST_TARGET_BRANCH_NAME=strict"
  "CHANGE_ID=1 CHANGE_TARGET=strict" "BUILDKITE_PULL_REQUEST=1 BUILDKITE_PULL_REQUEST_BASE_BRANCH=strict")
# Names that a change, or whoever pushes tags, can choose.
git tag origin/strict
git tag refs/remotes/origin/strict
git branch -f strict change
for system in "${systems[@]}"; do
  # shellcheck disable=SC2086 # words
  exits_with 2 env $system "$torchgate" gate after.json --against before.json --rule welch
  says "refs/remotes/origin/strict is not in this clone"
  says "fetch-depth: 0"
done
git branch -f strict change~1
git update-ref refs/remotes/origin/strict change~1
for system in "${systems[@]}"; do
  # shellcheck disable=SC2086 # words
  exits_with 1 env $system "$torchgate" gate after.json --against before.json --rule welch
  says "this change alters the policy"
done
exits_with 1 env CI_MERGE_REQUEST_DIFF_BASE_SHA="$(git rev-parse change~1)" "$torchgate" gate after.json --against before.json --rule welch
exits_with 2 env CHANGE_ID=1 "$torchgate" gate after.json --against before.json --rule welch
says "CHANGE_TARGET is not set"

# A clone without the base: never the change's own policy, nor its build command.
git checkout -q -b going_on strict
echo 3 >code
git commit -qam "the base goes on"
git merge -q --no-edit change
git clone -q --single-branch --branch going_on "file://$work" "$work/one_branch"
git clone -q --depth 1 --branch going_on "file://$work" "$work/shallow"
for clone in one_branch shallow; do
  cp before.json after.json elsewhere.json .torchgate/runs/slower.json "$work/$clone"
  cd "$work/$clone"
  exits_with 2 env GITHUB_BASE_REF=strict "$torchgate" gate after.json --against before.json --rule welch
  says "fetch-depth: 0"
  exits_with 2 env GITHUB_BASE_REF=strict "$torchgate" gate slower.json --against elsewhere.json
  nothing_ran "baseline.build of a change"
  cd "$work"
done
# Of a detached merge commit, the first parent is the base where the clone has it.
git -C one_branch checkout -q --detach
git -C shallow checkout -q --detach
cd "$work/one_branch"
exits_with 1 "$torchgate" gate after.json --against before.json --rule welch
says "this change alters the policy"
cd "$work/shallow"
exits_with 2 "$torchgate" gate after.json --against before.json --rule welch
says "fetch-depth: 0"
exits_with 0 "$torchgate" gate after.json --against before.json --rule welch --policy-from HEAD # a person may choose it
cd "$work"
finish
