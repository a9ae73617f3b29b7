#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds, and measures one shard; where that is everything, also what the screen leaves open, in interleaved pairs: another job might get
# a machine with another CPU. Runs the pull request's code: no token, nothing is decided here.
source "$(dirname "${BASH_SOURCE[0]}")/pairs.sh"

[[ ${SHARD:=1/1} =~ ^[1-9][0-9]*/[1-9][0-9]*$ ]] || give_up "shard: '$SHARD' is not of the form I/N"
mapfile -t suites < <(printf '%s' "${SUITES:-}")
mapfile -t options < <(printf '%s' "${OPTIONS:-}")
name=shard-${SHARD%/*}
[[ $SHARD != 1/1 ]] || name=all
arguments=(run --save "$name" "${policy[@]}")
for suite in "${suites[@]}"; do [[ -z $suite ]] || arguments+=(--suite "$suite"); done
for option in "${options[@]}"; do [[ -z $option ]] || arguments+=("$option"); done
[[ $SHARD == 1/1 ]] || arguments+=(--shard "$SHARD")
# A new baseline has every group; a change needs only those that differ from the baseline.
[[ ${GITHUB_EVENT_NAME:-} == push ]] || arguments+=(--skip-unchanged)

build
code=0
untrusted "${PROGRAM:?}" "${arguments[@]}" || code=$?
[[ -e .torchgate/runs/$name.json ]] || give_up "torchgate run saved nothing (exit code $code)" "$((code == 0 ? 2 : code))"
keep_run "$name" "$folder/measured" "$name.json"
# The binaries of a new baseline, by content. Before the pairs, which take from them what did not change.
if [[ ${GITHUB_EVENT_NAME:-} == push ]] && ! program baseline add "$name" --objects-only; then
  echo "::warning::the binaries are not kept; later runs rebuild this commit to compare with it"
fi
if [[ $SHARD == 1/1 && ${PAIRS:-here} != later ]]; then
  screen "$name" "$folder/measured"
  ! wants_pairs || measure_pairs "$folder/measured"
fi
exit "$code"
