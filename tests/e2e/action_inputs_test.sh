#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a repository sets for the steps of ci/action: two workflows on one commit, environment and exports of the build, the program of
# another job, GitHub Enterprise; and other events: a merge group, a push to another branch, a judge that is run again.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
source "$(dirname "${BASH_SOURCE[0]}")/github_stub.sh"
source "$(dirname "${BASH_SOURCE[0]}")/action_jobs.sh"
torchgate=$1
export PROGRAM=$1 FAKE_PROGRAM=$2
action=$3/ci/action
work=$(mktemp -d)
stub_pid="" stub=$work/stub
trap 'stop_stub; rm -rf "$work"' EXIT
export TORCHGATE_GATE_COUNT_UNDECIDED=false TORCHGATE_GATE_COMPARE_CODE=false TORCHGATE_GATE_ALLOW_NOISY=true TORCHGATE_GATE_PAIRS=16 TORCHGATE_RUN_PROCESSES=5 FAKE_GROUPS=a FAKE_READS=
export GITHUB_SERVER_URL=https://github.example TORCHGATE_REMOTE=$work/origin.git
unset GITHUB_STEP_SUMMARY GITHUB_EVENT_PATH GITHUB_RUN_ID GITHUB_RUN_ATTEMPT TORCHGATE_GITHUB_TOKEN GITHUB_WORKFLOW GITHUB_WORKFLOW_REF GITHUB_JOB \
  GITHUB_OUTPUT KEY DEFAULT_BRANCH
mkdir -p "$stub"

# --- what a build exports, with a torchgate that shows its environment
mkdir "$work/shown"
cd "$work/shown"
export RUNNER_TEMP=$work/temp/shown
mkdir -p "$RUNNER_TEMP"
printf '#!/usr/bin/env bash\nmkdir -p .torchgate/runs\necho "{}" >.torchgate/runs/all.json\nenv -0 >"$SHOWN"\n' >show.sh
chmod +x show.sh
export SHOWN=$work/shown/environment
# shown CODE BUILD: measures; the environment of torchgate is in $SHOWN
shown() {
  rm -rf "$SHOWN" "$RUNNER_TEMP/torchgate" .torchgate
  exits_with "$1" env -u TORCHGATE_GATE_PAIRS GITHUB_EVENT_NAME=pull_request GITHUB_BASE_REF=main PAIRS=later PROGRAM="$PWD/show.sh" BUILD="$2" \
    SHARD=1/1 ENVIRONMENT="${environment:-}" bash "$action/measure.sh"
}
has() { tr '\0' '\n' <"$SHOWN" | grep -qxF "$1" || complain "torchgate run does not have $1"; }
lacks() { ! tr '\0' '\n' <"$SHOWN" | grep -q "^$1=" || complain "torchgate run has $1"; }
echo "--- what a build exports reaches torchgate run; what steers the job does not"
shown 0 'export LD_LIBRARY_PATH=$PWD/lib:/opt/x MY_DATA="a b \$(touch pwned)"; export PATH=$PWD/tools:$PATH'
has "LD_LIBRARY_PATH=$PWD/lib:/opt/x"
has 'MY_DATA=a b $(touch pwned)'
tr '\0' '\n' <"$SHOWN" | grep -q "^PATH=$PWD/tools:" || complain "PATH"
[[ ! -e pwned ]] || complain "a value was run"
shown 0 'export TORCHGATE_GATE_LATENCY=9 TORCHGATE_RUN_PROCESSES=1 BASH_ENV=/x GITHUB_OUTPUT=/x RUNNER_TOOL=x GIT_DIR=/x; unset HOME'
for name in TORCHGATE_GATE_LATENCY BASH_ENV GITHUB_OUTPUT RUNNER_TOOL GIT_DIR; do lacks $name; done
has TORCHGATE_RUN_PROCESSES=5
shown 0 $'export MANY="one\ntwo=2\nGITHUB_ENV=x"; export LATER=yes; exit 0'  # also of a command that exits
has two=2
has LATER=yes
python3 -c 'import os, sys
values = dict(each.split("=", 1) for each in open(sys.argv[1]).read().split("\0") if each)
sys.exit("GITHUB_ENV" in values or values["MANY"] != "one\ntwo=2\nGITHUB_ENV=x")' "$SHOWN" || complain "a line of a value is a variable"
shown 1 'export X=1; exit 3'
says "the build command failed (exit code 3)"
shown 1 'export X=1; fi'
shown 0 'ignored() { :; }; export -f ignored; readonly Y=1; declare -x UID PPID; NOT_EXPORTED=1'
lacks NOT_EXPORTED
shown 0 'rm -f "$torchgate_exported"; trap - EXIT; ln -s /proc/self/environ "$torchgate_exported"'  # not a plain file: not read
shown 1 'for i in $(seq 9); do export "BIG$i=$(head -c 120000 /dev/zero | tr "\0" x)"; done; trap - EXIT; printf "A=%2000000d\0" 1 >"$torchgate_exported"'
says "exports more than 1048576 bytes"

