#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `torchgate comment` against a part of GitHub's API on a loopback address: one comment and one check, whatever goes wrong, and the
# token in no output.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
source "$(dirname "${BASH_SOURCE[0]}")/github_stub.sh"
torchgate=$1 golden=$2
work=$(mktemp -d)
trap 'stop_stub; rm -rf "$work"' EXIT
cd "$work"
unset GITHUB_EVENT_PATH GITHUB_SERVER_URL GITHUB_RUN_ID GITHUB_RUN_ATTEMPT TORCHGATE_GITHUB_TOKEN GITHUB_WORKFLOW GITHUB_WORKFLOW_REF GITHUB_JOB
head=$(printf 'ab%.0s' {1..20})
newer=$(printf 'cd%.0s' {1..20})
report=("--report" "$golden/confirmed_regression.json" --markdown "$golden/confirmed_regression.md")
passed=("--report" "$golden/all_pass.json" --markdown "$golden/all_pass.md")
target=(--pull-request 7 --head "$head")

# new_state: an open pull request, nothing told yet; more members of the state as JSON
new_state() {
  ((${#stub} == 0)) || stop_stub
  rm -rf "$work/stub"
  mkdir "$work/stub"
  python3 -c 'import json, sys
head, extra = sys.argv[1], json.loads(sys.argv[2])
pull = {"number": 7, "state": "open", "head": {"sha": head, "repo": {"full_name": "fork/nets"}}, "base": {"ref": "main", "sha": "ef" * 20, "repo": {"default_branch": "main"}}}
print(json.dumps({"pulls": [pull], **extra}))' "$head" "${1:-{\}}" >"$work/stub/state.json"
  start_stub "$work/stub"
  echo "--- ${2:-}"
}
stub=""
# base_branch NAME: of the pull request
base_branch() {
  stop_stub
  python3 -c 'import json, sys; state = json.load(open(sys.argv[1]))
state["pulls"][0]["base"]["ref"] = sys.argv[2]
json.dump(state, open(sys.argv[1], "w"))' "$work/stub/state.json" "$1"
  start_stub "$work/stub"
}
faults() { printf '%s' "$1" >"$stub/faults.json"; }
no_token() { [[ $out != *secret* ]] || complain "the token is in the output: $out"; }
told() {
  local code=$1
  shift
  exits_with "$code" "$torchgate" comment ${key:+--key "$key"} "$@"
  no_token
}
one_comment="len(state['comments']) == 1"

key=performance  # of one workflow, which replaces its verdicts
new_state '{}' "created, then updated in place"
told 0 --begin "${target[@]}"
stores "[(c['status'], c['head_sha'], c['name']) for c in state['check_runs']] == [('in_progress', '$head', 'torchgate')]"
told 0 --begin "${target[@]}"  # again: still one
stores "len(state['check_runs']) == 1"
told 0 "${report[@]}" "${target[@]}"
says "created comment"
stores "$one_comment and '12.7 % slower' in state['comments'][0]['body']"
stores "[c['conclusion'] for c in state['check_runs']] == ['failure'] and state['check_runs'][0]['output']['title'].startswith('FAIL: fusion/conv_bn')"
told 0 "${report[@]}" "${target[@]}"
says "unchanged"
told 0 "${passed[@]}" "${target[@]}"
says "updated comment"
stores "$one_comment and 'FAIL' not in state['comments'][0]['body'] and state['check_runs'][-1]['conclusion'] == 'success'"
told 0 --neutral "no baseline for this machine; merge this, or push to main, to measure one" "${target[@]}"
stores "$one_comment and state['check_runs'][-1]['conclusion'] == 'neutral' and 'push to main' in state['comments'][0]['body']"
told 0 --failed "the job that measures ended early" "${target[@]}"
stores "state['check_runs'][-1]['conclusion'] == 'failure'"
told 0 "${report[@]}" "${target[@]}" --name other  # another comment of its own
stores "len(state['comments']) == 2"

new_state "$(python3 - <<'PYTHON'
import hashlib, json
marker = "<!-- torchgate-comment " + hashlib.sha256(b"torchgate").hexdigest()[:16] + " -->"
def comment(id, author, body): return {"id": id, "issue": 7, "body": body, "user": {"login": author}}
talk = [comment(n, "someone", f"remark {n}") for n in range(1, 250)]
own = [comment(300, "github-actions[bot]", "old\n\n" + marker), comment(301, "github-actions[bot]", "duplicate\n\n" + marker)]
forged = [comment(5000, "attacker", "all is well\n\n" + marker), comment(5001, "github-actions[bot]", "quoted: " + marker + " in a line")]
print(json.dumps({"comments": forged + talk + own}))
PYTHON
)" "marker on page 3, a forged marker before it, and a duplicate of ours"
told 0 "${report[@]}" "${target[@]}"
says "updated comment 300"
stores "[c['id'] for c in state['comments'] if 'slower' in c['body']] == [300] and not [c for c in state['comments'] if c['id'] == 301]"
stores "[c['body'][:11] for c in state['comments'] if c['id'] in (5000, 5001)] == ['all is well', 'quoted: <!-']"
stores "len([r for r in requests if r['method'] == 'GET' and 'comments' in r['path']]) == 3"

new_state '{}' "401: no second try, the echoed token is not printed"
GITHUB_TOKEN=ghs_wrong_secret told 2 "${report[@]}" "${target[@]}"
says "401"
says "GITHUB_TOKEN"
stores "len([r for r in requests if '/pulls/7' in r['path']]) == 1 and not state['comments']"

new_state '{}' "403 with Retry-After is waited for; 403 without is a missing permission"
faults '[{"method": "POST", "path": "comments", "do": {"status": 403, "headers": {"Retry-After": "1"}, "body": {"message": "You have exceeded a secondary rate limit"}}}]'
told 0 "${report[@]}" "${target[@]}"
stores "$one_comment"
faults '[{"path": "check-runs", "do": {"status": 403, "body": {"message": "Resource not accessible by integration"}}}]'
told 2 "${passed[@]}" "${target[@]}"
says "checks: write"
faults '[{"path": "comments", "do": {"status": 429, "headers": {"Retry-After": "100000"}}}]'
told 2 "${passed[@]}" "${target[@]}"
says "rate limit"

new_state '{}' "404: no such pull request"
told 2 "${report[@]}" --pull-request 8 --head "$head"
says "404"
says "check the repository and the number"

new_state '{}' "422: too long, then only the summary"
faults '[{"method": "POST", "path": "comments", "do": {"status": 422, "body": {"message": "body is too long"}}}]'
told 0 "${report[@]}" "${target[@]}"
stores "$one_comment and 'see the summary of the job' in state['comments'][0]['body']"

new_state '{}' "500 and 502, then 200"
faults '[{"path": "pulls", "do": {"status": 500}}, {"path": "comments", "method": "POST", "do": {"status": 502}}, {"path": "check-runs", "method": "PATCH", "do": {"status": 503}}]'
told 0 "${report[@]}" "${target[@]}"
stores "$one_comment and [c['conclusion'] for c in state['check_runs']] == ['failure']"

new_state '{}' "the connection ends after the comment, and after the check, was stored"
faults '[{"method": "POST", "path": "comments", "do": "drop after"}, {"method": "POST", "path": "check-runs", "do": "drop after"}]'
told 0 "${report[@]}" "${target[@]}"
stores "$one_comment and len(state['check_runs']) == 1 and state['check_runs'][0]['conclusion'] == 'failure'"
stores "len([r for r in requests if r['method'] == 'POST' and 'comments' in r['path']]) == 1"
faults '[{"method": "GET", "path": "comments", "do": "drop"}, {"method": "PATCH", "path": "comments", "do": "drop"}]'
told 0 "${passed[@]}" "${target[@]}"
stores "$one_comment"

new_state '{}' "a slow answer; no answer at all"
faults '[{"path": "pulls", "do": {"slow_s": 3}}]'
told 0 "${report[@]}" "${target[@]}"
stores "$one_comment"
stop_stub
told 2 "${report[@]}" "${target[@]}"
says "failed 5 times"

new_state '{}' "a newer commit: the check of the measured one is completed, the comment is left alone"
told 0 "${report[@]}" --pull-request 7 --head "$newer"
says "has a newer commit"
stores "not state['comments'] and [(c['head_sha'], c['conclusion']) for c in state['check_runs']] == [('$newer', 'failure')]"

new_state '{}' "a fork: found by its commit; a number in the event of workflow_run is not needed"
cat >event.json <<EVENT
{"workflow_run": {"head_sha": "$head", "head_repository": {"full_name": "fork/nets"}, "pull_requests": []}}
EVENT
GITHUB_EVENT_PATH=$work/event.json told 0 "${report[@]}"
says "in pull request 7"
GITHUB_EVENT_PATH=$work/event.json told 0 --target
[[ $out == "$head main $(printf 'ef%.0s' {1..20})" ]] || complain "target: $out"
sed -i s,fork/nets,other/nets, event.json
GITHUB_EVENT_PATH=$work/event.json told 0 "${report[@]}"
says "0 open pull requests"
stores "$one_comment"
cat >event.json <<EVENT
{"number": 7, "pull_request": {"number": 7, "head": {"sha": "$head", "repo": {"full_name": "fork/nets"}}}}
EVENT
GITHUB_EVENT_PATH=$work/event.json told 0 "${passed[@]}"
says "updated comment"

new_state '{}' "a token of a person: comments of its own login only"
stop_stub
STUB_LOGIN=maintainer start_stub "$work/stub"
told 0 "${report[@]}" "${target[@]}"
stores "[c['user']['login'] for c in state['comments']] == ['maintainer']"
told 0 "${passed[@]}" "${target[@]}" --author maintainer --no-check
stores "$one_comment"

new_state '{}' "a token of an app: its login is known when it has written, and then its older comment is found"
stop_stub
STUB_ACTOR='my-app[bot]' start_stub "$work/stub"
told 0 "${report[@]}" "${target[@]}"
says "created comment 1001 in pull request 7; the token writes as my-app[bot]: give --author 'my-app[bot]'"
told 0 "${passed[@]}" "${target[@]}"
says "updated comment 1001 in pull request 7; the token"
stores "$one_comment and 'PASS' in state['comments'][0]['body']"
told 0 "${passed[@]}" "${target[@]}" --author 'my-app[bot]'
[[ $out == "unchanged: comment 1001 in pull request 7" ]] || complain "with its author: $out"

# --- two workflows on one commit
check_is() { stores "[(c['name'], c['conclusion']) for c in state['check_runs'] if c['name'] == '$1'][-1:] == [('$1', '$2')]"; }

new_state '{}' "two keys: two checks and two comments, in either order; a key replaces its own"
for order in "gpu performance" "performance gpu"; do
  for key in $order; do told 0 --begin "${target[@]}"; done
done
stores "sorted(c['name'] for c in state['check_runs']) == ['torchgate', 'torchgate/gpu']"
key=gpu told 0 "${report[@]}" "${target[@]}"
key=performance told 0 "${passed[@]}" "${target[@]}"
check_is torchgate success
check_is torchgate/gpu failure
stores "len(state['comments']) == 2 and sum('12.7 % slower' in c['body'] for c in state['comments']) == 1"
stores "[('check <code>torchgate/gpu</code>' in c['body']) for c in state['comments'] if '12.7 % slower' in c['body']] == [True]"
key=gpu told 0 "${passed[@]}" "${target[@]}"  # run again
check_is torchgate/gpu success
stores "len(state['comments']) == 2 and not [c for c in state['comments'] if '12.7 % slower' in c['body']]"
key=gpu told 0 --failed "the job that measures ended early" "${target[@]}"
check_is torchgate success

new_state '{}' "the key comes from the workflow and its job"
key=""
of() { GITHUB_WORKFLOW_REF="acme/nets/.github/workflows/$1@refs/pull/7/merge" GITHUB_JOB=$2 told 0 "${@:3}"; }
of gpu.yml gate "${report[@]}" "${target[@]}"
of cpu.yml gate "${passed[@]}" "${target[@]}"
of gpu.yml quick "${passed[@]}" "${target[@]}"
check_is torchgate/gpu.gate failure
check_is torchgate/cpu.gate success
check_is torchgate/gpu.quick success
of gpu.yml gate "${passed[@]}" "${target[@]}"
check_is torchgate/gpu.gate success
stores "len(state['comments']) == 3"
GITHUB_WORKFLOW="GPU tests" told 0 "${report[@]}" "${target[@]}"
GITHUB_WORKFLOW="GPU-tests" told 0 "${passed[@]}" "${target[@]}"
stores "sorted(c['conclusion'] for c in state['check_runs'] if c['name'].startswith('torchgate/GPU-tests')) == ['failure', 'success']"

new_state '{}' "two jobs of a matrix, one attempt of one run: the worst stays; the next attempt replaces it"
matrix() { GITHUB_RUN_ID=12 GITHUB_RUN_ATTEMPT=$1 of gpu.yml gate "${@:2}"; }
matrix 1 "${report[@]}" "${target[@]}"
matrix 1 "${passed[@]}" "${target[@]}"
matrix 1 --neutral "no baseline" "${target[@]}"
check_is torchgate/gpu.gate failure
stores "$one_comment and '12.7 % slower' in state['comments'][0]['body'] and state['comments'][0]['body'].count('An earlier verdict of this commit stays') == 1"
matrix 2 "${passed[@]}" "${target[@]}"
check_is torchgate/gpu.gate success

# at_once PATH FIRST SECOND OPTIONS...: FIRST waits for its answer to the next GET of PATH, while SECOND tells all
at_once() {
  local path=$1 waiting code=0
  local -n first=$2 second=$3
  shift 3
  faults '[{"method": "GET", "path": "'"$path"'", "do": {"slow_s": 3}}]'
  GITHUB_RUN_ID=12 GITHUB_RUN_ATTEMPT=1 GITHUB_WORKFLOW_REF=acme/nets/.github/workflows/gpu.yml@x GITHUB_JOB=gate \
    "$torchgate" comment "${first[@]}" "${target[@]}" "$@" >"$work/first.txt" 2>&1 &
  waiting=$!
  for _ in $(seq 100); do [[ $(<"$stub/faults.json") != "[]" ]] || break; sleep 0.1; done
  matrix 1 "${second[@]}" "${target[@]}" "$@"
  wait "$waiting" || code=$?
  ((code == 0)) || complain "exit code $code: $(cat "$work/first.txt")"
}
for path in '/comments' '/check-runs'; do
  for begun in no yes; do
    new_state '{}' "two jobs of one attempt at once, the passing one waits for $path, begun: $begun"
    [[ $begun == no ]] || matrix 1 --begin "${target[@]}"
    at_once "$path" passed report
    check_is torchgate/gpu.gate failure
    stores "$one_comment and '12.7 % slower' in state['comments'][0]['body']"
    new_state '{}' "the failing one waits for $path"
    [[ $begun == no ]] || matrix 1 --begin "${target[@]}"
    at_once "$path" report passed
    check_is torchgate/gpu.gate failure
    stores "$one_comment and '12.7 % slower' in state['comments'][0]['body']"
  done
done

new_state '{}' "no key: the worst of both, with a sentence, in either order and as often as it is told"
told 0 --begin "${target[@]}"
told 0 --begin "${target[@]}"
told 0 "${report[@]}" "${target[@]}"
told 0 "${passed[@]}" "${target[@]}"
check_is torchgate failure
stores "$one_comment and '12.7 % slower' in state['comments'][0]['body'] and 'it may be of another workflow or job' in state['comments'][0]['body']"
stores "state['check_runs'][-1]['output']['title'].startswith('FAIL: fusion/conv_bn')"
told 0 --neutral "no baseline" "${target[@]}"
told 0 "${passed[@]}" "${target[@]}"
check_is torchgate failure
stores "state['comments'][0]['body'].count('An earlier verdict of this commit stays') == 1"
key=performance told 0 "${passed[@]}" "${target[@]}"  # whose failure that was is unknown
check_is torchgate failure
told 0 "${passed[@]}" --pull-request 7 --head "$newer"  # another commit
stores "[c['conclusion'] for c in state['check_runs'] if c['head_sha'] == '$newer'] == ['success']"

new_state '{}' "no key: neutral is worse than success, a failure worse than both"
told 0 --neutral "no baseline" "${target[@]}"
told 0 "${passed[@]}" "${target[@]}"
check_is torchgate neutral
told 0 --failed "the job that measures ended early" "${target[@]}"
check_is torchgate failure
told 0 --neutral "no baseline" "${target[@]}"
stores "'ended early' in state['check_runs'][-1]['output']['title']"

new_state '{}' "no key and no check: the worse comment stays"
told 0 "${report[@]}" "${target[@]}" --no-check
told 0 "${passed[@]}" "${target[@]}" --no-check
says "may be of another workflow or job"
stores "$one_comment and '12.7 % slower' in state['comments'][0]['body'] and not state['check_runs']"
key=performance told 0 "${passed[@]}" "${target[@]}" --no-check
stores "$one_comment and '12.7 % slower' not in state['comments'][0]['body']"

new_state '{}' "one attempt and no check: the worse comment stays, also if both tell at once; the next attempt replaces it"
matrix 1 "${report[@]}" "${target[@]}" --no-check
matrix 1 "${passed[@]}" "${target[@]}" --no-check
says "may be of another workflow or job"
stores "$one_comment and '12.7 % slower' in state['comments'][0]['body']"
matrix 2 "${passed[@]}" "${target[@]}" --no-check
stores "$one_comment and '12.7 % slower' not in state['comments'][0]['body']"
new_state '{}' ""
at_once /pulls passed report --no-check
stores "$one_comment and '12.7 % slower' in state['comments'][0]['body']"

new_state '{}' "a fork's verdict has the key of the workflow that measured"
cat >event.json <<EVENT
{"workflow_run": {"head_sha": "$head", "path": ".github/workflows/gpu.yml", "head_repository": {"full_name": "fork/nets"}}}
EVENT
GITHUB_EVENT_NAME=workflow_run GITHUB_EVENT_PATH=$work/event.json of performance-forks.yml judge "${report[@]}"
check_is torchgate/gpu failure
GITHUB_EVENT_NAME=workflow_run GITHUB_EVENT_PATH=$work/event.json of performance-forks.yml judge --show-key
[[ $out == gpu ]] || complain "key: $out"
told 0 --show-key
[[ $out == performance ]] || complain "key: $out"
key="a b" told 2 "${report[@]}" "${target[@]}"
says "--key"
# A branch of that name has another check.
base_branch gpu
key=performance told 0 "${passed[@]}" "${target[@]}"
check_is "torchgate (gpu)" success
check_is torchgate/gpu failure

new_state '{}' "a merge group: a check on its commit, no comment"
cat >event.json <<EVENT
{"action": "checks_requested", "repository": {"full_name": "acme/nets", "default_branch": "main"},
 "merge_group": {"head_sha": "$newer", "head_ref": "refs/heads/gh-readonly-queue/main/pr-7-x", "base_sha": "$head", "base_ref": "refs/heads/main"}}
EVENT
export GITHUB_EVENT_NAME=merge_group GITHUB_EVENT_PATH=$work/event.json
key=performance
told 0 --begin
stores "[(c['status'], c['head_sha'], c['name']) for c in state['check_runs']] == [('in_progress', '$newer', 'torchgate')]"
told 0 --target
[[ $out == "$newer main $head" ]] || complain "target: $out"
told 0 "${report[@]}"
says "no comment: a merge group has no thread"
stores "not state['comments'] and [(c['head_sha'], c['conclusion']) for c in state['check_runs']] == [('$newer', 'failure')]"
sed -i 's/"base_sha": "[0-9a-f]*"/"base_sha": "x"/' event.json
told 2 "${report[@]}"
says "GITHUB_EVENT_PATH"
unset GITHUB_EVENT_NAME GITHUB_EVENT_PATH

new_state '{}' "the check of another branch has another name; without a verdict, a failure where that is asked for"
base_branch loose
told 0 --begin "${target[@]}"
told 0 "${passed[@]}" "${target[@]}"
stores "[(c['name'], c['conclusion']) for c in state['check_runs']] == [('torchgate (loose)', 'success')]"
told 0 --neutral "no baseline" "${target[@]}" --no-verdict-fails
stores "state['check_runs'][-1]['conclusion'] == 'failure'"
sed 's/"weak": false/"weak": true/' "$golden/all_pass.json" >weak.json
sed '1s/PASS/PASS (weak)/' "$golden/all_pass.md" >weak.md
for flag in "" --no-verdict-fails; do  # a weak pass is a verdict
  told 0 --report weak.json --markdown weak.md "${target[@]}" ${flag:+"$flag"}
  stores "state['check_runs'][-1]['conclusion'] == 'neutral' and state['check_runs'][-1]['output']['title'].startswith('PASS (weak): ')"
done

new_state '{}' "a report of an earlier commit is not told of a later one; of a merge of it, and of modified files, it is"
git init -q repository && cd repository
git config user.email test@example.org && git config user.name test
commit() { git commit -q --allow-empty -m "$1" && git rev-parse HEAD; }
main=$(commit main)
first=$(commit first)
second=$(commit second)
merge=$(git commit-tree -p "$main" -p "$second" -m merge "HEAD^{tree}")
# report_of COMMIT MODIFIED
report_of() {
  python3 - "$golden/all_pass.json" "$@" >report.json <<'PYTHON'
import json, sys
report = json.load(open(sys.argv[1]))
report["after"].update(commit=sys.argv[2], modified=sys.argv[3] == "modified")
print(json.dumps(report))
PYTHON
}
judged() { told "$1" --report report.json --markdown "$golden/all_pass.md" --pull-request 7 --head "$second"; }
for measured in "$first" "$main"; do
  report_of "$measured" clean
  judged 2
  says "--report: of commit ${measured:0:12}, which is neither ${second:0:12} nor a merge of it"
done
stores "not requests"
for measured in "$second clean" "$merge clean" "$(commit later) clean" "$newer clean" "$first modified"; do
  # shellcheck disable=SC2086
  report_of $measured
  judged 0
done
cd "$work"
told 2 --report "$golden/all_pass.json" --markdown "$golden/confirmed_regression.md" "${target[@]}"
says "all_pass.json says PASS, and $golden/confirmed_regression.md says FAIL"

echo "--- usage"
for short in abababab "${head^^}"; do
  told 2 "${passed[@]}" --pull-request 7 --head "$short" --no-check
  says "--head: \"$short\" is not the full hash"
done
told 2 "${target[@]}"
says "no verdict; give"
told 2 "${report[@]}" --pull-request 7
says "--head SHA"
told 2 "${report[@]}"
says "GITHUB_EVENT_PATH"
told 2 --report /nonexistent.json --markdown x "${target[@]}"
GITHUB_TOKEN='' told 2 "${report[@]}" "${target[@]}"
says "GITHUB_TOKEN: not set"
GITHUB_REPOSITORY=../x told 2 "${report[@]}" "${target[@]}"
says "owner/name"
GITHUB_API_URL=http://example.org told 2 "${report[@]}" "${target[@]}"
says "https"
finish
