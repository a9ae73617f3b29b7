#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Reaches the verdict and tells it. Runs nothing of the pull request, checks nothing out, and treats the results of the jobs that ran
# it as hostile (verdict.sh). On a push to the default branch it adds the run as a baseline, and keeps one issue per cause of a regression.
source "$(dirname "${BASH_SOURCE[0]}")/verdict.sh"

# add_baseline: the pushed run, whatever the verdict on it is. One that cannot be a baseline (a shard is missing) is none, and $not_added
# says why; one that cannot be stored is an error.
not_added="" added=""
add_baseline() {
  if ! said program baseline add "$results/all.json" --without-objects; then
    not_added=$why
    printf '::warning::the run is not added as a baseline: %s\n' "${why//$'\n'/ }"
    return 0
  fi
  said program baseline push || return
  added=yes
}

# is_first_baseline: the run is a baseline now, and no other commit has one: there was nothing to compare it with. A run that was not added
# is none, or no push would ever fail. The commit's own run may be that of an earlier attempt.
is_first_baseline() {
  local stored each
  [[ -n $added ]] || return 1
  stored=$(program baseline list --json) || return 1
  while IFS= read -r each; do
    [[ $commit == "$each"* ]] || return 1
  done < <(sed -nE 's/^ *"commit": ?"([0-9a-f]+)",?$/\1/p' <<<"$stored")
}

# A push without a verdict is a baseline all the same: the next one needs it.
no_report() {
  local sentence=$1
  if [[ ${GITHUB_EVENT_NAME:-} == push ]] && is_default_branch; then
    add_baseline || printf '::warning::the run is not added as a baseline: %s\n' "$why"
  fi
  no_result "$sentence"
}

find_target
fetch_results
judge
cat "$report/report.md" >>"$GITHUB_STEP_SUMMARY"
# Commands to the runner, which `torchgate` has made inert but for these.
[[ ! -s $report/annotations.txt ]] || cat "$report/annotations.txt"
tell --report "$report/report.json" --markdown "$report/report.md"

if [[ ${GITHUB_EVENT_NAME:-} == push ]] && is_default_branch; then
  code=0
  add_baseline || code=$?
  file_of_base torchgate-triage.toml
  program triage --key "$key" --report "$report/report.json"
  # After the issues: they do not depend on it.
  ((code == 0)) || exit "$code"
  # No later push would have a verdict. A missing shard is one push, and its report says INCOMPLETE.
  if [[ -n $not_added && $not_added != *"some shards are missing"* ]] && ((verdict != 1)); then
    give_up "the run is not added as a baseline: $not_added"
  fi
fi
if ((verdict == 3)); then
  # neutral: the check says so, and the job is not red
  if [[ ${NO_VERDICT:-} != failure ]] || is_first_baseline; then exit 0; fi
  give_up "no verdict (the summary says why), and the input no-verdict is failure" 3
fi
exit "$verdict"
