#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Reaches the verdict and tells it. Runs nothing of the pull request, checks nothing out, and treats the results of the jobs that ran
# it as hostile (verdict.sh). On a push to the default branch it adds the run as a baseline, and keeps one issue per cause of a regression.
source "$(dirname "${BASH_SOURCE[0]}")/verdict.sh"

find_target
fetch_results
judge
cat "$report/report.md" >>"$GITHUB_STEP_SUMMARY"
# Commands to the runner, which `torchgate` has made inert but for these.
[[ ! -s $report/annotations.txt ]] || cat "$report/annotations.txt"
tell --report "$report/report.json" --markdown "$report/report.md"

if [[ ${GITHUB_EVENT_NAME:-} == push ]]; then
  # A push to another branch is judged, and that is all: its runs are no baseline of the default branch.
  default=${DEFAULT_BRANCH:-$(git ls-remote --symref origin HEAD | sed -n 's|^ref: refs/heads/\(.*\)\tHEAD$|\1|p')}
  [[ -n $default ]] || give_up "the default branch of the repository is unknown, so no baseline is added"
  if [[ $GITHUB_REF_NAME == "$default" && ${GITHUB_REF_TYPE:-branch} == branch ]]; then
    program baseline add "$results/all.json" --without-objects
    program baseline push
    file_of_base torchgate-triage.toml
    program triage --key "$key" --report "$report/report.json"
  else
    echo "$GITHUB_REF_NAME is not the default branch: no baseline is added, no issue is opened"
  fi
fi
((verdict != 3)) || [[ ${NO_VERDICT:-} == failure ]] || exit 0  # neutral: the check says so, and the job is not red
exit "$verdict"
