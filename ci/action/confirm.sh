#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Of several shards: merges them, screens the run against the stored baseline, and measures what that leaves open in interleaved pairs.
# Runs the pull request's code: no token, and the verdict is reached elsewhere, from what this uploads.
source "$(dirname "${BASH_SOURCE[0]}")/pairs.sh"

shards=$folder/shards results=$folder/results

# One machine measured everything, pairs included.
if [[ -e $shards/commit ]]; then
  mkdir -p "$results"
  cp "$shards"/* "$results/"
  exit 0
fi

# machine_of SHARD: its host key
machine_of() { grep -m 1 -oE '"host_key": ?"[^"]*"' "$1" | cut -d '"' -f 4; }

# merge_shards: all of them, or, as a pool has machines of several kinds, those of the kind of the first one: what the others measured is
# missing then, and the run never passes
merge_shards() {
  local code=0 shard first others=() same=()
  program merge "$shards"/shard-*.json --save all || code=$?
  # The exit code 3 is that of an incomplete run, which is saved, and of machines that differ, where nothing is.
  [[ ! -e .torchgate/runs/all.json ]] || return 0
  for shard in "$shards"/shard-*.json; do
    : "${first:=$(machine_of "$shard")}"
    if [[ $(machine_of "$shard") == "$first" ]]; then same+=("$shard"); else others+=("$(basename "$shard" .json)"); fi
  done
  ((${#others[@]} > 0)) || give_up "the shards cannot be merged (exit code $code)"
  code=0
  program merge "${same[@]}" --save all || code=$?
  [[ -e .torchgate/runs/all.json ]] || give_up "the shards cannot be merged (exit code $code)"
  printf '::warning::%s: measured on another kind of machine than the others, and left out; measure on machines of one kind (runs-on)\n' \
    "${others[*]}"
}

[[ -d $shards ]] || give_up "nothing was measured; see the jobs before this one"
mkdir -p .torchgate/runs
cp "$shards"/* .torchgate/runs/
[[ -e .torchgate/runs/all.json ]] || merge_shards
keep_run all "$results" all.json
if [[ ${PAIRS:-here} != later ]]; then
  screen all "$results"
  wants_pairs || exit 0
  build
  measure_pairs "$results"
fi