echo "--- the input environment"
environment=$'OMP_NUM_THREADS=2\n\nMY_DATA=/data/a b' shown 0 'export SEEN=$MY_DATA'
has OMP_NUM_THREADS=2
has 'SEEN=/data/a b'
environment='no assignment' shown 2 true
says "is not of the form NAME=VALUE"
for bad in TORCHGATE_GATE_LATENCY=9 GITHUB_TOKEN=x '1=2' '=x' 'A B=c' BASH_ENV=x; do
  environment=$bad shown 2 true
  says "cannot be set here"
done
echo "--- a later step of the job has the exports of the build, too"
shown 0 'export LD_LIBRARY_PATH=/opt/y'
exits_with 0 env ENVIRONMENT=FROM=input bash -c 'source "$1/job.sh"; untrusted "$2"' x "$action" "$PWD/show.sh"
has LD_LIBRARY_PATH=/opt/y
has FROM=input
rm -rf "$RUNNER_TEMP/torchgate"

echo "--- a run is kept with its samples, also over what an interrupted copy left"
mkdir -p .torchgate/runs kept
echo "{}" >.torchgate/runs/all.json
echo whole >.torchgate/runs/aa.samples
echo who >kept/aa.samples
exits_with 0 bash -c 'source "$1/job.sh"; keep_run all kept all.json' x "$action"
[[ $(<kept/aa.samples) == whole && -e kept/all.json ]] || complain "the samples are not those of the run"

echo "--- LibTorch: the input is a version"
for bad in "" latest 2.11 '2.11.0; touch pwned' 2.11.0+rocm; do
  exits_with 2 env LIBTORCH="$bad" GITHUB_OUTPUT="$work/out" bash "$action/libtorch.sh"
  says "is not of the form 2.15.0 or 2.15.0+cuda"
done
mkdir -p "$work/bin" "$RUNNER_TEMP/torchgate/libtorch/libtorch-9.9.9-cpu/torch/lib"
echo elf >"$RUNNER_TEMP/torchgate/libtorch/libtorch-9.9.9-cpu/torch/lib/libtorch_cpu.so"  # restored from a cache
printf '#!/bin/sh\necho "$@" >>%s/pip.txt\nexit 1\n' "$work" >"$work/bin/python"
chmod +x "$work/bin/python"
exits_with 0 env LIBTORCH=9.9.9 GITHUB_OUTPUT="$work/out" TORCHGATE_PYTHON="$work/bin/python" bash "$action/libtorch.sh"
grep -qx "root=$RUNNER_TEMP/torchgate/libtorch/libtorch-9.9.9-cpu/torch" "$work/out" || complain "$(cat "$work/out")"
exits_with 2 env LIBTORCH=9.9.8 GITHUB_OUTPUT="$work/out" TORCHGATE_PYTHON="$work/bin/python" bash "$action/libtorch.sh"
says "installed without a known hash"
grep -q "torch==9.9.8" "$work/pip.txt" || complain "pip: $(cat "$work/pip.txt")"
exits_with 0 env LIBTORCH_ROOT=/opt/torch bash -c 'source "$1/job.sh"; [[ $Torch_ROOT$TORCHGATE_TORCH_ROOT == /opt/torch/opt/torch ]]' x "$action"

