#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# gate_now_test.sh TORCHGATE FAKE_SUITE: `gate --suite`, pairs with the baseline's binaries from the start. On a suite whose speed and groups a
# build decides, so that nothing here depends on this machine.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1
export FAKE=$2
new_repository
printf '*.json\n*.md\nmarks\n' >>.gitignore
export FAKE_GROUPS=a,b FAKE_READS="" TORCHGATE_GATE_ALLOW_NOISY=true FAKE_MARK=$work/marks
# The fake suite prints its times: Callgrind, in which it would be counted a hundred times, knows nothing of them.
export TORCHGATE_GATE_COUNT_UNDECIDED=false TORCHGATE_GATE_COMPARE_CODE=false
name=fake/a/eager/device:cpu
store=.torchgate/store

cat >build.sh <<'SCRIPT'
mkdir -p build
rm -f build/fake
cp "$FAKE" build/fake
[ -z "${ALSO:-}" ] || printf '\nFAKE_ALSO=%s' "$ALSO" >>build/fake
printf '\nFAKE_LEVEL=%s\n' "$(cat level)" >>build/fake
SCRIPT
# build LEVEL [GROUP]: what is built takes that long; with one group more
build() {
  echo "$1" >level
  ALSO=${2:-} sh build.sh
}
commit() {
  build "$@"
  git add .
  git commit -q --allow-empty -m "level $1"
}
gate() { "$torchgate" gate --suite build --json report.json "$@"; }
expect() { [[ $(finding report.json "${2:-$name}") == "$1"* ]] || complain "$(finding report.json "${2:-$name}") instead of $1"; }
noted() { grep -qF "$1" report.json || { complain "the report does not say: $1"; python3 -m json.tool report.json >&2; }; }
processes() { wc -l <"$FAKE_MARK"; }

echo "-- no baseline: a run, which can become one"
commit 1000
exits_with 3 gate --save first
says "no pairs from the start: there is no baseline"
says "torchgate baseline add"
exits_with 0 "$torchgate" baseline add first
id=$(python3 -c 'import json; print(json.load(open(".torchgate/runs/first.json"))["id"])')

echo "-- the same build: one pair of each group shows it"
commit 1000
rm -f "$FAKE_MARK"
exits_with 0 gate --save pairs
says "measured in pairs from the start; no run was made"
says "these pairs are not a baseline of commit $(git rev-parse --short=12 HEAD)"
says "torchgate baseline add NAME"
expect "unchanged pass"
(($(processes) == 4)) || complain "$(processes) processes of two groups that are the same"
python3 - "$id" "$(git rev-parse HEAD)" <<'PYTHON' || complain "the report of pairs from the start"
import json, sys
report = json.load(open("report.json"))
assert report["before"]["label"] == "baseline" and sys.argv[1] in json.dumps(report["before"]), report["before"]
assert report["after"]["commit"] == sys.argv[2], report["after"]
assert report["paired"]
pairs = json.load(open(".torchgate/runs/pairs.json"))
assert [side["label"] for side in pairs["sides"]] == ["before", "after"]
assert pairs["plan"]["confirms"]["baseline"] == sys.argv[1] and "run" not in pairs["plan"]["confirms"]
PYTHON
exits_with 0 gate --measure-unchanged
expect "equivalent pass"
exits_with 0 "$torchgate" report pairs
exits_with 2 "$torchgate" baseline add pairs

echo "-- another build, as fast"
build 1001
rm -f "$FAKE_MARK"
exits_with 0 gate
expect "equivalent pass"
(($(processes) > 4)) || complain "$(processes) processes decided four cases"
exits_with 0 "$torchgate" gate --now --suite build --quick
TORCHGATE_RUN_SUITES=build exits_with 0 "$torchgate" gate --now
says "measured in pairs from the start"
exits_with 0 gate --filter '/b/'
says "2 cases of the baseline were not judged"

echo "-- a slower one"
build 1100
exits_with 1 gate
expect "regressed fail"
exits_with 1 gate --against first
exits_with 3 gate --budget "4 pairs"
noted "the budget of 4 pairs"

echo "-- without a word of what to measure, the newest run is judged"
build 1001
exits_with 0 "$torchgate" run --suite build --save newest
exits_with 0 "$torchgate" gate --json report.json
says "judged against stored times"
exits_with 2 "$torchgate" gate newest --suite build
exits_with 2 gate --since v1.0
says "--since is about a run that was measured before"
exits_with 2 gate --pair-plan plan.json
exits_with 2 "$torchgate" gate --now
says "no suites"
exits_with 2 "$torchgate" gate --suite nothing
exits_with 2 gate --commit "$(printf '%040d' 0)"
exits_with 0 gate --commit "$(git rev-parse HEAD)"
exits_with 2 gate --save ../x

echo "-- the policy wants no pairs of all cases"
exits_with 0 gate --confirm none
says 'no pairs from the start: the policy asks for no pairs'
exits_with 0 gate --rule exact
says 'no pairs from the start: rule "exact" judges no pairs'
exits_with 0 gate --budget none
says "pairs of suspects only"

