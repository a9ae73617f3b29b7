#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `torchgate perf` against a part of GitHub's API on a loopback address: who may ask for what in a pull request's thread, and what the
# next steps of the job get; then `accept --waivers` and `gate --waivers` with what it wrote.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
source "$(dirname "${BASH_SOURCE[0]}")/github_stub.sh"
torchgate=$1 made_runs=$2
work=$(mktemp -d)
trap 'stop_stub; rm -rf "$work"' EXIT
cd "$work"
unset GITHUB_SERVER_URL GITHUB_RUN_ID TORCHGATE_GITHUB_TOKEN GITHUB_OUTPUT
export GITHUB_EVENT_PATH=$work/event.json
head=$(printf 'ab%.0s' {1..20})

# new_state CHANGE WHAT: a pull request with a verdict of 10:00, of a run of 09:50; CHANGE is Python on `state`, `pull`, `check`, `run`
new_state() {
  [[ -z $stub ]] || stop_stub
  rm -rf "$work/stub" "$work/output"
  mkdir "$work/stub"
  python3 - "$head" "$1" >"$work/stub/state.json" <<'PYTHON'
import hashlib, json, sys
head, change = sys.argv[1:]
def day(time): return f"2026-03-01T{time}:00Z"
def new_run(id, **more):
    return {"id": id, "event": "pull_request", "head_sha": head, "head_repository": {"full_name": "fork/nets"}, "status": "completed",
            "conclusion": "failure", "run_attempt": 1, "run_started_at": day("09:50"), "name": "perf",
            "path": ".github/workflows/perf.yml", "pull_requests": [], **more}
def new_check(id, **more):
    return {"id": id, "name": "torchgate/perf", "head_sha": head, "status": "completed", "completed_at": day("10:00"),
            "external_id": "torchgate-" + hashlib.sha256(b"torchgate/perf").hexdigest()[:16], **more}
pull = {"number": 7, "state": "open", "head": {"sha": head, "repo": {"full_name": "fork/nets"}}, "base": {"ref": "main"}}
run, check = new_run(500), new_check(300)
state = {"pulls": [pull], "runs": [run], "check_runs": [check], "permissions": {"maintainer": "write"},
         "user_ids": {"maintainer": 42, "stranger": 43}, "artifacts": [{"id": 9, "run": 500, "name": "measured", "expired": False}]}
exec(change)
print(json.dumps(state))
PYTHON
  start_stub "$work/stub"
  echo "--- $2"
}
stub=""
faults() { printf '%s' "$1" >"$stub/faults.json"; }

# event BODY CHANGE: a comment of 11:00; CHANGE is Python on `event`
event() {
  python3 - "$1" "${2:-}" >"$GITHUB_EVENT_PATH" <<'PYTHON'
import json, sys
event = {"action": "created", "issue": {"number": 7, "pull_request": {"url": "x"}},
         "comment": {"id": 77, "body": sys.argv[1], "created_at": "2026-03-01T11:00:00Z",
                     "user": {"login": "maintainer", "id": 42, "type": "User"}}}
exec(sys.argv[2])
print(json.dumps(event))
PYTHON
}

# asks CODE OPTION...: runs it; the output file is read as the runner does, into $work/outputs.json
asks() {
  local code=$1
  shift
  rm -f output
  exits_with "$code" "$torchgate" perf --output output "$@"
  [[ $out != *secret* ]] || complain "the token is in the output: $out"
  python3 - >outputs.json <<'PYTHON'
import json, os
lines = open("output", newline="").read().split("\n") if os.path.exists("output") else []
values = {}
while lines and lines[0]:
    name, delimiter = lines.pop(0).split("<<", 1)
    value = []
    while lines[0] != delimiter:
        value.append(lines.pop(0))
    lines.pop(0)
    assert name not in values, name
    values[name] = "\n".join(value)
print(json.dumps(values))
PYTHON
}
# gives EXPRESSION: true of the outputs `o`
gives() {
  python3 -c 'import json, sys; o = json.load(open("outputs.json")); sys.exit(0 if eval(sys.argv[1]) else 1)' "$1" ||
    complain "not so: $1 ($(cat outputs.json))"
}
refused() {
  asks 0
  gives 'o == {"command": "refused", "number": "7", "login": o["login"], "comment": "77"}'
  says "refused: $1"
  stores "state['reactions'] == [{'comment': 77, 'content': 'confused'}] and not state['reruns']"
  stores "len(state['comments']) == 1 and '**Not done** for' in state['comments'][0]['body']"
}
ignored() {
  asks 0
  gives 'o == {"command": "none"}'
  stores "not requests"
}