echo "--- the program of the job program: only with the hash that this job was given"
installed() { exits_with "$1" env GITHUB_OUTPUT="$work/out" VERSION=1.2.3 TORCHGATE_RELEASES="file://$work/none" PATH="$work/bin:$PATH" "${@:2}" bash "$action/install.sh"; }
mkdir -p "$RUNNER_TEMP/torchgate/program"
cp "$torchgate" "$RUNNER_TEMP/torchgate/program/torchgate"
chmod -x "$RUNNER_TEMP/torchgate/program/torchgate"
hash=$(sha256sum <"$torchgate")
: >"$work/out" && installed 0 PROGRAM_SHA256="${hash%% *}"
grep -qx "program=$RUNNER_TEMP/torchgate/program/torchgate" "$work/out" || complain "$(cat "$work/out")"
grep -qx "sha256=${hash%% *}" "$work/out" || complain "no hash: $(cat "$work/out")"
installed 2 PROGRAM_SHA256="$(printf 'ab%.0s' {1..32})"
says "is not what that job uploaded"
installed 2 PROGRAM_SHA256=yes
says "is not a hash"
echo >>"$RUNNER_TEMP/torchgate/program/torchgate"
installed 2 PROGRAM_SHA256="${hash%% *}"
rm "$RUNNER_TEMP/torchgate/program/torchgate"
installed 2 PROGRAM_SHA256="${hash%% *}"
says "is missing"
printf '#!/bin/sh\nexit 1\n' >"$RUNNER_TEMP/torchgate/program/torchgate"  # of another image: a release is taken instead
mkdir -p "$work/releases/v1.2.3"
cp "$torchgate" "$work/releases/v1.2.3/torchgate-1.2.3-linux-x86_64"
(cd "$work/releases/v1.2.3" && sha256sum torchgate-* >SHA256SUMS)
printf '#!/bin/sh\necho "$GH_HOST $GH_ENTERPRISE_TOKEN" >>%s/gh.txt\n' "$work" >"$work/bin/gh"
chmod +x "$work/bin/gh"
hash=$(sha256sum <"$RUNNER_TEMP/torchgate/program/torchgate")
installed 0 PROGRAM_SHA256="${hash%% *}" TORCHGATE_RELEASES="file://$work/releases"
says "does not start in this image"

echo "--- GitHub Enterprise: releases and gh are those of its server"
printf '#!/bin/sh\nfor each; do url=$each; done\necho "$url" >>%s/curl.txt\n[ "$url" = "${url#https://ghe.example/torchgate/torchgate/releases/download/v1.2.3/}" ] && exit 22\nwhile [ "$1" != --output ]; do shift; done\ncp "%s/releases/v1.2.3/$2" "$2"\n' \
  "$work" "$work" >"$work/bin/curl"
chmod +x "$work/bin/curl"
exits_with 0 env -u TORCHGATE_RELEASES GITHUB_SERVER_URL=https://ghe.example GH_TOKEN=t GITHUB_OUTPUT="$work/out" VERSION=1.2.3 PATH="$work/bin:$PATH" bash "$action/install.sh"
[[ $(tail -n 1 "$work/gh.txt") == "ghe.example t" ]] || complain "gh: $(cat "$work/gh.txt")"
! grep -q github.com "$work/curl.txt" || complain "github.com was asked: $(cat "$work/curl.txt")"
rm "$work/bin/curl"

