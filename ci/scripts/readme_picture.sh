#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The picture at the top of README.md: the top of the HTML page of a recorded comparison, tests/fixtures/example/pairs.json, as Chromium
# draws it. To be made again when the page looks different, or the comparison was recorded again (tests/fixtures/example/record.sh);
# tests/e2e/readme_picture_test.sh says when.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

usage="usage: ci/scripts/readme_picture.sh TORCHGATE [PICTURE]
  TORCHGATE  the program, such as build/release/ci/cli/torchgate
  PICTURE    where to (default: reports/example.png)
Exit code: 0 written, 1 the page or the picture is not what it should be, 2 wrong usage or something is missing.
The last line is what README.md says in the place of the picture."

[[ ${1:-} != -h && ${1:-} != --help ]] || { echo "$usage"; exit 0; }
(($# == 1 || $# == 2)) || give_up 2 "one or two arguments"$'\n'"$usage"
torchgate=$(realpath -- "$1") picture=$(realpath -- "${2:-$repository/reports/example.png}")
[[ -f $torchgate && -x $torchgate ]] || give_up 2 "$1: not a program; build it first (cmake --build --preset release --target torchgate)"
/usr/bin/python3 -c 'import PIL' 2>/dev/null || give_up 2 "Pillow is missing; install it (apt-get install python3-pil)"
command -v chromium chromium-browser google-chrome >/dev/null || give_up 2 "chromium is missing; install it (apt-get install chromium)"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# Without the settings of a repository or of a CI job. Exit code 1 is the comparison's verdict.
code=0
env -i PATH="$PATH" HOME="$work" "$torchgate" report "$repository/tests/fixtures/example/pairs.json" --quiet --html page.html || code=$?
((code <= 1)) && [[ -s page.html ]] || give_up 1 "torchgate report ended with exit code $code"
"$repository/tests/e2e/readme_picture.py" take page.html "$picture" || give_up 1 "no picture was written"
# The words of the page: its outcome and its headline.
sed -nE 's/^<header><p class="outcome [a-z]+">(.*)<\/p>$/\1/p; s/^<h1>(.*)<\/h1>$/\1/p' page.html | paste -sd '\t' | sed 's/\t/: /'
