#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# before_after_test.sh TORCHGATE SUITE SOURCES TORCH CXX launcher:LAUNCHER flags:FLAGS: two commits of a repository whose suite is one file that
# never changes, and whose code is a shared library. A planted operator and a planted wait are both found; the first is named,
# for the second nothing is blamed. Then the same by the gate, with the baseline's kept library, and with a rebuilt one.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 sources=$3
export SUITE=$2 TORCH=$4 CXX=$5 LAUNCHER=${6#launcher:} FLAGS=${7#flags:}
new_repository
# A throttled CPU, such as that of a container with a quota, decides nothing here.
export TORCHGATE_GATE_ALLOW_NOISY=true
printf '*.json\nobjects-away\n' >>.gitignore
case=before_after/work/power
# Counting LibTorch's instructions takes half a minute a time; the last comparison of code is made, others are tests of their own.
export TORCHGATE_GATE_COUNT_UNDECIDED=false TORCHGATE_GATE_COMPARE_CODE=false

cat >build.sh <<'SCRIPT'
set -e
mkdir -p build
cp -f "$SUITE" build/before_after
$LAUNCHER $CXX $FLAGS -std=c++20 -O2 -fPIC -isystem "$TORCH/include" $(cat flags) -c work.cpp -o build/work.o
$CXX -shared build/work.o -o build/libbefore_after_work.so
rm build/work.o
SCRIPT
cp "$sources/work.cpp" "$sources/work.hpp" .
commit() {
  echo "$2" >flags
  git add .
  git commit -qm "$1"
  git tag "$1"
}
commit base -DBEFORE_AFTER_WAIT_US=0
# Large enough for the screen, which has one stored run to compare with: it misses +30 % while other guests use the machine.
commit operator "-DBEFORE_AFTER_CLONES=5"
commit wait "-DBEFORE_AFTER_WAIT_US=80"
repository() { git status --porcelain; git worktree list; }
was=$(repository)

# reasons FILE: of the case's time
reasons() {
  python3 -c 'import json, sys
for f in json.load(open(sys.argv[1]))["findings"]:
    if f["case"] == sys.argv[2] and f["metric"]["name"] == "time": print("\n".join(["why: " + cause for cause in f["causes"]] + f["reasons"]))' "$1" "$case"
}
# slower FILE WHY: it fails, and says why
slower() {
  echo "  $1: $(finding "$1" "$case"); $(reasons "$1" | grep -e why: -e 'no cause' || true)"
  [[ $(finding "$1" "$case") == "regressed fail"* ]] || complain "$1: $(finding "$1" "$case")"
  [[ $(reasons "$1") == *"why: "*"$2"* || (-z $2 && $(reasons "$1") == *"no cause visible"*) ]] || complain "$1 does not say why ($2): $(reasons "$1")"
}

# blames_little FILE: a wait outside of all operators; noise can move an operator as well, but never explain the most part
blames_little() {
  slower "$1" ""
  # The function that waits is the cause; without a comparison of code (rebuilt binaries) none is visible.
  [[ $(reasons "$1") == *"no cause visible"* || $(reasons "$1") == *"the same operators with the same calls"* ||
    $(reasons "$1") =~ ", "[0-4]?[0-9]" % of the added time" ]] ||
    complain "$1 blames an operator for the wait: $(reasons "$1")"
}

for planted in operator wait; do
  exits_with 1 "$torchgate" ab --quick --before base --after "$planted" --build "sh build.sh" --suites build --json "$planted.json"
done
slower operator.json "+5 aten::clone"
blames_little wait.json
[[ $(repository) == "$was" ]] || complain "the repository has changed: $(repository)"

# The gate: one executable all the time, and each time another library beside it.
git checkout -q base
sh build.sh
program=$(sha256sum <build/before_after)
"$torchgate" run --quick --suite build --save base >/dev/null 2>&1
exits_with 0 "$torchgate" baseline add base
for planted in operator wait; do
  git checkout -q "$planted"
  sh build.sh
  [[ $(sha256sum <build/before_after) == "$program" ]] || complain "the executable has changed: the test tests nothing"
  for _ in 1 2 3; do # a disturbed run can hide it from the screen
    "$torchgate" run --quick --suite build --save "$planted" >/dev/null 2>&1
    "$torchgate" gate "$planted" --confirm none --unconfirmed warn --quiet --json screen.json 2>/dev/null || true
    [[ $(finding screen.json "$case") != suspected* ]] || break
  done
  exits_with 1 env TORCHGATE_GATE_COMPARE_CODE="$([[ $planted == wait ]] && echo true || echo false)" "$torchgate" gate "$planted" --budget 4m --json "gate_$planted.json"
done
slower gate_operator.json "+5 aten::clone"
blames_little gate_wait.json
[[ $(reasons gate_wait.json) == *"the pairs ran the recorded binaries of both sides"* ]] || complain "not said what ran: $(reasons gate_wait.json)"

# Without the kept objects: not confirmed, and the message names the key; with it, the commit is built again.
mv .torchgate/store/objects objects-away
"$torchgate" gate wait --quiet --json gone.json 2>/dev/null || true
[[ $(finding gone.json "$case") == suspected* ]] || complain "without objects: $(finding gone.json "$case")"
[[ $(reasons gone.json) == *"set baseline.build in torchgate.toml"* ]] || complain "the key is not named: $(reasons gone.json)"
printf '[baseline]\nbuild = "sh build.sh"\nsuites = ["build"]\n' >.torchgate/policy.toml
was=$(repository)
exits_with 1 "$torchgate" gate wait --budget 4m --config .torchgate/policy.toml --store .torchgate/store --json rebuilt.json
grep -q "the baseline was rebuilt from commit $(git rev-parse --short=12 base) for the pairs" rebuilt.json || complain "the report does not say that the baseline was rebuilt"
[[ $(finding rebuilt.json "$case") == "regressed fail"* ]] || complain "rebuilt.json: $(finding rebuilt.json "$case")"
[[ $(reasons rebuilt.json) == *"its binaries are not the recorded ones"* ]] || complain "not said what ran: $(reasons rebuilt.json)"
[[ $(repository) == "$was" && ! -e .torchgate/work_trees ]] || complain "the rebuilt baseline left something: $(repository)"

# A baseline that cannot do what it did is none; one that does not build is none either.
printf '[baseline]\nbuild = "sh build.sh; rm build/*.so; cp /bin/true build/before_after"\nsuites = ["build"]\n' >.torchgate/policy.toml
"$torchgate" gate wait --config .torchgate/policy.toml --store .torchgate/store --quiet --json lacking.json 2>/dev/null || true
[[ $(finding lacking.json "$case") == suspected* ]] || complain "a rebuilt suite without the case: $(finding lacking.json "$case")"
[[ $(reasons lacking.json) == *"not confirmed: the rebuilt baseline lacks the case $case"* ]] || complain "not said what it lacks: $(reasons lacking.json)"
finish
