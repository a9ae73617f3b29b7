#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every kind of trouble that a case can have is reported for what it is: tests/fixtures/troubled.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 troubled=$2
new_repository

# about CASE: verdict, then everything that is said about its time
about() {
  python3 -c 'import json, sys
for f in json.load(open(sys.argv[1]))["findings"]:
    if f["case"] == sys.argv[2]:
        after = f.get("after") or {}
        print(f["verdict"], f["reasons"], (after.get("noise") or {}).get("flags"))' report.json "troubled/$1"
}
expect() {
  local said
  said=$(about "$1")
  echo "  $1: $said"
  [[ $said == *"$2"* ]] || complain "$1: expected: $2"
}

# A neighbour's spikes can hide where a warm-up ends: measured again then, three times at most. In a series with many of them it is a drift.
for attempt in 1 2 3; do
  "$torchgate" run --suite "$troubled" --processes 3 --save troubled >run.log 2>&1 || true
  exits_with 0 "$torchgate" report troubled --format json --output report.json
  [[ $(about series/slow_start) != *"slow warm-up"* && $(about series/slow_start) != *drift* ]] || break
  echo "  attempt $attempt: no warm-up seen"
done

[[ $(about series/slow_start) == *drift* ]] || expect series/slow_start "slow warm-up: the first"
expect series/two_modes "two_modes"
# A series that rises all the time has no steady part; with a neighbour's spikes in it, one may seem to begin: then it drifts.
[[ $(about series/never_steady) == *not_steady* ]] || expect series/never_steady "drift"
expect memory/leaks_heap "bytes of heap memory: a leak"
expect result/forgets_a_value "wrong"
expect result/forgets_a_value "output differs from troubled/result/relu"
expect precision/bf16_that_is_fp32 "wrong"
expect precision/bf16_that_is_fp32 "the expected code path did not run: expected that it calls aten::mm:BFloat16 exactly 1 time, observed 0"
for healthy in result/relu precision/fp32; do
  [[ $(about $healthy) != *"a leak"* && $(about $healthy) != *wrong* ]] || complain "$healthy has nothing wrong with it: $(about $healthy)"
done

# A kept tensor is counted exactly, so that a change of it is a fact.
python3 - .torchgate/runs/troubled.json <<'PY' || complain "retained_bytes"
import json, sys
run = json.load(open(sys.argv[1]))
names = {i: case["name"] for i, case in enumerate(run["cases"])}
kept = {names[r["case"]]: r["measurements"].get("retained_bytes") for p in run["processes"] for r in p["cases"] if r["measurements"]}
print("  retained_bytes:", kept)
sys.exit(kept["troubled/memory/leaks_tensors"] != 1024 or kept["troubled/result/relu"] != 0)
PY
finish
