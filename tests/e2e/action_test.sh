#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The steps of ci/action played with real git repositories, real processes and GitHub's API on a loopback address: a push that adds the
# baseline; pull requests that are slower, disturbed only once, of documents only, from a fork, before any baseline, and forged.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
source "$(dirname "${BASH_SOURCE[0]}")/github_stub.sh"
source "$(dirname "${BASH_SOURCE[0]}")/action_jobs.sh"
export PROGRAM=$1 FAKE_PROGRAM=$2
action=$3/ci/action
work=$(mktemp -d)
trap 'stop_stub; rm -rf "$work"' EXIT
export TORCHGATE_GATE_ALLOW_NOISY=true TORCHGATE_GATE_PAIRS=24 TORCHGATE_RUN_PROCESSES=5 FAKE_GROUPS=a,b FAKE_READS=
export GITHUB_SERVER_URL=https://github.example TORCHGATE_REMOTE=$work/origin.git
unset GITHUB_STEP_SUMMARY GITHUB_EVENT_PATH GITHUB_RUN_ID TORCHGATE_GITHUB_TOKEN

# --- a repository whose build "compiles" a suite of the speed in the file `level`
new_origin
cat >build.sh <<'BUILD'
mkdir -p build/bench
cp "$FAKE_PROGRAM" build/bench/fake
cat level >>build/bench/fake
BUILD
printf '\nFAKE_LEVEL=1000\n' >level
printf '[run]\nsuites = ["build/bench"]\n[baseline]\nbuild = "cd {dir} && sh build.sh"\n' >torchgate.toml
printf '.torchgate\nbuild\n' >.gitignore
git add . && git commit -qm first && git push -q origin main

# change NUMBER FILE TEXT: a branch of main with one changed file, its merge commit as GitHub makes it; sets $head and $merge
change() {
  cd "$work/dev"
  git checkout -q -B "change-$1" main
  printf '%b' "$3" >"$2"
  git add . && git commit -qm "change $1"
  head=$(git rev-parse HEAD)
  git checkout -q --detach main
  git merge -q --no-ff -m "Merge $head into main" "$head"
  merge=$(git rev-parse HEAD)
  git push -q --force origin "$head:refs/pull/$1/head" "$merge:refs/pull/$1/merge"
}

stub_pid="" stub=$work/stub
mkdir -p "$stub"

# opened NUMBER REPOSITORY: the pull request is known to the API; sets the event of its jobs
opened() {
  with_state "state['pulls'].append({'number': $1, 'state': 'open', 'head': {'sha': '$head', 'repo': {'full_name': '$2'}}, 'base': {'ref': 'main', 'sha': '$(git -C "$work/dev" rev-parse "$merge^1")', 'repo': {'default_branch': 'main'}}})"
  export GITHUB_EVENT_NAME=pull_request GITHUB_BASE_REF=main GITHUB_EVENT_PATH=$work/event.json
  printf '{"pull_request": {"number": %s, "head": {"sha": "%s", "repo": {"full_name": "%s"}}}}' "$1" "$head" "$2" >"$GITHUB_EVENT_PATH"
}

step() { bash "$action/$1.sh"; }
# The jobs that run the pull request's code have no token.
without_token() { env -u GITHUB_TOKEN -u GH_TOKEN "$@"; }

