#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A model that AOTInductor compiled otherwise, with the same executable: twice the work is `regressed`, and never "same files".
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 suite=$2
if [[ -f $suite.artefacts/not_built.txt ]]; then
  echo "skipped: the artefacts of the suite were not built: $(<"$suite.artefacts/not_built.txt")"
  exit 77
fi
new_repository
export TORCHGATE_GATE_ALLOW_NOISY=true
for side in before after; do
  mkdir "$side"
  cp "$suite" "$side/compile"
  cp -r "$suite.artefacts" "$side/compile.artefacts"
done
# The command that made the packages makes one more.
$(<"$suite.artefacts/compiler.txt") planted planted_slower_32.pt2 >planted.log 2>&1 || complain "the package: $(tail -3 planted.log)"
cp planted/planted_slower_32.pt2 after/compile.artefacts/gated_32.pt2
cases='^compile/(options/default|dynamic/static/batch:8)'
exits_with 1 "$torchgate" ab --before before/compile --after after/compile --filter "$cases"
says "compile/options/default: regressed"
[[ $out != *"identical files"* && $out != *"same files"* ]] || complain "another package was taken for the same files: $out"
[[ $out != *"compile/dynamic/static/batch:8: regressed"* ]] || complain "a case of another package regressed: $out"
finish
