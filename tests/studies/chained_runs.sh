#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# False alarms and detections of each rule. Measures the suites n+1 times in a row (only one byte of a note section differs
# between them: identical files are never called regressed), judges each run against those before it by every rule, and then
# judges the same runs with a slow-down multiplied into a random tenth of their cases. Ten of the first twenty runs, those of
# one copy, calibrate the machine for the runs after them. Prints one table. Run nothing else meanwhile: about three quarters of
# a minute for each run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source ci/scripts/noted_copy.sh

usage="usage: tests/studies/chained_runs.sh [--runs N] [--suite-dir DIR] [--folder DIR] [--no-confirm]
Needs: the release preset (torchgate, suites) and the program made_runs of a preset with tests (ci or core)."
runs=10 suites=build/release/suites/bin folder=.torchgate/chained confirm=regressions
while (($#)); do
  case $1 in
    --runs) runs=$2; shift 2 ;;
    --suite-dir) suites=$2; shift 2 ;;
    --folder) folder=$2; shift 2 ;;
    --no-confirm) confirm=none; shift ;;
    *) echo "$usage" >&2; exit 2 ;;
  esac
done
# The rules are tried, not the machine: a run that was disturbed is judged too.
export TORCHGATE_GATE_ALLOW_NOISY=true
torchgate=$PWD/build/release/ci/cli/torchgate
made_runs=$(ls -t build/*/tests/e2e/made_runs 2>/dev/null | head -n 1) || true
[[ -x $torchgate && -x $made_runs ]] || { echo "$usage" >&2; exit 2; }
made_runs=$PWD/$made_runs suites=$(realpath "$suites")
mkdir -p "$folder"
cd "$folder"
if [[ ! -d copies ]]; then
  [[ ! -e .torchgate/runs ]] || { echo "$folder: its runs are all of the same files, whose pairs cannot fail; use another --folder" >&2; exit 2; }
  noted_copies copies.part "$suites"/*
  mv copies.part copies
fi
side_of() { if (($1 % 2 == 0)); then echo "$PWD/copies/old"; else echo "$PWD/copies/new"; fi; } # of run $1

for ((i = 0; i <= runs; i++)); do
  [[ -f .torchgate/runs/run$i.json ]] || "$torchgate" run --quick --suite-dir "$(side_of "$i")" --save "run$i" --seed $((1000 + i)) 2>/dev/null
done

# judge AFTER JSON [gate options]: exit codes 0 and 1 are answers
judge() {
  local after=$1 json=$2 code=0
  shift 2
  "$torchgate" gate "$after" --json "$json" --quiet "$@" 2>/dev/null || code=$?
  ((code <= 1)) || { echo "judging $after ended with exit code $code" >&2; exit 2; }
}

# One column for each rule: its name in the table below, and what makes it.
judge_all() { # judge_all AFTER I PREFIX
  local after=$1 i=$2 prefix=$3 k history=()
  local nearest=(--against "run$((i - 1))" --confirm none)
  judge "$after" "$prefix.textbook.json" "${nearest[@]}" --store none --rule textbook
  judge "$after" "$prefix.welch.json" "${nearest[@]}" --store none --rule welch
  ((i <= calibrating)) || judge "$after" "$prefix.calibrated.json" "${nearest[@]}" --store calibrated --rule welch
  for ((k = i - 1; k >= 0 && k >= i - 10; k--)); do history+=(--against "run$k"); done
  ((i < 5)) || judge "$after" "$prefix.history.json" "${history[@]}" --confirm none --store none --rule history
  ((i < 5)) || TORCHGATE_GATE_SUSPECTS=fdr judge "$after" "$prefix.fdr.json" "${history[@]}" --confirm none --store none --rule history
}

calibrating=20
if ((runs > calibrating)); then
  from=()
  for ((i = 0; i < calibrating; i += 2)); do from+=(--from "run$i"); done
  "$torchgate" calibrate "${from[@]}" --store calibrated --json calibration.json >calibration.txt
fi
for ((i = 1; i <= runs; i++)); do
  judge_all "run$i" "$i" "aa.$i"
  for percent in 5 10 30; do
    factor=$(python3 -c "print(1 + $percent / 100)")
    "$made_runs" scale ".torchgate/runs/run$i.json" ".torchgate/runs/slow$i.$percent.json" "$factor" 0.1 "$i" >"slow.$i.$percent.cases"
    judge_all "slow$i.$percent" "$i" "slow.$i.$percent"
  done
done

# Last, because it measures: stopped and started again, it goes on where it was.
for ((i = 1; i <= runs; i++)); do
  [[ $confirm == none || -f aa.$i.confirmed.json ]] || judge "run$i" "aa.$i.confirmed.json" --against "run$((i - 1))" --store none --seed "$i"
done

python3 - "$runs" <<'PYTHON'
import json, sys, os
runs = int(sys.argv[1])

def timed(path):
    """Case -> (verdict, effect) of the findings about time."""
    report = json.load(open(path))
    return {f["case"]: (f["verdict"], f["action"]) for f in report["findings"]
            if f["metric"]["kind"] == "timed" and f["verdict"] not in ("skipped", "new")}

def row(name, kind, hit):
    """One line: how many of the cases are flagged, slowed ones and unchanged ones apart."""
    cells = []
    flagged = cases = any_run = 0
    judged = [i for i in range(1, runs + 1) if os.path.exists(f"aa.{i}.{kind}.json")]
    if not judged: return
    for i in judged:
        found = timed(f"aa.{i}.{kind}.json")
        n = sum(hit(v) for v in found.values())
        flagged += n; cases += len(found); any_run += n > 0
    cells.append(f"{flagged} of {cases} ({any_run} of {len(judged)} runs)")
    for percent in (5, 10, 30):
        if not os.path.exists(f"slow.{judged[0]}.{percent}.{kind}.json"):
            cells.append("-"); continue
        got = there = false = unchanged = 0
        for i in judged:
            slowed = set(open(f"slow.{i}.{percent}.cases").read().split())
            found = timed(f"slow.{i}.{percent}.{kind}.json")
            there += len(slowed & set(found)); got += sum(hit(v) for c, v in found.items() if c in slowed)
            unchanged += len(set(found) - slowed); false += sum(hit(v) for c, v in found.items() if c not in slowed)
        cells.append(f"{got} of {there}")
    print(f"| {name} | " + " | ".join(cells) + " |")

print(f"{runs} pairs of --quick runs of the same build, judged one against the next")
print("| rule | flagged, nothing changed | +5 % found | +10 % found | +30 % found |")
print("|---|---|---|---|---|")
row("textbook rule (regressed)", "textbook", lambda v: v[0] == "regressed")
row("textbook rule, fails the 5 % gate", "textbook", lambda v: v[1] == "fail")
row("welch, one stored run (suspected)", "welch", lambda v: v[0] == "suspected")
row("welch, unconfirmed but beyond the gate (fails)", "welch", lambda v: v[1] == "fail")
row("welch, calibrated on ten runs (suspected)", "calibrated", lambda v: v[0] == "suspected")
row("history, five to ten stored runs (suspected)", "history", lambda v: v[0] == "suspected")
row("history, unconfirmed but beyond the gate (fails)", "history", lambda v: v[1] == "fail")
row("history, Benjamini-Hochberg 5 % (suspected)", "fdr", lambda v: v[0] == "suspected")
if os.path.exists("aa.1.confirmed.json"):
    row("default: welch, confirmed by pairs (regressed)", "confirmed", lambda v: v[0] == "regressed")
    row("default, fails the build", "confirmed", lambda v: v[1] == "fail")
PYTHON
