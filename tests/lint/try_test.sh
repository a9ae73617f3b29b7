#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ci/scripts/try.sh in a made-up checkout: in which order it calls what, and that the verdict's exit code is its own.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/expect.sh"

checkout=$tree/checkout
mkdir -p "$checkout/ci/scripts" "$checkout/build/release/ci/cli" "$tree/bin"
cp "$here/../../ci/scripts/try.sh" "$here/../../ci/scripts/steps.sh" "$checkout/ci/scripts/"

fake() {
  printf '#!/usr/bin/env bash\n%s\n' "$2" >"$1"
  chmod +x "$1"
}
fake "$checkout/ci/scripts/setup.sh" 'echo setup >>"$LOG"'
fake "$tree/bin/cmake" 'echo "cmake $*" >>"$LOG"; [[ -z ${BUILD_FAILS:-} ]] || { echo "error: no such header"; exit 1; }'
fake "$tree/bin/git" '[[ -z ${MODIFIED:-} ]] || echo " M stats/welch.cpp"'
fake "$checkout/build/release/ci/cli/torchgate" 'echo "torchgate $*" >>"$LOG"
case $1 in
  run) [[ -z ${RUN_FAILS:-} ]] ;;
  baseline) [[ -z ${MODIFIED:-}${ADD_FAILS:-} ]] || { echo "the tree is modified"; exit 2; } ;;
  gate | compare) echo "no regression" | tee "${@: -1}"; exit "${VERDICT:-0}" ;;
esac'

try() {
  : >"$tree/log"
  env PATH="$tree/bin:$PATH" LOG="$tree/log" "$@" "$checkout/ci/scripts/try.sh"
}
logged() { cat "$tree/log"; }

expect 0 "exit code 0: no regression" try
expect 0 "setup
cmake --preset release
cmake --build --preset release
torchgate run --quick --suite-dir build/release/suites/bin --save try-before
torchgate run --quick --suite-dir build/release/suites/bin --save try-after
torchgate baseline add try-before --store .torchgate/try/store
torchgate gate try-after --store .torchgate/try/store --markdown .torchgate/try/torchgate-report.md" logged
expect 0 "no regression" cat "$checkout/.torchgate/try/torchgate-report.md"

expect 1 "exit code 1: something fails the policy" try VERDICT=1
expect 3 "exit code 3: no verdict possible" try VERDICT=3
expect 0 "this checkout is modified" try MODIFIED=yes
expect 0 "torchgate gate try-after --against try-before --store .torchgate/try/store --markdown .torchgate/try/torchgate-report.md" logged
expect 1 "exit code 1" try MODIFIED=yes VERDICT=1
expect 2 "exit code 2: an error" try ADD_FAILS=yes
expect 2 "error: no such header" try BUILD_FAILS=yes
expect 2 "FAILED: measure, first run" try RUN_FAILS=yes
expect 2 "unknown argument '--fast'" "$checkout/ci/scripts/try.sh" --fast
finish
