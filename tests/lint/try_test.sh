#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ci/scripts/try.sh in a made-up checkout: in which order it calls what, and that the verdict's exit code is its own.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/expect.sh"

checkout=$tree/checkout
mkdir -p "$checkout/ci/scripts" "$checkout/build/release/ci/cli" "$tree/bin"
for suite in batching fusion precision; do
  mkdir -p "$checkout/suites/$suite"
  echo "torchgate_suite($suite SOURCES $suite.cpp)" >"$checkout/suites/$suite/CMakeLists.txt"
done
mkdir "$checkout/suites/common"
echo "torchgate_library(suites_common)" >"$checkout/suites/common/CMakeLists.txt"
cp "$here/../../ci/scripts/try.sh" "$here/../../ci/scripts/steps.sh" "$checkout/ci/scripts/"

fake() {
  printf '#!/usr/bin/env bash\n%s\n' "$2" >"$1"
  chmod +x "$1"
}
fake "$checkout/ci/scripts/setup.sh" 'echo "setup $*" >>"$LOG"'
fake "$tree/bin/cmake" 'echo "cmake $*" >>"$LOG"; [[ -z ${BUILD_FAILS:-} ]] || { echo "error: no such header"; exit 1; }'
fake "$tree/bin/git" '[[ -z ${MODIFIED:-} ]] || echo " M stats/welch.cpp"'
fake "$checkout/build/release/ci/cli/torchgate" 'echo "torchgate $*" >>"$LOG"
case $1 in
  run) [[ -z ${RUN_FAILS:-} ]] ;;
  baseline) [[ -z ${MODIFIED:-}${ADD_FAILS:-} ]] || { echo "the tree is modified"; exit 2; } ;;
  gate)
    if [[ $2 == try-demo-after ]]; then
      echo "{\"findings\": [${DEMO_FINDING}]}" >"${@: -1}"
      exit "${DEMO_VERDICT:-1}"
    fi
    [[ "$*" == *--markdown* ]] || { echo "all unchanged"; exit 0; }
    echo "no regression" | tee "${@: -1}"
    exit "${VERDICT:-0}" ;;
esac'

try() {
  : >"$tree/log"
  env PATH="$tree/bin:$PATH" LOG="$tree/log" "$@" "$checkout/ci/scripts/try.sh" "${arguments[@]}"
}
arguments=()
logged() { cat "$tree/log"; }

export DEMO_FINDING='{"case": "demo/solver/refine", "verdict": "regressed", "action": "fail", "operators": [1]}'
expect 0 "first half: no regression" try
expect 0 "exit code 0: second half: the slower case was found" try
expect 0 "all unchanged" try
expect 0 "setup --suites
cmake --preset release
cmake --build --preset release --target torchgate suite_fusion suite_precision demo_before demo_after
torchgate run --quick --suite=build/release/suites/bin/fusion --suite=build/release/suites/bin/precision --save try-before
torchgate run --quick --suite=build/release/suites/bin/fusion --suite=build/release/suites/bin/precision --save try-after
torchgate baseline add try-before --store .torchgate/try/store
torchgate gate try-after --store .torchgate/try/store --measure-unchanged --budget 40s --markdown .torchgate/try/torchgate-report.md
torchgate gate try-after --against try-before --store .torchgate/try/store
torchgate run --quick --suite build/release/demo/before/demo --save try-demo-before
torchgate run --quick --suite build/release/demo/after/demo --save try-demo-after
torchgate gate try-demo-after --against try-demo-before --store .torchgate/try/store --markdown .torchgate/try/demo-report.md --json .torchgate/try/demo-report.json" logged
expect 0 "no regression" cat "$checkout/.torchgate/try/torchgate-report.md"

expect 0 "tried 2 of 3 suites (batching fusion precision); all of them: ci/scripts/try.sh --all" try
arguments=(batching)
expect 0 "suites: batching" try
expect 0 "torchgate run --quick --suite=build/release/suites/bin/batching --save try-before" logged
arguments=(--all)
expect 0 "suites: batching fusion precision" try
arguments=(fusion models)
expect 2 "unknown suite 'models'; use some of: batching fusion precision" try
arguments=(--all fusion)
expect 2 "--all takes no suites" try
arguments=()

expect 1 "exit code 1: something fails the policy" try VERDICT=1
expect 3 "exit code 3: no verdict possible" try VERDICT=3
expect 0 "this checkout is modified" try MODIFIED=yes
expect 0 "torchgate gate try-after --against try-before --store .torchgate/try/store --measure-unchanged --budget 40s --markdown .torchgate/try/torchgate-report.md" logged
expect 1 "exit code 1" try MODIFIED=yes VERDICT=1
expect 1 "second half: the slower case was not found" try DEMO_VERDICT=0
for not_found in '' '{"case": "demo/residual/one", "verdict": "regressed", "action": "fail", "operators": [1]}' \
  '{"case": "demo/solver/refine", "verdict": "suspected", "action": "fail", "operators": [1]}' \
  '{"case": "demo/solver/refine", "verdict": "regressed", "action": "fail", "operators": []}'; do
  expect 1 "expected demo/solver/refine alone to have regressed" try DEMO_FINDING="$not_found"
done
expect 2 "exit code 2: an error" try ADD_FAILS=yes
expect 2 "error: no such header" try BUILD_FAILS=yes
expect 2 "FAILED: measure, first run" try RUN_FAILS=yes
expect 2 "unknown argument '--fast'" "$checkout/ci/scripts/try.sh" --fast
finish
