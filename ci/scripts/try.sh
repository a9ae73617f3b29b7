#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From a fresh checkout to a verdict: sets up, builds, measures every suite twice, keeps the first run as the baseline and
# judges the second against it. Nothing changed between the two, so the honest answer is "no regression".
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

usage="usage: ci/scripts/try.sh
Exit code: that of the verdict, see the last lines; 2 when it did not come to one.
TORCHGATE_TORCH_ROOT=DIR uses the LibTorch in DIR instead of downloading one."
case ${1:-} in
  -h | --help) echo "$usage"; exit 0 ;;
  ?*) give_up 2 "unknown argument '$1'"$'\n'"$usage" ;;
esac

cd "$repository"
folder=.torchgate/try
store=$folder/store report=$folder/torchgate-report.md
before=try-before after=try-after
torchgate=build/release/ci/cli/torchgate
suites=build/release/suites/bin

# A build says little that matters here; its log is shown when it fails.
build() { cmake --preset release && cmake --build --preset release; }

measure() { "$torchgate" run --quick --suite-dir "$suites" --save "$1"; }

# A baseline belongs to a commit. A tree that differs from its commit has none: the second run is then judged against the
# first by name, and suspects are confirmed with the binaries in build/, which both runs measured.
belongs_to_commit() { [[ -z $(git status --porcelain 2>&1) ]]; }

judge() {
  if "$torchgate" baseline add "$before" --store "$store"; then
    "$torchgate" gate "$after" --store "$store" --markdown "$report"
  elif belongs_to_commit; then
    return 2
  else
    say "this checkout is modified, so its run cannot be a commit's baseline: judging against the run itself"
    "$torchgate" gate "$after" --against "$before" --store "$store" --markdown "$report"
  fi
}

# Each try starts from nothing: an older try's baseline is of another build.
rm -rf "$folder"
mkdir -p "$folder"
step "set-up" ci/scripts/setup.sh || exit 2
logged_step "$folder/build.log" "build (the first time takes minutes; log: $folder/build.log)" build || exit 2
step "measure, first run: the baseline" measure "$before" || exit 2
step "measure, second run: to be judged" measure "$after" || exit 2
verdict=0
say "judge the second run against the first"
judge || verdict=$?
say "done after $SECONDS s"

[[ ! -f $report ]] || say "the report as Markdown, as it would stand in a pull request: $report"
case $verdict in
  0) say "exit code 0: no regression. Both runs measured the same build, so this is the expected answer" ;;
  1) say "exit code 1: something fails the policy. Both runs measured the same build: look in the report for what disturbed one of them" ;;
  3) say "exit code 3: no verdict possible; the report says why" ;;
  130) say "exit code 130: interrupted" ;;
  *) say "exit code $verdict: an error; its message is above" ;;
esac
exit "$verdict"
