#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What must never read like a good result: output that nobody got, a folder that cannot be written to, a stored run that is
# damaged, runs that are not listed, cases that were not judged. Made runs: nothing is measured.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 made_runs=$2
new_repository
commit=$(git rev-parse HEAD)

mkdir -p .torchgate/runs
"$made_runs" generate 12 10 5 1 .torchgate/runs/a.json
"$made_runs" generate 12 10 5 2 .torchgate/runs/b.json
# here FILE: as if it was measured by this machine with the default threads, of this commit
host=$("$torchgate" run --suite /bin/true --save nothing >/dev/null 2>&1 || true
  python3 -c 'import json; print(json.dumps(json.load(open(".torchgate/runs/nothing.json"))["machine"]))')
rm -f .torchgate/runs/nothing.json
here() {
  python3 - "$1" "$host" "$commit" <<'PYTHON'
import json, sys
run = json.load(open(sys.argv[1]))
run["machine"] = json.loads(sys.argv[2])
run["machine"].pop("checks_before", None)
run["machine"].pop("checks_after", None)
run["sides"][0].update(commit=sys.argv[3], modified=False)
json.dump(run, open(sys.argv[1], "w"))
PYTHON
}
here .torchgate/runs/a.json
here .torchgate/runs/b.json

# --- Output that could not be written is an error ------------------------------------------------------------------------
to_full() { "$@" >/dev/full; }
to_closed() { "$@" >&-; }
exits_with 0 "$torchgate" baseline add a --without-objects
for command in "--help" "--version" "run --help" "report a" "report a --format json" "compare a b" "baseline list" \
  "baseline list --json" "baseline show $(basename .torchgate/store/runs/*/*.json .json | sed 's/.*-//')" "doctor" "doctor --json" \
  "history made/group/variant/case:1"; do
  for where in full closed; do
    # shellcheck disable=SC2086  # words on purpose
    exits_with 2 "to_$where" "$torchgate" $command
    says "torchgate: standard output: cannot be written"
    [[ $(grep -c "standard output" <<<"$out") == 1 ]] || complain "said more than once: $out"
  done
done
exits_with 0 to_closed "$torchgate" compare a b --quiet --json quiet.json # nothing was to be printed
python3 -c 'import json; json.load(open("quiet.json"))' || complain "no report with standard output closed"
exits_with 2 to_full "$torchgate" merge a b # bad input stays what it is
exits_with 2 "$torchgate" compare a b --json /dev/full
says "not a regular file"
# No file is larger than 512 bytes there: what a full disk looks like from here.
small_files() { (trap '' XFSZ; ulimit -f 0; "$@"); }
exits_with 2 small_files "$torchgate" compare a b --quiet --json large.json
says "large.json: cannot write"
exits_with 2 small_files "$torchgate" compare a b --quiet --markdown large.md
says "large.md: cannot write"
[[ ! -e large.json && ! -e large.md ]] || complain "half a report was kept"
# A reader that has seen enough is no error, and does not keep the files from being written.
code=0
"$torchgate" compare a b --markdown piped.md | head -c 1 >/dev/null || code=$?
((code == 0)) || complain "exit code $code with a reader that stopped reading"
grep -q PASS piped.md || complain "no piped.md"

# --- A folder that cannot be written to is found out before anything is measured ------------------------------------------
mkdir unwritable
(
  cd unwritable
  failures=0
  ln -s /proc .torchgate # also root creates nothing there
  exits_with 2 "$torchgate" run --suite "$made_runs"
  [[ $out != *measuring* ]] || complain "measured first: $out"
  rm .torchgate
  exits_with 2 small_files "$torchgate" run --suite "$made_runs"
  says "nothing was measured"
  [[ $out != *measuring* && $out != *"not a torchgate suite"* ]] || complain "measured first: $out"
  exits_with 2 "$torchgate" ab --before "$made_runs" --after "$made_runs" --json /nonexistent/x.json
  says "/nonexistent/x.json"
  [[ $out != *measuring* && $out != *"not a torchgate suite"* ]] || complain "measured first: $out"
  finish >/dev/null
) || complain "an unwritable folder"

