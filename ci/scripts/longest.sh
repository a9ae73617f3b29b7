#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Where the time of test.sh goes: the longest compilations and the longest tests of a build folder, from the logs of ninja and ctest.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

usage="usage: ci/scripts/longest.sh [BUILD]    (default: build/ci)
Prints the 40 longest build steps and the 60 longest tests of the last build and the last ctest in BUILD, and the sums of all.
A step that was built again counts once, with its last time: seconds for which it ran, also beside others.
Exit code: 0, or 2 where BUILD has neither log."
shown_steps=40 shown_tests=60

[[ ${1:-} != -h && ${1:-} != --help ]] || { echo "$usage"; exit 0; }
build=${1:-build/ci}
ninja_log=$build/.ninja_log
ctest_log=$build/Testing/Temporary/LastTest.log
[[ -r $ninja_log || -r $ctest_log ]] || { echo "longest.sh: $build has neither .ninja_log nor Testing/Temporary/LastTest.log" >&2; exit 2; }

# longest WHAT N: of lines "seconds name".
longest() {
  sort -rn | awk -v what="$1" -v shown="$2" '
    {sum += $1; if (NR <= shown) {top += $1; line[NR] = sprintf("%8.1f s  %s", $1, substr($0, index($0, " ") + 1))}}
    END {printf "%s: %d, together %.0f s, the longest %d of them %.0f s\n", what, NR, sum, NR < shown ? NR : shown, top
         for (i = 1; i <= NR && i <= shown; i++) print line[i]}'
}

# A step with several outputs has a line for each, with the same times. The log also has those that the build no longer makes.
if [[ -r $ninja_log ]]; then
  ninja -C "$build" -t targets all 2>/dev/null | sed 's/: [^:]*$//' |
    awk -F'\t' 'NR == FNR {made[$1]; next} /^#/ || !($4 in made) {next} {step[$4] = ($2 - $1) / 1000; id[$4] = $1 " " $2 " " $5}
                END {for (name in step) if (!seen[id[name]]++) print step[name], name}' - "$ninja_log" | longest "build steps" "$shown_steps"
fi
if [[ -r $ctest_log ]]; then
  sed -n -E 's/^[0-9]+\/[0-9]+ Testing: (.*)/N \1/p; s/^Test time = *([0-9.]+) sec.*/T \1/p' "$ctest_log" |
    awk '/^N / {name = substr($0, 3)} /^T / {print $2, name}' | longest "tests" "$shown_tests"
fi
