#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What happens to the base branch while a change of it is measured or waits: other settings, and an accepted change that was merged, whose push
# is not stored yet.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
source "$(dirname "${BASH_SOURCE[0]}")/github_stub.sh"
source "$(dirname "${BASH_SOURCE[0]}")/action_jobs.sh"
export PROGRAM=$1 FAKE_PROGRAM=$2
action=$3/ci/action
work=$(mktemp -d)
stub_pid="" stub=$work/stub
trap 'stop_stub; rm -rf "$work"' EXIT
export TORCHGATE_GATE_COUNT_UNDECIDED=false TORCHGATE_GATE_COMPARE_CODE=false TORCHGATE_GATE_ALLOW_NOISY=true TORCHGATE_RUN_PROCESSES=5 FAKE_GROUPS=a FAKE_READS=
export GITHUB_SERVER_URL=https://github.example TORCHGATE_REMOTE=$work/origin.git DEFAULT_BRANCH=main
unset GITHUB_STEP_SUMMARY GITHUB_EVENT_PATH GITHUB_RUN_ID GITHUB_RUN_ATTEMPT TORCHGATE_GITHUB_TOKEN GITHUB_WORKFLOW GITHUB_WORKFLOW_REF GITHUB_JOB \
  GITHUB_OUTPUT KEY
mkdir -p "$stub"

new_origin
printf 'mkdir -p build/bench\ncp "$FAKE_PROGRAM" build/bench/fake\ncat level >>build/bench/fake\n' >build.sh
printf '\nFAKE_LEVEL=1000\n' >level
# settings PAIRS: a torchgate.toml
settings() { printf '[run]\nsuites = ["build/bench"]\n[baseline]\nbuild = "cd {dir} && sh build.sh"\n[gate]\npairs = %s\n' "$1" >torchgate.toml; }
settings 16
printf '.torchgate\nbuild\n' >.gitignore
git add . && git commit -qm first && git push -q origin main

