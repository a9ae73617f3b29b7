#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Merges the shards, screens the run against the stored baseline, and measures what that leaves open in interleaved pairs. Runs the
# pull request's code: no token, and the verdict is reached elsewhere, from what this uploads.
source "$(dirname "${BASH_SOURCE[0]}")/job.sh"

[[ -d $folder/shards ]] || give_up "nothing was measured; see the jobs before this one"
mkdir -p .torchgate/runs
cp "$folder"/shards/* .torchgate/runs/
if [[ ! -e .torchgate/runs/all.json ]]; then
  code=0
  program merge "$folder"/shards/shard-*.json --save all || code=$?
  ((code == 0 || code == 3)) || give_up "the shards cannot be merged (exit code $code)"
fi
keep_run all "$folder/results" all.json
git rev-parse HEAD >"$folder/results/commit"

code=0
program gate all --pair-plan pair_plan.json --quiet 2>&1 | tee "$folder/screened.txt" || code=$?
((code == 0 || code == 1 || code == 3)) || give_up "the run cannot be screened (exit code $code)"
[[ -e pair_plan.json ]] || exit 0  # no baseline: nothing to confirm
if grep -q "pair_plan.json: 0 to confirm" "$folder/screened.txt" && ! grep -q "to decide in pairs" "$folder/screened.txt"; then
  exit 0
fi
build
untrusted "${PROGRAM:?}" ab --pair-plan pair_plan.json --save pairs --run-recorded-files || give_up "the pairs failed (exit code $?)"
keep_run pairs "$folder/results" pairs.json
