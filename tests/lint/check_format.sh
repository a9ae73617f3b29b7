#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check_format.sh ROOT: every C++ file is formatted by clang-format 14. Other versions format differently, so without
# that version the check is skipped (exit code 77), visibly.
set -euo pipefail
root=$(cd "${1:?the folder to check}" && pwd)
cd "$root"

command -v clang-format-14 >/dev/null || { echo "skipped: no clang-format-14 (ci/scripts/setup.sh --lint installs it)"; exit 77; }
mapfile -t files < <(find stats harness suites baselines reports ci tests -type f \
  \( -name '*.hpp' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) 2>/dev/null | sort)
((${#files[@]})) || { echo "no C++ files under $root" >&2; exit 2; }
wrong=$(clang-format-14 --dry-run "${files[@]}" 2>&1 | sed -nE 's/^([^:]+):[0-9].*\[-Wclang-format-violations\]$/\1/p' | sort -u)
[[ -z $wrong ]] || { printf 'not formatted by clang-format-14:\n%s\nfix it with: clang-format-14 -i FILE\n' "$wrong"; exit 1; }
echo "${#files[@]} files are formatted"
