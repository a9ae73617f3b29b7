#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check_sources.sh ROOT: what every source file owes its reader. Licence line first, nothing left undone, no longer than
# can be read (or a reason why), and a name that says what is in it.
set -euo pipefail
root=$(cd "${1:?the folder to check}" && pwd)
cd "$root"

longest=400
license_line='SPDX-License-Identifier: Apache-2.0'
reason_marker='Over 400 lines because'  # a comment within the first ten lines
unfinished='\b(TO''DO|FIX''ME|X''XX|HA''CK)\b'
nameless='(^|/)(utils?|helpers?|misc|stuff)(\.[a-z]+)?(/|$)|(^|/)[a-z_]*_(utils?|helpers?)\.[a-z]+$'

failed=0
complain() {
  echo "$1"
  failed=1
}

# Build and set-up folders are not ours; neither are data and golden files, which belong to the tests that read them.
mapfile -t files < <(find . \( -path ./build -o -path ./.deps -o -path ./.git -o -path ./.torchgate -o -path ./tests/golden \
  -o -path ./tests/fixtures -o -name __pycache__ \) -prune -o -type f \( -name '*.hpp' -o -name '*.h' -o -name '*.cpp' \
  -o -name '*.cu' -o -name '*.cuh' -o -name '*.sh' -o -name '*.py' -o -name '*.awk' -o -name '*.cmake' \
  -o -name CMakeLists.txt -o -name '*.yml' -o -name '*.yaml' -o -path ./.ci/run \) -print | sed 's|^\./||' | sort)
((${#files[@]})) || { echo "no source files under $root" >&2; exit 2; }

for file in "${files[@]}"; do
  first_lines=$(head -n 2 "$file")
  line=${first_lines%%$'\n'*}
  [[ $line != '#!'* ]] || line=${first_lines#*$'\n'}
  [[ $line == *"$license_line" ]] || complain "$file:1: the first line is not // $license_line (or # ...)"
  lines=$(wc -l <"$file")
  if ((lines > longest)) && ! head -n 10 "$file" | grep -q "$reason_marker"; then
    complain "$file: $lines lines; split it, or say '$reason_marker ...' within the first ten"
  fi
  [[ ! $file =~ \.(hpp|h|cuh)$ ]] || grep -q '^#pragma once$' "$file" || complain "$file: #pragma once is missing"
  [[ ! $file =~ $nameless ]] || complain "$file: a name that says nothing about what is in it"
done

# A file that no CMakeLists.txt lists is built by nobody. What lies in fixtures/ is material that a test builds or reads.
is_listed() {
  local folder=$1
  while [[ $folder == */* ]]; do
    folder=${folder%/*}
    [[ ! -f $folder/CMakeLists.txt ]] || ! grep -qF "${1#"$folder"/}" "$folder/CMakeLists.txt" || return 0
  done
  [[ -f CMakeLists.txt ]] && grep -qF "$1" CMakeLists.txt
}
for file in "${files[@]}"; do
  [[ ! $file =~ \.(cpp|cu)$ || $file == */fixtures/* ]] || is_listed "$file" || complain "$file: no CMakeLists.txt lists it"
done
if left=$(grep -nEH "$unfinished" "${files[@]}"); then complain "$left"$'\n'"nothing is left for later: finish it, or open an issue"; fi

((failed == 0)) || exit 1
echo "${#files[@]} source files are in order"