# --- a repository that two workflows measure: each builds a suite of the speed in its own file
new_origin
printf 'mkdir -p build/bench\ncp "$FAKE_PROGRAM" build/bench/fake\ncat "level-$WHICH" >>build/bench/fake\n' >build.sh
printf '\nFAKE_LEVEL=1000\n' | tee level-cpu >level-gpu
# The store is another folder on the machines of its developers: the jobs have their own.
printf '[run]\nsuites = ["build/bench"]\n[baseline]\nbuild = "cd {dir} && sh build.sh"\nstore = "perf/store"\n' >torchgate.toml
printf '.torchgate\nbuild\nperf\n' >.gitignore
git add . && git commit -qm first && git push -q origin main

# workflow FILE: the one whose jobs the next steps are
workflow() { which=$1 && export GITHUB_WORKFLOW_REF=acme/nets/.github/workflows/$1.yml@refs/heads/main; }
# measured COMMIT: by the current workflow; `artifact` is its name, `created` when it was uploaded
measured() {
  job measure "$1"
  exits_with 0 env -u GITHUB_TOKEN bash "$action/pull.sh"
  exits_with 0 env -u GITHUB_TOKEN ENVIRONMENT="WHICH=${which#performance}" BUILD='if [ -z "$WHICH" ]; then export WHICH=cpu; fi; sh build.sh' SHARD=1/1 bash "$action/measure.sh"
  uploaded "$RUNNER_TEMP/torchgate/measured" "$1"
}
# uploaded FOLDER COMMIT: as actions/upload-artifact does
uploaded() {
  pack_results "${artifact:-torchgate-results}" "$1"
  with_state "state['artifacts'].append({'id': $RUN_ID, 'run': $RUN_ID, 'name': '${artifact:-torchgate-results}', 'size_in_bytes': 100, 'expired': False, 'created_at': '2026-03-01T10:00:00Z'}); state['runs'].append({'id': $RUN_ID, 'head_sha': '$2', 'path': '.github/workflows/$which.yml', 'run_started_at': '2026-03-01T09:50:00Z'})"
}
# uploaded_without_pairs PYTHON: what was measured last, with `all` (all.json) changed, as if no pairs could be measured
uploaded_without_pairs() {
  rm -rf "$work/changed"
  cp -r "$work/temp/measure/torchgate/measured" "$work/changed"
  rm -f "$work/changed"/pair*
  printf '{"reason": "the old commit does not build"}\n' >"$work/changed/no_pairs.json"
  python3 -c 'import json, sys
all = json.load(open(sys.argv[1]))
exec(sys.argv[2])
json.dump(all, open(sys.argv[1], "w"))' "$work/changed/all.json" "$1"
  uploaded "$work/changed" "$(cat "$work/changed/commit")"
}
judged() {
  job judge
  exits_with "$1" bash "$action/judge.sh"
  [[ $out != *secret* ]] || complain "the token is in the output"
  [[ ! -e perf ]] || complain "the store of torchgate.toml was used"
}
pushed() {
  export GITHUB_EVENT_NAME=push GITHUB_REF_NAME=$1 GITHUB_SHA
  unset GITHUB_BASE_REF GITHUB_EVENT_PATH
  GITHUB_SHA=$(git -C "$work/dev" rev-parse "$1")
}
runs_on() { git -C "$work/origin.git" ls-tree -r --name-only "$1" 2>/dev/null | grep -c '^runs/.*json' || true; }
check_is() { stores "[(c['status'], c.get('conclusion')) for c in state['check_runs'] if c['head_sha'] == '$head' and c['name'] == '$1'][-1:] == [('completed', '$2')]"; }
start_stub "$stub"

echo "--- a push: each workflow has a data branch of its own; the first one has no verdict, which is no failure"
pushed main
for each in performance gpu; do
  workflow $each
  measured "$GITHUB_SHA"
  NO_VERDICT=failure judged 0
  grep -q "NO VERDICT" "$RUNNER_TEMP/torchgate/report/report.md" || complain "a verdict without a baseline"
