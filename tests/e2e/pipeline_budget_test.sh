#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The budgets of this project's own torchgate.toml on the real pipeline: it keeps them; with one microsecond for a call it does not, and the
# build fails, without a baseline and without pairs.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 serving=$2 policy=$3
new_repository
export TORCHGATE_GATE_ALLOW_NOISY=true
grep -q 'budget = { time = "100 ms"' "$policy" || complain "$policy has no budget of 100 ms"
sed '/^\[run\]/,/^$/d' "$policy" >torchgate.toml
exits_with 0 "$torchgate" run --suite "$serving" --quick --processes 5 --filter '^serving/pipeline/' --save pipeline
verdicts() {
  python3 -c 'import collections, json, sys
report = json.load(open(sys.argv[1]))
count = collections.Counter((f["case"].split("/")[2], f["metric"]["name"], f["verdict"], f["action"]) for f in report["findings"])
for key in sorted(count): print(*key)
print(report["outcome"])' "$1"
}
exits_with 3 "$torchgate" gate pipeline --write json=kept.json  # nothing is stored: no verdict on a change
[[ $(verdicts kept.json) != *over_budget* ]] || complain "over budget with 100 ms: $(verdicts kept.json)"

sed -i 's/time = "100 ms"/time = "1 us"/' torchgate.toml
exits_with 1 "$torchgate" gate pipeline --write json=exceeded.json
for variant in separate in_place; do
  [[ $(verdicts exceeded.json) == *"$variant time over_budget fail"* ]] || complain "$variant: $(verdicts exceeded.json)"
done
[[ $(verdicts exceeded.json) != *"preprocess over_budget"* ]] || complain "a stage was over its budget: $(verdicts exceeded.json)"

# Bytes are exact: one more than the limit fails.
sed -i -e 's/time = "1 us"/time = "100 ms"/' -e 's/peak_bytes = "4 GB"/peak_bytes = "1 kB"/' torchgate.toml
exits_with 1 "$torchgate" gate pipeline --write json=bytes.json
[[ $(verdicts bytes.json) == *"in_place peak_bytes over_budget fail"* ]] || complain "bytes: $(verdicts bytes.json)"
finish
