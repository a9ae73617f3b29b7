#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The command line on made runs: no measuring, so every exit code and message is certain.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 made_runs=$2
new_repository

exits_with 0 "$torchgate" --help
says "Exit codes: 0 no regression"
exits_with 0 "$torchgate" report --help
says "also one that says FAIL"
exits_with 0 "$torchgate" --version
exits_with 2 "$torchgate"
exits_with 2 "$torchgate" compare
exits_with 2 "$torchgate" frobnicate
# A renamed flag is an error that names the new one.
exits_with 2 "$torchgate" run --shard 1/2 --plan plan.json
says "--plan was renamed; use --shard-plan FILE"
exits_with 2 "$torchgate" ab --plan plan.json
says "--plan was renamed; use --pair-plan FILE"
exits_with 2 "$torchgate" gate --suspects plan.json
says "--suspects was renamed; use --pair-plan FILE"
for command in run compare gate ab baseline calibrate import report history doctor; do exits_with 0 "$torchgate" "$command" --help; done

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
says "no run"
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
says "not tied to a commit"
exits_with 0 "$torchgate" baseline add other --uncommitted --without-objects
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

# Other tools' files: one process a side gives no verdict by the default rule, several do; the textbook rule judges samples.
google() { "$made_runs" google_benchmark ".torchgate/runs/$1.json" "$1.gb.json"; }
"$made_runs" generate 20 30 1 11 .torchgate/runs/g1.json
"$made_runs" generate 20 30 1 12 .torchgate/runs/g2.json
"$made_runs" generate 20 30 1 13 .torchgate/runs/g3.json
"$made_runs" generate 20 30 1 14 .torchgate/runs/g4.json
"$made_runs" scale .torchgate/runs/g2.json .torchgate/runs/g2slow.json 1.5 0.5 7 >slowed
"$made_runs" scale .torchgate/runs/g3.json .torchgate/runs/g3slow.json 1.5 0.5 7 >slowed_too
"$made_runs" scale .torchgate/runs/g4.json .torchgate/runs/g4slow.json 1.5 0.5 7 >slowed_as_well
cmp slowed slowed_too
cmp slowed slowed_as_well
for run in g1 g2 g3 g2slow g3slow g4slow; do google "$run"; done
exits_with 3 "$torchgate" compare g1.gb.json g2slow.gb.json --json one_process.json
says "the file does not identify the machine"
[[ $(finding one_process.json "$(head -n 1 slowed)") == inconclusive* ]] || complain "a verdict from one process a side"
python3 - "$(head -n 1 slowed)" <<'PYTHON'
import json, sys
finding = next(f for f in json.load(open("one_process.json"))["findings"] if f["case"] == sys.argv[1])
assert finding["textbook"]["p"] < 1e-6 and finding["textbook"]["d"] > 1, finding["textbook"]
assert finding["textbook"]["samples"] == "30 v 30 raw samples of 1 v 1 processes", finding["textbook"]
PYTHON
exits_with 1 "$torchgate" compare g1.gb.json g2slow.gb.json --rule textbook --json textbook.json
[[ $(finding textbook.json "$(head -n 1 slowed)") == "regressed fail"* ]] || complain "the textbook rule does not see +50 %"
slow=g2slow.gb.json,g3slow.gb.json,g4slow.gb.json
exits_with 1 "$torchgate" compare g1.gb.json,g2.gb.json,g3.gb.json "$slow" --json several.json
[[ $(finding several.json "$(head -n 1 slowed)") == "suspected fail"* ]] || complain "+50 % in 3 processes against 3 is not suspected"
# Two processes per side are apart by chance too often to fail.
exits_with 3 "$torchgate" compare g1.gb.json,g2.gb.json,g3.gb.json g2slow.gb.json,g3slow.gb.json --json two.json
grep -q "a side has fewer than 3 processes" two.json || complain "+50 % in 2 processes against 3 has no reason for no verdict"
exits_with 0 "$torchgate" import g1.gb.json g2.gb.json g3.gb.json --save imported
says "20 cases of 3 processes"
exits_with 1 "$torchgate" gate "$slow" --against imported
exits_with 0 "$torchgate" report imported
exits_with 2 "$torchgate" compare imported
says "cannot be measured again"
exits_with 2 "$torchgate" compare g1.gb.json g1.gb.json
says "compared with itself"
exits_with 2 "$torchgate" import g1.gb.json g1.gb.json
says "contain the same measurement"
exits_with 2 "$torchgate" import .torchgate/runs/a.json
says "Google Benchmark JSON"
exits_with 2 "$torchgate" baseline add imported --uncommitted
says "gate --against imported"
head -c 3000 g1.gb.json >cut.gb.json
exits_with 2 "$torchgate" compare cut.gb.json g2.gb.json
says "cut.gb.json: /benchmarks/"
says "truncated after"
sed 's/"num_cpus": 2/"num_cpus": 64/' g2.gb.json >larger.gb.json
exits_with 3 "$torchgate" compare g1.gb.json larger.gb.json
says "num_cpus"

# The same input gives the same bytes, in whatever order files, repetitions and benchmarks stand.
python3 - <<'PYTHON'
import json, random
random.seed(1)
run = json.load(open("g2slow.gb.json"))
random.shuffle(run["benchmarks"])
json.dump(run, open("shuffled.gb.json", "w"))
PYTHON
files=g1.gb.json,g2.gb.json,g3.gb.json
report() { "$torchgate" compare "$1" "$2" --markdown "$3.md" --json "$3.json" >"$3.txt" 2>&1 || true; }
report $files g2slow.gb.json,g3slow.gb.json first
report $files g2slow.gb.json,g3slow.gb.json second
report g3.gb.json,g1.gb.json,g2.gb.json g3slow.gb.json,shuffled.gb.json third
for other in second third; do
  for format in txt md json; do
    cmp "$other.$format" "first.$format" || complain "$other.$format differs"
  done
done
exits_with 2 "$torchgate" run --suite /nonexistent
exits_with 2 "$torchgate" run
says "run.suites"
exits_with 1 "$torchgate" run --suite /bin/true
says "not a torchgate suite"
finish