# measured COMMIT SHARDS: measure and confirm, as performance.yml puts them together; what they upload is the artifact
measured() {
  local commit=$1 shards=$2 shard
  rm -rf "$work/shards"
  mkdir -p "$work/shards"
  for ((shard = 1; shard <= shards; ++shard)); do
    job "measure-$shard" "$commit"
    exits_with 0 without_token bash "$action/pull.sh"
    exits_with 0 without_token env BUILD="sh build.sh" SHARD="$shard/$shards" bash "$action/measure.sh"
    cp "$RUNNER_TEMP"/torchgate/measured/* "$work/shards/"
    [[ ! -d .torchgate/store/objects ]] || cp -r .torchgate/store/objects "$work/cache"
  done
  job confirm "$commit"
  mkdir -p "$RUNNER_TEMP/torchgate" .torchgate/store
  cp -r "$work/shards" "$RUNNER_TEMP/torchgate/shards"
  exits_with 0 without_token bash "$action/pull.sh"
  [[ ! -d $work/cache || ${cached:-yes} != yes ]] || cp -r "$work/cache" .torchgate/store/objects
  exits_with 0 without_token env BUILD="sh build.sh" bash "$action/confirm.sh"
  uploaded "$RUNNER_TEMP/torchgate/results"
}
# uploaded FOLDER: as actions/upload-artifact does
uploaded() {
  pack_results torchgate-results "$1"
  with_state "state['artifacts'].append({'id': $RUN_ID, 'run': $RUN_ID, 'name': 'torchgate-results', 'size_in_bytes': $(stat -c %s "$packed"), 'expired': False, 'created_at': '${uploaded_at:-2026-03-01T10:00:00Z}'}); state['runs'].append({'id': $RUN_ID, 'head_sha': '$head', 'run_started_at': '2026-03-01T09:50:00Z'})"
}
# judged CODE: the judging job, in an empty folder
judged() {
  job judge
  exits_with "$1" bash "$action/judge.sh"
  [[ $out != *secret* ]] || complain "the token is in the output: $out"
}
check() { stores "[(c['status'], c.get('conclusion')) for c in state['check_runs'] if c['head_sha'] == '$head'] == $1"; }
# comment_has NUMBER PATTERN: a regular expression; percentages are measured
comment_has() { stores "__import__('re').search(r'$2', [c for c in state['comments'] if c['issue'] == $1][0]['body']) is not None"; }
comment_says() { stores "len([c for c in state['comments'] if c['issue'] == $1]) == 1 and '''$2''' in [c for c in state['comments'] if c['issue'] == $1][0]['body']"; }

echo "--- a first pull request, before any baseline: neutral, and what to do"
start_stub "$stub"
change 1 level '\nFAKE_LEVEL=1300\n'
opened 1 acme/nets
job begin
exits_with 0 bash "$action/begin.sh"
check "[('in_progress', None)]"
measured "$merge" 2
judged 0
check "[('completed', 'neutral')]"
comment_says 1 "NO VERDICT"
comment_says 1 "baseline add"

echo "--- a push to main adds the baseline to the data branch"
export GITHUB_EVENT_NAME=push GITHUB_REF_NAME=main GITHUB_SHA
unset GITHUB_BASE_REF
GITHUB_SHA=$(git -C "$work/dev" rev-parse main)
measured "$GITHUB_SHA" 2
judged 0
git -C "$work/origin.git" ls-tree -r --name-only torchgate-baselines | grep -q "^runs/.*${GITHUB_SHA:0:12}.*json" || complain "no run on the data branch"
git -C "$work/origin.git" ls-tree -r --name-only torchgate-baselines | grep -q "^objects/" && complain "objects in git"

echo "--- a push of a tag is not judged, and the reason names what to change"
export GITHUB_REF_NAME=v1 GITHUB_REF_TYPE=tag
judged 2
says "v1 is a tag, and only pushes of branches are judged: add 'branches: [main]'"
export GITHUB_REF_NAME=main
unset GITHUB_REF_TYPE

echo "--- two shards, a confirmed regression: red, one comment, updated by the next verdict"
export GITHUB_BASE_REF=main
opened 2 acme/nets
with_state "[p for p in state['pulls'] if p['number'] == 2][0]['head']['sha'] = '$head'; state['pulls'] = [p for p in state['pulls'] if p['number'] != 1]; state['check_runs'] = []"
job begin
exits_with 0 bash "$action/begin.sh"
measured "$merge" 2
[[ -e $RUNNER_TEMP/torchgate/results/pairs.json ]] || complain "no pairs"
judged 1
check "[('completed', 'failure')]"
comment_says 2 "regressed"
comment_says 2 "16 pairs"
stores "'this change alters the policy' not in [c for c in state['comments'] if c['issue'] == 2][0]['body']"
comment_has 2 '[+](29|30)[.]. %' 
[[ $out == *"::error title=torchgate%3A regressed::fake/"* ]] || complain "no annotation in the log: $out"
grep -q '<svg role="img"' "$RUNNER_TEMP/torchgate/report/report.html" || complain "no page with drawings in the artifact of the judging job"
grep -q '"head": *"'"$head"'"' "$RUNNER_TEMP/torchgate/report/report.json" || complain "the report does not name the pull request's own commit"
honest=$work/honest
cp -r "$work/temp/confirm/torchgate/results" "$honest"
judged 1  # told again: still one comment
comment_has 2 '[+](29|30)[.]. %' 

# forged WANT TEXT PYTHON: the artifact changed by Python (all, pairs: JSON), judged; its comment has TEXT
forged() {
  rm -rf "$work/forged"
  cp -r "$honest" "$work/forged"
  (cd "$work/forged" && python3 -c 'import json, os, sys
all, pairs = (json.load(open(name)) for name in ("all.json", "pairs.json"))
exec(sys.argv[1])
for name, value in (("all.json", all), ("pairs.json", pairs)):
    if value is not None: json.dump(value, open(name, "w"))' "$3")
  uploaded "$work/forged"
  judged "$1"
  comment_says 2 "$2"
}
echo "--- forged results"
forged 2 "pairs.json" 'pairs = None; os.remove("pairs.json")'
forged 2 "is not a merge of" 'open("commit", "w").write("'"$(git -C "$work/dev" rev-parse main)"'")'
forged 2 "is not a merge of" 'open("commit", "w").write("'"$head"'"); all["sides"][0]["commit"] = "'"$head"'"'
comment_says 2 "Update branch"  # measuring the same commit again would not help
forged 2 "was skipped, but measured" 'pairs["cases"][-1]["skipped"] = "no device"'
forged 2 "cannot be fetched" 'open("commit", "w").write("ab" * 20)'
forged 2 ": of commit" 'all["sides"][0]["commit"] = "cd" * 20'
forged 2 "torchgate gate" 'pairs["plan"]["seed"] = 1'
forged 2 "torchgate gate" 'pairs["processes"] = pairs["processes"][2:]'
forged 2 "torchgate gate" 'pairs["processes"][0]["side"] = 1 - pairs["processes"][0].get("side", 0)'
forged 2 "cannot be used" 'open("torchgate.toml", "w").write("[gate]\nlatency = 0.9\n")'
forged 2 "cannot be used" 'os.symlink("/etc/passwd", "passwd.json"); os.makedirs("runs"); open("runs/x.json", "w")'
forged 2 "torchgate gate" 'all = {"schema": "torchgate.run/1"}'

echo "--- /perf accept: the same measurements with a waiver for this commit; /perf rerun"
uploaded "$honest"
judged 1
with_state "state['runs'] = [{'id': $RUN_ID, 'event': 'pull_request', 'head_sha': '$head', 'head_repository': {'full_name': 'acme/nets'}, 'status': 'completed', 'conclusion': 'failure', 'run_attempt': 1, 'run_started_at': '2026-03-01T09:50:00Z', 'name': 'performance', 'path': '.github/workflows/performance.yml', 'pull_requests': []}]; state['permissions'] = {'maintainer': 'write'}; state['user_ids'] = {'maintainer': 42, 'stranger': 43}"
# thread BODY LOGIN ID: the command step for a comment; its outputs are variables then
thread() {
  printf '{"action": "created", "issue": {"number": 2, "pull_request": {"url": "x"}}, "comment": {"id": 77, "body": "%s", "created_at": "2999-01-01T00:00:00Z", "user": {"login": "%s", "id": %s, "type": "User"}}}' \
    "$1" "$2" "$3" >"$work/comment.json"
  job command
  export GITHUB_OUTPUT=$work/output
  : >"$GITHUB_OUTPUT"
  exits_with 0 env -u GITHUB_BASE_REF GITHUB_EVENT_NAME=issue_comment GITHUB_EVENT_PATH="$work/comment.json" WORKFLOW=performance.yml bash "$action/command.sh"
}
output_of() { awk -v name="$1<<" 'index($0, name) == 1 { getline; print }' "$GITHUB_OUTPUT"; }
accepted() {
  job accept
  exits_with "$1" env -u GITHUB_BASE_REF GITHUB_EVENT_NAME=issue_comment GITHUB_EVENT_PATH="$work/comment.json" CASE="$(output_of case)" REASON="$(output_of reason)" \
    HEAD="$(output_of head)" NUMBER="$(output_of number)" BY="$(output_of login)" COMMENT="$(output_of comment)" RUN_ID="$(output_of run)" bash "$action/accept.sh"
}
thread "/perf accept fake/a/eager/device:cpu mine" stranger 43
[[ $(output_of command) == refused ]] || complain "a stranger: $(cat "$GITHUB_OUTPUT")"
with_state "state['comments'] = [c for c in state['comments'] if 'Not done' not in c['body']]"
number=77
for name in a/eager a/fast b/eager b/fast; do
  thread "/perf accept fake/$name/device:cpu exact result \$(touch $work/pwned) instead" maintainer 42
  [[ $(output_of command) == accept && $(output_of head) == "$head" ]] || complain "accept: $(cat "$GITHUB_OUTPUT")"
  sed -i "/^comment<</{n;s/.*/$number/}" "$GITHUB_OUTPUT"
  number=$((number + 1))
  accepted 0