new_state '' "accept: nothing changes, the next steps get all of it"
event '/perf accept g/one/v/case exact erf instead of tanh'
asks 0 --workflow perf.yml --artifact measured
gives 'o == {"command": "accept", "case": "g/one/v/case", "reason": "exact erf instead of tanh", "head": "'"$head"'", "number": "7", "login": "maintainer", "comment": "77", "run": "500", "key": "perf"}'
stores "state['reactions'] == [{'comment': 77, 'content': 'rocket'}] and not state['comments'] and not state['reruns']"
[[ $out != *"exact erf"* ]] || complain "text of the comment is printed"
echo 'before=1' >output
"$torchgate" perf --output output >/dev/null
[[ $(head -n 1 output) == before=1 ]] || complain "the output file was replaced"
[[ $(grep -o 'torchgate_[0-9a-f]*' output | sort | uniq -c | wc -l) == 1 ]] || complain "more than one delimiter"
new_state "state['check_runs'][0].update(name='torchgate', external_id='torchgate-' + hashlib.sha256(b'torchgate').hexdigest()[:16])" \
  "the verdict of another workflow has not been seen"
event '/perf accept g/one/v/case exact erf instead of tanh'
refused "the newest commit abababababab has no verdict from before your comment in the check torchgate/perf, only in torchgate; give \`torchgate perf\` the --key of \`torchgate comment\`"
asks 0 --key performance
gives 'o["command"] == "accept" and o["key"] == "performance"'
for role in admin maintain; do
  new_state "state['permissions']['maintainer'] = '$role'" "$role"
  asks 0
  gives 'o["command"] == "accept"'
done
# shellcheck disable=SC2016
hostile='"; $(touch x) `id` '"'"'EOF ::set-output name=x::y ##[add-path]/tmp %0Aa=b EOF<<EOF \n --expires=9999d'
event "/perf accept g/one/v/c'a\"s\$e  $hostile"$'\r\nhead=forged\nEOF\n/perf rerun'
asks 0
HOSTILE=$hostile gives "o['case'] == 'g/one/v/c\\'a\"s\$e' and o['head'] == '$head' and len(o) == 9"
hostile=$hostile python3 -c 'import json, os, sys
sys.exit(json.load(open("outputs.json"))["reason"] != os.environ["hostile"])' || complain "the reason is another one: $(cat outputs.json)"
stores "not state['reruns']"

new_state '' "not for us: nothing is called, no token needed"
for body in 'looks good' '/performance is bad' ' /perf rerun' $'thanks\n/perf rerun' '' $'\n/perf rerun' $'\u200b/perf rerun' '> /perf rerun'; do
  event "$body"
  ignored
done
event '/perf rerun' 'event["action"] = "edited"'
ignored
event '/perf rerun' 'event["action"] = "deleted"'
ignored
event '/perf rerun' 'event["comment"]["user"].update(type="Bot", login="helper[bot]")'
ignored
event '/perf rerun' 'del event["issue"]["pull_request"]'
ignored
GITHUB_TOKEN='' ignored

new_state '' "without write permission: refused, whatever the event says"
event '/perf accept g/one/v/case why' 'event["comment"].update(author_association="OWNER", user={"login": "stranger", "id": 43, "type": "User"})'
refused "this needs write permission"
event '/perf nonsense' 'event["comment"].update(user={"login": "stranger", "id": 43, "type": "User"})'
refused "this needs write permission"
event '/perf rerun' 'event["comment"]["user"]["id"] = 41' # the login was another person's when the comment was written
refused "this needs write permission"
stores "'\`maintainer\`' in state['comments'][0]['body'] and '\`stranger\`' not in state['comments'][0]['body']"
new_state "state['permissions']['maintainer'] = 'triage'" "triage is not write"
event '/perf rerun'
refused "this needs write permission"
faults '[{"path": "permission", "do": {"status": 404}}]'
refused "this needs write permission"

