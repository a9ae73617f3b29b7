#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# How much processes of the suite `models` differ with each allocator: the table of harness/launch/README.md, "The allocator".
# Runs of the two take turns, so that a change of the machine meets both.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../ci/scripts/steps.sh"
usage="usage: tests/studies/memory_study.sh [BUILD] [PROCESSES] [ROUNDS]      (default: build/release 5 3)"
case ${1:-} in -h | --help) echo "$usage"; exit 0 ;; esac
cd "$repository"
build=${1:-build/release} processes=${2:-5} rounds=${3:-3}
torchgate=$build/ci/cli/torchgate
[[ -x $torchgate && -x $build/suites/bin/models ]] || give_up 2 "$build has no torchgate and suites; build the preset release"

runs=()
for ((round = 1; round <= rounds; ++round)); do
  for allocator in system steady; do
    "$torchgate" run --quick --allocator "$allocator" --processes "$processes" --suite "$build/suites/bin/models" \
      --save "memory-$allocator-$round" >&2
    runs+=(".torchgate/runs/memory-$allocator-$round.json")
  done
done

python3 - "${runs[@]}" <<'PYTHON'
import collections, json, math, statistics, sys

# Process values: the median of each process, by allocator, run and case.
values = collections.defaultdict(lambda: collections.defaultdict(list))
for file in sys.argv[1:]:
    run = json.load(open(file))
    allocator = file.split("memory-")[1].split("-")[0]
    names = [case["name"] for case in run["cases"]]
    median = run["summary_columns"].index("median")
    for process in run["processes"]:
        for result in process.get("cases", []):
            values[names[result["case"]]][allocator, file].append(result["measurements"]["time"][median])

print("| case | system: time | CV | steady: time | CV |")
print("|---|---|---|---|---|")
for name in sorted(values):
    row = [name]
    for allocator in ("system", "steady"):
        runs = [v for (a, _), v in values[name].items() if a == allocator]
        # Inside each run: the machine may differ from run to run.
        variance = statistics.mean(statistics.variance([math.log(x) for x in v]) for v in runs)
        row += [f"{statistics.median(x for v in runs for x in v) / 1e6:.2f} ms", f"{100 * math.sqrt(variance):.1f} %"]
    print("| " + " | ".join(row) + " |")
PYTHON
