#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run --skip-unchanged: a commit that changes nothing that runs is judged without measuring; what changed, or cannot be known,
# is measured.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 reading_suite=$2
new_repository
mkdir build data
cp "$reading_suite" build/reading
echo "1 2 3" >data/weights.txt
git add data
git commit -qm data
export READING_FILE=$work/data/weights.txt TORCHGATE_GATE_ALLOW_NOISY=true TORCHGATE_GATE_CONFIRM=none TORCHGATE_RUN_PROCESSES=1
hundred='reading/(nothing|stream|many)/'
other='reading/(own|folder|program|forked)/'

# verdicts JSON: how many findings of the primary metric have which verdict, per group: "many unchanged 98"
verdicts() {
  python3 -c 'import collections, json, sys
count = collections.Counter((f["case"].split("/")[1], f["verdict"]) for f in json.load(open(sys.argv[1]))["findings"] if f["metric"]["primary"])
for (group, verdict), n in sorted(count.items()): print(group, verdict, n)' "$1"
}
expect_verdicts() {
  local found
  found=$(verdicts "$1" | tr '\n' ';')
  [[ $found == "$2" ]] || complain "verdicts of $1: $found, expected $2"
}
all_unchanged="many unchanged 98;nothing unchanged 1;stream unchanged 1;"

# skipping NAME FLAG...: a run of $cases: the hundred, or, where they are measured, two of them
cases=$hundred
skipping() {
  local name=$1
  shift
  exits_with 0 "$torchgate" run --suite build --quick --filter "$cases" --save "$name" "$@"
}

exits_with 0 "$torchgate" run --suite build --quick --filter "$hundred|$other" --save main --skip-unchanged
says "--skip-unchanged: every group is measured: "
exits_with 0 "$torchgate" baseline add main

# A commit of documentation.
echo "read me" >README.md
git add README.md
git commit -qm documentation
began=$EPOCHREALTIME
skipping docs --skip-unchanged
says "3 of 3 groups are unchanged since run "
says "0 results of 100 cases, 100 cases unchanged and not measured"
exits_with 0 "$torchgate" gate docs --json docs.json --markdown docs.md
says "PASS"
says "no regression in 100 cases, all decided; 100 unchanged"
says "100 of 100 cases unchanged: nothing was measured for them"
echo "run and gate of 100 unchanged cases: $(python3 -c "print(round($EPOCHREALTIME - $began, 2))") s"
expect_verdicts docs.json "$all_unchanged"
grep -q "100 cases unchanged" docs.md || complain "not in the Markdown report"
python3 - <<'PYTHON' || complain "the findings of docs.json"
import json
report = json.load(open("docs.json"))
assert report["outcome"] == "pass" and report["cases_judged"] == 100, report["outcome"]
one = next(f for f in report["findings"] if "/stream/" in f["case"])
assert one["action"] == "pass" and "1 file are byte-identical to those of run" in one["reasons"][0], one
PYTHON
exits_with 0 "$torchgate" compare main docs
exits_with 0 "$torchgate" compare main --skip-unchanged
says "101 cases unchanged"

# It measured nothing, and is no baseline of what it did not measure.
exits_with 2 "$torchgate" baseline add docs
says "measured nothing for 3 groups"
exits_with 2 "$torchgate" calibrate --from docs --from docs --from docs
says "did not measure all of its groups"
exits_with 2 "$torchgate" explain reading/stream/v main docs
says "not measured: its group is unchanged since run"
exits_with 0 "$torchgate" report docs
says "0 cases measured"
exits_with 3 "$torchgate" history reading/stream/v
says "not judged in 1 run"

# Shards, merged.
for shard in 1/2 2/2; do skipping "shard${shard%/2}" --skip-unchanged --shard "$shard" --seed 7; done
exits_with 0 "$torchgate" merge shard1 shard2 --save merged
exits_with 0 "$torchgate" gate merged --json merged.json
expect_verdicts merged.json "$all_unchanged"

# Without the flag everything is measured.
cases='reading/(nothing|stream)/'
skipping measured
says "2 results of 2 cases"
cases=$hundred

# A file that one group reads.
echo "1 2 4" >data/weights.txt
skipping weights --skip-unchanged
says "2 of 3 groups are unchanged"
says "reading/stream is measured: the file $READING_FILE differs"
"$torchgate" gate weights --json weights.json >/dev/null 2>&1 || true
[[ $(verdicts weights.json) == *"stream unchanged"* ]] && complain "a changed file was not seen"
[[ $(verdicts weights.json) == *"many unchanged 98"* ]] || complain "the other groups are unchanged"
git checkout -q data
skipping restored --skip-unchanged
says "3 of 3 groups are unchanged"

# What cannot be known.
exits_with 0 "$torchgate" run --suite build --quick --filter "$other" --save others --skip-unchanged
says "1 of 4 groups is unchanged"
says "reading/folder is measured: the files it reads are unknown: it lists a folder"
says "reading/program and 1 more are measured: the files it reads are unknown: it starts another program"

# Another environment, another build, other libraries.
cases='reading/(nothing|stream)/'
OMP_PROC_BIND=false skipping environment --skip-unchanged
says "reading/nothing and 1 more are measured: environment_switches was "
cp data/weights.txt data/same.txt
READING_FILE=$work/data/same.txt skipping variable --skip-unchanged
says "1 of 2 groups is unchanged"
says "reading/stream is measured: the environment variable READING_FILE differs"
printf 'another build' >>build/reading
skipping rebuilt --skip-unchanged
says "reading/nothing and 1 more are measured: the executable differs"
cp "$reading_suite" build/reading

# A record that only says so.
python3 - <<'PYTHON'
import json
run = json.load(open(".torchgate/runs/docs.json"))
for file in run["files"]:
    if file["path"].startswith("/"): file["sha256"] = "ab" * 32
json.dump(run, open("forged.json", "w"))
PYTHON
exits_with 1 "$torchgate" gate forged.json --json forged_report.json
expect_verdicts forged_report.json "many unchanged 98;nothing unchanged 1;stream missing 1;"
finish
