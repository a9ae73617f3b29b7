#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `torchgate history` on a store of made runs: a planted step is found at its commit, with what it needs to be found said.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 made_runs=$2
new_repository
case_name=made/group/variant/case:1

for i in $(seq 2 40); do git commit -q --allow-empty -m "change $i"; done
git rev-list --reverse HEAD >commits
mkdir runs few
history() { "$torchgate" history "$case_name" --host made-host "$@"; }
keep() { # keep STORE FILE...
  local store=$1 file
  shift
  for file in "$@"; do "$torchgate" baseline add "$file" --store "$store" --without-objects >/dev/null; done
}

exits_with 3 history
says "baseline add"
"$made_runs" history 40 24 1.05 commits runs
keep .torchgate/store runs/*.json
# No run of this machine is there: those of the one that has some are shown, and why they are not comparable with ours.
exits_with 0 "$torchgate" history "$case_name"
says "1 level change in 40 runs"
says "not comparable with these"
exits_with 0 "$torchgate" baseline list
says "made-host"
says "not comparable with runs made here"

# +5 % from the 25th commit on, whose hash is in line 25.
planted=$(sed -n 25p commits)
exits_with 0 history --json history.json
says "1 level change in 40 runs"
says "${planted:0:12}"
says "(1 commit)"
says "git log"
python3 - "$planted" "$(sed -n 24p commits)" <<'PYTHON' || complain "the JSON is another one: $(cat history.json)"
import json, sys
history = json.load(open("history.json"))
assert history["schema"] == "torchgate.history/1" and history["judged"] and len(history["runs"]) == 40
(change,) = history["changes"]
assert change["run"] == 24 and change["commit"] == sys.argv[1] and change["commit_before"] == sys.argv[2], change
assert change["worse"] and change["commits_between"] == 1 and 0.04 < change["change"] < 0.06, change
PYTHON
longest=$(history --verbose | awk '{ if (length > longest) longest = length } END { print longest }')
((longest <= 160)) || complain "a line of $longest bytes"

# Another store, no repository around it, no step: nothing is found, and no git is needed.
(
  cd runs
  exits_with 0 "$torchgate" history "$case_name" --host made-host --store ../.torchgate/store --quiet
)
outside=$(mktemp -d)
cp -r .torchgate "$outside"
(
  cd "$outside"
  GIT_CEILING_DIRECTORIES=$(dirname "$outside") exits_with 0 "$torchgate" history "$case_name" --host made-host --json out.json
  grep -q '"commits_between": null' out.json || complain "without a repository nobody can count commits"
  finish >/dev/null
) || complain "outside a repository"
rm -rf "$outside"
exits_with 0 env TORCHGATE_GATE_CONTROLS=case:0 "$torchgate" history "$case_name" --host made-host
says "no drift correction: gate.controls"
exits_with 0 history --margin 0.5
says "no level change found in 40 runs"

exits_with 2 "$torchgate" history made/group/variant/case:7 --host made-host
says "the nearest there are: made/group/variant/case:0, made/group/variant/case:1, made/group/variant/case:2"
exits_with 2 history --alpha 0.5
says "between 0.0001 and 0.05"
exits_with 2 history --alpha nonsense
exits_with 2 "$torchgate" history
exits_with 2 history --json /nonexistent/history.json

# Seven runs: shown, not judged.
keep few/store runs/{0,1,2,3,4,5,6}.json
exits_with 3 history --store few/store --json few.json
says "not judged in 7 runs"
says "at least 8 runs"
[[ $(grep -c '"value"' few.json) == 7 ]] || complain "the values of seven runs are not shown"
keep few/store runs/7.json
exits_with 3 history --store few/store
says "not judged in 8 runs"
says "At alpha 0.001 at least 14 runs"
exits_with 0 history --store few/store --alpha 0.05
says "no level change found in 8 runs"

# A run of no commit counts only when asked for.
"$made_runs" generate 3 15 5 99 loose.json
"$torchgate" baseline add loose.json --uncommitted --store few/store --without-objects >/dev/null
exits_with 0 history --store few/store --alpha 0.05
says "1 run is left out: of a modified tree"
exits_with 0 history --store few/store --alpha 0.05 --uncommitted
says "no level change found in 9 runs"
# More runs than are read again each time: what was read of them is kept, and the answer stays the same, also without what was kept.
mkdir many
for i in {41..51}; do git commit -q --allow-empty -m "change $i"; done
git rev-list --reverse HEAD >commits
"$made_runs" history 51 24 1.05 commits many
keep many/store many/{0..49}.json
exits_with 0 history --store many/store --verbose --json kept.json
says "1 level change in 50 runs"
first=$out
kept=$(find .torchgate/points -name '*.jsonl')
[[ -s $kept ]] || complain "nothing was kept of 50 runs"
for change in "true" "truncate -s -1 $kept" "rm $kept"; do
  $change
  exits_with 0 history --store many/store --verbose --json again.json
  [[ $out == "${first/kept.json/again.json}" ]] && cmp -s kept.json again.json || complain "after $change another answer: $out"
done
# A kept run is not read again: its record may be empty.
record=$(echo many/store/runs/made-host/*"$(sed -n 2p commits | head -c 12)"*.json)
cp "$record" record.json
cp "$kept" points.jsonl
truncate -s 0 "$record"
exits_with 0 history --store many/store --verbose --json again.json
[[ $out == "${first/kept.json/again.json}" ]] && cmp -s kept.json again.json || complain "a kept run was read again: $out"
rm "$kept"
exits_with 0 history --store many/store --verbose
says "cannot be read and is left out"
cp record.json "$record"
cp points.jsonl "$kept"
keep many/store many/50.json
rm many/store/runs/made-host/*"$(sed -n 2p commits | head -c 12)"*.json
exits_with 0 history --store many/store --verbose
says "1 level change in 50 runs"
says "$(sed -n 51p commits | head -c 12)"
[[ $out != *"$(sed -n 2p commits | head -c 12)"* ]] || complain "a removed run is shown"
finish
