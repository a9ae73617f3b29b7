#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The same executable with another artefact is another side: a cold start that is 20 % slower is found in pairs and against a stored
# baseline, whose artefact is restored; the same artefact passes; --skip-unchanged sees the change.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 suite=$2
new_repository
export TORCHGATE_GATE_ALLOW_NOISY=true
# side NAME TENTHS: a folder with the executable and an artefact that costs so many tenths of a millisecond
side() {
  mkdir -p "$1/own.artefacts"
  cp "$suite" "$1/own"
  echo "$2" >"$1/own.artefacts/model.bin"
}
side before 400
side after 480
side same 400
exits_with_any "0 3" "$torchgate" ab --before before/own --after same/own --filter own/loads --budget "12 pairs"
[[ $out != *": regressed"* ]] || complain "the same artefact regressed: $out"
exits_with 1 "$torchgate" ab --before before/own --after after/own --filter own/loads
says "own/loads/model: regressed"
[[ $out != *"identical files"* && $out != *"same files"* ]] || complain "another artefact was taken for the same files: $out"

# Against a stored baseline: the pairs that confirm need the old artefact beside the old executable.
git add before >/dev/null
git commit -qm "a commit" || true
mkdir work
cp -r before/. work
exits_with 0 "$torchgate" run --suite work/own --filter own/loads --save first
exits_with 0 "$torchgate" baseline add first
echo 480 >work/own.artefacts/model.bin
exits_with 0 "$torchgate" run --suite work/own --filter own/loads --save second --skip-unchanged
says "own/loads is measured: model.bin differs"
exits_with 1 "$torchgate" gate second --against first
says "own/loads/model: regressed"
finish
