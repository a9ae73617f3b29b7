#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bisect_test.sh TORCHGATE FAKE_SUITE SOURCES: `bisect` over a history of 32 commits on a suite whose numbers are certain: one commit is 5 % slower, one does
# not build, some change only documentation, and two came by a merge. The commit is named, at the cost that is promised, and nothing of
# the user's repository changes in any ending.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 sources=$3
export FAKE=$2
new_repository
printf '*.json\n*.log\n' >>.gitignore # what this script writes
export FAKE_GROUPS=ok TORCHGATE_GATE_ALLOW_NOISY=true
export TORCHGATE_GATE_COUNT_UNDECIDED=false TORCHGATE_GATE_COMPARE_CODE=false  # Callgrind knows nothing of times that a suite prints

# The levels are a few bytes behind the executable; `code` makes each commit another build, `notes.md` does not.
cat >build.sh <<'SCRIPT'
set -e
if [[ $(cat recipe) == silent ]]; then
  mkdir -p build
  printf '#!/bin/sh\nexit 3\n' >build/fake
  chmod +x build/fake
  exit 0
fi
[[ $(cat recipe) == works ]] || { echo "code.c:1: the compiler says no" >&2; exit 3; }
[[ ! -e $FULL || $PWD != */mid ]] || { echo "cp: error writing 'build/fake': No space left on device" >&2; exit 1; }
mkdir -p build
cp "$FAKE" build/fake
printf '\n%s\nFAKE_LEVEL=%s\nFAKE_FAST=%s\n' "$(cat code)" "$(cat level)" "$(cat fast)" >>build/fake
SCRIPT
export FULL=$work/.torchgate/full # while it exists, no step finds space on the disk
echo works >recipe
echo 1000 >level
echo 1000 >fast
next_commit() {
  local name=$1 file=$2
  echo "$name" >"$file"
  git add .
  git commit -qm "$name${3:+: $3}"
  git tag "$name"
}
for i in {1..13}; do
  case $i in
    4 | 9) next_commit "c$i" notes.md ;;
    *) next_commit "c$i" code ;;
  esac
done
echo fails >recipe
next_commit c14 code
echo works >recipe
next_commit c15 code
git checkout -q -b side
next_commit s1 code
next_commit s2 code
git checkout -q -
next_commit c16 notes.md
git merge -q --no-ff --no-edit side
for i in {17..20}; do next_commit "c$i" code; done
echo 1050 >level
next_commit c21 code 'kernels: Drop the fused path'
for i in {22..26}; do next_commit "c$i" code; done
echo 1080 >fast
next_commit c27 code
for i in 28 29; do next_commit "c$i" notes.md; done
git branch -m trunk
git checkout -q -b notes c21 # documentation alone after the slow-down
for i in {1..12}; do next_commit "n$i" notes.md; done
git checkout -q -b broken c13 # the slow-down does not build
echo fails >recipe
next_commit b1 code
echo 1100 >level
next_commit b2 code
echo works >recipe
next_commit b3 code
git checkout -q -b silent c20 # it builds, and measures nothing
echo silent >recipe
next_commit x1 code
echo works >recipe
echo 1050 >level
next_commit x2 code
next_commit x3 code
git checkout -q -b faster c21
echo 900 >level
next_commit f1 code
git checkout -q -b topic c20 # the slow-down comes by a merge
echo 1050 >level
next_commit t1 code
git checkout -q -b joined c20
next_commit j1 notes.md
git merge -q --no-ff -m "Merge the topic" topic
git tag merged
next_commit j2 notes.md
git checkout -q trunk
eager=fake/ok/eager/device:cpu fast=fake/ok/fast/device:cpu

