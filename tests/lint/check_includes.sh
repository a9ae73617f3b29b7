#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check_includes.sh ROOT: fails when a source file under ROOT includes what include_table.txt does not allow.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "${1:?the folder to check}" && pwd)

mapfile -t files < <(cd "$root" && find stats harness suites baselines reports ci -type f \
  \( -name '*.hpp' -o -name '*.h' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) 2>/dev/null | sort)
((${#files[@]})) || { echo "no source files under $root" >&2; exit 2; }
awk -v root="$root" -f "$here/check_includes.awk" "$here/include_table.txt" "${files[@]/#/$root/}"
echo "${#files[@]} files keep to include_table.txt"
