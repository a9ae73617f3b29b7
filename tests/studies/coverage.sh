#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Which lines and branches of the program the tests run: clang's counts in a build without LibTorch, a row for each folder. Suites and
# harness/bench/torch are not in it, nor are the lines that only a process runs that was killed. Not gcov: each process would update the counts
# of hundreds of files at its end.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/../../ci/scripts/steps.sh"
usage="usage: tests/studies/coverage.sh [CTEST ARGUMENT...]      (such as -L unit; default: all tests)
Builds build/coverage, runs its tests and prints a table; lines that no test runs are in build/coverage/lines.txt.
Needs clang++-14, llvm-profdata-14 and llvm-cov-14 (apt-get install clang-14 llvm-14). Exit code: 0, 1 where a test failed (the table is printed), 2 wrong usage."
case ${1:-} in -h | --help) echo "$usage"; exit 0 ;; esac
cd "$repository"
for program in clang++-14 llvm-profdata-14 llvm-cov-14; do
  command -v "$program" >/dev/null || give_up 2 "$program is missing; install it (apt-get install clang-14 llvm-14)"
done

build=$repository/build/coverage
profiles=$build/profiles
# A consumer of an installed torchgate is another build: its counts would be in another folder.
step "configure" cmake --preset core -B "$build" -DCMAKE_CXX_COMPILER=clang++-14 \
  -DCMAKE_CXX_FLAGS="-fprofile-instr-generate -fcoverage-mapping" -DTORCHGATE_INSTALL=OFF
logged_step "$build/build.log" "build" cmake --build "$build"
rm -rf "$profiles"
mkdir "$profiles"
failed=0
# %4m: processes of one program add to one of four files.
logged_step "$build/tests.log" "test" env LLVM_PROFILE_FILE="$profiles/%4m.profraw" ctest --test-dir "$build" --parallel 3 "$@" || failed=1
step "merge the counts" llvm-profdata-14 merge --sparse "$profiles"/*.profraw -o "$build/counts.profdata"
programs=()
while IFS= read -r -d '' file; do
  ! readelf -SW "$file" 2>/dev/null | grep -q __llvm_covmap || programs+=(--object "$file")
done < <(find "$build" -type f -executable -print0)
counts=(--instr-profile "$build/counts.profdata" "${programs[@]}")
llvm-cov-14 export --summary-only "${counts[@]}" >"$build/summary.json" 2>"$build/llvm-cov.log"
llvm-cov-14 show --show-instantiations=false --region-coverage-lt=100 "${counts[@]}" >"$build/lines.txt" 2>>"$build/llvm-cov.log"

python3 - "$build/summary.json" "$repository/" <<'PYTHON'
import collections, json, sys

root = sys.argv[2]
counted = collections.defaultdict(lambda: [0, 0, 0, 0])
for file in json.load(open(sys.argv[1]))["data"][0]["files"]:
    name = file["filename"].removeprefix(root)
    if not name.startswith(("stats/", "harness/", "baselines/", "reports/", "ci/")):
        continue
    summary = file["summary"]
    for folder in {"/".join(name.split("/")[:-1][:2]), "all"}:
        for i, (kind, key) in enumerate((("lines", "covered"), ("lines", "count"), ("branches", "covered"), ("branches", "count"))):
            counted[folder][i] += summary[kind][key]
print("| folder | lines | of | branches | of |\n|---|--:|--:|--:|--:|")
for folder in sorted(counted, key=lambda each: (each == "all", each)):
    lines, all_lines, branches, all_branches = counted[folder]
    share = f"{100 * branches / all_branches:.1f} %" if all_branches else ""
    print(f"| {folder} | {100 * lines / all_lines:.1f} % | {all_lines:,} | {share} | {all_branches:,} |")
PYTHON
exit "$failed"
