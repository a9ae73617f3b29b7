#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The check of workflows lets a clean project through (tests/fixtures/workflows) and names each planted fault.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/expect.sh"

clean=$here/../fixtures/workflows project=$tree/project
python=python3
"$python" -c 'import yaml' 2>/dev/null || python=/usr/bin/python3
"$python" -c 'import yaml' 2>/dev/null || { echo "skipped: no python3-yaml (ci/scripts/setup.sh --lint installs it)"; exit 77; }
python=$("$python" -c 'import sys; print(sys.executable)') # not a wrapper that looks for it each time
build=.github/workflows/build.yml report=.github/workflows/report.yml

structure() { "$python" "$here/check_workflows.py" "$project"; }
blocks() { "$python" "$here/run_blocks.py" "$project" "$@"; }
everything() { bash "$here/check_workflows.sh" "$project"; }
afresh() { rm -rf "$project"; cp -r "$clean" "$project"; }
change() { # change FILE SED-EXPRESSION: fails the test if it changes nothing
  cp "$project/$1" "$tree/before"
  sed -i -E "$2" "$project/$1"
  if cmp -s "$tree/before" "$project/$1"; then
    echo "FAILED: $2 changes nothing in $1"
    failures=$((failures + 1))
  fi
}
# planted CHECK FILE SED-EXPRESSION TEXT [RUN]: CHECK names the fault with TEXT. RUN: the file whose blocks are run.
planted() {
  afresh
  change "$2" "$3"
  if [[ $1 == blocks ]]; then expect 1 "$4" blocks "${5:-$2}"; else expect 1 "$4" "$1"; fi
}

afresh
expect 0 "have the right structure" structure
expect 0 "run blocks passed" blocks

# --- structure --------------------------------------------------------------------------------------------------------
title='${{ github.event.pull_request.title }}'
planted structure $build 's/torchgate run --note "\$TITLE"/torchgate run --note "${{ github.event.pull_request.title }}"/' "$build:33: job \"measure\", step \"Title\": the run block contains $title"
planted structure $build 's/run: torchgate baseline push/run: torchgate baseline push ${{ steps.x.outputs.y }}/' 'the run block contains ${{ steps.x.outputs.y }}'
planted structure ci/action/action.yml 's/measure.sh"/measure.sh" ${{ inputs.suite }}/' 'ci/action/action.yml:21: step "Measure": the run block contains ${{ inputs.suite }}'
planted structure $build 's/@3d3c\w+ # v7.0.1/@v7/' 'actions/checkout@v7 is not pinned'
planted structure $build 's/ # v7.0.1//' 'has no version comment'
planted structure $build 's/# v7.0.1/# newest/' 'has no version comment'
planted structure $build 's/^  pull_request:/  pull_request_target:/' 'pull_request_target runs with write permission'
planted structure $build '/timeout-minutes/d' 'job "measure": no time limit'
planted structure $build 's/^permissions: .*//' 'no permissions at the top'
planted structure $build 's/^permissions: .*/permissions: write-all/' 'the permissions at the top are more than contents: read'
planted structure $build 's/^permissions: .*/permissions: {contents: write}/' 'the permissions at the top are more than contents: read'
planted structure $build 's/^      contents: write.*/      write-all/' 'permissions: write-all'
planted structure $build '/^concurrency:/,/cancel/d' 'no concurrency at the top'
planted structure $build '/persist-credentials/d' 'the checkout keeps the token'
planted structure $build 's/persist-credentials: false/persist-credentials: true/' 'the checkout keeps the token'
planted structure $build '/^defaults:/,/shell: bash/d' 'the shell is not set'
# What may write takes nothing of a change.
in_measure='/^  measure:/,/^  baseline:/'
planted structure $build "$in_measure s/contents: read/contents: write/" 'job "measure", step "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1": a job with contents: write checks out the merge commit of a pull request'
planted structure $build "$in_measure s/(TITLE:.*)/\1\n          KEY: \${{ secrets.DEPLOY_KEY }}/" 'a job with the secret DEPLOY_KEY checks out the merge commit'
planted structure $build '/if: github.event_name/d' 'job "baseline", step "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1": a job with contents: write checks out the merge commit'
planted structure $build "s/if: github.event_name.*/if: github.event_name != 'pull_request' || github.actor == 'x'/" 'checks out the merge commit'
planted structure $build 's/persist-credentials: false/persist-credentials: false\n          ref: ${{ github.event.pull_request.head.sha }}/' 'job "baseline", step "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1": a job with contents: write checks out the head of a pull request'
planted structure $build 's|run: torchgate baseline push|run: git fetch origin refs/pull/7/merge \&\& git checkout FETCH_HEAD|' "a job with contents: write fetches the pull request's code"
planted structure $build 's|(GH_TOKEN: .*)|\1\n          THEIRS: ${{ github.head_ref }}|; s|run: torchgate baseline push|run: git checkout "$THEIRS"|' "a job with contents: write fetches the pull request's code"
planted structure $build 's/^  pull_request:/  issue_comment:/; s/(ersist-credentials: false)/\1\n          ref: ${{ steps.x.outputs.y }}/' 'the event issue_comment checks out what ${{ steps.x.outputs.y }} names'
checkout='      - uses: actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1\n        with:\n          persist-credentials: false'
planted structure $report "s|^    steps:|    steps:\n$checkout|" 'a workflow_run job checks something out'
download='      - uses: actions/download-artifact@3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c # v8.0.1'
planted structure $report "s|^    steps:|    steps:\n$download|" 'a workflow_run job unpacks an artifact without limits'
planted structure $report 's|torchgate unpack .*|gh run download 7|' 'a workflow_run job unpacks an artifact without limits'
planted structure $report 's|(torchgate comment.*)|\1\n          cat unpacked/x >>"$GITHUB_ENV"|' 'a job that reads artifacts writes to GITHUB_ENV'
planted structure $build "$in_measure s|^    steps:|    steps:\n$download\n      - run: echo bin >>\"\$GITHUB_PATH\"|" 'a job that reads artifacts writes to GITHUB_PATH'
# The same through an action and a script of it.
afresh
change ci/action/measure.sh 's|^torchgate run.*|git fetch origin refs/pull/7/head|'
expect 0 "have the right structure" structure # its job may only read
change $build "$in_measure s/contents: read/checks: write/"
expect 1 "job \"measure\", step \"Measure\": a job with checks: write fetches the pull request's code" structure
planted structure $build "$in_measure s/runs-on: .*/runs-on: [self-hosted, gpu]/" "pull requests start it on this project's own machines"
planted structure $build '/^  baseline:/,$ s/runs-on: .*/runs-on: [self-hosted, gpu]/' 'a runner that may be self-hosted (self-hosted, gpu) sees contents: write'
planted structure $build '/^  baseline:/,$ s/runs-on: .*/runs-on: ${{ inputs.runner }}/' 'a runner that may be self-hosted'
# A reusable workflow is started by what starts its callers, and needs no concurrency of its own.
afresh
printf '%s\n' 'on: workflow_call' 'permissions: {}' 'jobs:' '  deep:' '    runs-on: ubuntu-24.04' '    timeout-minutes: 5' '    permissions: {contents: write}' \
  '    steps:' "$(printf '%b' "$checkout")" >"$project/.github/workflows/deep.yml"