# What must not change: files, index, branches, work trees, and what git keeps about them.
state() {
  git status --porcelain
  git worktree list --porcelain
  git for-each-ref
  cat .git/HEAD
  cat .git/worktrees/*/gitdir .git/BISECT_* 2>/dev/null || true
  sha256sum .git/index
}
echo "half a thought" >code # the user's own tree is modified, and stays so
before=$(state)
untouched() {
  local now
  now=$(state)
  [[ $now == "$before" ]] || complain "$1 changed the repository: $(diff <(echo "$before") <(echo "$now"))"
  [[ ! -e .torchgate/work_trees ]] || complain "$1 left $(find .torchgate/work_trees)"
}
build=(--build "bash build.sh" --suites build)
bisect() { "$torchgate" bisect "$@"; }
# answer FILE EXPRESSION: of the JSON answer, as Python knows it by the name of `a`
answer() {
  python3 -c 'import json, sys
a = json.load(open(sys.argv[1]))
sys.exit(None if eval(sys.argv[2]) else json.dumps(a, indent=1))' "$1" "$2" || complain "$1: not $2"
}
hash_of() { git rev-parse "$1^{commit}"; }

echo "-- one case, one commit"
exits_with 0 bisect "$eager" --good c1 --bad c26 "${build[@]}" --json one.json
says "FOUND $(git rev-parse --short=12 c21) $(date +%Y)"
says "c21: kernels: Drop the fused path"
says "step 1 of about"
says "uncommitted changes of this checkout are in no commit"
untouched "bisect"
answer one.json 'a["schema"] == "torchgate.bisect/1" and len(a["findings"]) == 1'
answer one.json "a['findings'][0]['commit']['commit'] == '$(hash_of c21)' and a['findings'][0]['parent'] == '$(hash_of c20)'"
answer one.json "[c['case'] for c in a['findings'][0]['cases']] == ['$eager']"
answer one.json "0.045 < a['findings'][0]['cases'][0]['change'] < 0.055 and a['findings'][0]['cases'][0]['interval']['low'] > 0.04"
answer one.json 'a["steps"] <= 8 and a["pairs"] <= 6 * 12'
answer one.json 'a["findings"][0]["run"]'
exits_with 0 "$torchgate" explain "$eager" "$(python3 -c 'import json; print(json.load(open("one.json"))["findings"][0]["run"])')"
[[ $(<.torchgate/bisect/log) == *"git bisect bad"* ]] || complain "the log of git bisect is not kept"

echo "-- commits that build the same cost no pair, and one that does not build is skipped"
exits_with 0 bisect "$eager" --good c1 --bad c22 "${build[@]}" --json same.json
exits_with 3 bisect "$eager" --good c12 --bad c16 --build "bash build.sh" --suites build
says "NO SLOW-DOWN: the bad commit is not slower than the good one today"
exits_with 0 bisect "$eager" --good c20 --bad n12 "${build[@]}" --json notes.json
answer notes.json "a['findings'][0]['commit']['commit'] == '$(hash_of c21)' and a['identical'] == a['steps'] > 0"
untouched "bisect of notes"

echo "-- two cases that became slower at different commits"
exits_with 0 bisect --good c1 --bad c29 "${build[@]}" --json two.json
says "cases are on different sides of the change at this commit; searched for afterwards: fake/ok/"
answer two.json "{f['cases'][0]['case']: f['commit']['commit'] for f in a['findings']} == {'$eager': '$(hash_of c21)', '$fast': '$(hash_of c27)'}"

echo "-- a slow-down that a merge brought: the commit of the branch, or the merge"
exits_with 0 bisect "$eager" --good c20 --bad j2 "${build[@]}"
says "FOUND $(git rev-parse --short=12 t1)"
exits_with 0 bisect "$eager" --good c20 --bad j2 --first-parent "${build[@]}" --json merge.json
says "FOUND $(git rev-parse --short=12 merged)"
answer merge.json "a['findings'][0]['parent'] == '$(hash_of j1)' and a['steps'] <= 2"
untouched "--first-parent"

echo "-- only commits that do not build are left"
exits_with 3 bisect "$eager" --good c13 --bad b3 "${build[@]}" --json range.json
says "NOT DECIDED: one of these 3 commits; those that are left to test were skipped"
says "was skipped: the build of step"
answer range.json "[c['commit'] for c in a['findings'][0]['candidates']] == ['$(hash_of b1)', '$(hash_of b2)', '$(hash_of b3)']"
untouched "bisect with broken builds"

exits_with 3 bisect "$eager" --good c20 --bad x3 "${build[@]}" --json silent.json
says "was skipped: no process of its build measured these cases"
answer silent.json "[c['commit'] for c in a['findings'][0]['candidates']] == ['$(hash_of x1)', '$(hash_of x2)'] and a['pairs'] < 24"

echo "-- Ctrl-C, and what is kept"
FAKE_GROUPS=slow python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$torchgate" bisect eager --good c1 --bad c26 "${build[@]}" >interrupted.log 2>&1 &
for _ in {1..600}; do
  ! grep -q "step 3 of about" interrupted.log || break
  sleep 0.1
done
kill -INT $!
code=0
wait $! || code=$?
((code == 130)) || complain "SIGINT: exit code $code: $(cat interrupted.log)"
grep -q "torchgate bisect --resume" interrupted.log || complain "how to continue is not said: $(cat interrupted.log)"
untouched "SIGINT"
FAKE_GROUPS=slow exits_with 0 bisect --resume --json resumed.json
says "step 3 of about"
[[ $out != *"step 2 of about"* ]] || complain "what was judged is judged again: $out"
answer resumed.json "a['findings'][0]['commit']['commit'] == '$(hash_of c21)'"
untouched "--resume"
exits_with 2 bisect --resume
says "no unfinished bisection"

echo "-- no space left on the disk"
mkdir -p .torchgate && touch "$FULL"
exits_with 2 bisect "$eager" --good c1 --bad c26 "${build[@]}"
says "no space left on the disk; free some"
says "continue with \`torchgate bisect --resume\`"
untouched "a full disk"
rm "$FULL"
exits_with 0 bisect --resume
says "FOUND $(git rev-parse --short=12 c21)"
[[ $out != *"measuring both ends"* ]] || complain "the ends are measured again: $out"

echo "-- the failing cases of a report"
exits_with 1 "$torchgate" ab --before c20 --after c21 "${build[@]}" --filter eager --gate 0.03 --json report.json
exits_with 0 bisect --from report.json --good c13 --bad c24 "${build[@]}"
says "FOUND $(git rev-parse --short=12 c21)"
echo '{}' >none.json
exits_with 2 bisect --from none.json --good c13 --bad c24 "${build[@]}"

echo "-- bad input: a sentence each, and nothing changes"
exits_with 2 bisect "$eager" --good c1
says "bisect needs --good, --bad and --build, or --resume"
exits_with 2 bisect "$eager" --good c26 --bad c1 "${build[@]}"
says "the good commit has to be the older one"
exits_with 2 bisect "$eager" --good nowhere --bad c26 "${build[@]}"
says "--good nowhere: no commit of that name; give a branch, a tag or a hash"
exits_with 2 bisect fake/ok/eagle/device:cpu --good c20 --bad c21 "${build[@]}"
says "no case of that name or pattern; similar: $eager"
exits_with 2 bisect "$eager" --good c13 --bad c14 "${build[@]}"
says "ended with exit code 3"
exits_with 2 bisect "$eager" --good c13 --bad c15 --build "bash build.sh"
says "name them with --suites"
exits_with 2 bisect "$eager" --good c21 --bad f1 "${build[@]}"
says "there is no slow-down to search for"
untouched "bad input"
cd /
exits_with 2 "$torchgate" bisect "$eager" --good c1 --bad c2 "${build[@]}"
cd "$work"

echo "-- the answers keep to the published schema"
python3 - "$sources/reports/schemas/bisect.schema.json" ./*.json <<'PYTHON' || complain "the schema"
import json, sys
import jsonschema
checker = jsonschema.Draft202012Validator(json.load(open(sys.argv[1])))
answers = [a for a in map(lambda path: json.load(open(path)), sys.argv[2:]) if a.get("schema") == "torchgate.bisect/1"]
assert len(answers) >= 5, answers
errors = [f"{'/'.join(map(str, e.absolute_path))}: {e.message}" for a in answers for e in checker.iter_errors(a)]
assert not errors, errors
PYTHON
finish