# measured COMMIT, and judged CODE: the jobs; what the first one uploads is the artifact
measured() {
  job measure "$1"
  exits_with 0 env -u GITHUB_TOKEN bash "$action/pull.sh"
  exits_with 0 env -u GITHUB_TOKEN BUILD="sh build.sh" SHARD=1/1 bash "$action/measure.sh"
  uploaded "$RUNNER_TEMP/torchgate/measured"
}
uploaded() {
  pack_results torchgate-results "$1"
  with_state "state['artifacts'].append({'id': $RUN_ID, 'run': $RUN_ID, 'name': 'torchgate-results', 'size_in_bytes': 100, 'expired': False, 'created_at': '2026-03-01T10:00:00Z'}); state['runs'].append({'id': $RUN_ID, 'head_sha': '$head', 'run_started_at': '2026-03-01T09:50:00Z'})"
}
judged() {
  job judge
  exits_with "$1" bash "$action/judge.sh"
}
# policy_is COMMIT: the report is of the policy of that commit
policy_is() { grep -qF "the base branch's (${1:0:12})" "$RUNNER_TEMP/torchgate/report/report.json" || complain "another policy: $(grep "base branch's" "$RUNNER_TEMP/torchgate/report/report.json")"; }
dev() { git -C "$work/dev" "$@"; }
check_is() { stores "[c.get('conclusion') for c in state['check_runs'] if c['head_sha'] == '$head'][-1:] == ['$1']"; }
push_event() { export GITHUB_EVENT_NAME=push GITHUB_REF_NAME=main GITHUB_SHA=$1; unset GITHUB_BASE_REF GITHUB_EVENT_PATH GITHUB_REF; head=$1; }
# merged FIRST SECOND: a commit with the files of SECOND, as a merge into FIRST makes it
merged() { dev commit-tree -p "$1" -p "$2" -m merge "$2^{tree}"; }
# pull NUMBER HEAD BASE: a pull request, in $merge merged into BASE for its test; its event
pull() {
  head=$2 merge=$(merged "$3" "$2")
  dev push -q --force origin "$2:refs/pull/$1/head" "$merge:refs/pull/$1/merge"
  with_state "state['pulls'].append({'number': $1, 'state': 'open', 'head': {'sha': '$2', 'repo': {'full_name': 'acme/nets'}}, 'base': {'ref': 'main', 'sha': '$3', 'repo': {'default_branch': 'main'}}})"
  export GITHUB_EVENT_NAME=pull_request GITHUB_BASE_REF=main GITHUB_EVENT_PATH=$work/event.json
  unset GITHUB_SHA GITHUB_REF
  printf '{"pull_request": {"number": %s, "head": {"sha": "%s", "repo": {"full_name": "acme/nets"}}}}' "$1" "$2" >"$GITHUB_EVENT_PATH"
}
# group HEAD BASE: a merge group and its event
group() {
  head=$1
  export GITHUB_EVENT_NAME=merge_group GITHUB_EVENT_PATH=$work/event.json GITHUB_REF=refs/heads/gh-readonly-queue/main/pr-7-$2
  unset GITHUB_BASE_REF GITHUB_SHA
  dev push -q --force origin "$1:$GITHUB_REF"
  printf '{"action": "checks_requested", "repository": {"full_name": "acme/nets", "default_branch": "main"}, "merge_group": {"head_sha": "%s", "head_ref": "%s", "base_sha": "%s", "base_ref": "refs/heads/main"}}' \
    "$1" "$GITHUB_REF" "$2" >"$GITHUB_EVENT_PATH"
}
start_stub "$stub"
first=$(dev rev-parse main)
push_event "$first"
measured "$first"
judged 0

echo "--- other settings of main while a pull request is measured: judged by those that it was measured with"
cd "$work/dev"
git checkout -qb slower
printf '\nFAKE_LEVEL=1304\n' >level
git commit -qam slower
slower=$(git rev-parse HEAD)
pull 7 "$slower" "$first"
measured "$merge"
slow_results=$work/slow && cp -r "$RUNNER_TEMP/torchgate/measured" "$slow_results"
cd "$work/dev" && git checkout -q main && settings 24 && git commit -qam settings && git push -q origin main
settings_commit=$(git rev-parse main)
judged 1
policy_is "$first"
check_is failure
measured "$merge"  # a later attempt has the same merge, and main is elsewhere
judged 1
policy_is "$first"

echo "--- a plan of neither is refused, with both reasons"
rm -rf "$work/forged" && cp -r "$slow_results" "$work/forged"
sed -i 's/"seed": *[0-9]*/"seed": 1/' "$work/forged/pairs.json"
uploaded "$work/forged"
judged 2
says "or the settings of main or its calibration changed while this was measured: run the measuring workflow again"
check_is failure

echo "--- a change cannot choose: its own settings in the queue are not used"
cd "$work/dev" && git checkout -qb own main && settings 8 && printf '\nFAKE_LEVEL=1304\n' >level && git commit -qam "own settings"
group "$(merged "$settings_commit" "$(git rev-parse own)")" "$settings_commit"
measured "$head"
judged 1
policy_is "$settings_commit"

echo "--- accepted and merged, and its push is not stored: it holds for the pull request and the group behind it"
pull 7 "$slower" "$first"
uploaded "$slow_results"
number=70
for name in eager fast; do
  number=$((number + 1))
  job accept
  exits_with 0 env -u GITHUB_BASE_REF GITHUB_EVENT_NAME=issue_comment CASE="fake/a/$name/device:cpu" REASON=exact HEAD="$slower" NUMBER=7 BY=maintainer COMMENT=$number \
    bash "$action/accept.sh"
done
check_is success
accepted=$(merged "$settings_commit" "$slower")
dev push -q origin "$accepted:main"
behind=$(dev commit-tree -p "$accepted" -m "changes nothing" "$accepted^{tree}")
pull 8 "$behind" "$accepted"
measured "$merge"
judged 0
check_is success
group "$(merged "$accepted" "$behind")" "$accepted"
measured "$head"
judged 0
check_is success
echo "--- a slow-down of its own is not accepted with it"
cd "$work/dev" && git checkout -q --detach "$behind" && printf '\nFAKE_LEVEL=1700\n' >level && git commit -qam "slower again"
pull 9 "$(git rev-parse HEAD)" "$accepted"
measured "$merge"
judged 1

echo "--- other settings of main while a push is measured: judged, and an issue"
cd "$work/dev" && git checkout -q --detach "$accepted" && printf '\nFAKE_LEVEL=1800\n' >level && git commit -qam "slower on main" && git push -q origin HEAD:main
push_event "$(git rev-parse HEAD)"
measured "$head"
cd "$work/dev" && settings 40 && git commit -qam "settings again" && git push -q origin HEAD:main
judged 1
stores "len(state['issues']) == 1"
finish