done
cd "$work/jobs/measure"
exits_with 0 env GITHUB_OUTPUT="$work/out" bash "$action/keep_objects.sh"
[[ ! -e perf && $(find .torchgate/cache -type f | wc -l) -gt 1 ]] || complain "no binaries for the cache" # one file is a key
NO_VERDICT=failure judged 0  # the second attempt of the first push has none, either
[[ $(runs_on torchgate-baselines) == 1 && $(runs_on torchgate-baselines-gpu) == 1 ]] || complain "branches: $(git -C "$work/origin.git" branch)"

echo "--- a pull request that is slower in one of them: two checks, two comments"
cd "$work/dev"
git checkout -q -B change main
printf '\nFAKE_LEVEL=1304\n' >level-gpu  # far from a whole per cent: a ceiling is one, and the change is measured again below
git commit -qam slower
head=$(git rev-parse HEAD)
git checkout -q --detach main
git merge -q --no-ff -m merge "$head"
merge=$(git rev-parse HEAD)
git push -q origin "$head:refs/pull/7/head" "$merge:refs/pull/7/merge"
with_state "state['pulls'].append({'number': 7, 'state': 'open', 'head': {'sha': '$head', 'repo': {'full_name': 'acme/nets'}}, 'base': {'ref': 'main', 'sha': '$(git rev-parse main)', 'repo': {'default_branch': 'main'}}})"
export GITHUB_EVENT_NAME=pull_request GITHUB_BASE_REF=main GITHUB_EVENT_PATH=$work/event.json
printf '{"pull_request": {"number": 7, "head": {"sha": "%s", "repo": {"full_name": "acme/nets"}}}}' "$head" >"$GITHUB_EVENT_PATH"
for each in performance gpu; do
  workflow $each
  job begin
  exits_with 0 bash "$action/begin.sh"
done
workflow gpu
measured "$merge"
gpu_run=$RUN_ID
judged 1
# One case may be 6 % slower, and cannot be confirmed.
uploaded_without_pairs 'for process in all["processes"]:
    for result in process["cases"]:
        time = result["measurements"]["time"]
        if result["case"] == 1: time[1:] = [value and value * 1.06 / 1.304 for value in time[1:]]'
open_run=$RUN_ID
workflow performance
measured "$merge"
judged 0
check_is torchgate success
check_is torchgate/gpu failure
stores "len(state['comments']) == 2 and len(state['check_runs']) == 2"

# accepted CASE RUN NAME=VALUE...: in a new comment of pull request 7, about the measurements of a workflow run
number=70
accepted() {
  number=$((number + 1))
  job accept
  exits_with 0 env -u GITHUB_BASE_REF -u GITHUB_WORKFLOW_REF "${@:3}" GITHUB_EVENT_NAME=issue_comment CASE="$1" REASON="exact result" HEAD="$head" NUMBER=7 \
    BY=maintainer COMMENT=$number RUN_ID="$2" bash "$action/accept.sh"
}
echo "--- accepted in the thread, which leaves no verdict: with no-verdict: failure, that blocks"
accepted fake/a/eager/device:cpu "$open_run" NO_VERDICT=failure
check_is torchgate/gpu failure
grep -q "NO VERDICT" "$RUNNER_TEMP/torchgate/report/report.md" || complain "a verdict: $(head -n 3 "$RUNNER_TEMP/torchgate/report/report.md")"

echo "--- accepted in the thread: the check of the workflow that measured"
git clone -q -b torchgate-baselines-gpu "$work/origin.git" "$work/data" && git -C "$work/data" rm -rq waivers
git -C "$work/data" -c user.email=test@example.org -c user.name=test commit -qm "accept again" && git -C "$work/data" push -q
# While this job tells that one case still fails, another job accepts that case, and tells.
cat >"$work/slow.sh" <<'PROGRAM'
#!/usr/bin/env bash
if [[ $1 == comment && " $* " == *" --report "* && ! -e $OTHER ]]; then
  (mkdir -p "$OTHER/temp" && cd "$OTHER" && RUNNER_TEMP=$OTHER/temp PROGRAM=$REAL GITHUB_RUN_ID=9002 CASE=fake/a/fast/device:cpu COMMENT=90 bash "$ACTION/accept.sh") || exit
