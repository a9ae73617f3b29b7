#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check_words.sh ROOT: no retired word in what a person reads. The words are the two tables of README.md beside this script, "Words"; where a
# word is legitimately something else stands in words_allowed.txt.
set -euo pipefail
root=$(cd "${1:?the folder to check}" && pwd)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$root"

# What is checked: files, and folders with all that is below.
checked=(README.md CONTRIBUTING.md RELEASING.md CHANGELOG.md reports harness stats baselines suites ci tests)

phrases=$(mktemp)
trap 'rm -f "$phrases"' EXIT
# "| word | meaning | retired |" or "| instead of | write |": what is in backticks is the phrase.
awk -F'|' '
  /^## / { inside = $0 == "## Words" }
  !inside || !/^\|/ { next }
  {
    retired = NF == 5 ? $4 : $2
    write = NF == 5 ? $2 : $3
    gsub(/^ +| +$/, "", write)
    count = split(retired, part, "`")
    for (i = 2; i <= count; i += 2) printf "%s\t%s\n", part[i], write
  }' tests/lint/README.md >"$phrases"
(($(wc -l <"$phrases") >= 10)) || { echo "tests/lint/README.md has lost its tables under \"## Words\""; exit 2; }

present=()
for each in "${checked[@]}"; do [[ ! -e $each ]] || present+=("$each"); done
# Goldens are output of the program, which the check of its string literals covers.
mapfile -t files < <(find "${present[@]}" -path tests/golden/\* -name '*.md' -prune -o -type f \( -name '*.cpp' -o -name '*.hpp' -o -name '*.cu' -o -name '*.md' \) -print | sort)
found=$(awk -f "$here/check_words.awk" "$phrases" "$here/words_allowed.txt" "${files[@]}")
if [[ -n $found ]]; then
  echo "$found"
  echo "write the word of tests/lint/README.md, \"Words\"; a different meaning belongs into tests/lint/words_allowed.txt"
  exit 1
fi
echo "${#files[@]} files use the words of tests/lint/README.md"
