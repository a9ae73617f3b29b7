#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Reaches the verdict and tells it. Runs nothing of the pull request, checks nothing out, and treats the results of the jobs that ran
# it as hostile (verdict.sh). On a push to the default branch it adds the run as a baseline, and keeps one issue per cause of a regression.
source "$(dirname "${BASH_SOURCE[0]}")/verdict.sh"

# add_baseline: the pushed run, whatever the verdict on it is
add_baseline() {
  program baseline add "$results/all.json" --without-objects && program baseline push
}

# A push without a verdict is a baseline all the same: the next one needs it.
no_report() {
  local sentence=$1
  if [[ ${GITHUB_EVENT_NAME:-} == push ]]; then
    said add_baseline || printf '::warning::the run is not added as a baseline: %s\n' "$why"
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

if [[ ${GITHUB_EVENT_NAME:-} == push ]]; then
  add_baseline
  file_of_base torchgate-triage.toml
  program triage --report "$report/report.json"
fi
((verdict != 3)) || [[ ${NO_VERDICT:-} == failure ]] || exit 0  # neutral: the check says so, and the job is not red
exit "$verdict"
