# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the steps that measure: which cases of a run need interleaved pairs with the baseline, and those pairs. Runs the pull
# request's code: no token. Pairs that cannot be measured are no error here: the reason is part of the results, and the job that
# judges never passes a case for it.
source "$(dirname "${BASH_SOURCE[0]}")/job.sh"

plan=pair_plan.json

# set_results: the folder with what the judging job gets, in $results
# shellcheck disable=SC2034  # for the scripts that source this
set_results() {
  results=$folder/measured
  [[ ! -d $folder/shards ]] || results=$folder/results
}

# base_policy: in $policy, the commit whose policy plans what is measured. Not the tip of the branch, which moves until the verdict: the commit that
# the change was merged into. A push is planned by its own policy.
policy=()
base_policy() {
  local commit=""
  if [[ ${GITHUB_EVENT_NAME:-} == merge_group ]]; then
    commit=$(grep -m 1 -oE '"base_sha": ?"[0-9a-f]{40}"' "${GITHUB_EVENT_PATH:-/dev/null}" | cut -d '"' -f 4) || true
  elif [[ ${GITHUB_EVENT_NAME:-} == pull_request* ]] && git rev-parse --quiet --verify "HEAD^2" >"$folder/parent.txt"; then
    commit=$(git rev-parse "HEAD^1")
  fi
  [[ -z $commit ]] || policy=(--policy-from "$commit")
}
base_policy

# screen RUN RESULTS: writes the plan of the pairs, and what the judging job needs beside the run
screen() {
  local code=0
  mkdir -p "$2"
  git rev-parse HEAD >"$2/commit"
  rm -f "$plan"
  program gate "$1" --pair-plan "$plan" --quiet "${policy[@]}" 2>&1 | tee "$folder/screened.txt" || code=$?
  ((code == 0 || code == 1 || code == 3)) || give_up "the run cannot be screened (exit code $code)"
  [[ ! -e $plan ]] || cp "$plan" "$2/$plan"
}

# wants_pairs: the screen has suspects or open cases; not so without a baseline
wants_pairs() { [[ -e $plan ]] && grep -qE "^$plan: [1-9]" "$folder/screened.txt"; }

# baseline_of_plan: the commit of the baseline, under which a cache has its binaries
baseline_of_plan() { sed -nE 's/^ *"baseline_commit": "([0-9a-f]{40})",?$/\1/p' "$plan"; }

# no_pairs RESULTS SENTENCE: a text without what JSON would escape
no_pairs() {
  local reason
  reason=$(tr -c '[:print:]' ' ' <<<"$2" | tr -d '"\134' | sed 's/ *$//' | head -c 800)
  printf '{"reason": "%s"}\n' "$reason" >"$1/no_pairs.json"
  printf '::warning::no pairs: %s\n' "$reason"
}

# measure_pairs RESULTS: the pairs of the plan. Where the store lacks the baseline's binaries, its commit is built as the workflow
# builds, unless baseline.build of torchgate.toml says how.
measure_pairs() {
  local code=0 suite suites rebuild=()
  if [[ -n ${BUILD:-} ]]; then
    # A work tree has no submodules.
    printf '%s\n' '[[ ! -e .gitmodules ]] || git submodule --quiet update --init --recursive' "$BUILD" >"$folder/build.sh"
    rebuild=(--build "bash -euo pipefail $(printf %q "$folder/build.sh")")
    mapfile -t suites < <(printf '%s' "${SUITES:-}")
    for suite in "${suites[@]}"; do [[ -z $suite ]] || rebuild+=(--suites "$suite"); done
  fi
  untrusted "${PROGRAM:?}" ab --pair-plan "$plan" --save pairs --run-recorded-files "${policy[@]}" "${rebuild[@]}" 2>&1 |
    tee "$folder/pairs.txt" || code=$?
  if ((code == 0)) && [[ -e .torchgate/runs/pairs.json ]]; then
    keep_run pairs "$1" pairs.json
  else
    no_pairs "$1" "$(grep '^torchgate: ' "$folder/pairs.txt" | tail -n 1 | cut -c 12-) (exit code $code)"
  fi
}