fi
exec "$REAL" "$@"
PROGRAM
chmod +x "$work/slow.sh"
accepted fake/a/eager/device:cpu "$gpu_run" GITHUB_RUN_ID=9001 GITHUB_RUN_ATTEMPT=1 PROGRAM="$work/slow.sh" REAL="$torchgate" OTHER="$work/other" ACTION="$action"
[[ -e $work/other ]] || complain "the other job did not run"
check_is torchgate/gpu success
check_is torchgate success
[[ ! -e perf ]] || complain "the store of torchgate.toml was used"
git -C "$work/origin.git" ls-tree -r --name-only torchgate-baselines-gpu | grep -q "^waivers/$head/" || complain "no waivers"

echo "--- only the judge is run again: the measurements of the first attempt are used; not so if measuring was started again"
workflow performance
again() { with_state "[r for r in state['runs'] if r['id'] == $RUN_ID][0].update(run_attempt=2, run_started_at='2026-03-01T11:00:00Z', jobs=[{'name': 'gate / measure (1/1)', 'started_at': '$1'}, {'name': 'gate / confirm', 'conclusion': 'skipped', 'started_at': '2026-03-01T11:00:02Z'}, {'name': 'gate / judge', 'started_at': '2026-03-01T11:00:03Z'}])"; }
again 2026-03-01T09:51:00Z
judged 0
again 2026-03-01T11:00:02Z
judged 2
says "of an earlier attempt"
check_is torchgate failure
UPLOADED=$RUN_ID judged 0  # the job that was started again is another call's: this one's upload is known
again 2026-03-01T09:51:00Z
judged 0
check_is torchgate success

echo "--- two calls in one file: the input key"
for KEY in fast slow; do
  export KEY
  artifact=torchgate.$KEY-results measured "$merge"
  job begin
  exits_with 0 bash "$action/begin.sh"
  judged 0  # no baseline of that key
  check_is "torchgate/$KEY" neutral
done
KEY="a b" exits_with 2 bash "$action/begin.sh"
says "--key"
unset KEY

echo "--- a merge group: judged against the branch, a check, no comment, no baseline"
workflow gpu
comments=$(stored "len(state['comments'])")
export GITHUB_EVENT_NAME=merge_group GITHUB_REF
GITHUB_REF=refs/heads/gh-readonly-queue/main/pr-7-$(git -C "$work/dev" rev-parse main)
unset GITHUB_BASE_REF
git -C "$work/origin.git" update-ref "$GITHUB_REF" "$merge"
printf '{"action": "checks_requested", "repository": {"full_name": "acme/nets", "default_branch": "main"}, "merge_group": {"head_sha": "%s", "head_ref": "%s", "base_sha": "%s", "base_ref": "refs/heads/main"}}' \
  "$merge" "$GITHUB_REF" "$(git -C "$work/dev" rev-parse main)" >"$GITHUB_EVENT_PATH"
head=$merge
job begin
exits_with 0 bash "$action/begin.sh"
stores "[(c['status'], c['name']) for c in state['check_runs'] if c['head_sha'] == '$merge'] == [('in_progress', 'torchgate/gpu')]"
measured "$merge"
judged 0  # with what was accepted for its second parent
check_is torchgate/gpu success
stores "len(state['comments']) == $comments"
[[ $(runs_on torchgate-baselines-gpu) == 1 ]] || complain "a merge group became a baseline"
sed -i "s/\"head_sha\": \"$merge\"/\"head_sha\": \"$(git -C "$work/dev" rev-parse change)\"/" "$GITHUB_EVENT_PATH"
judged 2
says "not of the merge group"

