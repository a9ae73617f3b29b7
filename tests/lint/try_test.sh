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
    if [[ "$*" == *demo/after* ]]; then
      echo "{\"findings\": [${DEMO_FINDING}]}" >"${@: -1}"
      exit "${DEMO_VERDICT:-1}"
    fi
    [[ "$*" == *--markdown* ]] || { echo "all unchanged"; exit 0; }
    echo "{\"findings\": [${FINDING:-}], \"claims\": [${CLAIM:-}]}" >"${@: -1}"
    echo "no regression" | tee "${@: -3:1}"
    exit "${VERDICT:-0}" ;;
esac'

try() {
  : >"$tree/log"
  env PATH="$tree/bin:$PATH" LOG="$tree/log" "$@" "$checkout/ci/scripts/try.sh" "${arguments[@]}"
}
arguments=()
logged() { cat "$tree/log"; }

timed='"case": "demo/solver/refine", "change": 0.1, "confirmation": {"pairs": 12}, "counted": null'
export DEMO_FINDING="{$timed, \"verdict\": \"regressed\", \"action\": \"fail\", \"operators\": [1]}"
expect 0 "first half: no regression" try
expect 0 "found by its time: +10.0% in 12 pairs" try
expect 0 "exit code 0: second half: the slower case was found" try
expect 0 "all unchanged" try
suite="--suite=build/release/suites/bin/fusion"
expect 0 "setup --suites
cmake --preset release
cmake --build --preset release --target torchgate suite_fusion demo_before demo_after
torchgate run --quick $suite --save try-before
torchgate baseline add try-before --store .torchgate/try/store
torchgate gate --quick $suite --store .torchgate/try/store --measure-unchanged --budget 90s --markdown .torchgate/try/torchgate-report.md --json .torchgate/try/report.json
torchgate gate --quick $suite --store .torchgate/try/store
torchgate run --quick --suite build/release/demo/before/demo --save try-demo-before
torchgate gate --quick --suite build/release/demo/after/demo --against try-demo-before --store .torchgate/try/store --markdown .torchgate/try/demo-report.md --json .torchgate/try/demo-report.json" logged
expect 0 "no regression" cat "$checkout/.torchgate/try/torchgate-report.md"

expect 0 "tried 1 of 3 suites (batching fusion precision); all of them: ci/scripts/try.sh --all" try
arguments=(batching)
expect 0 "suites: batching" try
expect 0 "torchgate run --quick --suite=build/release/suites/bin/batching --save try-before" logged
expect 0 "--budget 4m" logged
arguments=(--all)
expect 0 "suites: batching fusion precision" try
arguments=(fusion models)
expect 2 "unknown suite 'models'; use some of: batching fusion precision" try
arguments=(--all fusion)
expect 2 "--all takes no suites" try
arguments=()

expect 1 "exit code 1: something fails the policy" try VERDICT=1
claim='{"case": "precision/a", "text": "time <= 0.5 x reference", "reason": "measured 0.9", "action": "fail"}'
expect 0 "a claim of a suite does not hold on this machine: precision/a: time <= 0.5 x reference (measured 0.9)" try VERDICT=1 CLAIM="$claim"
expect 0 "exit code 0: second half" try VERDICT=1 CLAIM="$claim"
expect 1 "exit code 1: something fails the policy" try VERDICT=1 CLAIM="$claim" FINDING='{"action": "fail"}'
expect 3 "first half: no verdict; the report says why" try VERDICT=3
expect 3 "exit code 3: second half: the slower case was found" try VERDICT=3
expect 0 "this checkout is modified" try MODIFIED=yes
expect 0 "torchgate gate --quick $suite --against try-before --store .torchgate/try/store --measure-unchanged --budget 90s" logged
expect 1 "exit code 1" try MODIFIED=yes VERDICT=1
counts='"change": 0.099'
expect 0 "found by its instructions: +9.90%" try DEMO_FINDING="{\"case\": \"demo/solver/refine\", \"verdict\": \"regressed\", \"action\": \"fail\", \"change\": 0.099, \"confirmation\": null, \"counted\": {$counts}, \"operators\": [1]}"
expect 1 "second half: the slower case was not found as it has to be" try DEMO_VERDICT=0 DEMO_FINDING="{$timed, \"verdict\": \"equivalent\", \"action\": \"pass\", \"operators\": [1]}"
expect 3 "this machine is too busy for times, and no instructions were counted" try DEMO_VERDICT=3 DEMO_FINDING="{$timed, \"verdict\": \"inconclusive\", \"action\": \"note\", \"operators\": [1]}"
expect 3 "this machine is too busy even for counts" try DEMO_VERDICT=3 \
  DEMO_FINDING="{\"case\": \"demo/solver/refine\", \"verdict\": \"inconclusive\", \"action\": \"note\", \"counted\": {$counts}, \"operators\": [1]}"
expect 3 "exit code 3: second half: this machine cannot see the slower case" try DEMO_VERDICT=3 DEMO_FINDING=""
for wrong in '{"case": "demo/residual/one", "verdict": "regressed", "action": "fail", "operators": [1]}' \
  '{"case": "demo/solver/refine", "verdict": "suspected", "action": "fail", "operators": [1]}'; do
  expect 1 "expected demo/solver/refine alone to have regressed" try DEMO_FINDING="$wrong"
done
expect 1 "without the operators that changed" try DEMO_FINDING="{$timed, \"verdict\": \"regressed\", \"action\": \"fail\", \"operators\": []}"
expect 2 "FAILED: measure a run" try RUN_FAILS=yes
expect 2 "the tree is modified" try ADD_FAILS=yes
expect 2 "error: no such header" try BUILD_FAILS=yes
expect 2 "unknown argument '--fast'" "$checkout/ci/scripts/try.sh" --fast
finish
