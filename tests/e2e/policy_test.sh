#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The policy with made runs: settings of single cases, waivers and what becomes of them, `accept` there and back, and whose
# policy judges a pull request.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 made_runs=$2
new_repository
# One run a side and no pairs: most of its cases stay undecided, and that is not what this is about.
export TORCHGATE_GATE_MIN_DECIDED=0
gate() { "$torchgate" gate "$@"; }
# The screen alone: one run a side, and nobody can confirm made runs.
judge() { gate after.json --against before.json --rule welch --unconfirmed fail "$@"; }
never_says() { [[ $out != *"$1"* ]] || { complain "said: $1"; echo "$out" >&2; }; }

"$made_runs" generate 4 150 5 1 before.json
"$made_runs" generate 4 150 5 2 same.json
# Every case 30 % slower.
"$made_runs" scale same.json after.json 1.3 1 3 >/dev/null
"$made_runs" scale same.json slower.json 1.6 1 4 >/dev/null
name() { echo "made/group/variant/case:$1"; }

exits_with 0 gate same.json --against before.json --rule welch --quiet
exits_with 1 judge

# Settings of single cases; what does nothing is said, and what is wrong is an error with its place.
cat >torchgate.toml <<TOML
[[case]]
match = "case:[0-3]\$"
unconfirmed = "warn"

[[case]]
exact = "$(name 9)"
latency = 0.5
TOML
exits_with 0 judge
says "torchgate.toml:1: [[case]] match"
says "overridden by [[case]]"
says "matches no case of this comparison"
printf '[[case]]\nmatch = "("\n' >torchgate.toml
exits_with 2 judge
says "torchgate.toml:2: match: invalid regular expression"
printf '[[case]]\nmatch = "a"\nlatencey = 1\n' >torchgate.toml
exits_with 2 judge
says 'did you mean "latency"?'
rm torchgate.toml

# accept: fails, is accepted, passes; a larger slow-down fails again.
exits_with 2 "$torchgate" accept "$(name 0)" --reason "no report yet" --report none.json
says "none.json: no such report"
exits_with 1 judge
exits_with 2 "$torchgate" accept "made/group/variant/cas:0" --reason "a typo"
says "did you mean $(name 0)?"
exits_with 2 "$torchgate" accept "$(name 0)"
exits_with 2 "$torchgate" accept "$(name 0)" --reason "too little" --ceiling 5%
says "use a larger ceiling"
[[ ! -e torchgate-waivers.toml ]] || complain "a refused accept wrote a file"
exits_with 0 "$torchgate" accept "$(name 0)" "$(name 1)" --reason "exact results, see the change" --ceiling 40%
says 'reason = "exact results, see the change"'
says "Review it"
cp torchgate-waivers.toml kept.toml
exits_with 1 judge # two of four are left
exits_with 2 "$torchgate" accept "$(name 2)" "$(name 2)" --reason "twice"
cmp -s torchgate-waivers.toml kept.toml || complain "a refused accept changed the file"
exits_with 0 "$torchgate" accept "$(name 2)" "$(name 3)" --reason "the same" --expires 30d
head -c "$(wc -c <kept.toml)" torchgate-waivers.toml | cmp -s - kept.toml || complain "accept changed what stood in the file"
exits_with 0 judge
says "waived: exact results, see the change, until"
says "4 waived"
exits_with 2 "$torchgate" accept "$(name 0)" --reason "again"
says "nothing to accept"
exits_with 1 gate slower.json --against before.json --rule welch --unconfirmed fail
says "beyond its waiver (ceiling 30 to 40 %)"
says "waiver exceeded: $(name 0) (time)"
exits_with 2 "$torchgate" accept "$(name 0)" --reason "once more"
says "remove the waiver in line 4, then accept again"

# An expired waiver, an unused one, one that is exceeded: three different lines.
"$made_runs" scale same.json two.json 1.3 0.5 5 >slowed
mapfile -t slow <slowed
fast=$(comm -23 <(for i in 0 1 2 3; do name "$i"; done) slowed | head -n 1)
waiver() { printf '[[waiver]]\ncase = "%s"\nmetric = "time"\nceiling = %s\nreason = "why"\nexpires = %s\n\n' "$@"; }
{
  waiver "${slow[0]}" 0.6 2020-01-31
  waiver "${slow[1]}" 0.06 2999-01-31
  waiver "$fast" 0.12 2999-01-31
} >torchgate-waivers.toml
exits_with 1 gate two.json --against before.json --rule welch --unconfirmed fail --markdown three.md --json three.json
says "expired waiver: ${slow[0]} (time), last day 2020-01-31"
says "waiver exceeded: ${slow[1]} (time)"
says "unused waiver: $fast (time): nothing to waive, it passes"
for line in "expired waiver" "waiver exceeded" "unused waiver"; do
  grep -q "$line" three.md || complain "not in the Markdown report: $line"
  grep -q "$line" three.json || complain "not in the JSON report: $line"
done
waiver "$fast" -1 2999-01-31 >torchgate-waivers.toml
exits_with 2 judge
says "torchgate-waivers.toml:4: ceiling takes a number of at least 0"
rm torchgate-waivers.toml
printf '[gate]\nwaivers = "other.toml"\n' >torchgate.toml
exits_with 2 judge
says "other.toml: no such file"

# The policy of a pull request is the base branch's: the change loosens its gate, and is judged by the old one.
printf '[gate]\nunconfirmed = "fail"\n' >torchgate.toml
git add torchgate.toml
git commit -qm "a policy"
git branch base
git update-ref refs/remotes/origin/base base
git checkout -qb change
printf '[gate]\nunconfirmed = "warn"\n' >torchgate.toml
waiver "$(name 0)" 9 2999-01-31 >torchgate-waivers.toml
git add torchgate.toml torchgate-waivers.toml
git commit -qm "loosen it"
pull() { gate after.json --against before.json --rule welch "$@"; }
exits_with 0 pull
exits_with 1 pull --policy-from base
says 'this change alters the policy (gate.unconfirmed "fail" -> "warn"; 1 waiver added)'
says "judged by the base branch's"
git checkout -q base
exits_with 1 pull --policy-from base
says "policy: the base branch's"
never_says "alters the policy"
git checkout -q change
exits_with 2 pull --policy-from nowhere
says "--policy-from"
GITHUB_EVENT_NAME=pull_request GITHUB_BASE_REF=base exits_with 1 pull
says "this change alters the policy"
GITHUB_BASE_REF=gone exits_with 2 pull
says "the policy of the base branch cannot be read"
# As CI checks a pull request out: the merge of both, detached.
git checkout -q base
echo 2 >code
git commit -qam "the base goes on"
git checkout -q --detach
git merge -q --no-edit change
exits_with 1 pull
says "this change alters the policy"
# At a desk, on a branch, a merge commit is nobody's pull request.
git checkout -qb desk
exits_with 0 pull
never_says "alters the policy"
# A base without a policy: the defaults.
git checkout -q change
exits_with 0 pull --policy-from "$(git rev-list --max-parents=0 HEAD)" --unconfirmed warn
says 'this change alters the policy (1 waiver added)'
# A change that takes the file away, or breaks it, is judged by the base branch's all the same.
git rm -q torchgate.toml torchgate-waivers.toml
git commit -qm "no policy"
exits_with 1 pull --policy-from base
printf '[gate\n' >torchgate.toml
exits_with 1 pull --policy-from base
says "this change's policy cannot be read"
rm torchgate.toml
mkdir torchgate.toml
exits_with 1 pull --policy-from base
finish