# group HEAD BASE: the next merge group, a commit HEAD on the group or branch BASE, measured
group() {
  head=$1
  git -C "$work/dev" push -q --force origin "$head:$GITHUB_REF"
  printf '{"action": "checks_requested", "repository": {"full_name": "acme/nets", "default_branch": "main"}, "merge_group": {"head_sha": "%s", "head_ref": "%s", "base_sha": "%s", "base_ref": "refs/heads/main"}}' \
    "$head" "$GITHUB_REF" "$2" >"$GITHUB_EVENT_PATH"
  measured "$head"
}
# merged FIRST SECOND: a commit with the files of SECOND, as a merge into FIRST makes it
merged() { git -C "$work/dev" commit-tree -p "$1" -p "$2" -m merge "$2^{tree}"; }
accepted_head=$(git -C "$work/dev" rev-parse change) main=$(git -C "$work/dev" rev-parse main)
later=$(git -C "$work/dev" commit-tree -p "$accepted_head" -m "a later commit, or another pull request on top of it" "$accepted_head^{tree}")
echo "--- a group behind that one, which the branch does not have yet: its acceptance holds there, too"
group "$(merged "$merge" "$later")" "$merge"
judged 0
check_is torchgate/gpu success
echo "--- an acceptance for an older commit, or for what a pull request itself merged, is none for a group"
group "$(merged "$main" "$later")" "$main"
judged 1
check_is torchgate/gpu failure
group "$(merged "$main" "$(merged "$main" "$accepted_head")")" "$main"
judged 1
echo "--- a squashed commit does not tell which one was accepted"
group "$(git -C "$work/dev" commit-tree -p "$main" -m squashed "$accepted_head^{tree}")" "$main"
judged 1
unset GITHUB_REF

echo "--- a push to another branch: judged, no baseline, no issue"
git -C "$work/dev" checkout -q change
git -C "$work/dev" commit -q --allow-empty -m "another commit, for which nothing is accepted"
git -C "$work/dev" push -q origin change
pushed change
head=$GITHUB_SHA
workflow gpu
measured "$GITHUB_SHA"
judged 1
says "is not the default branch (main)"
DEFAULT_BRANCH=main judged 1
[[ $(runs_on torchgate-baselines-gpu) == 1 ]] || complain "another branch added a baseline"
stores "not state['issues']"

echo "--- the accepted change is merged: what was accepted holds for the push, too"
git -C "$work/dev" checkout -q main
git -C "$work/dev" merge -q --ff-only "$merge" && git -C "$work/dev" push -q origin main
pushed main
measured "$GITHUB_SHA"
judged 0
stores "not state['issues']"

echo "--- both workflows open an issue for one commit of the default branch"
cd "$work/dev"
printf '\nFAKE_LEVEL=1800\n' | tee level-cpu >level-gpu
git commit -qam "slower on main" && git push -q origin main
pushed main
for each in performance gpu; do
  workflow $each
  measured "$GITHUB_SHA"
  judged 1
done
stores "sorted(i['title'].endswith('(gpu)') for i in state['issues']) == [False, True] and all(i['state'] == 'open' for i in state['issues'])"

echo "--- a later push without a verdict: what no-verdict says"
# of_another_machine: another run, for which there is no baseline
of_another_machine='all["id"] = "00000000000000aa"; all["machine"]["host_key"] = "x86_64-other-2cpu-01234567"'
uploaded_without_pairs "$of_another_machine"
judged 0
uploaded_without_pairs "$of_another_machine"
NO_VERDICT=failure judged 3
says "::error::no verdict"
echo "--- the first push is no failure only if it became the baseline"
git -C "$work/dev" push -q origin main:other
export KEY=new
artifact=torchgate.new-results
uploaded_without_pairs "$of_another_machine"
GITHUB_REF_NAME=other NO_VERDICT=failure judged 3
uploaded_without_pairs "$of_another_machine; all['sides'][0].update(modified=True, modified_files=['version.h'])"
judged 2  # no push would ever have a verdict
says "cannot be added: its work tree was modified (version.h)"
[[ $(runs_on torchgate-baselines-new) == 0 ]] || complain "a run of a modified work tree became a baseline"
uploaded_without_pairs "$of_another_machine"
NO_VERDICT=failure judged 0
[[ $(runs_on torchgate-baselines-new) == 1 ]] || complain "no baseline of the new key"
finish
