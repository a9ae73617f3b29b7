#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# bisect_turns_test.sh TORCHGATE TURNS_SUITE [TIMES]: `bisect` on measured times, in pairs that take turns: of 32 commits one does 5 % more work. It is
# named, in at most 8 steps and six times the pairs of a confirmation, or nothing is: never another one. A busy machine may leave it open.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1
export SUITE=$2
times=${3:-1}
new_repository
printf '*.json\n' >>.gitignore
export TORCHGATE_GATE_ALLOW_NOISY=true

# The name of the file says how much more work its cases of quarter 0 do; the commit's number makes its build another one.
cat >build.sh <<'SCRIPT'
set -e
mkdir -p build
cp "$SUITE" "build/suite-plus$(cat plus)"
cat number >>"build/suite-plus$(cat plus)"
SCRIPT
found=0
for ((time = 1; time <= times; ++time)); do
  culprit=$((RANDOM % 30 + 2))
  git checkout -q --orphan "history$time"
  for i in {1..32}; do
    echo "$((i >= culprit ? 5 : 0))" >plus
    echo "$time $i" >number
    git add .
    git commit -qm "change $i"
    git tag "h$time-$i"
  done
  exits_with_any "0 3" "$torchgate" bisect turns/many/spin/quarter:0/step:4 --good "h$time-1" --bad "h$time-32" --quick \
    --build "bash build.sh" --suites build --json answer.json
  echo "$out" | grep -E '^(FOUND|NOT DECIDED|NO COMMIT|  turns|[0-9]+ steps)' || true
  code=0
  python3 - "$(git rev-parse "h$time-$culprit")" <<'PYTHON' || code=$?
import json, sys
answer = json.load(open("answer.json"))
# Where noise makes the ends differ by more than the commit explains, a second finding says so.
finding = next((each for each in answer["findings"] if each["end"] == "found"), answer["findings"][0])
if finding["end"] != "found":
    sys.exit(3)
assert finding["commit"]["commit"] == sys.argv[1], finding
assert answer["steps"] <= 8, answer
PYTHON
  case $code in
    0) found=$((found + 1)) ;;
    3) echo "not decided: $(tail -n 3 <<<"$out")" ;;
    *) complain "another commit than $culprit was named, or at a higher cost" ;;
  esac
done
echo "found $found of $times"
finish
