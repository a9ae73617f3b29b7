#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What interleaved pairs say when nothing changed, what they find when something did, and what they cost. Measures the same
# suites against a copy of themselves (other files, same code) N times with every pair of the plan, so that the same record
# tells where measuring would have stopped; then a factor is multiplied into the later side of a random tenth of the cases and
# the pairs are judged again. Prints two tables. Let nothing else run meanwhile. It resumes where it was stopped.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

usage="usage: tests/studies/ab_study.sh [--runs N] [--pairs N] [--filter REGEX] [--build DIR] [--folder DIR]
Needs torchgate, the suites and made_runs in DIR (build/ci). Default: 20 runs of 48 pairs of fusion/gelu and batching."
runs=20 pairs=48 filter='^(fusion/gelu|batching)/' build=build/ci folder=.torchgate/ab_study
while (($#)); do
  (($# > 1)) || { echo "$usage" >&2; exit 2; }
  case $1 in
    --runs) runs=$2 ;;
    --pairs) pairs=$2 ;;
    --filter) filter=$2 ;;
    --build) build=$2 ;;
    --folder) folder=$2 ;;
    *) echo "$usage" >&2; exit 2 ;;
  esac
  shift 2
done
torchgate=$PWD/$build/ci/cli/torchgate made_runs=$PWD/$build/tests/e2e/made_runs suites=$PWD/$build/suites/bin
[[ -x $torchgate && -x $made_runs && -d $suites ]] || { echo "$usage" >&2; exit 2; }
mkdir -p "$folder"
cd "$folder"

# A rebuilt program is another file; what runs is the same code.
mkdir -p copy
for suite in "$suites"/*; do
  [[ -e copy/${suite##*/} ]] || { cp "$suite" copy/ && echo "another file" >>"copy/${suite##*/}"; }
done

judge() { # judge RUN JSON
  local code=0
  "$torchgate" report "$1" --format json --output "$2" >/dev/null 2>&1 || code=$?
  ((code <= 1 || code == 3)) || { echo "judging $1 ended with exit code $code" >&2; exit 2; }
}

changes=(0.95 1.03 1.05 1.10)
for ((i = 1; i <= runs; i++)); do
  if [[ ! -f .torchgate/runs/pairs$i.json ]]; then
    "$torchgate" ab --quick --every-pair --pairs "$pairs" --filter "$filter" --seed $((2000 + i)) --save "pairs$i" --quiet \
      --before "$suites" --after copy >/dev/null 2>&1 || (($? == 1 || $? == 3))
  fi
  judge "pairs$i" "aa.$i.json"
  for factor in "${changes[@]}"; do
    "$made_runs" scale ".torchgate/runs/pairs$i.json" ".torchgate/runs/changed.json" "$factor" 0.1 "$i" >"changed.$i.$factor.cases"
    judge changed "changed.$i.$factor.json"
  done
done

python3 - "$runs" "$pairs" "${changes[@]}" <<'PYTHON'
import collections, json, statistics, sys
runs, pairs, factors = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]

def judged(path):
    """Case -> (verdict, pairs until the answer), of the findings about time."""
    return {f["case"]: (f["verdict"], (f["confirmation"] or {}).get("pairs", 0)) for f in json.load(open(path))["findings"]
            if f["metric"]["name"] == "time" and f["before"] and f["after"]}

def machine_time(record, answers):
    """Seconds until every group was decided, and for every pair of the plan."""
    seconds = collections.defaultdict(list)
    for process in record["processes"]:
        seconds[process["group"]].append(process["wall_ns"] / 1e9)
    group_of = {case["name"]: case["group"] for case in record["cases"]}
    needed = collections.defaultdict(int)
    for case, (_, used) in answers.items():
        needed[group_of[case]] = max(needed[group_of[case]], used)
    pair = {group: 2 * statistics.mean(all) for group, all in seconds.items()}
    return sum(needed[g] * pair[g] for g in needed), sum(pairs * pair[g] for g in needed)

print(f"{runs} runs of the same code against itself, {pairs} pairs planned, judged as they would have been stopped")
print("| what was multiplied into a tenth of the cases | cases | regressed | improved | equivalent | inconclusive | pairs, median | machine time against the fixed plan |")
print("|---|---|---|---|---|---|---|---|")
for factor in [None] + factors:
    verdicts, used, spent, planned = collections.Counter(), [], 0.0, 0.0
    others = collections.Counter()
    for i in range(1, runs + 1):
        record = json.load(open(f".torchgate/runs/pairs{i}.json"))
        answers = judged(f"aa.{i}.json" if factor is None else f"changed.{i}.{factor}.json")
        chosen = set(answers) if factor is None else set(open(f"changed.{i}.{factor}.cases").read().split())
        for case, (verdict, n) in answers.items():
            (verdicts if case in chosen else others)[verdict] += 1
            if case in chosen: used.append(n)
        a, b = machine_time(record, answers)
        spent, planned = spent + a, planned + b
    name = "nothing" if factor is None else f"{(float(factor) - 1) * 100:+.0f} %"
    count = sum(verdicts.values())
    print(f"| {name} | {count} | " + " | ".join(str(verdicts[v]) for v in ("regressed", "improved", "equivalent", "inconclusive"))
          + f" | {statistics.median(used) if used else '-'} | {spent / planned:.2f} |")
    if factor is not None and (others["regressed"] or others["improved"]):
        print(f"| {name}: the cases left alone | {sum(others.values())} | {others['regressed']} | {others['improved']} | {others['equivalent']} | {others['inconclusive']} | | |")
PYTHON
