#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# After `/perf accept`: judges the same measurements, keeps a waiver for this commit on the data branch, judges again and tells it.
# CASE and REASON are what a person with write permission typed; they are arguments, never text of a command.
source "$(dirname "${BASH_SOURCE[0]}")/verdict.sh"

# refuse SENTENCE: changes neither check nor comment of the verdict. Who typed the command does not see this job.
refuse() {
  local sentence=${1#torchgate: }
  program perf --key "$key" --refused "${sentence//"$report/"/}" || echo "::warning::the thread was not told of it"
  give_up "$1"
}
no_result() { refuse "$1"; }
no_pull_request() { refuse "the pull request cannot be found"; }

[[ ${COMMENT:-} =~ ^[0-9]+$ ]] || give_up "COMMENT: not the number of a comment"
target=(--pull-request "${NUMBER:?}" --head "${HEAD:?}")
find_target
fetch_results
judge
folder_of_waivers=$store/waivers/$head
mkdir -p "$folder_of_waivers"
said program accept "${CASE:?}" --reason="${REASON:?}" --by="${BY:?}" --commit="$head" --report "$report/report.json" \
  --waivers "$folder_of_waivers/$COMMENT.toml" || refuse "$why"
said program baseline push || refuse "the acceptance cannot be stored: $why"
# Two jobs may accept something at once, and the slower one must not put back the verdict from before: what the data branch has after telling is
# told, too. Each turn needs a further acceptance; the limit ends a job that would tell forever.
most_turns=20 attempt=${GITHUB_RUN_ATTEMPT:-1}
accepted_files() { (cd "$folder_of_waivers" && sha256sum -- *.toml); }
program baseline pull  # with what others accepted in the meantime
for ((turn = 0; turn < most_turns; ++turn)); do
  known=$(accepted_files)
  judge
  # Of the verdicts of one attempt the worst stays: that of a further turn replaces the one before.
  ((turn == 0)) || export GITHUB_RUN_ATTEMPT=$((attempt * 1000 + turn))  # no attempt of GitHub
  tell --report "$report/report.json" --markdown "$report/report.md"
  program baseline pull
  [[ $(accepted_files) != "$known" ]] || break
done
cat "$report/report.md" >>"$GITHUB_STEP_SUMMARY"