echo "-- a case that the baseline does not have, and one that the build no longer has"
build 1001 c
exits_with 0 gate
expect "new note" fake/c/eager/device:cpu
exits_with 0 "$torchgate" run --suite build --save three
commit 1001 c
exits_with 0 "$torchgate" run --suite build --save three
exits_with 0 "$torchgate" baseline add three
commit 1002
exits_with 1 gate
expect "missing fail" fake/c/eager/device:cpu
expect "equivalent pass"
noted "is missing in this run"
FAKE_SUITE=renamed exits_with 1 gate
says "no pairs from the start: the baseline's binaries cannot run here: run"

echo "-- the change crashes, fails, is wrong"
build 1100
for how in crash failing wrong; do
  FAKE_AFTER=$how exits_with 1 gate
  case $how in wrong) expect "wrong fail" ;; *) expect "failed fail" ;; esac
done
FAKE_AFTER=unlisted exits_with 1 gate
says "no pairs from the start: fake: listing its cases failed"
expect "missing fail"

echo "-- the baseline's binaries are lost"
build 1100
mv "$store/objects" kept
exits_with 1 gate
says "no pairs from the start: the baseline's binaries cannot run here: "
says "a run is measured and compared with stored times"
noted "judged against stored times"
expect "suspected fail"
TORCHGATE_BASELINE_BUILD="sh build.sh" TORCHGATE_BASELINE_SUITES=build exits_with 1 gate
says "rebuilt from commit"
expect "regressed fail"
mv kept "$store/objects"

echo "-- the baseline's binaries do not run here"
commit 1500
exits_with 0 "$torchgate" run --suite build --save slow
exits_with 0 "$torchgate" baseline add slow
commit 1000
# Faster than stored times, which no pairs confirm: nothing is decided, and that is no pass.
FAKE_AFTER=illegal exits_with 3 gate
says "the baseline's binaries cannot run here: all their processes failed, fake/"
says "SIGILL"
FAKE_AFTER=unlisted exits_with 3 gate
says "the baseline's binaries cannot run here: "
exits_with 0 gate
expect "improved pass"
FAKE_AFTER=failing exits_with 3 gate
expect "not_comparable warn"
says "it failed in"
# A group of the baseline that it could not measure itself, and that is gone: nothing is missing.
commit 1001 crash
exits_with 1 "$torchgate" run --suite build --save crashing
exits_with 0 "$torchgate" baseline add crashing
commit 1000
exits_with 0 gate
expect "equivalent pass"

echo "-- the baseline is of another machine"
commit 1000
exits_with 0 "$torchgate" run --suite build --save here
sed -i 's/"host_key":"/"host_key":"x/' .torchgate/runs/here.json
rm -r "$store"
exits_with 0 "$torchgate" baseline add here
commit 1001
exits_with 0 gate
says "the baseline was measured on another machine, x"
expect "equivalent pass"
build 1100
exits_with 1 gate
expect "regressed fail"

echo "-- another machine has a run of a nearer commit than this one"
commit 1000
exits_with 0 "$torchgate" run --suite build --save older
exits_with 0 "$torchgate" baseline add older
commit 1100
exits_with 0 "$torchgate" run --suite build --save nearer
sed -i 's/"host_key":"/"host_key":"x/' .torchgate/runs/nearer.json
exits_with 0 "$torchgate" baseline add nearer
commit 1101
exits_with 0 gate
says "the baseline was measured on another machine, x"
expect "equivalent pass"
exits_with 0 "$torchgate" run --suite build --save now
exits_with 1 "$torchgate" gate now --verbose
says "what became slower or faster between them counts as part of this change"

echo "-- asked to stop"
for signal in INT TERM; do
  rm -f "$FAKE_MARK" report.json
  FAKE_AFTER=slow python3 -c 'import os, signal, sys
for each in (signal.SIGINT, signal.SIGTERM): signal.signal(each, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$torchgate" gate --suite build --json report.json --save stopped >stopped.log 2>&1 &
  for ((i = 0; i < 600; ++i)); do
    [[ ! -e $FAKE_MARK ]] || (($(processes) < 3)) || break
    sleep 0.05
  done
  kill "-$signal" $!
  code=0
  wait $! || code=$?
  ((code == 130)) || complain "SIG$signal: exit code $code: $(cat stopped.log)"
  [[ ! -e report.json ]] || complain "SIG$signal: a report was written"
  grep -q "nothing was judged" stopped.log || complain "SIG$signal: $(cat stopped.log)"
  python3 -c 'import json; assert json.load(open(".torchgate/runs/stopped.json"))["interrupted"]' || complain "the pairs are not kept"
done

echo "-- asked to stop while the baseline's binaries list their cases"
commit 1100
"$torchgate" run --quick --suite build --save slower >/dev/null 2>&1
exits_with 0 "$torchgate" baseline add slower
commit 1000
rm -f report.json
FAKE_AFTER=stops exits_with 130 gate
says "interrupted while listing"
[[ ! -e report.json ]] || complain "a report was written"
finish
