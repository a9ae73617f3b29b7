#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ab_commits_test.sh TORCHGATE FAKE_SUITE: `ab` with commits, on a suite whose numbers are certain: what is built, what is said
# when it cannot be, and that nothing of the user's repository changes in any ending.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1
export FAKE=$2
new_repository
printf '*.json\n*.log\n' >>.gitignore # what this script writes
export FAKE_GROUPS=ok FAKE_LEVEL=1000000 # ns: a fine clock is no question here
export TORCHGATE_GATE_COUNT_UNDECIDED=false # the fake suite cannot be counted

# The code is a few bytes behind the executable: every commit has another file. `recipe` says how the build goes.
cat >build.sh <<'SCRIPT'
set -e
echo "compiling $(cat code)"
case $(cat recipe) in
  fails) echo "code.c:1: the compiler says no" >&2; exit 3 ;;
  hangs) touch "$STARTED"; sleep 60 ;;
  nothing) exit 0 ;;
esac
mkdir -p build
rm -f build/fake
cp "$FAKE" build/fake
cat code >>build/fake
SCRIPT
next_commit() {
  echo "$1" >recipe
  date +%N >code
  git add .
  git commit -qm "$2"
  git tag "$2"
}
next_commit works old
next_commit works new
next_commit fails broken
next_commit hangs endless
next_commit nothing empty
next_commit works tip
export STARTED=$work/.torchgate/started

