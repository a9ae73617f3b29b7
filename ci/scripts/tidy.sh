#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clang-tidy on what a change touches: seconds instead of minutes, so that ci/scripts/test.sh always does it.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

usage="usage: ci/scripts/tidy.sh [--since COMMIT] [FILE...]
Checks FILEs, by default the .cpp files of the product that differ from COMMIT, committed or not, and those of headers that differ.
COMMIT is by default the parent of HEAD: the last commit and what is not committed yet are checked. Not the suites and the tests: they need LibTorch, and what
GoogleTest's macros expand to is not ours. \`test.sh --full\` checks all files.
Exit code: 0 nothing found, 1 something found, 2 wrong usage, 77 no clang-tidy here."

since='' files=()
while (($#)); do
  case $1 in
    --since) since=${2:?--since takes a commit} && shift ;;
    -h | --help) echo "$usage"; exit 0 ;;
    -*) give_up 2 "unknown argument '$1'"$'\n'"$usage" ;;
    *) files+=("$1") ;;
  esac
  shift
done
cd "$repository"
tidy=$(command -v clang-tidy-14 || command -v clang-tidy) || { say "skipped: clang-tidy is not installed (ci/scripts/setup.sh --lint)"; exit 77; }

if ((${#files[@]} == 0)); then
  # Without a parent, in a shallow clone, only what is not committed can be told.
  [[ -n $since ]] || since=$(git rev-parse --quiet --verify HEAD^ || git rev-parse HEAD)
  # A file is compiled without a precompiled header here and includes its own header first: a header that lacks an #include
  # does not compile.
  folders=(stats harness baselines reports ci)
  mapfile -t files < <(git diff --name-only --diff-filter=d "$since" -- "${folders[@]/%//*.cpp}" "${folders[@]/%//*.hpp}" \
    ':!harness/bench/torch' | sed 's/[.]hpp$/.cpp/' | sort -u | while read -r file; do [[ ! -f $file ]] || echo "$file"; done)
fi
((${#files[@]})) || { say "no .cpp file to check since ${since:0:12}"; exit 0; }

cmake --preset tidy --no-warn-unused-cli -DTORCHGATE_TESTS=OFF >/dev/null
# A file of another preset (portable) is not compiled here: what it is compiled with is not known.
compiled=()
for file in "${files[@]}"; do
  if grep -qF "/$file\"" build/tidy/compile_commands.json; then compiled+=("$file"); else say "skipped: $file is not part of the preset tidy"; fi
done
files=("${compiled[@]}")
((${#files[@]})) || exit 0
say "clang-tidy on ${#files[@]} files"
printf '%s\0' "${files[@]}" | xargs -0 -n 4 -P "$(nproc)" "$tidy" -p build/tidy --quiet --warnings-as-errors='*' 2>/dev/null