expect 1 'deep.yml:9: job "deep", step "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1": a job with contents: write checks out the merge commit' structure
printf '%s\n' 'on: push' 'permissions: {}' 'concurrency: x' 'jobs:' '  call:' '    uses: ./.github/workflows/deep.yml' '    permissions: {contents: write}' \
  >"$project/.github/workflows/call.yml"
expect 0 "have the right structure" structure
change .github/workflows/call.yml 's/on: push/on: [push, pull_request]/'
expect 1 'deep.yml:9: job "deep"' structure
planted structure ci/templates/gitlab.yml '/timeout/d' 'job "measure": no timeout'
planted structure ci/templates/gitlab.yml '/interruptible/d' 'job "measure": no interruptible'
planted structure ci/templates/Jenkinsfile '/timeout/d' 'no time limit'
planted structure ci/templates/Jenkinsfile 's/set -euo pipefail/:/' 'ci/templates/Jenkinsfile:8: sh: Jenkins runs it with sh -xe'
planted structure ci/templates/Jenkinsfile "s/sh '''/sh \"echo \${params.X}\"\n        sh '''/" 'a sh step that Groovy may replace values in'
planted structure README.md 's/^    timeout-minutes: 10/    # none/' 'README.md:13: job "measure": no time limit'
planted structure README.md 's/^```yaml/text\n```yaml/' 'README.md:3: <!-- workflow --> is not followed by ```yaml'

