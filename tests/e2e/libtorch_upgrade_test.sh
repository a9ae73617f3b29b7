#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# libtorch_upgrade_test.sh TORCHGATE FAKE_SUITE: `ab --vary libtorch=DIR` as a project outside of this repository uses it: its own CMake finds
# LibTorch where the build command is told it is. The two LibTorch folders are fakes with a version and the time that a call takes.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1
export FAKE=$2
command -v cmake >/dev/null || { echo "skipped: no cmake"; exit 77; }
unset TORCHGATE_TORCH_ROOT Torch_ROOT CMAKE_PREFIX_PATH TORCHGATE_DEPS_DIR
new_repository
export FAKE_GROUPS=ok
export TORCHGATE_GATE_COUNT_UNDECIDED=false TORCHGATE_GATE_COMPARE_CODE=false # the fake suite cannot be counted

# libtorch DIR VERSION LEVEL
libtorch() {
  mkdir -p "$1/lib" "$1/include/torch"
  : >"$1/lib/libtorch_cpu.so"
  echo "$2+cpu" >"$1/build-version"
  printf '\nFAKE_LEVEL=%s\n' "$3" >"$1/include/level.txt"
}
roots=$work/.torchgate/roots
libtorch "$roots/old/libtorch" 2.11.0 1000000
libtorch "$roots/new" 2.15.0 1300000
libtorch "$roots/newest" 2.16.0 1000000

# What find_package(Torch) does is what find_file() does: both look below CMAKE_PREFIX_PATH.
cat >CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.16)
project(outside LANGUAGES NONE)
find_file(LEVEL level.txt REQUIRED)
message(STATUS "level: ${LEVEL}; root: $ENV{TORCHGATE_TORCH_ROOT}")
add_custom_command(OUTPUT bench/fake
  COMMAND ${CMAKE_COMMAND} -E make_directory bench
  COMMAND sh -c "cat \"$1\" \"$2\" >bench/fake && chmod +x bench/fake && echo built >>builds" sh "$ENV{FAKE}" "${LEVEL}"
  DEPENDS "${LEVEL}" VERBATIM)
add_custom_target(suite ALL DEPENDS bench/fake)
CMAKE
git add . && git commit -qm project
build=(--build "cmake -S . -B {dir} && cmake --build {dir}" --suites bench)
ab() { "$torchgate" ab --quick --pairs 12 --allow-noisy "$@"; }

exits_with 0 ab --vary "libtorch=$roots/old" --vary "libtorch=$roots/new" "${build[@]}" --save upgrade --json ab.json \
  --markdown ab.md --write html=ab.html
says "building before (LibTorch 2.11.0: $(realpath "$roots/old/libtorch")): cmake -S . -B {dir}"
says "LibTorch 2.11.0"
says "2.15.0 on the same code"
says "By suite"
says "results: not known"
python3 - <<'PYTHON' || complain "ab.json"
import json
report = json.load(open("ab.json"))
upgrade = report["upgrade"]
assert (upgrade["before"], upgrade["after"]) == ("2.11.0", "2.15.0"), upgrade
assert [suite["suite"] for suite in upgrade["suites"]] == ["fake"], upgrade
assert upgrade["all"]["slower"] >= 1 and abs(upgrade["all"]["mean_change"] - 0.3) < 0.05, upgrade["all"]
assert report["outcome"] == "pass", report["outcome"]
assert all(finding["action"] != "fail" for finding in report["findings"]), "something fails"
PYTHON
grep -q "on the same code" ab.md || complain "the Markdown does not have the upgrade"
grep -q "on the same code" ab.html || complain "the page does not have the upgrade"

# Stored pairs say what they varied: the report is the same again, and changes inform.
exits_with 0 "$torchgate" report upgrade --allow-noisy --json again.json
python3 - <<'PYTHON' || complain "again.json"
import json
first, again = json.load(open("ab.json")), json.load(open("again.json"))
for member in ("outcome", "upgrade", "findings"):
    assert again[member] == first[member], member
PYTHON

# With a gate it fails as any `ab`; the build folders of the first call are used again, and nothing is built anew.
exits_with 1 ab --vary "libtorch=$roots/old" --vary "libtorch=$roots/new" "${build[@]}" --gate 0.05
for builds in .torchgate/libtorch/*/builds; do
  [[ $(wc -l <"$builds") == 1 ]] || complain "$builds: built again"
done
(($(find .torchgate/libtorch -mindepth 1 -maxdepth 1 -type d | wc -l) == 2)) || complain "not two build folders"

# One version with the current one: the older is before. Three versions: pairs in one table.
TORCHGATE_TORCH_ROOT=$roots/old exits_with 0 ab --vary "libtorch=$roots/newest" "${build[@]}" --save newest --json newest.json
python3 -c 'import json; u = json.load(open("newest.json"))["upgrade"]; assert (u["before"], u["after"]) == ("2.11.0", "2.16.0"), u' ||
  complain "newest.json"
exits_with 2 "$torchgate" compare upgrade newest newest --vary libtorch
says "named twice"
"$torchgate" ab --quick --pairs 12 --allow-noisy --vary "libtorch=$roots/new" --vary "libtorch=$roots/newest" "${build[@]}" --save back \
  >/dev/null 2>&1 || complain "the third pairs"
exits_with 1 "$torchgate" compare upgrade newest back --vary libtorch --allow-noisy --json matrix.json
says "3 versions compared with before"
says "% slower"
says "% faster"
python3 -c 'import json; m = json.load(open("matrix.json")); assert m["paired"] and [c["name"] for c in m["columns"]] == ["upgrade", "newest", "back"], m["columns"]' ||
  complain "matrix.json"

# What is missing is named, with what to do, and a build that fails shows its last lines.
exits_with 2 ab --vary libtorch=2.12.0 "${build[@]}"
says "ci/scripts/setup.sh --libtorch 2.12.0"
exits_with 2 ab --vary "libtorch=$roots/new" "${build[@]}"
says "TORCHGATE_TORCH_ROOT"
exits_with 2 ab --vary "libtorch=$roots/old" --vary "libtorch=$roots/new"
says "give the command"
exits_with 2 ab --vary "libtorch=$roots/old" --vary "libtorch=$roots/new" --build "cmake -S nowhere -B {dir}" --suites bench
says "the build of before (LibTorch 2.11.0"
says "  | "
exits_with 2 ab --vary "libtorch=$roots/old" --vary "libtorch=$roots/new" --build "sh -c true" --suites nothing
says "no suites after the build: its build folder has no nothing"

# Two builds that exist, as before: the report is the same, and it fails as it did.
mapfile -t built < <(find .torchgate/libtorch -name fake | sort)
for suite in "${built[@]}"; do
  grep -aq "FAKE_LEVEL=1000000" "$suite" && old=$suite
  grep -aq "FAKE_LEVEL=1300000" "$suite" && new=$suite
done
exits_with 1 ab --vary libtorch --before "$old" --after "$new" --verbose
says "Another LibTorch on the same code"
says "no difference of LibTorch was recorded between the sides"
finish