new_state '' "wrong commands: the usage, in one comment"
for body in '/perf' '/perf accept' '/perf accept g/one/v/case' '/perf accept g/one/v/case ' '/perf rerun now' '/perf Rerun' $'/perf\trerun' \
  $'/perf accept g\u200b/one why' $'/perf accept g/one why\u202e' '/perf accept --ceiling=9999% why' '/perf accept g/one --expires=9d' \
  "/perf accept g/one $(printf 'x%.0s' {1..501})" $'/perf accept g/one a\rb'; do
  event "$body"
  refused ""
done
stores "'/perf accept CASE REASON' in state['comments'][0]['body']"
event '' 'event["comment"]["body"] = "/perf " + 60000 * "x"'
refused "the line is too long"

new_state "pull['state'] = 'closed'" "a closed pull request"
event '/perf rerun'
refused "the pull request is closed"

newest="the newest commit abababababab has no verdict from before your comment"
new_state "check['completed_at'] = day('11:00')" "a verdict that the author has not seen"
event '/perf accept g/one/v/case why'
refused "$newest"
new_state "check['status'] = 'in_progress'" "no verdict yet"
refused "$newest"
new_state "state['check_runs'].append(new_check(301, status='in_progress'))" "another verdict is on its way"
refused "$newest"
new_state "check['external_id'] = 'other'" "a check of that name, of another program"
refused "$newest"
new_state "check['completed_at'] = '2026-03-01T10:00:00+00:00'" "a time that cannot be compared"
refused "$newest"
new_state "pull['head']['sha'] = 40 * 'c'" "a newer commit than the verdict"
refused "the newest commit cccccccccccc has no verdict"
event '/perf rerun'
refused "the newest commit cccccccccccc has no workflow run"
new_state "state['runs'].append(new_run(501, run_started_at=day('11:01')))" "an old commit was pushed again after the comment"
event '/perf accept g/one/v/case why'
refused "$newest"
new_state "state['artifacts'][0]['expired'] = True" "measurements that are gone"
asks 0 --artifact measured
says "refused: the measurements of commit abababababab are gone"

new_state '' "rerun: once, also when the answer gets lost"
event '/perf rerun'
asks 0
gives 'o == {"command": "rerun", "head": "'"$head"'", "number": "7", "login": "maintainer", "comment": "77", "run": "500", "key": "perf"}'
stores "state['reruns'] == [500] and state['reactions'] == [{'comment': 77, 'content': 'rocket'}] and not state['comments']"
asks 0 # the job is run again by hand, with the same event
says "has no run from before your comment"
stores "state['reruns'] == [500]"
for fault in '{"status": 500}' '"drop"' '"drop after"'; do
  new_state '' "rerun: $fault"
  faults "[{\"method\": \"POST\", \"path\": \"rerun\", \"do\": $fault}]"
  asks 0
  gives 'o["command"] == "rerun"'
  stores "state['reruns'] == [500]"
done
new_state "run['status'] = 'in_progress'" "rerun: still in progress"
refused "workflow run 500 of commit abababababab is still in progress"
new_state "run['conclusion'] = 'action_required'" "rerun: a run that waits for approval"
refused "workflow run 500 waits for approval"
new_state "state['check_runs'] = []" "rerun: the job ended without any verdict"
asks 0
stores "state['reruns'] == [500]"
new_state "state['runs'] += [new_run(501, pull_requests=[{'number': 8}]), new_run(502, event='push'), new_run(503, head_repository={'full_name': 'other/nets'})]" \
  "rerun: runs of other pull requests, events and repositories"
