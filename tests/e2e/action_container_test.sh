#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The measuring steps of ci/action in a container: the steps are root's, and the checkout belongs to the user of the runner.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
source "$(dirname "${BASH_SOURCE[0]}")/action_jobs.sh"
((EUID == 0)) || { echo "skipped: only root can give the checkout to another user"; exit 77; }
export PROGRAM=$1 FAKE_PROGRAM=$2
action=$3/ci/action
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TORCHGATE_GATE_ALLOW_NOISY=true TORCHGATE_RUN_PROCESSES=5 FAKE_GROUPS=a FAKE_READS="" HOME=$work/home GIT_CONFIG_NOSYSTEM=1
unset GITHUB_STEP_SUMMARY GITHUB_EVENT_PATH GITHUB_RUN_ID GITHUB_WORKFLOW_REF GITHUB_TOKEN TORCHGATE_GITHUB_TOKEN GITHUB_OUTPUT KEY XDG_CONFIG_HOME
mkdir "$HOME"

new_origin
printf 'mkdir -p build/bench\ncp "$FAKE_PROGRAM" build/bench/fake\n' >build.sh
printf '[run]\nsuites = ["build/bench"]\n' >torchgate.toml
printf '.torchgate\nbuild\n' >.gitignore
git add . && git commit -qm first && git push -q origin main
export GITHUB_EVENT_NAME=push GITHUB_REF_NAME=main GITHUB_SHA GITHUB_WORKSPACE
GITHUB_SHA=$(git rev-parse main)
trusted() { git config --global --get-all safe.directory || true; }
# machine NAME OWNER: a job whose checkout belongs to OWNER
machine() {
  job "$1" "$GITHUB_SHA"
  GITHUB_WORKSPACE=$PWD
  chown -R "$2" .
}

echo "--- a checkout of the steps' own user: no setting is changed"
machine measure root
exits_with 0 bash "$action/pull.sh"
[[ -z $(trusted) ]] || complain "trusted: $(trusted)"

echo "--- a checkout of another user"
machine measure 1001
exits_with 128 git rev-parse HEAD
exits_with 0 bash "$action/pull.sh"
exits_with 0 env BUILD="sh build.sh" SHARD=1/1 PAIRS=later bash "$action/measure.sh"
[[ $out != *"binaries are not kept"* && -d .torchgate/store/objects ]] || complain "no binaries of the baseline: $out"
exits_with 0 bash "$action/screen.sh"
measured=$RUNNER_TEMP/torchgate/measured
[[ $(<"$measured/commit") == "$GITHUB_SHA" ]] || complain "the run has no commit"
python3 -c 'import json, sys
source = json.load(open(sys.argv[1]))["sides"][0]
sys.exit(source.get("commit") != sys.argv[2] or source.get("modified") is not False)' "$measured/all.json" "$GITHUB_SHA" || complain "the record is not of the commit"
[[ $(trusted) == "$GITHUB_WORKSPACE" ]] || complain "trusted: $(trusted)"  # once, and nothing else

echo "--- the job confirm, of two shards"
rm "$HOME/.gitconfig"
machine measure 1001
for shard in 1 2; do exits_with 0 env BUILD="sh build.sh" SHARD=$shard/2 bash "$action/measure.sh"; done
cp -r "$RUNNER_TEMP/torchgate/measured" "$work/shards"
rm "$HOME/.gitconfig"
machine confirm 1001
mkdir -p "$RUNNER_TEMP/torchgate"
mv "$work/shards" "$RUNNER_TEMP/torchgate/shards"
exits_with 0 env BUILD="sh build.sh" bash "$action/confirm.sh"
[[ $(<"$RUNNER_TEMP/torchgate/results/commit") == "$GITHUB_SHA" ]] || complain "the merged run has no commit"
finish
