#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# .ci/run and ci/scripts/test.sh in a made-up checkout: every failing step fails the whole, and ctest's closing line is
# the last one printed.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/expect.sh"

mkdir -p "$tree/ci/scripts" "$tree/.ci" "$tree/bin"
cp "$here/../../ci/scripts/test.sh" "$here/../../ci/scripts/steps.sh" "$tree/ci/scripts/"
cp "$here/../../.ci/run" "$tree/.ci/"

fake() {
  printf '#!/usr/bin/env bash\necho "%s $*" >>"$LOG"\n%s\n' "$(basename "$1")" "$2" >"$1"
  chmod +x "$1"
}
fake "$tree/ci/scripts/setup.sh" '[[ ${FAILS:-} != setup && "${FAILS:-} $*" != "packages "*--compile ]]'
fake "$tree/ci/scripts/tidy.sh" '[[ ${FAILS:-} != tidy ]]'
fake "$tree/ci/scripts/fuzz.sh" '[[ ${FAILS:-} != fuzz ]]'
fake "$tree/bin/cmake" '[[ "$*" != "${FAILS:-}" ]]'
fake "$tree/bin/ctest" '[[ "ctest $*" != "${FAILS:-}" ]] || { echo "1/2 Test #1: some_test ....***Failed    0.01 sec"; echo first; echo "FAILED: exit code 0 instead of 1"; echo last
  echo "2/2 Test #2: other_test ...   Passed    0.01 sec"; echo "50% tests passed, 1 tests failed out of 2"; echo "Errors while running CTest"; exit 8; }
echo "100% tests passed, 0 tests failed out of 2"; echo "Total Test time (real) = 1 sec"'

in_checkout() {
  : >"$tree/log"
  env -u CI PATH="$tree/bin:$PATH" LOG="$tree/log" "$@"
}
last_line() { in_checkout "$@" 2>&1 | tail -n 1; }
logged() { cat "$tree/log"; }

expect 0 "ci: 100% tests passed, 0 tests failed out of 2" last_line "$tree/ci/scripts/test.sh"
expect 0 "setup.sh --lint --compile
cmake --preset ci
cmake --build --preset ci
ctest --preset ci
tidy.sh " logged
expect 0 "==> passed after" in_checkout "$tree/.ci/run"
expect 0 "ctest --preset ci" logged
expect 0 "passed after" in_checkout "$tree/ci/scripts/test.sh" --tidy
expect 0 "setup.sh --lint" logged
expect 0 "cmake --build --preset tidy" logged
expect 0 "tsan: 100% tests passed, 0 tests failed out of 2" last_line "$tree/ci/scripts/test.sh" --full
expect 0 "ctest --preset asan" logged
expect 0 "ctest --preset tsan" logged
expect 0 "setup.sh --lint --fuzz" logged
expect 0 "fuzz.sh --seconds 60" logged
expect 0 "passed after" in_checkout "$tree/ci/scripts/test.sh" --core
expect 0 "cmake --preset ci -DTORCHGATE_SUITES=OFF" logged
expect 1 "" grep -- --compile "$tree/log"
expect 0 "without PyTorch for Python the cases of suites/compile are skipped" in_checkout FAILS=packages "$tree/.ci/run"
expect 0 "setup.sh --lint --compile
setup.sh --lint
cmake --preset ci" logged
expect 0 "ctest --preset ci" logged

expect 1 "FAILED: set-up" in_checkout FAILS=setup "$tree/.ci/run"
expect 1 "" grep cmake "$tree/log"
expect 1 "FAILED: configure ci" in_checkout FAILS="--preset ci" "$tree/.ci/run"
expect 1 "FAILED: build ci" in_checkout FAILS="--build --preset ci" "$tree/.ci/run"
expect 1 "FAILED: test ci" in_checkout FAILS="ctest --preset ci" "$tree/.ci/run"
expect 1 "ci: 50% tests passed, 1 tests failed out of 2" last_line FAILS="ctest --preset ci" "$tree/.ci/run"
expect 1 "  some_test: FAILED: exit code 0 instead of 1" in_checkout FAILS="ctest --preset ci" "$tree/.ci/run"

# A signal while a step runs: its exit code, and not "passed".
fake "$tree/ci/scripts/tidy.sh" 'kill -TERM "$PPID"'
expect 143 "==> FAILED after" in_checkout "$tree/ci/scripts/test.sh"
fake "$tree/ci/scripts/tidy.sh" '[[ ${FAILS:-} != tidy ]]'
expect 1 "FAILED: clang-tidy on changed files" in_checkout FAILS=tidy "$tree/.ci/run"
expect 1 "FAILED: clang-tidy" in_checkout FAILS="--build --preset tidy" "$tree/ci/scripts/test.sh" --tidy
expect 1 "FAILED: test asan" in_checkout FAILS="ctest --preset asan" "$tree/ci/scripts/test.sh" --full
expect 1 "FAILED: test tsan" in_checkout FAILS="ctest --preset tsan" "$tree/ci/scripts/test.sh" --full
expect 1 "FAILED: fuzz" in_checkout FAILS=fuzz "$tree/ci/scripts/test.sh" --full
expect 2 "unknown argument '--fast'" in_checkout "$tree/ci/scripts/test.sh" --fast

# fuzz.sh itself: a build without targets is not one in which nothing was found.
cp "$here/../../ci/scripts/fuzz.sh" "$tree/ci/scripts/"
mkdir -p "$tree/build/fuzz/tests/fuzz"
expect 1 "targets.txt names no targets" in_checkout "$tree/ci/scripts/fuzz.sh"
: >"$tree/build/fuzz/tests/fuzz/targets.txt"
expect 1 "targets.txt names no targets" in_checkout "$tree/ci/scripts/fuzz.sh"
expect 1 "targets.txt names no targets" in_checkout "$tree/ci/scripts/fuzz.sh" --list
finish
