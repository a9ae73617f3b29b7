#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Evidence that could not have convicted must not acquit: too few pairs, and pairs of the very same files. Pairs are of a suite
# that takes the time that was appended to its file, so nothing here depends on this machine.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
source "$(dirname "${BASH_SOURCE[0]}")/../../ci/scripts/noted_copy.sh"
torchgate=$1 fake_suite=$2 made_runs=$3
new_repository
export TORCHGATE_GATE_ALLOW_NOISY=true
# said JSON TEXT: a note or a reason of the report has it
said() { grep -qF "$2" "$1" || { complain "$1 does not say: $2"; cat "$1" >&2; }; }

for level in 1000 1001 2000; do
  mkdir -p "build$level"
  cp "$fake_suite" "build$level/fake"
  printf '\nFAKE_LEVEL=%s\n' "$level" >>"build$level/fake"
done
ab() { "$torchgate" ab --quick --seed 1 --before build1000 "$@"; }
slow=fake/ok/eager/device:cpu

# Two cases need ten pairs, six need eleven: eight are raised, and a doubling is found.
exits_with 1 ab --pairs 8 --after build2000 --json two.json
says "warning: gate.pairs = 8: too few to show any regression, 2 verdicts need at least 10; up to 10 are measured"
[[ $(finding two.json $slow) == "regressed fail"* ]] || complain "8 pairs of two cases: $(finding two.json $slow)"
said two.json "gate.pairs = 8: too few to show any regression"
FAKE_GROUPS=ok,also,third exits_with 1 ab --pairs 8 --after build2000 --json six.json
says "6 verdicts need at least 11"
[[ $(finding six.json $slow) == "regressed fail"* ]] || complain "8 pairs of six cases: $(finding six.json $slow)"
exits_with 0 ab --pairs 2 --after build1001 --json same.json
[[ $(finding same.json $slow) == "equivalent pass"* ]] || complain "the same build: $(finding same.json $slow)"
exits_with 1 ab --pairs 10 --after build2000
[[ $out != *"too few"* ]] || complain "ten pairs were raised: $out"
# A rule that judges no pairs takes as many as it is given.
exits_with 0 ab --pairs 2 --rule exact --after build1000
[[ $out != *"too few"* ]] || complain "rule exact: $out"

# A budget is what it is: what it leaves untested is not judged, and not judged is no pass.
exits_with 3 ab --budget "7 pairs" --after build2000 --json budget.json
says "no case could be judged: 7 pairs cannot show a regression, however large; at least 12 are needed"
[[ $(finding budget.json $slow) == "inconclusive note"* ]] || complain "a budget of 7 pairs: $(finding budget.json $slow)"
said budget.json "2 of 2 cases had too few pairs: no regression could have been found in them"

# A confirmation is raised, too: two pairs confirm nothing.
mkdir build
build_as() { cp "build$1/fake" build/fake; }
build_as 1000
exits_with 0 "$torchgate" run --suite build --save main
exits_with 0 "$torchgate" baseline add main
rm build/fake
build_as 2000
git commit -q --allow-empty -m slower
exits_with 0 "$torchgate" run --suite build --save slower
exits_with 1 "$torchgate" gate slower --pairs 2 --json gate.json
says "warning: gate.pairs = 2: too few to show any regression, 2 verdicts need at least 10"
[[ $(finding gate.json $slow) == "regressed fail"* ]] || complain "a confirmation with 2 pairs: $(finding gate.json $slow)"

# Builds that differ in one byte of a note: a build against itself that can fail, as gpu_check.sh and chained_runs.sh need it.
noted_copies copies "$fake_suite"
name=${fake_suite##*/}
(($(cmp -l "copies/old/$name" "copies/new/$name" | wc -l) == 1)) || complain "the copies do not differ in one byte"
readelf -n "copies/new/$name" | grep -q torchgate || complain "the copy has no note"
# slowed AFTER: the verdict of pairs against copies/old whose later side is made 1.3 times slower
slowed() {
  exits_with 0 "$torchgate" ab --quick --every-pair --pairs 10 --before copies/old --after "$1" --save aa --json aa.json
  "$made_runs" scale .torchgate/runs/aa.json .torchgate/runs/slowed.json 1.3 1 1 >/dev/null
  exits_with 0 "$torchgate" report slowed --format json --output slowed.json
  rm .torchgate/runs/{aa,slowed}.*
}
slowed copies/new
! grep -q "same executables" aa.json || complain "the copies count as the same files"
[[ $(finding slowed.json $slow) == "regressed fail"* ]] || complain "copies: $(finding slowed.json $slow)"
slowed copies/old
[[ $(finding slowed.json $slow) != regressed* ]] || complain "the very same files were called regressed: the copies are not needed"
finish