# What must not change: files, index, branches, work trees, and what git keeps about them.
state() {
  git status --porcelain
  git worktree list --porcelain
  git for-each-ref
  cat .git/HEAD
  cat .git/worktrees/*/gitdir 2>/dev/null || true
  sha256sum .git/index
}
echo "half a thought" >code # the user's own tree is modified, and stays so
git add -N recipe
before=$(state)
untouched() {
  local now
  now=$(state)
  [[ $now == "$before" ]] || complain "$1 changed the repository: $(diff <(echo "$before") <(echo "$now"))"
  [[ ! -e .torchgate/work_trees ]] || complain "$1 left $(find .torchgate/work_trees)"
}
# noted FILE TEXT: a note or a doubt of that report has it
noted() {
  python3 -c 'import json, sys
report = json.load(open(sys.argv[1]))
said = report["notes"] + report["doubts"]
sys.exit(None if any(sys.argv[2] in text for text in said) else str(said))' "$1" "$2" || complain "$1 does not note: $2"
}
ab() { "$torchgate" ab --quick --pairs 12 --allow-noisy "$@"; }
build=(--build "sh build.sh" --suites build)

exits_with 0 ab --before old --after new "${build[@]}" --json ab.json
says "building before (old, $(git rev-parse --short=12 old)): sh build.sh"
untouched "ab of two commits"
python3 - "$(git rev-parse old)" "$(git rev-parse new)" <<'PYTHON'
import json, sys
report = json.load(open("ab.json"))
for side, commit in zip(("before", "after"), sys.argv[1:]):
    assert report[side]["commit"] == commit and report[side]["modified"] is False, report[side]
assert not any("same executables" in note for note in report["notes"]), report["notes"]
PYTHON
[[ $(cat .torchgate/builds/before-*.log) == "compiling "* ]] || complain "the build's output is not kept"
[[ $out != *compiling* ]] || complain "a build that works is shown: $out"

# The same commit twice: two builds of the same bytes.
exits_with 0 ab --before new --after new "${build[@]}" --json same_commit.json
noted same_commit.json "both sides ran the same executables and libraries: what differs there is noise"
exits_with 0 ab --before "HEAD~5" --after "$(git rev-parse --short new)" --build 'cd {dir} && sh build.sh' --suites build/fake
untouched "ab of the same commit"

# A compiler cache knows a file of one work tree again in the other, and in the next run, debug information and absolute paths or not.
if command -v ccache >/dev/null; then
  compiled='echo "int x;" >{dir}/x.c && env -u CCACHE_DISABLE CCACHE_DIR="$CACHE" ccache cc -g -I{dir} -c {dir}/x.c -o x.o && sh build.sh'
  for _ in first second; do
    CACHE=$work/.torchgate/ccache exits_with 0 ab --before old --after new --build "$compiled" --suites build
  done
  counts=$(CCACHE_DIR=$work/.torchgate/ccache ccache --print-stats)
  hits=$(awk '$1 == "direct_cache_hit" || $1 == "preprocessed_cache_hit" { hits += $2 } END { print hits + 0 }' <<<"$counts")
  ((hits == 3)) || complain "of four compilations of one file the cache knew $hits"
fi

# One side a path; run.suites instead of --suites.
mkdir -p build
cp "$FAKE" build/fake
exits_with 0 ab --before old --after build "${build[@]}" --json ab.json
python3 -c 'import json; d = json.load(open("ab.json")); assert d["after"]["commit"] is None and d["before"]["commit"], d["after"]'
printf '[run]\nsuites = ["build"]\n' >torchgate.toml
exits_with 0 ab --before old --after build/fake --build "sh build.sh"
rm torchgate.toml

# A path wins over a commit of its name, and that is said.
git branch build old
before=$(state)
exits_with 0 ab --before build --after build/fake
says "--before build names both a path and a commit; using the path"
exits_with 0 ab --before refs/heads/build --after build/fake "${build[@]}"
untouched "ab of a branch"

# Nothing is guessed.
exits_with 2 ab --before nowhere --after build/fake
says "--before nowhere: neither an existing path nor a commit"
exits_with 2 ab --before old --after new
says "--before old is a commit; give the command that builds its suites"
exits_with 2 ab --before build/fake --after build/fake "${build[@]}"
says "apply to commits only"
exits_with 2 ab --before old build --after new "${build[@]}"
says "expected one commit"
exits_with 2 ab --before old --after new --build "sh build.sh"
says "name them with --suites"
exits_with 2 ab --before old --after new --build "sh build.sh" --suites ../build
says "not inside the work tree"
exits_with 2 ab --before old --after empty "${build[@]}"
says "no suites after the build: its work tree has no build"
exits_with 2 ab --before old --after broken "${build[@]}"
says "  | code.c:1: the compiler says no"
says "ended with exit code 3; full output: .torchgate/builds/after-$(git rev-parse --short=12 broken).log"
untouched "failing builds"
cd /
exits_with 2 "$torchgate" ab --before old --after new "${build[@]}"
says "neither an existing path nor a commit"
cd "$work"

# interrupted SIGNAL ARGUMENTS...: in the foreground as far as signals are concerned (a shell's background jobs ignore SIGINT)
interrupted() {
  local signal=$1 waits
  shift
  rm -f "$STARTED"
  python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$torchgate" ab --quick --allow-noisy "$@" >interrupted.log 2>&1 &
  for waits in {1..300}; do
    [[ ! -e $STARTED ]] || break
    sleep 0.1
  done
  [[ -e $STARTED ]] || complain "it never started: $(cat interrupted.log)"
  ((waits < 300)) || return 0
  kill "-$signal" $!
  code=0
  wait $! || code=$?
}
interrupted INT --before old --after endless "${build[@]}"
((code == 130)) || complain "SIGINT in a build: exit code $code: $(cat interrupted.log)"
untouched "SIGINT in a build"
FAKE_GROUPS=slow FAKE_MARK=$STARTED interrupted INT --before old --after new "${build[@]}"
untouched "SIGINT while measuring"

# What was built from a commit is gone with its work tree: its pairs cannot go on, and that is said.
FAKE_GROUPS=ok,slow "$torchgate" ab --quick --allow-noisy --before old --after new "${build[@]}" >killed.log 2>&1 &
for _ in {1..300}; do
  (($(find .torchgate/runs -path '*.part/*' -name '*.json' | wc -l) < 2)) || break
  sleep 0.1
done
kill -KILL $!
wait $! 2>/dev/null || true
rm -rf .torchgate/work_trees
git worktree prune
exits_with 2 "$torchgate" ab --resume
says "work tree is missing"
rm -rf .torchgate/runs/*.part
interrupted KILL --before old --after endless "${build[@]}"
[[ -e .torchgate/work_trees/1/old/build/fake ]] || complain "a killed ab left nothing to find: the test tests nothing"
exits_with 0 ab --before old --after new "${build[@]}"
untouched "ab after a killed one"

# A budget: pairs of all groups together, or time; what is open then says so, and what nothing could be found in is not judged.
FAKE_GROUPS=ok,also,third exits_with 3 ab --before old --after new "${build[@]}" --budget "7 pairs" --json budget.json
python3 - <<'PYTHON'
import json
report = json.load(open("budget.json"))
reasons = [f["reasons"][0] for f in report["findings"]]
assert len(reasons) == 6 and all(f["verdict"] == "inconclusive" for f in report["findings"]), report["findings"]
assert all("the budget of 7 pairs was spent after" in reason for reason in reasons), reasons
assert "the budget of 7 pairs was spent before 6 cases were decided" in report["notes"], report["notes"]
PYTHON
FAKE_GROUPS=ok,also,third exits_with 3 ab --before old --after new "${build[@]}" --budget 2 --json budget.json
[[ $(grep -c '"reasons": \["not measured: the budget of 2 pairs ran out before its first pair"' budget.json) == 2 ]] || complain "a group that never started is not told"
TORCHGATE_GATE_COUNT_UNDECIDED=true FAKE_GROUPS=slow exits_with 3 ab --before old --after new "${build[@]}" --budget 1s --json budget.json
# A fifth of it is for counting what times leave open.
noted budget.json "the pairs' budget of 0.8 s was spent before 2 cases were decided"
exits_with 2 ab --before old --after new "${build[@]}" --budget soon
says "use a time such as 90s"

# The same program behind two scripts that set it differently: no code differs, so no verdict stands. (Slow enough that the
# kernel is asked what runs after the script has become it.)
for side in plain slowed; do
  mkdir -p ".torchgate/$side"
  printf '#!/bin/sh\nFAKE_LEVEL=%s exec "%s" "$@"\n' "$([[ $side == plain ]] && echo 1000000 || echo 1300000)" "$FAKE" >".torchgate/$side/fake"
  chmod +x ".torchgate/$side/fake"
done
FAKE_GROUPS=lingers exits_with 3 ab --before .torchgate/plain --after .torchgate/slowed --json same.json
noted same.json "noise, over 2 cases 30.0 % in the median and at most 30.0 %"
noted same.json "would have been called regressed or improved"
[[ $(finding same.json fake/lingers/fast/device:cpu) == "inconclusive note 30.0" ]] ||
  complain "the same objects: $(finding same.json fake/lingers/fast/device:cpu)"

# Rule paired has no verdict before its pairs, and one after them.
git stash -q
"$torchgate" run --allow-noisy --suite build --save base >/dev/null 2>&1
exits_with 0 "$torchgate" baseline add base
"$torchgate" run --allow-noisy --suite build --save again >/dev/null 2>&1
exits_with 0 "$torchgate" gate again --rule paired --pairs 12 --allow-noisy
says "confirming 2 suspects"
finish
