#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A model that AOTInductor compiled, in packages (.pt2) that are kept beside the executable. Copies are the same side; a package that was
# compiled otherwise is another one, with the same executable: twice the work is `regressed`, and never "same files".
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
cases='^compile/(options/default|dynamic/static/batch:8)'

# A copy against a copy: the same objects, although each process unpacks the packages' libraries under random names.
exits_with 3 "$torchgate" ab --before before/compile --after after/compile --filter "$cases" --budget "4 pairs" --save copies
says "the same objects ran on both sides"
[[ $out != *": regressed"* ]] || complain "a copy regressed: $out"
python3 - <<'PYTHON' || complain "the objects of the record"
import json
run = json.load(open(".torchgate/runs/copies.json"))
def positions(references):
    for each in references:
        yield from range(each[0], each[1] + 1) if isinstance(each, list) else [each]
sides = {0: set(), 1: set()}
for process in run["processes"]:
    for position in positions(process["objects"]):
        one = run["objects"][position]
        sides[process["side"]].add((one["path"].rsplit("/", 1)[-1], one["sha256"]))
for side, objects in sides.items():
    names = {name for name, _ in objects}
    assert {"compile", "gated_32.pt2", "gated_8.pt2", "libtorch_cpu.so"} <= names, f"side {side}: {sorted(names)}"
    assert not any("wrapper" in name for name in names), f"side {side} lists an unpacked library: {sorted(names)}"
assert sides[0] == sides[1], f"the copies differ in {sides[0] ^ sides[1]}"
PYTHON

# A package is a part of what is unchanged.
git add before >/dev/null
git commit -qm "a commit"
mkdir work
cp -r before/. work
options='^compile/options/default'
exits_with 0 "$torchgate" run --suite work/compile --quick --filter "$options" --save first
exits_with 0 "$torchgate" baseline add first
cp after/compile.artefacts/gated_32.pt2 work/compile.artefacts/gated_32.pt2  # the same bytes, written again
exits_with 0 "$torchgate" run --suite work/compile --quick --filter "$options" --save again --skip-unchanged
says "1 of 1 group is unchanged since run"

cp "$suite.artefacts/planted_slower_32.pt2" work/compile.artefacts/gated_32.pt2
exits_with 0 "$torchgate" run --suite work/compile --quick --filter "$options" --save changed --skip-unchanged
says "compile/options is measured: gated_32.pt2 differs"
cp "$suite.artefacts/planted_slower_32.pt2" after/compile.artefacts/gated_32.pt2
# Without counts of what times leave open: Callgrind needs longer for PyTorch's packages than all the rest.
TORCHGATE_GATE_COUNT_UNDECIDED=false exits_with 1 "$torchgate" ab --before before/compile --after after/compile --filter "$cases"
says "compile/options/default: regressed"
[[ $out != *"identical files"* && $out != *"same files"* ]] || complain "another package was taken for the same files: $out"
[[ $out != *"compile/dynamic/static/batch:8: regressed"* ]] || complain "a case of another package regressed: $out"
finish
