#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The command line on made runs: no measuring, so every exit code and message is certain.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 made_runs=$2
new_repository

exits_with 0 "$torchgate" --help
says "Exit codes: 0 no regression"
exits_with 0 "$torchgate" --version
exits_with 2 "$torchgate"
exits_with 2 "$torchgate" compare
exits_with 2 "$torchgate" frobnicate
for command in run compare gate ab baseline calibrate report history; do exits_with 0 "$torchgate" "$command" --help; done

mkdir -p .torchgate/runs
"$made_runs" generate 50 30 5 1 .torchgate/runs/a.json
"$made_runs" generate 50 30 5 2 .torchgate/runs/b.json
exits_with 0 "$torchgate" compare a b
says "PASS"
exits_with 0 "$torchgate" compare .torchgate/runs/a.json .torchgate/runs/b.json --markdown report.md --json report.json --quiet
[[ -z $out ]] || complain "--quiet printed: $out"
grep -q PASS report.md || complain "no verdict in report.md"
python3 -c 'import json; assert json.load(open("report.json"))["schema"] == "torchgate.report/1"'
exits_with 2 "$torchgate" compare a b --markdown /nonexistent/report.md
says "/nonexistent/report.md"

"$made_runs" scale .torchgate/runs/b.json .torchgate/runs/slow.json 1.3 0.1 7 >slowed
exits_with 1 "$torchgate" compare a slow --json report.json
[[ $(finding report.json "$(head -n 1 slowed)") == "suspected fail"* ]] || complain "a planted +30 % is not suspected"
exits_with 0 env TORCHGATE_GATE_UNCONFIRMED=warn "$torchgate" compare a slow
printf '[gate]\nunconfirmed = "fail"\n' >torchgate.toml
exits_with 1 "$torchgate" compare a slow
exits_with 0 env TORCHGATE_GATE_UNCONFIRMED=warn "$torchgate" compare a slow
printf '[gate]\nunconfirmd = "fail"\n' >torchgate.toml
exits_with 2 "$torchgate" compare a b
says 'did you mean "gate.unconfirmed"?'
rm torchgate.toml
exits_with 1 "$torchgate" compare a slow --rule textbook
exits_with 2 "$torchgate" compare a b --rule magic
says 'takes one of "default", "textbook", "welch", "history", "paired", "exact", not "magic"'
exits_with 1 "$torchgate" compare a slow --rule welch
exits_with 3 "$torchgate" compare a slow --rule history
says "no case could be judged: fewer than five stored runs"
exits_with 3 "$torchgate" compare a slow --rule paired
says "rule paired judges interleaved pairs only"
exits_with 3 "$torchgate" compare a slow --rule exact
says "times were not"

# Five stored runs named by hand: the history judges. A run of another host among them is refused.
for seed in 3 4 5 6; do "$made_runs" generate 50 30 5 "$seed" ".torchgate/runs/r$seed.json"; done
exits_with 1 "$torchgate" gate slow --against b --against r3 --against r4 --against r5 --against r6 --confirm none
says "4 more, as asked"

exits_with 2 "$torchgate" compare a a
says "compared with itself"
exits_with 2 "$torchgate" compare a nothing
says "there is no run"
head -c 2000 .torchgate/runs/a.json >broken.json
exits_with 2 "$torchgate" compare a broken.json
says "broken.json"
[[ $(grep -c . <<<"$out") == 1 ]] || complain "more than one line of reason: $out"
sed 's/"torchgate.run\/1"/"torchgate.run\/9"/' .torchgate/runs/a.json >future.json
exits_with 2 "$torchgate" compare a future.json
says "torchgate.run/9"

python3 - <<'PYTHON'
import json
run = json.load(open(".torchgate/runs/a.json"))
run["id"], run["machine"]["host_key"] = "00000000000000aa", "another-host"
json.dump(run, open(".torchgate/runs/other.json", "w"))
PYTHON
exits_with 3 "$torchgate" compare other b
says "the hosts differ"
exits_with 2 "$torchgate" gate b --against a --against other
says "never pooled"
exits_with 3 "$torchgate" gate b
says "baseline add"
exits_with 2 "$torchgate" baseline add a
says "names no commit"
exits_with 0 "$torchgate" baseline add other --uncommitted
exits_with 0 "$torchgate" baseline list --all-hosts
says "another-host"
exits_with 3 "$torchgate" gate b
exits_with 0 "$torchgate" report a
exits_with 0 "$torchgate" report a --format markdown --output one.md
exits_with 0 "$torchgate" report a slow --format json
exits_with 2 "$torchgate" report a --format pdf
says "markdown"
exits_with 2 "$torchgate" calibrate --from a --from b
says "at least 3 runs"
exits_with 2 "$torchgate" run --suite /nonexistent
exits_with 2 "$torchgate" run
says "run.suites"
exits_with 1 "$torchgate" run --suite /bin/true
says "not a torchgate suite"
finish
