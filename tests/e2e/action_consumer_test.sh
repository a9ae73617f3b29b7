#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# action_consumer_test.sh TORCHGATE SOURCE BUILD TORCH CMAKE_ARGUMENTS...: a project of a user (tests/consumer: one suite on LibTorch, found with
# find_package) through the steps of ci/action: a push that becomes the baseline, and a pull request that does four times the work.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
source "$(dirname "${BASH_SOURCE[0]}")/github_stub.sh"
source "$(dirname "${BASH_SOURCE[0]}")/action_jobs.sh"
export PROGRAM=$1
source_dir=$2 build=$3 torch=$4 action=$2/ci/action
shift 4
work=$(mktemp -d)
stub_pid="" stub=$work/stub
trap 'stop_stub; rm -rf "$work"' EXIT
mkdir -p "$stub"
export TORCHGATE_GATE_ALLOW_NOISY=true TORCHGATE_GATE_PAIRS=12 TORCHGATE_RUN_PROCESSES=5
export GITHUB_SERVER_URL=https://github.example TORCHGATE_REMOTE=$work/origin.git
export GITHUB_WORKFLOW_REF=acme/nets/.github/workflows/performance.yml@refs/heads/main
unset GITHUB_STEP_SUMMARY GITHUB_EVENT_PATH GITHUB_RUN_ID TORCHGATE_GITHUB_TOKEN GITHUB_OUTPUT KEY TORCHGATE_TORCH_ROOT Torch_ROOT

installed=$build/action_consumer_installed
rm -rf "$installed"
exits_with 0 cmake --install "$build" --prefix "$installed"

# --- the project: tests/consumer and the number of passes in a file
new_origin
cp "$source_dir"/tests/consumer/* .
echo 1 >passes
printf '.torchgate\nbuild\n' >.gitignore
git add . && git commit -qm first && git push -q origin main

# What the author of its workflow writes. LibTorch is that of the input `libtorch`: nothing here names its folder.
printf -v arguments '%q ' "$@"
build_command="cmake -S . -B build -G Ninja $arguments -DWAY=find_package -DCOMPONENT=bench_torch -DPASSES=\$(cat passes) -DCMAKE_PREFIX_PATH=\$INSTALLED
cmake --build build --target suite_mine
export OMP_NUM_THREADS=1"

measured() {
  job measure "$1"
  exits_with 0 env -u GITHUB_TOKEN bash "$action/pull.sh"
  [[ ! -d $work/cache ]] || cp -al "$work/cache" .torchgate/store/objects  # the cache of the baseline's binaries
  exits_with 0 env -u GITHUB_TOKEN LIBTORCH_ROOT="$torch" ENVIRONMENT="INSTALLED=$installed" BUILD="$build_command" SUITES=build/mine SHARD=1/1 bash "$action/measure.sh"
  [[ -d $work/cache || ! -d .torchgate/store/objects ]] || cp -al .torchgate/store/objects "$work/cache"
  pack_results torchgate-results "$RUNNER_TEMP/torchgate/measured"
  with_state "state['artifacts'].append({'id': $RUN_ID, 'run': $RUN_ID, 'name': 'torchgate-results', 'size_in_bytes': 100, 'expired': False, 'created_at': '2026-03-01T10:00:00Z'}); state['runs'].append({'id': $RUN_ID, 'head_sha': '$1', 'run_started_at': '2026-03-01T09:50:00Z'})"
}
judged() {
  job judge
  exits_with "$1" bash "$action/judge.sh"
}
start_stub "$stub"

export GITHUB_EVENT_NAME=push GITHUB_REF_NAME=main GITHUB_SHA
GITHUB_SHA=$(git rev-parse main)
measured "$GITHUB_SHA"
judged 0
git -C "$work/origin.git" ls-tree -r --name-only torchgate-baselines | grep -q "^runs/.*${GITHUB_SHA:0:12}.*json" || complain "no baseline"

cd "$work/dev"
git checkout -q -b change
echo 4 >passes
git commit -qam "four times the work"
head=$(git rev-parse HEAD)
git checkout -q --detach main
git merge -q --no-ff -m merge "$head"
merge=$(git rev-parse HEAD)
git push -q origin "$head:refs/pull/7/head" "$merge:refs/pull/7/merge"
with_state "state['pulls'].append({'number': 7, 'state': 'open', 'head': {'sha': '$head', 'repo': {'full_name': 'acme/nets'}}, 'base': {'ref': 'main', 'sha': '$GITHUB_SHA', 'repo': {'default_branch': 'main'}}})"
export GITHUB_EVENT_NAME=pull_request GITHUB_BASE_REF=main GITHUB_EVENT_PATH=$work/event.json
printf '{"pull_request": {"number": 7, "head": {"sha": "%s", "repo": {"full_name": "acme/nets"}}}}' "$head" >"$GITHUB_EVENT_PATH"
measured "$merge"
judged 1
stores "[(c['name'], c['conclusion']) for c in state['check_runs']] == [('torchgate', 'failure')]"
stores "len(state['comments']) == 1 and 'mine/sum' in state['comments'][0]['body'] and 'regressed' in state['comments'][0]['body']"
finish