done
[[ ! -e $work/pwned ]] || complain "the reason was run"
comment_says 2 "PASS"
comment_says 2 "maintainer"
stores "[c['conclusion'] for c in state['check_runs'] if c['head_sha'] == '$head'][-1] == 'success'"
[[ $(git -C "$work/origin.git" ls-tree -r --name-only torchgate-baselines | grep -c "^waivers/$head/.*toml") == 4 ]] || complain "no waivers on the data branch"
judged 0  # the ordinary judge uses them, too
thread "/perf accept fake/none mine" maintainer 42
accepted 2
says "no case fake/none"
stores "[c['body'].startswith('**Not done** for \`maintainer\`: report.json: no case fake/none') for c in state['comments'] if 'Not done' in c['body']] == [True]"
stores "{'comment': 77, 'content': 'confused'} in state['reactions']"
with_state "state['comments'] = [c for c in state['comments'] if 'Not done' not in c['body']]"
thread "/perf rerun" maintainer 42
stores "state['reruns'] == [$RUN_ID]"
unset GITHUB_OUTPUT

echo "--- a second attempt that ended early: the artifact of the first one is not judged again"
uploaded_at=2026-03-01T09:00:00Z uploaded "$honest"
judged 2
comment_says 2 "of an earlier attempt"

echo "--- a policy in the change is not used"
change 3 torchgate.toml '[gate]\nlatency = 0.9\n[run]\nsuites = ["build/bench"]\n'
cd "$work/dev" && git checkout -q change-3 && printf '\nFAKE_LEVEL=1300\n' >level && git commit -qam slower && head=$(git rev-parse HEAD)
git checkout -q --detach main && git merge -q --no-ff -m merge "$head" && merge=$(git rev-parse HEAD)
git push -q --force origin "$merge:refs/pull/3/merge"
opened 3 acme/nets
measured "$merge" 1
judged 1
comment_says 3 "regressed"
comment_says 3 "this change alters the policy (gate.latency 0.05 -&gt; 0.9"

