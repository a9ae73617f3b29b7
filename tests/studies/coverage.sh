#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Which lines and branches of the program the tests run: gcov's counts in a build without LibTorch, a row for each folder. Suites and
# harness/bench/torch are not in it, nor are the lines that only a process runs that was killed.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../ci/scripts/steps.sh"
usage="usage: tests/studies/coverage.sh [CTEST ARGUMENT...]      (such as -L unit; default: all tests)
Builds build/coverage, runs its tests and prints a table; lines that no test runs are in build/coverage/lines.txt.
Needs gcovr (apt-get install gcovr). Exit code: 0, 1 where a test failed (the table is printed), 2 wrong usage."
case ${1:-} in -h | --help) echo "$usage"; exit 0 ;; esac
cd "$repository"
command -v gcovr >/dev/null || give_up 2 "gcovr is missing; install it (apt-get install gcovr)"

build=build/coverage
# A consumer of an installed torchgate is another build: its counts would be in another folder.
step "configure" cmake --preset core -B "$build" -DCMAKE_CXX_FLAGS="--coverage -fprofile-update=atomic" \
  -DCMAKE_CXX_FLAGS_RELEASE="-O0 -DNDEBUG" -DTORCHGATE_INSTALL=OFF
logged_step "$build/build.log" "build" cmake --build "$build"
find "$build" -name '*.gcda' -delete
failed=0
logged_step "$build/tests.log" "test" ctest --test-dir "$build" --parallel 3 "$@" || failed=1
# Of a branch that only an exception takes, and of code that cannot be reached, no test can say anything.
step "read the counts" gcovr --root . --object-directory "$build" -j 2 --exclude-throw-branches --exclude-unreachable-branches \
  --gcov-ignore-parse-errors --filter stats/ --filter harness/ --filter baselines/ --filter reports/ --filter ci/ --json-summary "$build/summary.json" \
  --txt "$build/lines.txt" "$build"

python3 - "$build/summary.json" <<'PYTHON'
import collections, json, sys

counted = collections.defaultdict(lambda: [0, 0, 0, 0])
for file in json.load(open(sys.argv[1]))["files"]:
    parts = file["filename"].split("/")[:-1]
    for folder in {"/".join(parts[:2]), "all"}:
        for i, key in enumerate(("line_covered", "line_total", "branch_covered", "branch_total")):
            counted[folder][i] += file[key]
print("| folder | lines | of | branches | of |\n|---|--:|--:|--:|--:|")
for folder in sorted(counted, key=lambda each: (each == "all", each)):
    lines, all_lines, branches, all_branches = counted[folder]
    share = f"{100 * branches / all_branches:.1f} %" if all_branches else ""
    print(f"| {folder} | {100 * lines / all_lines:.1f} % | {all_lines:,} | {share} | {all_branches:,} |")
PYTHON
exit "$failed"