# --- Every stored run is listed, whatever the threads of the shell ---------------------------------------------------------
id=$(python3 -c 'import json; print(json.load(open(".torchgate/runs/a.json"))["id"])')
for threads in 1 7; do
  exits_with 0 env OMP_NUM_THREADS=$threads "$torchgate" baseline list
  says "$id"
  [[ $out != *"not comparable"* ]] || complain "the shell's threads are not the run's: $out"
done
exits_with 0 env TORCHGATE_RUN_THREADS=7 "$torchgate" baseline list
says "$id"
says "not comparable with runs made here"
says 'threads is "OMP_NUM_THREADS=1" there and "OMP_NUM_THREADS=7" here'
exits_with 0 env TORCHGATE_RUN_THREADS=7 "$torchgate" baseline list --json
says '"comparable": false'
exits_with 3 env TORCHGATE_RUN_THREADS=7 "$torchgate" history made/group/variant/case:1 --verbose
says 'threads is "OMP_NUM_THREADS=1" there and "OMP_NUM_THREADS=7" here'
[[ $out != *"no run of"* ]] || complain "history does not show the run: $out"

# --- A program that nobody saw is not stored as if all was kept ------------------------------------------------------------
exits_with 2 "$torchgate" baseline add b
says "is unknown"
says "--without-objects"

# --- A damaged run is not a missing one ------------------------------------------------------------------------------------
stored=$(ls .torchgate/store/runs/*/*.json)
cp "$stored" sound.json
head -c 3000 sound.json >"$stored"
exits_with 2 "$torchgate" gate b --confirm none
says "$(basename "$stored")"
rm .torchgate/runs/a.json
exits_with 2 "$torchgate" gate b --against "$id" --confirm none
says "$(basename "$stored")"
cp sound.json "$stored"
cp sound.json .torchgate/runs/a.json
exits_with 0 "$torchgate" gate --confirm none # the newest one, b
sleep 0.02 # a later time stamp
head -c 3000 .torchgate/runs/b.json >.torchgate/runs/newer.json
exits_with 2 "$torchgate" gate --confirm none
says "newer.json"
exits_with 2 "$torchgate" report 00000000000000ff
says "newer.json"
rm .torchgate/runs/newer.json

# --- Cases that a filter hides are counted ----------------------------------------------------------------------------------
python3 - <<'PYTHON'
import json
run = json.load(open(".torchgate/runs/b.json"))
run["id"], run["plan"]["filter"] = "00000000000000bb", "case:1$"
keep = [i for i, case in enumerate(run["cases"]) if case["name"].endswith("case:1")]
run["cases"] = [run["cases"][i] for i in keep]
for process in run["processes"]:
    process["cases"] = [dict(result, case=keep.index(result["case"])) for result in process["cases"] if result["case"] in keep]
run.pop("samples", None)
json.dump(run, open(".torchgate/runs/filtered.json", "w"))
PYTHON
TORCHGATE_GATE_MIN_DECIDED=0 exits_with 0 "$torchgate" compare a filtered --json filtered_report.json
says "11 cases of the baseline were not judged"
grep -q '"cases_not_planned": 11' filtered_report.json || complain "not in the JSON report"

# --- What a killed writer left is gone after the next start -----------------------------------------------------------------
writers=0
for folder in . .torchgate .torchgate/runs .torchgate/store .torchgate/store/runs/*; do
  touch "$folder/.torchgate-w-1-$((++writers))-0.tmp"
done
mkdir -p .torchgate/store/objects/ab
touch .torchgate/store/objects/ab/.torchgate-w-1-9-0.tmp
exits_with 0 "$torchgate" baseline list
left=$(find . -name '.torchgate-w-*.tmp')
[[ -z $left ]] || complain "still there: $left"
finish