# --- run blocks -------------------------------------------------------------------------------------------------------
planted blocks $build 's/torchgate baseline push/false/' "$build:55: job \"baseline\", step \"Push\": with harmless values: exit code 1, expected 0"
planted blocks $build 's/torchgate baseline push/no_such_program | cat/' 'exit code 127, expected 0'
planted blocks $build 's/torchgate baseline push/echo "$UNSET"/' 'UNSET: unbound variable'
planted blocks $build 's/run --note "\$TITLE"/run --note $TITLE/' 'with a hostile TITLE: the value arrives in pieces at torchgate'
planted blocks $build "s/printf 'title.*/eval \"echo \$TITLE\" || true/" 'with a hostile TITLE: a value was run as a command'
planted blocks $build "s/printf 'title.*/bash -c \"echo \$TITLE\" || true/" 'with a hostile TITLE: a value was run as a command'
planted blocks $build "s/printf 'title.*/echo \"title=\$TITLE\" >>\"\$GITHUB_OUTPUT\"/" 'with lines in TITLE: a value with line breaks sets another variable in github_output'
planted blocks $build "s/printf 'title.*/{ echo 'title<<EOF'; echo \"\$TITLE\"; echo EOF; } >>\"\$GITHUB_OUTPUT\"/" 'a value with line breaks sets another variable'
planted blocks $build 's/torchgate baseline push/curl --oauth2-bearer "$GH_TOKEN" x/' 'the token is an argument of curl'
planted blocks $build 's/torchgate baseline push/env/' 'the token is in the output'
planted blocks ci/action/measure.sh 's/--suite "\$SUITE"/--suite $SUITE/' 'with a hostile SUITE: the value arrives in pieces' ci/action/action.yml
planted blocks ci/action/measure.sh '/\[\[ \$SUITE/d' 'with lines in SUITE: a value with line breaks sets another variable' ci/action/action.yml
planted blocks tests/lint/run_blocks_cases.yml 's/commands: .*/exit: 0/' 'with a hostile BUILD: a value was run as a command' ci/action/action.yml
planted blocks tests/lint/run_blocks_cases.yml 's/step: .*/step: Measured/' 'the case of ci/action/action.yml, "Measured" matches no run block' ci/action/action.yml
planted blocks ci/templates/gitlab.yml 's/"(\$CI_COMMIT_TITLE)"/\1/' 'with a hostile CI_COMMIT_TITLE: the value arrives in pieces'
planted blocks ci/templates/gitlab.yml '/export SUITE/d; /before_script/d' 'job "measure", script: with harmless values: exit code 1'
planted blocks ci/templates/Jenkinsfile 's/"(\$CHANGE_TITLE)"/\1/' 'with a hostile CHANGE_TITLE: the value arrives in pieces'
planted blocks README.md 's/run: torchgate run/run: exit 3/' 'README.md:19: job "measure", step "Run": with harmless values: exit code 3'
afresh
cp "$project/ci/action/measure.sh" "$project/ci/action/forgotten.sh"
expect 1 "ci/action/forgotten.sh: no run block calls it" blocks

# --- everything together, with the tools ------------------------------------------------------------------------------
afresh
code=0
everything >"$tree/said" 2>&1 || code=$?
if ((code == 77)); then
  cat "$tree/said"
else
  expect 0 "3 workflows, 1 actions, 1 GitLab templates and 7 run blocks are in order" everything
  # Faults that different tools find, each with its name in what is said.
  says() { # says TEXT...: everything fails and says each TEXT
    local text
    code=0
    everything >"$tree/said" 2>&1 || code=$?
    expect 0 1 echo "$code"
    for text; do expect 0 "" grep -F -- "$text" "$tree/said"; done
  }
  change $build 's/^    timeout-minutes: 10/    timeout-minute: 10/'
  change ci/action/action.yml 's/^description:/describe:/'
  change ci/templates/gitlab.yml 's/^  script:/  scripts:/'
  change README.md 's/runs-on:/runs-onn:/'
  says "schema of workflows:" "timeout-minute" "README-4.yml" "schema of actions:" "describe" "schema of GitLab CI:" "scripts"
  afresh
  change $build 's/"\$TITLE" --save/$TITLE --save/; s/^  pull_request:/  pull_request_target:/; s/@3d3c\w+ # v7.0.1/@v7/'
  change $report 's/name: Report/name:   Report/'
  change ci/action/measure.sh 's/"\$SUITE"/$SUITE/'
  says "error[dangerous-triggers]" "error[unpinned-uses]" "yamllint:" "too many spaces" "shellcheck of run blocks:" "SC2086" "shellcheck of ci/action:" \
    "structure:" "pull_request_target runs" "run blocks:" "arrives in pieces"
  afresh
  change $build 's/torchgate run --note "\$TITLE"/torchgate run --note "${{ github.event.pull_request.title }}"/'
  says "error[template-injection]" "the run block contains $title"
  change $build 's/^name: build/name: [build/'
  expect 1 "$build: not YAML" everything
fi
finish
