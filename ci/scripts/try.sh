#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From a fresh checkout to two verdicts. First half: sets up, builds, measures some suites twice, keeps the first run as the
# baseline and judges the second against it: nothing changed, so the answer is "no regression", and how many cases were
# decided shows what this machine can see. Second half: a demo suite in two builds, with 10 % more work in one case of the second:
# that case has to be found, confirmed, named and explained.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

# What is tried unless other suites are named, so that it is done within 8 minutes.
tried_suites=(fusion precision memory models)

usage="usage: ci/scripts/try.sh [--all | SUITE...]
  SUITE  suites to build and measure: folders of suites/ (default: ${tried_suites[*]})
  --all  every suite
Exit code: 0 when the first half passes and the second half finds the slower case; else that of the verdict, see the last lines; 2
when it did not come to one.
TORCHGATE_TORCH_ROOT=DIR uses the LibTorch in DIR instead of downloading one."

is_suite() { grep -qsE "^torchgate_suite\($1( |$)" "$repository/suites/$1/CMakeLists.txt"; }
all_suites() { # one a line
  local folder
  for folder in "$repository"/suites/*/; do ! is_suite "$(basename "$folder")" || basename "$folder"; done
}

tried=()
case ${1:-} in
  -h | --help) echo "$usage"; exit 0 ;;
  '') for suite in "${tried_suites[@]}"; do ! is_suite "$suite" || tried+=("$suite"); done ;;
  --all)
    (($# == 1)) || give_up 2 "--all takes no suites"$'\n'"$usage"
    mapfile -t tried < <(all_suites) ;;
  -*) give_up 2 "unknown argument '$1'"$'\n'"$usage" ;;
  *)
    for suite; do is_suite "$suite" || give_up 2 "unknown suite '$suite'; use some of: $(all_suites | tr '\n' ' ')"; done
    tried=("$@") ;;
esac
((${#tried[@]} > 0)) || give_up 2 "no suites in $repository/suites"

cd "$repository"
folder=.torchgate/try
store=$folder/store report=$folder/torchgate-report.md
before=try-before after=try-after
torchgate=build/release/ci/cli/torchgate
suites=build/release/suites/bin
demo=build/release/demo
slower_case=demo/solver/refine

# A build says little that matters here; its log is shown when it fails.
build() {
  cmake --preset release && cmake --build --preset release --target torchgate "${tried[@]/#/suite_}" demo_before demo_after
}

measure() { "$torchgate" run --quick "${tried[@]/#/--suite=$suites/}" --save "$1"; }

# A baseline belongs to a commit. A tree that differs from its commit has none: the second run is then judged against the
# first by name, and suspects are confirmed with the binaries in build/, which both runs measured.
belongs_to_commit() { [[ -z $(git status --porcelain 2>&1) ]]; }

judge() {
  local budget=40s # of pairs; by default as long as the run took, and suspects without a limit
  if "$torchgate" baseline add "$before" --store "$store"; then
    "$torchgate" gate "$after" --store "$store" --measure-unchanged --budget "$budget" --markdown "$report"
  elif belongs_to_commit; then
    return 2
  else
    say "this checkout is modified, so its run cannot be a commit's baseline: judging against the run itself"
    "$torchgate" gate "$after" --against "$before" --store "$store" --measure-unchanged --budget "$budget" --markdown "$report"
  fi
}

# The same question as it is asked by default: both runs are of the same files.
judge_again() { "$torchgate" gate "$after" --against "$before" --store "$store" | sed -n 1,2p; }

measure_demo() { "$torchgate" run --quick --suite "$demo/$1/demo" --save "try-demo-$1"; }

# Exit code 0: the slower case fails the build, by a confirmed regression of its time.
judge_demo() {
  local code=0
  "$torchgate" gate try-demo-after --against try-demo-before --store "$store" --markdown "$folder/demo-report.md" \
    --json "$folder/demo-report.json" || code=$?
  ((code == 1)) || { say "the slower build got exit code $code, expected 1"; return 1; }
  python3 - "$folder/demo-report.json" "$slower_case" <<'PYTHON'
import json, sys
findings = json.load(open(sys.argv[1]))["findings"]
failed = [f["case"] for f in findings if f["action"] == "fail"]
found = [f for f in findings if f["case"] == sys.argv[2] and f["verdict"] == "regressed"]
if failed != [sys.argv[2]] or not found or not found[0]["operators"]:
    sys.exit(f"expected {sys.argv[2]} alone to have regressed, with the operators that changed; failing: {failed}")
PYTHON
}

# Each try starts from nothing: an older try's baseline is of another build.
rm -rf "$folder"
mkdir -p "$folder"
say "suites: ${tried[*]}"
step "set-up" ci/scripts/setup.sh --suites || exit 2
logged_step "$folder/build.log" "build (the first time takes minutes; log: $folder/build.log)" build || exit 2
step "measure, first run: the baseline" measure "$before" || exit 2
step "measure, second run: to be judged" measure "$after" || exit 2
verdict=0
say "judge the second run against the first"
judge || verdict=$?
say "the same question without --measure-unchanged:"
judge_again || true
found=0
if ((verdict == 0)); then
  step "measure the demo suite" measure_demo before || exit 2
  step "measure its second build, with 10 % more work in $slower_case" measure_demo after || exit 2
  say "judge the second build against the first: it has to fail"
  judge_demo || found=1
fi
say "done after $SECONDS s"
mapfile -t known < <(all_suites)
((${#tried[@]} == ${#known[@]})) ||
  say "tried ${#tried[@]} of ${#known[@]} suites (${known[*]}); all of them: ci/scripts/try.sh --all, one of them: ci/scripts/try.sh NAME"

[[ ! -f $report ]] || say "the report as Markdown, as it would stand in a pull request: $report"
case $verdict in
  0) say "first half: no regression. Both runs measured the same build, so this is the expected answer" ;;
  1) say "exit code 1: something fails the policy. Both runs measured the same build: look in the report for what disturbed one of them" ;;
  3) say "exit code 3: no verdict possible; the report says why" ;;
  130) say "exit code 130: interrupted" ;;
  *) say "exit code $verdict: an error; its message is above" ;;
esac
if ((found != 0)); then
  say "exit code 1: second half: the slower case was not found as it has to be; see above"
  exit 1
fi
((verdict != 0)) || say "exit code 0: second half: the slower case was found, confirmed and explained, as it has to be"
exit "$verdict"
