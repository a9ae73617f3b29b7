#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check_dependencies.sh ROOT: third-party software is named in one place, with a version, a source and a reason.
set -euo pipefail
root=$(cd "${1:?the folder to check}" && pwd)
cd "$root"

table=cmake/torchgate_dependencies.cmake
linked=()  # what suites link: a file of its own, because it is installed; its rows are in the table
[[ ! -f cmake/torchgate_suite_dependencies.cmake ]] || linked=(cmake/torchgate_suite_dependencies.cmake)
failed=0
complain() {
  echo "$1"
  failed=1
}

# Every row: what, version, deb: or pypi: names, the set of setup.sh, why.
rows=$(grep '^# |' "$table" | grep -v '^# | *what ') || { echo "$table has no rows" >&2; exit 2; }
while IFS='|' read -r _ what version from for why rest; do
  what=${what%"${what##*[! ]}"} what=${what# }
  [[ -n ${what// /} && -n ${version// /} && -n ${why// /} && -z $rest ]] || complain "$table: the row of '$what' lacks a column (what | tested | from | for | why)"
  [[ ${for// /} =~ ^(program|suites|tests|release)$ ]] || complain "$table: '$what' is for '${for// /}', not for program, suites, tests or release"
  [[ $from =~ ^(\ (release-)?(deb|pypi):[a-z0-9.+-]+|\ lint-pypi:[a-z0-9.-]+)+\ *$ ]] || complain "$table: '$what' comes from '${from// /}', not from deb:NAME or pypi:NAME (release-deb:, release-pypi: for releases only; lint-pypi: for setup.sh --lint)"
done <<<"$rows"

# Every package that the build looks for has a row. Threads is the toolchain's.
squeeze() { tr '[:upper:]' '[:lower:]' | tr -cd 'a-z0-9\n'; }
known=$(squeeze <<<"$rows")
while read -r name; do
  [[ $name == Threads || $known == *"$(squeeze <<<"$name")"* ]] || complain "$table: find_package($name) has no row that says why"
done < <(sed -nE 's/^ *find_package\(([A-Za-z0-9_+-]+).*/\1/p' "$table" "${linked[@]}")

# Nobody else looks for or downloads anything. torchgate_torch.cmake finds LibTorch, which has a row here.
seeking='^[^#]*\b((find_package|find_library|find_path|pkg_check_modules|pkg_search_module|FetchContent_[A-Za-z]+|ExternalProject_Add|CPMAddPackage) *\(|file *\( *DOWNLOAD\b)'
while read -r file; do
  if found=$(grep -nEH "$seeking" "$file"); then
    complain "$found"$'\n'"third-party software is looked for in $table only"
  fi
done < <(find . \( -path ./build -o -path ./.deps -o -path ./.git -o -path ./.torchgate \) -prune -o \( -name CMakeLists.txt -o -name '*.cmake' \) -print |
  sed 's|^\./||' | grep -vxE 'cmake/torchgate_(dependencies|suite_dependencies|torch)\.cmake' | grep -v '^tests/consumer/' | sort)  # which looks for torchgate, as its users do

((failed == 0)) || exit 1
echo "$(wc -l <<<"$rows") dependencies, each with its reason, and all looked for in one place"
