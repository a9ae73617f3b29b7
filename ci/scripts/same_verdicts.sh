#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Whether this work tree judges as COMMIT did: random runs and policies (tests/ci/gate/digests), judged by both; exits with 1 and the
# first inputs that differ when a report's JSON or the list of suspects is not the same, byte for byte.
#   ci/scripts/same_verdicts.sh [--decisions] COMMIT [COUNT]      COUNT inputs, 1000 unless given
# --decisions compares verdicts, changes, intervals, p, actions, reasons, claims and suspects alone: for a change of what a report shows
# beside them (values, notes, doubts).
# `judge_digests --show N` of each build (named at the end) prints what is said of input N.
set -euo pipefail

what=()
of=reports
if [[ ${1:-} == --decisions ]]; then
  what=(--decisions)
  of=decisions
  shift
fi
commit=${1:?usage: same_verdicts.sh [--decisions] COMMIT [COUNT]}
count=${2:-1000}
root=$(git rev-parse --show-toplevel)
preset=ci
work=$(mktemp -d)
before=$work/before
trap 'git -C "$root" worktree remove --force "$before" 2>/dev/null || true' EXIT

git -C "$root" worktree add --quiet --detach "$before" "$commit"
rm -rf "$before/tests/ci/gate/digests"
cp -r "$root/tests/ci/gate/digests" "$before/tests/ci/gate/"
grep -q judge_digests "$before/tests/ci/gate/CMakeLists.txt" ||
  sed -n '/^# Digests of what the judge says/,$p' "$root/tests/ci/gate/CMakeLists.txt" >>"$before/tests/ci/gate/CMakeLists.txt"
[[ -e $root/.deps && ! -e $before/.deps ]] && ln -s "$root/.deps" "$before/.deps"

for tree in "$before" "$root"; do
  (cd "$tree" && cmake --preset "$preset" >"$work/configure.log" && ninja -C "build/$preset" judge_digests >"$work/build.log") ||
    { tail -20 "$work/configure.log" "$work/build.log"; exit 2; }
done
"$before/build/$preset/tests/ci/gate/judge_digests" "${what[@]}" "$count" >"$work/before.txt" 2>"$work/counts.txt"
"$root/build/$preset/tests/ci/gate/judge_digests" "${what[@]}" "$count" >"$work/after.txt" 2>/dev/null
if ! diff "$work/before.txt" "$work/after.txt" >"$work/differences.txt"; then
  cp "$before/build/$preset/tests/ci/gate/judge_digests" "$work/judge_digests_before"
  head -20 "$work/differences.txt"
  echo "$(grep -c '^<' "$work/differences.txt") of $count inputs are judged otherwise than by $commit; its program: $work/judge_digests_before"
  exit 1
fi
echo "$count inputs: the same $of as by $commit, $(sha256sum <"$work/after.txt" | cut -c1-16); what they reached: $work/counts.txt"