asks 0
stores "state['reruns'] == [500]"
new_state "state['runs'].append(new_run(501, path='.github/workflows/lint.yml@main', name='lint'))" "rerun: two workflows"
asks 2
says "--workflow"
gives 'o == {}'
stores "not state['reruns'] and 'the log of the job' in state['comments'][0]['body']"
asks 0 --workflow lint
stores "state['reruns'] == [501]"
asks 0 --workflow perf.yml
stores "state['reruns'] == [501, 500]"

new_state '' "403: the permission is named, the next steps get nothing"
faults '[{"method": "POST", "path": "rerun", "do": {"status": 403, "body": {"message": "Resource not accessible by integration"}}}]'
asks 2
says "actions: write"
gives 'o == {}'
stores "not state['reruns'] and state['reactions'] == [{'comment': 77, 'content': 'confused'}]"
new_state '' "a reaction that fails does not undo what was accepted"
event '/perf accept g/one/v/case why'
faults '[{"method": "POST", "path": "reactions", "do": {"status": 403}}]'
asks 0
says "warning:"
gives 'o["command"] == "accept"'
new_state '' "a file that cannot be written: nothing is called"
event '/perf rerun'
exits_with 2 "$torchgate" perf --output nowhere/output
stores "not requests"

new_state '' "a later step refuses it: the author is told, nothing else is asked"
event '/perf accept g/none why'
exits_with 0 "$torchgate" perf --refused 'report.json: no case g/none'
says "refused: report.json: no case g/none"
stores "state['reactions'] == [{'comment': 77, 'content': 'confused'}] and len(state['comments']) == 1"
stores "state['comments'][0]['body'].startswith('**Not done** for \`maintainer\`: report.json: no case g/none.')"
event 'looks good'
exits_with 0 "$torchgate" perf --refused why
says "no command in this comment"

echo "--- usage"
echo '{"pull_request": {}}' >"$GITHUB_EVENT_PATH"
asks 2
says "issue_comment"
GITHUB_EVENT_PATH='' asks 2
says "GITHUB_EVENT_PATH"

echo "--- what was accepted, judged"
name() { echo "made/group/variant/case:$1"; }
judge() { "$torchgate" gate after.json --against before.json --rule welch --unconfirmed fail "$@"; }
"$made_runs" generate 2 150 5 1 before.json
"$made_runs" generate 2 150 5 2 same.json
"$made_runs" scale same.json after.json 1.3 1 3 >/dev/null
exits_with 1 judge --json report.json
exits_with 0 "$torchgate" accept "$(name 0)" --reason="$hostile" --by maintainer --commit "$head" --report report.json --waivers one.toml
says "\`torchgate gate --waivers one.toml\`"
[[ ! -e torchgate-waivers.toml ]] || complain "accept --waivers wrote another file"
exits_with 1 judge --waivers one.toml # another case's
says "found   1 suspected (fails), 1 suspected"
exits_with 0 "$torchgate" accept "$(name 1)" --reason "as well" --by maintainer --report report.json --waivers two.toml
exits_with 0 judge --waivers one.toml --waivers two.toml --markdown waived.md
says "2 waived"
says "accepted for commit ${head:0:12} by maintainer"
says "--waivers two.toml: 1 waiver for this commit"
grep -q "accepted for this commit" waived.md || complain "not in the Markdown report"
sed -i 's/^expires = .*/expires = 2020-01-31/' two.toml
exits_with 1 judge --waivers one.toml --waivers two.toml
says "expired waiver: $(name 1) (time), last day 2020-01-31"
sed 's/^ceiling = .*/ceiling = 0.01/; s/2020/2999/' two.toml >torchgate-waivers.toml
exits_with 1 judge --waivers one.toml
says "waiver exceeded"
exits_with 1 judge --waivers one.toml --waivers two.toml # it replaces the policy's
[[ $out != *"waiver exceeded"* ]] || complain "the policy's waiver was applied, too"
exits_with 2 judge --waivers none.toml
says "--waivers: none.toml"
ln -s one.toml link.toml
exits_with 2 judge --waivers link.toml
echo '[gate]' >settings.toml
exits_with 2 judge --waivers settings.toml
says "a file of waivers has only [[waiver]] tables"
finish