echo "--- slow only in the first measurement: the pairs clear it"
change 4 level '\nanother build, of the level in the environment\n'
opened 4 acme/nets
FAKE_LEVEL=1000
export FAKE_LEVEL
measured_slow() {
  job measure-1 "$merge"
  exits_with 0 without_token bash "$action/pull.sh"
  exits_with 0 without_token env FAKE_LEVEL=1300 PAIRS=later BUILD="sh build.sh" SHARD=1/1 bash "$action/measure.sh"
  rm -rf "$work/shards" && cp -r "$RUNNER_TEMP/torchgate/measured" "$work/shards"
  job confirm "$merge"
  mkdir -p "$RUNNER_TEMP/torchgate" .torchgate/store
  cp -r "$work/shards" "$RUNNER_TEMP/torchgate/shards"
  exits_with 0 without_token bash "$action/pull.sh"
  exits_with 0 without_token env BUILD="sh build.sh" bash "$action/confirm.sh"  # no cached binaries: the baseline is rebuilt
  uploaded "$RUNNER_TEMP/torchgate/results"
}
measured_slow
[[ -e $work/temp/confirm/torchgate/results/pairs.json ]] || complain "no pairs of the suspect"
judged 0
check "[('completed', 'success')]"
comment_says 4 "PASS"

echo "--- documents only: nothing is measured"
change 5 notes.md 'words\n'
opened 5 acme/nets
started=$(date +%s)
measured "$merge" 1
judged 0
echo "documents only: $(($(date +%s) - started)) s with set-up and judging"
check "[('completed', 'success')]"
[[ $(python3 -c 'import json, sys; print(len(json.load(open(sys.argv[1]))["processes"]))' "$work/shards/all.json") == 0 ]] || complain "processes were measured"
comment_says 5 "unchanged"

echo "--- a fork: measured without a token, judged by the workflow of the default branch, which knows its commit only"
change 6 level '\nFAKE_LEVEL=1400\n'
opened 6 fork/nets
measured "$merge" 1
export GITHUB_EVENT_NAME=workflow_run
unset GITHUB_BASE_REF
printf '{"workflow_run": {"id": %s, "head_sha": "%s", "head_repository": {"full_name": "fork/nets"}}}' "$RUN_ID" "$head" >"$GITHUB_EVENT_PATH"
job begin
exits_with 0 bash "$action/begin.sh"
judged 1
check "[('completed', 'failure')]"
comment_has 6 '[+](39|40)[.]. %' 

echo "--- a newer push of the fork: the job of the older commit, whose run was cancelled, is not red"
cp "$GITHUB_EVENT_PATH" "$work/newest.json"
sed -i "s/$head/$(printf 'ab%.0s' {1..20})/" "$GITHUB_EVENT_PATH"
job begin
exits_with 0 bash "$action/begin.sh"
judged 0
says "::notice::no open pull request has the measured commit"
grep -q "needs no verdict" "$RUNNER_TEMP/torchgate/report/report.md" || complain "no file for the step that uploads the report"
cp "$work/newest.json" "$GITHUB_EVENT_PATH"

