#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fuzzes every reader of untrusted data (tests/fuzz/README.md): builds the preset `fuzz` and runs its targets.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

usage="usage: ci/scripts/fuzz.sh [--seconds N] [--jobs N] [--list] [TARGET...]
  --seconds N  how long each target runs (60)
  --jobs N     targets at the same time (2)
  --list       names the targets and ends
  TARGET       only these; all of them when none is named
The corpus grows in build/fuzz/corpus; --seconds 0 only reads it. Inputs that were findings belong in tests/fuzz/regressions.
Exit code: 0 nothing was found, 1 something was (the input's path is in the last lines), 2 wrong usage."

seconds=60 jobs=2 only_list=no wanted=()
while (($#)); do
  case $1 in
    --seconds | --jobs)
      [[ ${2:-} =~ ^[0-9]{1,6}$ ]] || give_up 2 "$1 takes a number"
      [[ $1 == --seconds ]] && seconds=$2 || jobs=$2
      shift ;;
    --list) only_list=yes ;;
    -h | --help) echo "$usage"; exit 0 ;;
    -*) give_up 2 "unknown argument '$1'"$'\n'"$usage" ;;
    *) wanted+=("$1") ;;
  esac
  shift
done
((jobs > 0)) || give_up 2 "--jobs takes a number from 1 on"

cd "$repository"
build=$repository/build/fuzz
corpus=$build/corpus findings=$build/findings logs=$build/logs
mkdir -p "$findings" "$logs"

step "configure fuzz" to_log "$logs/configure.log" cmake --preset fuzz
[[ -s $build/tests/fuzz/targets.txt ]] || give_up 1 "$build/tests/fuzz/targets.txt names no targets: nothing can be fuzzed; see $logs/configure.log"
mapfile -t known < <(cut -d ' ' -f 1 "$build/tests/fuzz/targets.txt")
if [[ $only_list == yes ]]; then
  printf '%s\n' "${known[@]}"
  exit 0
fi
((${#wanted[@]})) || wanted=("${known[@]}")
for target in "${wanted[@]}"; do
  [[ " ${known[*]} " == *" $target "* ]] || give_up 2 "unknown target '$target'; fuzz.sh --list names them"
done
step "build fuzz" cmake --build --preset fuzz --target fuzz_seeds "${wanted[@]/#/fuzz_}"

# libFuzzer ends without destructors: what targets wrote goes with this folder. In memory where there is some.
scratch=$(mktemp -d -p "$([[ -d /dev/shm && -w /dev/shm ]] && echo /dev/shm || echo "${TMPDIR:-/tmp}")")
trap 'rm -rf "$scratch"' EXIT

# Leaks are looked for as libFuzzer does by default; what takes longer than 10 s or 1000 MB is a finding as well.
fuzz() {
  local target=$1 most dictionary arguments code=0
  read -r _ most dictionary < <(grep "^$target " "$build/tests/fuzz/targets.txt")
  "$build/tests/fuzz/fuzz_seeds" "$target" "$scratch/seeds/$target" || return 1
  mkdir -p "$corpus/$target" "$scratch/tmp/$target"
  arguments=(-max_total_time="$seconds" -max_len="$most" -timeout=10 -rss_limit_mb=1000 -print_final_stats=1 -verbosity=1
    -artifact_prefix="$findings/$target-")
  [[ $dictionary == - ]] || arguments+=(-dict="$repository/tests/fuzz/dictionaries/$dictionary")
  ((seconds > 0)) || arguments+=(-runs=0)
  TMPDIR=$scratch/tmp/$target UBSAN_OPTIONS=print_stacktrace=1 \
    "$build/tests/fuzz/fuzz_$target" "${arguments[@]}" "$corpus/$target" "$scratch/seeds/$target" \
    >"$logs/fuzz-$target.log" 2>&1 || code=$?
  # "#123 DONE cov: 456 ft: 789": edges of the product's code that were reached, and how often the function ran.
  printf '%-18s %9s executions %5s s, %5s edges%s\n' "$target" \
    "$(sed -n 's/^stat::number_of_executed_units: *//p' "$logs/fuzz-$target.log" | tail -1)" "$seconds" \
    "$(sed -n 's/.* cov: \([0-9]*\).*/\1/p' "$logs/fuzz-$target.log" | tail -1)" \
    "$( ((code == 0)) || echo ", FOUND $(sed -n 's/.*Test unit written to //p' "$logs/fuzz-$target.log" | tail -1) (log: $logs/fuzz-$target.log)")"
  return "$code"
}

failed=0 running=0
for target in "${wanted[@]}"; do
  ((running < jobs)) || { wait -n || failed=1; running=$((running - 1)); }
  fuzz "$target" &
  running=$((running + 1))
done
while ((running > 0)); do
  wait -n || failed=1
  running=$((running - 1))
done
((failed == 0)) || { say "FAILED: fuzzing found something, see the lines above" >&2; exit 1; }
say "fuzzed ${#wanted[@]} targets for $seconds s each: nothing found"
