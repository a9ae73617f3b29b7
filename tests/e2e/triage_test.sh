#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# triage_test.sh TORCHGATE: `torchgate triage` against a part of GitHub's API on a loopback address: one issue per cause, closed by pairs
# only, the issues of other authors untouched, and the token in no output.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
source "$(dirname "${BASH_SOURCE[0]}")/github_stub.sh"
torchgate=$1
stub=""
new_repository
trap 'stop_stub; rm -rf "$work"' EXIT
unset GITHUB_EVENT_PATH GITHUB_SERVER_URL GITHUB_RUN_ID TORCHGATE_GITHUB_TOKEN
printf '*.json\nstub*\nbelow*\n' >>.gitignore

# next_commit SUBJECT: its hash
next_commit() {
  echo "$1" >code
  git add .
  git -c user.name="Ann @everyone <b>" commit -qm "$1"
  git rev-parse HEAD
}
good=$(next_commit good)
skipped=$(next_commit 'skip | `x` #7 @team <!-- -->')
bad=$(next_commit bad)
worse=$(next_commit worse)
fixed=$(next_commit fixed)

# new_state [STATE]: a stub with these issues
new_state() {
  ((${#stub} == 0)) || stop_stub
  rm -rf "$work/stub" torchgate-triage.toml
  mkdir "$work/stub"
  echo "${1:-{\}}" >"$work/stub/state.json"
  start_stub "$work/stub"
  echo "--- ${2:-}"
}
faults() { printf '%s' "$1" >"$stub/faults.json"; }

# report FILE BEFORE AFTER PAIRED CASE=VERDICT[:CHANGE]...: as `gate --json` and `ab --json` write it
report() {
  python3 - "$@" <<'PYTHON'
import json, os, sys
file, before, after, paired, *cases = sys.argv[1:]
def side(commit): return {"label": "x", "commit": commit or None, "modified": False, "host_key": os.environ.get("HOST_KEY", "host-a")}
def finding(text):
    name, _, rest = text.rpartition("=")
    verdict, _, change = rest.partition(":")
    change = float(change or 0.1)
    return {"case": name, "metric": {"name": "time", "unit": "ns", "direction": "lower_is_better", "kind": "timed", "primary": True},
            "verdict": verdict, "action": {"regressed": "fail", "suspected": "warn"}.get(verdict, "pass"),
            "before": {"value": 1e6}, "after": {"value": 1e6 * (1 + change)}, "change": change,
            "interval": {"low": change - 0.01, "high": change + 0.01, "level": 0.99}, "causes": ["aten::mm | <script> @all"], "reasons": []}
json.dump({"schema": "torchgate.report/1", "outcome": "fail", "headline": "h", "before": side(before), "after": side(after),
           "paired": paired == "paired", "findings": [finding(each) for each in cases]}, open(file, "w"))
PYTHON
}
report first.json "$good" "$bad" gate 'g/one/v|`a` @me=regressed:0.3' g/two/v=regressed:0.1 g/three/v=regressed:0.2 g/four/v=equivalent:0

triage() {
  local code=$1
  shift
  exits_with "$code" "$torchgate" triage "$@"
  [[ $out != *secret* ]] || complain "the token is in the output: $out"
}
entry() { printf '[[cause]]\ncommit = "%s"\nstate = "%s"\nowner = "ann"\n%s\n' "${bad:0:12}" "$1" "$2" >torchgate-triage.toml; }
sent="[r['method'] for r in requests if r['method'] != 'GET']"

new_state '{}' "one issue for three cases of one commit; the same report again changes nothing; another machine's adds to it"
triage 0 --report first.json --dry-run
says "would have created"
stores "not state['issues'] and not $sent"
triage 0 --report first.json --json done.json
says "created issue 1 for ${bad:0:12}"
stores "[(i['title'], i['state'], [l['name'] for l in i['labels']]) for i in state['issues']] == [('Performance: 3 cases slower since ${bad:0:12}', 'open', ['performance-regression'])]"
stores "'One of 2 commits' in state['issues'][0]['body'] and '$good..$bad' in state['issues'][0]['body'] and '${skipped:0:12}' in state['issues'][0]['body']"
stores "all(text not in state['issues'][0]['body'].split('<!-- torchgate')[0] for text in ('<script>', '@everyone', '@team', '@all', '#7', '<b>'))"
stores "state['issues'][0]['body'].index('g/one') < state['issues'][0]['body'].index('g/three') < state['issues'][0]['body'].index('g/two')"
[[ $(python3 -c 'import json; d = json.load(open("done.json")); print(d["schema"], d["dry_run"], d["actions"][0]["action"], d["open"][0]["issue"])') == "torchgate.triage/1 False created 1" ]] || complain "done.json: $(cat done.json)"
triage 0 --report first.json
says "nothing to do"
stores "len(state['issues']) == 1 and $sent == ['POST']"
report elsewhere.json "$good" "$bad" gate g/five/v=regressed:0.5 g/two/v=regressed:0.12
triage 0 --report elsewhere.json
says "updated issue 1"
stores "[i['title'] for i in state['issues']] == ['Performance: 4 cases slower since ${bad:0:12}']"
report passed.json "$bad" "$worse" gate g/one/v=equivalent:0
triage 0 --report passed.json
says "nothing to do"

echo "--- a baseline that did not move on: a case that is as slow as before is not a new cause"
report stale.json "$good" "$worse" gate g/two/v=regressed:0.125
triage 0 --report stale.json
says "1 case is of the report known from issue 1"
stores "len(state['issues']) == 1"

echo "--- the same case at another commit: a second issue"
report second.json "$bad" "$worse" gate g/two/v=regressed:0.2
triage 0 --report second.json
says "created issue 2 for ${worse:0:12}"
stores "len(state['issues']) == 2"
triage 0 --open --json open.json
[[ $out == "1 $good ^(?:g/five/v|"*$'\n'"2 $bad ^(?:g/two/v)\$" ]] || complain "open causes: $out"
[[ $out != *[\'\"\`]* ]] || complain "not for a command line: $out"
[[ $(python3 -c 'import json; print([(c["issue"], c["commit_before"][:4], len(c["cases"])) for c in json.load(open("open.json"))["open"]])') == "[(1, '${good:0:4}', 4), (2, '${bad:0:4}', 1)]" ]] || complain "open.json"

echo "--- a repair is confirmed by pairs of the commit before that cause and a commit after it, and by nothing else"
both=('g/one/v|`a` @me=equivalent:0.001' g/three/v=improved:-0.02 g/five/v=equivalent:0 g/two/v=equivalent:0.01)
report unpaired.json "$good" "$fixed" gate "${both[@]}"
triage 2 --repairs unpaired.json
says "not measured in interleaved pairs"
report itself.json "$good" "$good" paired "${both[@]}"
triage 0 --repairs itself.json
says "does not contain the cause"
report paths.json "" "" paired "${both[@]}"
triage 2 --repairs paths.json
says "not two commits"
report unknown.json "$good" "$(printf 'ab%.0s' {1..20})" paired "${both[@]}"
triage 0 --repairs unknown.json
says "fetch-depth: 0"
report other.json "$skipped" "$fixed" paired "${both[@]}"
triage 0 --repairs other.json
says "no open issue has ${skipped:0:12} as the commit before"
stores "[i['state'] for i in state['issues']] == ['open', 'open'] and not state['comments'] and 'PATCH' not in (${sent})[-1:]"
report part.json "$good" "$fixed" paired 'g/one/v|`a` @me=equivalent:0.001' g/two/v=inconclusive:0.02 g/five/v=regressed:0.4
triage 0 --repairs part.json
says "updated issue 1"
stores "[i['state'] for i in state['issues']] == ['open', 'open'] and 'pairs show 1 of 4 as repaired' in state['issues'][0]['body'] and 'still slower' in state['issues'][0]['body']"
report missing.json "$good" "$fixed" paired "${both[@]:0:3}"
triage 0 --repairs missing.json
stores "[i['state'] for i in state['issues']] == ['open', 'open']"
report whole.json "$good" "$fixed" paired "${both[@]}"
faults '[{"method": "POST", "path": "comments", "do": "drop after"}, {"method": "PATCH", "path": "issues/1$", "do": "drop after"}]'
triage 0 --repairs whole.json
says "closed issue 1 for ${bad:0:12}: repaired"
stores "[(i['state'], i.get('state_reason')) for i in state['issues']] == [('closed', 'completed'), ('open', None)]"
stores "[c['issue'] for c in state['comments']] == [1] and '+1.00' in state['comments'][0]['body']"
triage 0 --report first.json  # the job of the old commit, run again
says "issue 1 (${bad:0:12}) is closed, and stays so"
stores "len(state['issues']) == 2 and state['issues'][0]['state'] == 'closed'"

new_state '{}' "two pushes whose jobs overlap: the job of the later commit ends first, and the earlier commit is the cause"
report later.json "$good" "$worse" gate g/two/v=regressed:0.1
report earlier.json "$good" "$bad" gate g/two/v=regressed:0.1
triage 0 --report later.json
triage 0 --report earlier.json
says "closed issue 1 for ${worse:0:12}: all of its cases are slower since ${bad:0:12}"
says "created issue 2 for ${bad:0:12}"
stores "[(i['state'], '${bad:0:12}' in i['title']) for i in state['issues']] == [('closed', False), ('open', True)] and '$bad' in state['comments'][0]['body']"
triage 0 --report later.json
says "1 case is of the report known from issue 2"
new_state '{}' "the later commit has a cause of its own, too"
report later.json "$good" "$worse" gate g/two/v=regressed:0.1 g/six/v=regressed:0.4
triage 0 --report later.json
triage 0 --report earlier.json
stores "[(i['title'], i['state']) for i in state['issues']] == [('Performance: 1 case slower since ${worse:0:12}', 'open'), ('Performance: 1 case slower since ${bad:0:12}', 'open')]"
triage 0 --report earlier.json
says "nothing to do"

new_state '{}' "pairs of another machine repair nothing"
triage 0 --report earlier.json
HOST_KEY=host-b report elsewhere.json "$good" "$fixed" paired g/two/v=equivalent:0
triage 0 --repairs elsewhere.json
says "not used for 1 case of issue 1 (${bad:0:12}): measured on host-b"
stores "state['issues'][0]['state'] == 'open'"
report repaired.json "$good" "$fixed" paired g/two/v=equivalent:0
triage 0 --repairs repaired.json
stores "state['issues'][0]['state'] == 'closed'"

new_state '{}' "pairs whose interval contains the slow-down repair nothing, although they are equivalent within a larger margin"
report small.json "$good" "$bad" gate g/two/v=regressed:0.03
triage 0 --report small.json
report margin.json "$good" "$fixed" paired g/two/v=equivalent:0.025
triage 0 --repairs margin.json
stores "state['issues'][0]['state'] == 'open' and 'undecided: equivalent' in state['issues'][0]['body']"
report margin.json "$good" "$fixed" paired g/two/v=equivalent:0.005
triage 0 --repairs margin.json
stores "state['issues'][0]['state'] == 'closed'"

new_state '{}' "two machines with different baselines: each case is repaired by pairs from its own baseline"
report one.json "$skipped" "$bad" gate g/one/v=regressed:0.1
HOST_KEY=host-b report two.json "$good" "$bad" gate g/two/v=regressed:0.2
for each in one two one two; do triage 0 --report $each.json; done
says "nothing to do"
triage 0 --open
[[ $out == "1 $good ^(?:g/two/v)\$"$'\n'"1 $skipped ^(?:g/one/v)\$" ]] || complain "open causes: $out"
both=(g/one/v=equivalent:0 g/two/v=equivalent:0)
report repaired.json "$skipped" "$fixed" paired "${both[@]}"
triage 0 --repairs repaired.json
stores "state['issues'][0]['state'] == 'open' and 'pairs show 1 of 2 as repaired' in state['issues'][0]['body']"
HOST_KEY=host-b report repaired_b.json "$good" "$fixed" paired "${both[@]}"
triage 0 --repairs repaired_b.json
stores "state['issues'][0]['state'] == 'closed'"

new_state '{}' "the answer to the creation is lost after it was stored"
faults '[{"method": "POST", "path": "/issues$", "do": "drop after"}]'
triage 0 --report first.json
stores "len(state['issues']) == 1 and $sent == ['POST']"
faults '[{"method": "GET", "path": "/issues", "do": {"status": 502}}]'
triage 0 --report first.json
says "nothing to do"

new_state "$(python3 - "$bad" <<'PYTHON'
import hashlib, json, sys
marker = "<!-- torchgate-issue " + hashlib.sha256(sys.argv[1].encode()).hexdigest()[:16] + " -->"
label = [{"name": "performance-regression"}]
def issue(n, author, **more): return {"number": n, "state": "open", "title": "t", "body": "all is well\n\n" + marker, "user": {"login": author}, "labels": label, **more}
print(json.dumps({"issues": [issue(1, "attacker"), issue(2, "github-actions[bot]", pull_request={}), issue(3, "github-actions[bot]", labels=[])] +
                  [issue(n, "someone") for n in range(4, 260)]}))
PYTHON
)" "a forged issue, a pull request, an issue without the label: none of them is ours"
triage 0 --report first.json
says "created issue 260"
stores "[(i['title'], i['body'][:3]) for i in state['issues'][:3]] == [('t', 'all')] * 3 and len(state['issues']) == 260"
triage 0 --report first.json
says "nothing to do"
report whole.json "$good" "$fixed" paired 'g/one/v|`a` @me=equivalent:0' g/two/v=equivalent:0 g/three/v=unchanged:0
triage 0 --repairs whole.json
stores "[i['number'] for i in state['issues'] if i['state'] != 'open'] == [260] and {c['issue'] for c in state['comments']} == {260}"

new_state '{}' "the text of an issue was edited: it is left alone until the report comes again"
triage 0 --report first.json
stop_stub
python3 - "$work/stub/state.json" <<'PYTHON'
import json, re, sys
state = json.load(open(sys.argv[1]))
body = state["issues"][0]["body"]
state["issues"][0]["body"] = re.sub(r'"before":"[0-9a-f]{40}"', '"before":"$(touch pwned)"', body)
json.dump(state, open(sys.argv[1], "w"))
PYTHON
start_stub "$work/stub"
triage 0 --open
says "a commit is not a hash"
[[ $out != *pwned* ]] || complain "what was edited is printed: $out"
triage 0 --report first.json
says "updated issue 1"
stores "len(state['issues']) == 1 and 'pwned' not in state['issues'][0]['body']"

echo "--- states: shown, overdue once per date, said to be fixed, accepted, invalid"
entry investigating 'due = 2999-01-31'
triage 0
stores "'investigating, owner @ann, due 2999-01-31' in state['issues'][0]['body'] and not state['comments']"
mkdir -p below
(cd below && "$torchgate" triage) >below.txt || complain "triage in a subfolder"
[[ $(cat below.txt) == "nothing to do" ]] || complain "a subfolder changes the issue: $(cat below.txt)"
entry acknowledged 'due = 2021-01-31'
triage 0
triage 0
says "nothing to do"
stores "'overdue since 2021-01-31, owner @ann' in state['issues'][0]['body'] and len(state['comments']) == 1"
entry acknowledged 'due = 2021-02-28'
triage 0
stores "len(state['comments']) == 2 and 'overdue since 2021-02-28, owner @ann' in state['comments'][1]['body']"
entry fixed ''
triage 0
stores "'waiting for interleaved pairs' in state['issues'][0]['body'] and state['issues'][0]['state'] == 'open'"
report part.json "$good" "$fixed" paired 'g/one/v|`a` @me=equivalent:0.001' g/two/v=regressed:0.1 g/three/v=equivalent:0
triage 0 --repairs part.json
stores "'Said to be fixed, pairs still show it' in state['issues'][0]['body'] and state['issues'][0]['state'] == 'open'"
entry accepted 'reason = "exact erf @all <b>"'
triage 0
says "closed issue 1"
stores "[(i['state'], i['state_reason']) for i in state['issues']] == [('closed', 'completed')] and 'exact erf' in state['comments'][-1]['body'] and '@all' not in state['comments'][-1]['body'] and '<b>' not in state['comments'][-1]['body']"
triage 0 --report first.json
report stale.json "$good" "$worse" gate g/two/v=regressed:0.105
triage 0 --report stale.json
says "nothing to do"
stores "[i['state'] for i in state['issues']] == ['closed']"
report slower.json "$good" "$worse" gate g/two/v=regressed:0.2
triage 0 --report slower.json
says "created issue 2 for ${worse:0:12}"
new_state '{}' ""
triage 0 --report first.json
entry invalid 'reason = "another compiler"'
triage 0
stores "[(i['state'], i['state_reason']) for i in state['issues']] == [('closed', 'not_planned')]"
new_state '{}' ""
entry invalid 'reason = "another compiler"'
triage 0 --report first.json
says "no issue for ${bad:0:12}: invalid in torchgate-triage.toml:1"
stores "not state['issues']"
new_state '{}' ""
printf '[[cause]]\ncommit = "%s"\nstate = "acepted"\n' "${bad:0:12}" >torchgate-triage.toml
triage 2 --report first.json
says 'torchgate-triage.toml:3: unknown state "acepted"; did you mean "accepted"?'
stores "not requests"

new_state '{}' "a token that may not label, or not write; usage"
faults '[{"method": "POST", "path": "/issues$", "do": {"status": 201, "body": {"number": 9, "body": "x", "user": {"login": "github-actions[bot]"}, "labels": []}}}]'
triage 2 --report first.json
says "without the label"
faults '[{"method": "POST", "path": "/issues$", "do": {"status": 403, "body": {"message": "Resource not accessible by integration"}}}]'
triage 2 --report first.json
says "issues: write"
GITHUB_TOKEN=ghs_wrong_secret triage 2 --report first.json
says "401"
triage 2 --report first.json --open
triage 2 --states missing.toml
triage 2 --report missing-file.json
python3 -c 'import json; d = json.load(open("first.json")); d["after"]["modified"] = True; json.dump(d, open("modified.json", "w"))'
triage 2 --report modified.json
says "measure a clean checkout"

new_state '{}' "a commit with a long subject"
git commit -q --allow-empty -m "$(printf 'word %.0s' {1..14000})"
report long.json "$fixed" "$(git rev-parse HEAD)" gate g/two/v=regressed:0.1
triage 0 --report long.json
stores "len(state['issues'][0]['body']) < 10000 and 'word word' in state['issues'][0]['body'] and 'wo...' in state['issues'][0]['body']"
triage 0 --report long.json
says "nothing to do"

new_state '{}' "thousands of cases: the worst are kept, the text fits, and only pairs of all of them close it"
mapfile -t many < <(for i in $(seq 1000 2999); do echo "suite/group$((i % 7))/a_rather_long_name_of_a_variant/elements:$i/device:cpu=regressed:0.$i"; done)
report many.json "$good" "$bad" gate "${many[@]}"
triage 0 --report many.json
stores "'2,000 cases slower' in state['issues'][0]['title'] and len(state['issues'][0]['body'].encode()) <= 60000 and 'elements:2999' in state['issues'][0]['body'] and 'omitted' in state['issues'][0]['body']"
triage 0 --open
[[ $out == "1 $good ." ]] || complain "the filter of unlisted cases: $out"
report few.json "$good" "$fixed" paired "${many[@]/%=regressed*/=equivalent:0}"
python3 -c 'import json; d = json.load(open("few.json")); d["findings"] = d["findings"][-300:]; json.dump(d, open("few.json", "w"))'
triage 0 --repairs few.json
stores "state['issues'][0]['state'] == 'open'"
report all.json "$good" "$fixed" paired "${many[@]/%=regressed*/=equivalent:0}"
triage 0 --repairs all.json
stores "state['issues'][0]['state'] == 'closed' and all(len(c['body'].encode()) <= 65536 for c in state['comments'])"
finish
