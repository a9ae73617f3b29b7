#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Everything a change has to pass: builds with warnings as errors, runs every test. CI runs exactly this (.ci/run).
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

usage="usage: ci/scripts/test.sh [--core] [--tidy] [--full]
  --core  without the suites: needs no LibTorch
  --tidy  clang-tidy on all files (about 40 minutes on two cores); otherwise on those that the last commit touches
  --full  every header compiled alone, clang-tidy on all files, the tests once more under the address and undefined-behaviour
          sanitizers, those of code with threads under the thread sanitizer, and each fuzz target for 60 s
Exit code: 0 everything passed, 1 something failed (the last lines say what), 2 wrong usage."

setup_arguments=(--lint) configure_arguments=() want_tidy=no want_sanitizers=no want_fuzzing=no want_packages=yes
for argument in "$@"; do
  case $argument in
    --core) setup_arguments+=(--core) configure_arguments+=(-DTORCHGATE_SUITES=OFF) want_packages=no ;;
    --tidy) want_tidy=yes ;;
    --full) configure_arguments+=(-DTORCHGATE_HEADERS_ALONE=ON) want_tidy=yes want_sanitizers=yes want_fuzzing=yes ;;
    -h | --help) echo "$usage"; exit 0 ;;
    *) give_up 2 "unknown argument '$argument'"$'\n'"$usage" ;;
  esac
done
[[ $want_fuzzing != yes ]] || setup_arguments+=(--fuzz)

cd "$repository"
logs=$repository/build/logs
mkdir -p "$logs"

# failures_of LOG: of each failed test in ctest's output up to three lines that name the problem, or its last three
failures_of() {
  awk '
    function print_test(  i) {
      if (name == "") return
      if (problems == 0)
        for (i = lines > 3 ? lines - 2 : 1; i <= lines; i++) problem[++problems] = line[i]
      for (i = 1; i <= problems && i <= 3; i++) printf "  %s: %s\n", name, problem[i]
      name = ""
    }
    / Test +#[0-9]+: / || /^ +Start +[0-9]+: / || /^[0-9]+% tests passed/ { print_test() }
    / Test +#[0-9]+: .*\*\*\*(Failed|Timeout|Exception|Not Run)/ {
      name = $0; sub(/.* Test +#[0-9]+: /, "", name); sub(/ ?\.*\*\*\*.*/, "", name)
      lines = problems = 0
      next
    }
    name != "" && NF > 0 {
      line[++lines] = $0
      if (/FAILED:|: Failure|[Ee]rror:|^\[  FAILED  \] .*\(/) problem[++problems] = $0
    }
    END { print_test() }' "$1"
}

# ctest's own output, and its closing line and failures once more at the very end: in a long log that is where people look.
closing_lines=()
run_tests() {
  local preset=$1 log=$logs/ctest-$1.log code=0
  ctest --preset "$preset" 2>&1 | tee "$log" || code=$?
  ((code == 0)) || mapfile -t -O "${#closing_lines[@]}" closing_lines < <(failures_of "$log")
  closing_lines+=("$preset: $(grep -E '[0-9]+% tests passed' "$log" || echo "ctest did not finish, see $log")")
  return "$code"
}

# A signal ends the script with the exit code of the command before it.
reached_end=no
close() {
  local code=$?
  ((code != 0)) || [[ $reached_end == yes ]] || code=1
  if ((code == 0)); then say "passed after $SECONDS s"; else say "FAILED after $SECONDS s (exit code $code)"; fi
  ((${#closing_lines[@]} == 0)) || printf '%s\n' "${closing_lines[@]}"
  exit $((code > 2 ? 1 : code))  # ctest's 8 and a signal's 128 + n mean nothing to our callers
}
trap close EXIT

build_and_test() {
  local preset=$1
  shift
  step "configure $preset" cmake --preset "$preset" "$@"
  step "build $preset" cmake --build --preset "$preset"
  step "test $preset" run_tests "$preset"
}

# PyTorch for Python (4.6 GB) makes the packages of the suite compile. A machine that cannot take it tests everything else: those cases are
# skipped, with the reason.
if [[ $want_packages == no ]]; then
  step "set-up" ci/scripts/setup.sh "${setup_arguments[@]}"
elif ! step "set-up" ci/scripts/setup.sh "${setup_arguments[@]}" --compile; then
  step "set-up without PyTorch for Python" ci/scripts/setup.sh "${setup_arguments[@]}"
  say "warning: without PyTorch for Python the cases of suites/compile are skipped"
fi
build_and_test ci "${configure_arguments[@]}"
if [[ $want_sanitizers == yes ]]; then
  build_and_test asan
  build_and_test tsan
fi
if [[ $want_tidy != yes ]]; then
  step "clang-tidy on changed files" ci/scripts/tidy.sh
else
  # The tests are left out: what GoogleTest's macros expand to is not ours.
  step "configure tidy" cmake --preset tidy -DTORCHGATE_TESTS=OFF
  step "clang-tidy" cmake --build --preset tidy
fi
[[ $want_fuzzing != yes ]] || step "fuzz" ci/scripts/fuzz.sh --seconds 60
reached_end=yes