echo "--- one branch of a fork in two pull requests: red, with what to do"
with_state "state['pulls'].append({**[p for p in state['pulls'] if p['number'] == 6][0], 'number': 60})"
job begin
exits_with 2 bash "$action/begin.sh"
says "2 pull requests of one branch"
judged 2
says "::error::the pull request cannot be found: torchgate: 2 pull requests of one branch"
with_state "state['pulls'] = [p for p in state['pulls'] if p['number'] != 60]"

echo "--- the measuring job died: never green"
RUN_ID=9999 judged 2
check "[('completed', 'failure'), ('completed', 'failure')]"
comment_says 6 "cannot be used"

echo "--- two calls without a key: GitHub refuses the second artifact, and that call has no result instead of the first one's"
UPLOADED=$RUN_ID judged 1
UPLOADED=none judged 2
comment_says 6 "the measuring jobs of this call uploaded no results"
UPLOADED=4711 judged 2
comment_says 6 "the newest one is $RUN_ID, the measuring job uploaded 4711"

echo "--- an input that is misspelt is not the default, and no step is not a green job"
exits_with 2 env STEP=jugde STEPS="begin judge" GITHUB_OUTPUT="$work/installed" bash "$action/install.sh"
says "step: 'jugde' is none of: begin judge"
NO_VERDICT=Failure judged 2
comment_says 6 "no-verdict: 'Failure' is neither neutral nor failure"
NO_VERDICT='<h1>@all</h1> ![x](https://a.example)' judged 2
grep -qF "'&lt;h1&gt;@&#8203;all&lt;/h1&gt; \\!\\[x\\](https:&#8203;//a.example)'" "$RUNNER_TEMP/torchgate/report/report.md" ||
  complain "not shown as text: $(cat "$RUNNER_TEMP/torchgate/report/report.md")"

echo "--- a regression on main is one issue; the baseline is added anyway"
cd "$work/dev"
git checkout -q main && printf '\nFAKE_LEVEL=1300\n' >level && git commit -qam "slower on main" && git push -q origin main
export GITHUB_EVENT_NAME=push GITHUB_REF_NAME=main
unset GITHUB_BASE_REF
GITHUB_SHA=$(git rev-parse HEAD)
measured "$GITHUB_SHA" 2
judged 1
stores "len(state['issues']) == 1 and '4 cases slower' in state['issues'][0]['title'] and state['issues'][0]['state'] == 'open'"
git -C "$work/origin.git" ls-tree -r --name-only torchgate-baselines | grep -q "^runs/.*${GITHUB_SHA:0:12}.*json" || complain "the new baseline is missing"

echo "--- the program: a release is verified, a changed one refused"
mkdir -p "$work/releases/v1.2.3" "$work/bin"
cp "$PROGRAM" "$work/releases/v1.2.3/torchgate-1.2.3-linux-x86_64"
(cd "$work/releases/v1.2.3" && sha256sum torchgate-* >SHA256SUMS)
printf '#!/bin/sh\necho "$@" >>%s/gh.txt\n[ ! -e %s/unattested ]\n' "$work" "$work" >"$work/bin/gh"
chmod +x "$work/bin/gh"
job install
installed() { exits_with "$1" env PATH="$work/bin:$PATH" GITHUB_OUTPUT="$work/installed" TORCHGATE_RELEASES="file://$work/releases" VERSION=1.2.3 bash "$action/install.sh"; }
installed 0
grep -qx "program=$RUNNER_TEMP/torchgate/bin/torchgate-1.2.3-linux-x86_64" "$work/installed" || complain "installed: $(cat "$work/installed")"
grep -q "attestation verify torchgate-1.2.3-linux-x86_64 --repo torchgate/torchgate --signer-workflow .* --source-ref refs/tags/v1.2.3" "$work/gh.txt" || complain "not attested"
touch "$work/unattested"
installed 2
rm "$work/unattested"
echo >>"$work/releases/v1.2.3/torchgate-1.2.3-linux-x86_64"
installed 2
says "SHA256SUMS"
exits_with 2 env VERSION=latest GITHUB_OUTPUT="$work/installed" bash "$action/install.sh"

echo "--- a shallow clone is an error that names the fix"
job shallow
git clone -q --depth 1 "file://$work/origin.git" .
exits_with 0 "$PROGRAM" baseline pull
exits_with 2 "$PROGRAM" gate "$honest/all.json" --policy-from origin/main
says "fetch-depth: 0"
finish
