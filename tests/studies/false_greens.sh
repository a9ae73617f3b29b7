#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Small inputs and flows in which a slow-down passed, each with two programs: what came before, and what comes now. A regression test of each kind
# is in tests/; this is the listing.
set -uo pipefail

usage="usage: tests/studies/false_greens.sh FOLDER PROGRAM CHECKOUT [PROGRAM CHECKOUT]...
  FOLDER    the inputs: a folder for each, and tools/ (shared/data/false_greens)
  PROGRAM   a torchgate, and CHECKOUT the tree whose scripts (ci/action, tests/e2e) it is played with
  NATIVE    (variable) a suite built from data-file-acquitted/native.cpp; without it that input is left out
Exit code: 0, whatever came; 2 wrong usage."
if (($# < 3 || $# % 2 != 1)); then
  echo "$usage" >&2
  exit 2
fi
inputs=$(realpath "$1")
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export TMPDIR=$scratch

headline() { grep -m 1 -oE '^(PASS|FAIL|NO VERDICT)[^|]*' <<<"$1" || tail -n 1 <<<"$1"; }
# gate FOLDER ARGUMENTS...: its exit code and headline
gate() {
  local out code=0
  cd "$inputs/$1" || return
  shift
  out=$(timeout 120 "$TORCHGATE" "$@" 2>&1) || code=$?
  printf 'exit %s: %s\n' "$code" "$(headline "$out" | cut -c 1-150)"
}
# flow FOLDER SCRIPT PATTERN ARGUMENTS...: the lines that its script prints and PATTERN matches
flow() {
  local folder=$1 script=$2 pattern=$3
  shift 3
  mkdir -p "$scratch/false_greens"
  (cd "$inputs/$folder" && timeout 600 bash "$script" "$@" 2>&1) | grep -E "$pattern" | cut -c 1-170
}
baseline_build=$'[baseline]\nbuild = "cd {dir} && sh build.sh"\n'

play() {
  case $1 in
    baseline-crash-makes-case-new)
      gate "$1" gate slow_b.json --against base_crashed.json --confirm none
      flow "$1" e3.sh '^exit|^(PASS|FAIL|NO VERDICT)' ;;
    baseline-moves-between-confirm-and-judge) TOML=$baseline_build flow "$1" a4.sh '^judge|^\[\(' ;;
    case-redefined-is-new) gate "$1" gate seed_changed.json --against base.json --confirm none ;;
    change-sets-processes-1) flow "$1" e10.sh 'exit' ;;
    cpu-lottery) flow "$1" a1.sh '^---|^judge|^\[\(' ;;
    criterion-cwd) (cd "$(mktemp -d)" && cp "$inputs/$1"/*.json . && timeout 60 "$TORCHGATE" import estimates.json --save x 2>&1 | tail -n 1 | cut -c 1-150; echo "exit ${PIPESTATUS[0]}") ;;
    data-file-acquitted)
      flow "$1" e1.sh '^exit|^(PASS|FAIL|NO VERDICT)'
      [[ -z ${NATIVE:-} ]] || { cp "$NATIVE" "$scratch/false_greens/native" && flow "$1" e1n.sh '^exit|^(PASS|FAIL|NO VERDICT)'; } ;;
    exact-min-decided)
      gate "$1" --config ex.toml gate ex_cur.json --against ex_base.json
      gate "$1" --config ex.toml gate ex_lost.json --against lt_base.json ;;
    libtorch-prefix)
      gate "$1" --config lt.toml gate lt_vision.json --against lt_base.json --confirm none
      gate "$1" --config lt.toml gate lt_ctl.json --against lt_base.json --confirm none ;;
    many-names)
      local began=$SECONDS
      gate "$1" run --suite ./list.sh --processes 1 --group-limit 3 --total-limit 10 --allow-noisy
      echo "after $((SECONDS - began)) s (124: stopped after 120 s)" ;;
    readme-ci-second-push)
      flow "$1" a2.sh '^---|^confirm|^judge|^stored|^issues'
      flow "$1" a3.sh '^---|^judge|^\[\(' ;;
    rerun-of-red-push) TOML=$baseline_build flow "$1" a5.sh '^---|^judge|^issues' ;;
    shard-plan-processes)
      local code=0
      (cd "$inputs/$1" && timeout -k 2 20 "$TORCHGATE" run --suite /bin/true --shard 1/2 --shard-plan m.json 2>&1 | tail -n 1 | cut -c 1-150; exit "${PIPESTATUS[0]}") || code=$?
      echo "exit $code (124, 137: stopped after 20 s)" ;;
    suite-vanished)
      gate "$1" gate vanish.json --against b2.json --confirm none
      flow "$1" e2.sh '^exit|^(PASS|FAIL|NO VERDICT)' ;;
    two-workflows-one-check) flow "$1" t.sh '^\[' ;;
    *) echo "not known to this script" ;;
  esac
}

for folder in "$inputs"/*/; do
  name=$(basename "$folder")
  [[ $name != tools ]] || continue
  echo "== $name"
  sed 's/^/   expected: /' "$folder/expected" | cut -c 1-240
  pairs=("$@")
  for ((i = 0; i < ${#pairs[@]}; i += 2)); do
    TORCHGATE=$(realpath "${pairs[i]}") PROJECT=$(realpath "${pairs[i + 1]}")
    export TORCHGATE PROJECT
    [[ $i == 0 && $# -gt 2 ]] && label=before || label=now
    play "$name" 2>&1 | sed "s/^/   $label: /"
  done
done
