#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The picture at the top of README.md is what its command makes of the recorded comparison today, and the words in its place say the same.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 source_dir=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
committed=$source_dir/reports/example.png
# Writing the picture again does not change it, and another tile is found: without a browser.
PYTHONPATH=$source_dir/tests/e2e PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 - "$committed" <<'PYTHON'
import sys
import readme_picture as script
data = open(sys.argv[1], "rb").read()
picture, texts = script.read(data)
again = script.written(picture, script.PALETTES[0], texts)
assert texts and script.read(again)[1] == texts, texts
assert script.read(again)[0].tobytes() == picture.tobytes(), "other pixels"
assert len(again) <= script.MOST_BYTES, len(again)
assert script.differing(picture, picture) == []
changed = picture.copy()
changed.paste((0, 0, 0), (64, 32, 96, 64))
assert script.differing(changed, picture) == [(64, 32)], script.differing(changed, picture)
PYTHON
needs_browser
compare() { "$source_dir/tests/e2e/readme_picture.py" compare "$@"; }

exits_with 0 "$source_dir/ci/scripts/readme_picture.sh" "$torchgate" new.png
echo "$out"
said=$(tail -n 1 <<<"$out")
if [[ -s $committed ]]; then
  compare new.png "$committed" || complain "reports/example.png is not of today's page"
else
  complain "reports/example.png is missing; make it with ci/scripts/readme_picture.sh TORCHGATE"
fi
grep -qF "](reports/example.png)" "$source_dir/README.md" || complain "README.md does not show reports/example.png"
grep -qF "$said" <(grep -F "](reports/example.png)" "$source_dir/README.md") || complain "README.md does not say beside its picture: $said"

# The test finds what it looks for: a page without the lines of the gate, and one with an other outcome.
env -i PATH="$PATH" HOME="$work" "$torchgate" report "$source_dir/tests/fixtures/example/pairs.json" --quiet --html page.html || (($? == 1))
sed 's|<line class="gate"[^>]*/>||g' page.html >without_gate.html
code=0
"$source_dir/tests/e2e/readme_picture.py" take without_gate.html without_gate.png >without_gate.txt 2>&1 || code=$?
((code == 1)) && grep -q "the page has no gate" without_gate.txt || { complain "a page without a gate is not found"; cat without_gate.txt >&2; }
sed 's|class="outcome fail"|class="outcome pass"|; s|<h1>.*</h1>|<h1>no case became slower</h1>|; s|"bar fail"|"bar pass"|g; s|"shape fail"|"shape pass"|g' page.html >green.html
"$source_dir/tests/e2e/readme_picture.py" take green.html green.png
compare green.png new.png && complain "another outcome is not found"
finish
