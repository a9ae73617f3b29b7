#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A change of a file that a suite reads is seen by the pairs, with the same executable: each side reads its own content. Where that is not
# possible the suspect is not cleared.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 sized_suite=$2
new_repository
mkdir build data
cp "$sized_suite" build/sized
echo build >>.gitignore
echo 20 >data/model.txt
git add .
git commit -qm data
export TORCHGATE_GATE_ALLOW_NOISY=true

measure() { exits_with 0 "$torchgate" run --quick --suite build --save "$@"; }
# Three times as many: a neighbour on the same core changes times by half between two runs.
slower() {
  echo 60 >"$1"
  git add .
  git commit -qm "three times as many layers" --allow-empty
}
# what_pairs_read: the SHA-256 of the model in the newest pairs
what_pairs_read() {
  python3 - <<'PYTHON'
import glob, json
for path in glob.glob(".torchgate/runs/*.json"):
    run = json.load(open(path))
    if len(run["sides"]) == 2:
        print(*sorted({file["sha256"] for file in run["files"] if file["path"].endswith("model.txt")}))
PYTHON
}

measure main
exits_with 0 "$torchgate" baseline add main
stored=$(sha256sum <data/model.txt | cut -d' ' -f1)
[[ -e .torchgate/store/objects/${stored:0:2}/$stored ]] || complain "the file is not stored with the baseline"
slower data/model.txt

measure change --skip-unchanged
exits_with 1 "$torchgate" gate change --json restored.json
says "regressed"
says "data/model.txt, which it reads, differs between the sides"
grep -q '"verdict": *"regressed"' restored.json || complain "not regressed in restored.json"
[[ $(what_pairs_read | wc -w) == 2 ]] || complain "both sides of the pairs read the same: $(what_pairs_read)"
[[ $(cat data/model.txt) == 60 ]] || complain "the work tree was changed"

# Not in the store: the baseline's binary reads the change's file, and clears nothing.
chmod -R u+w .torchgate/store/objects
rm .torchgate/store/objects/"${stored:0:2}/$stored"
exits_with 1 "$torchgate" gate change --json kept.json
says "not confirmed: in the pairs the baseline's binary read this change's"
says "data/model.txt, whose content differs"
finding kept.json sized/forward/forward | grep -q '^suspected fail' || complain "kept.json: $(finding kept.json sized/forward/forward)"

# Removed: as much another content.
git rm -q data/model.txt
git commit -qm removed
measure removed
TORCHGATE_GATE_MIN_DECIDED=0 exits_with 0 "$torchgate" gate removed --confirm none
git revert --no-edit HEAD >/dev/null

# Outside of the work tree nothing is stored: it may be a secret.
outside=$(mktemp)
trap 'rm -rf "$work" "$outside"' EXIT
export SIZED_FILE=$outside
echo 20 >"$outside"
measure main2
exits_with 0 "$torchgate" baseline add main2
stored=$(sha256sum <"$outside" | cut -d' ' -f1)
[[ ! -e .torchgate/store/objects/${stored:0:2}/$stored ]] || complain "a file outside of the work tree is stored"
slower "$outside"
measure change2
exits_with 1 "$torchgate" gate change2
says "not confirmed: in the pairs the baseline's binary read this change's $outside, whose content differs"

# Nothing but the commit differs.
echo 60 >"$outside"
measure main3
exits_with 0 "$torchgate" baseline add main3
git commit -q --allow-empty -m nothing
measure same
TORCHGATE_GATE_MIN_DECIDED=0 exits_with 0 "$torchgate" gate same --measure-unchanged
finish
