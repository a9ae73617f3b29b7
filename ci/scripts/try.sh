#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From a fresh checkout to two verdicts. First half: sets up, builds, measures a run of a suite, which becomes the baseline, and then
# pairs of the same build with it: nothing changed, so the answer is "no regression", and how many cases were decided shows what
# this machine can see. Second half: a demo suite in two builds, with 10 % more work in one case of the second: that case has to be
# found in pairs, by its time or, on a busy machine, by its instructions.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

# What is tried unless other suites are named, so that it is done within 8 minutes.
tried_suites=(fusion)

usage="usage: ci/scripts/try.sh [--all | SUITE...]
  SUITE  suites to build and measure: folders of suites/ (default: ${tried_suites[*]})
  --all  every suite
Exit code: 0 when the first half passes and the second half finds the slower case; else that of the verdict, see the last lines; 3 also
when the machine is too busy for the slower case to be found; 2 when it did not come to a verdict.
TORCHGATE_TORCH_ROOT=DIR uses the LibTorch in DIR instead of downloading one."

is_suite() { grep -qsE "^torchgate_suite\($1( |$)" "$repository/suites/$1/CMakeLists.txt"; }
all_suites() { # one a line
  local folder
  for folder in "$repository"/suites/*/; do ! is_suite "$(basename "$folder")" || basename "$folder"; done
}

tried=()
budget=4m # of the pairs; by default as long as 24 of each case take
case ${1:-} in
  -h | --help) echo "$usage"; exit 0 ;;
  '')
    budget=90s
    for suite in "${tried_suites[@]}"; do ! is_suite "$suite" || tried+=("$suite"); done ;;
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
before=try-before
torchgate=build/release/ci/cli/torchgate
suites=build/release/suites/bin
demo=build/release/demo
slower_case=demo/solver/refine

# A build says little that matters here; its log is shown when it fails.
build() {
  cmake --preset release && cmake --build --preset release --target torchgate "${tried[@]/#/suite_}" demo_before demo_after
}

# measure NAME SUITE...
measure() { "$torchgate" run --quick "${@:2}" --save "$1"; }

# A baseline belongs to a commit. A tree that differs from its commit has none: pairs are then measured with the run itself, whose
# binaries are in build/.
belongs_to_commit() { [[ -z $(git status --porcelain 2>&1) ]]; }

against=()
keep_baseline() {
  "$torchgate" baseline add "$before" --store "$store" && return
  ! belongs_to_commit || return 2
  say "this checkout is modified, so its run cannot be a commit's baseline: measuring pairs with the run itself"
  against=(--against "$before")
}

# Pairs of this build with the baseline's binaries, from the start.
gate_now() { "$torchgate" gate --quick "${tried[@]/#/--suite=$suites/}" "${against[@]}" --store "$store" "$@"; }

judge() { gate_now --measure-unchanged --budget "$budget" --markdown "$report" --json "$folder/report.json"; }

# The same question as it is asked by default: one pair shows that both sides are of the same files.
judge_again() { gate_now | sed -n 1,2p; }

# Exit code 0: nothing fails but claims of suites, which are about this machine (such as "with AVX2 it is faster") and not about the
# change. They are named.
only_claims_fail() {
  python3 - "$folder/report.json" <<'PYTHON'
import json, sys
report = json.load(open(sys.argv[1]))
broken = [claim for claim in report["claims"] if claim["action"] == "fail"]
if not broken or any(finding["action"] == "fail" for finding in report["findings"]):
    sys.exit(1)
for claim in broken:
    print(f"==> a claim of a suite does not hold on this machine: {claim['case']}: {claim['text']} ({claim['reason']})")
PYTHON
}

# Exit code 0: the slower case fails the build by a confirmed regression, of its time or of its instructions. 3: this machine cannot
# see it. 1: anything else.
judge_demo() {
  "$torchgate" gate --quick --suite "$demo/after/demo" --against try-demo-before --store "$store" \
    --markdown "$folder/demo-report.md" --json "$folder/demo-report.json" || true # which cases fail says more than the code
  python3 - "$folder/demo-report.json" "$slower_case" <<'PYTHON'
import json, sys
findings = json.load(open(sys.argv[1]))["findings"]
slower = [f for f in findings if f["case"] == sys.argv[2]]
failed = {f["case"] for f in findings if f["action"] == "fail"}
found = [f for f in slower if f["verdict"] == "regressed" and f["action"] == "fail"]
counted = [f["counted"] for f in slower if f.get("counted")]
if failed - {sys.argv[2]} or (failed and not found):
    print(f"==> expected {sys.argv[2]} alone to have regressed; failing: {sorted(failed)}")
    sys.exit(1)
if found and any(f["operators"] for f in slower):
    timed = [f for f in found if not f.get("counted")]
    if timed and timed[0]["confirmation"]:
        print(f"==> found by its time: {timed[0]['change']:+.1%} in {timed[0]['confirmation']['pairs']} pairs")
    else:
        print(f"==> found by its instructions: {counted[0]['change']:+.2%}" if counted else "==> found")
    sys.exit(0)
if found:
    print(f"==> {sys.argv[2]} was found, but without the operators that changed")
    sys.exit(1)
if any(f["verdict"] == "equivalent" for f in slower):
    print(f"==> {sys.argv[2]} was called equivalent, with 10 % more work in it")
    sys.exit(1)
if counted:
    print("==> this machine is too busy even for counts: instructions were counted, and do not decide it either")
else:
    print("==> this machine is too busy for times, and no instructions were counted: sudo apt-get install valgrind, then try again")
sys.exit(3)
PYTHON
}

# Each try starts from nothing: an older try's baseline is of another build.
rm -rf "$folder"
mkdir -p "$folder"
say "suites: ${tried[*]}"
step "set-up" ci/scripts/setup.sh --suites || exit 2
logged_step "$folder/build.log" "build (the first time takes minutes; log: $folder/build.log)" build || exit 2
step "measure a run: the baseline" measure "$before" "${tried[@]/#/--suite=$suites/}" || exit 2
keep_baseline || exit 2
verdict=0
say "measure pairs of the same build with it"
judge || verdict=$?
claims=0
if ((verdict == 1)) && only_claims_fail; then verdict=0 claims=1; fi
say "the same question without --measure-unchanged:"
judge_again || true
found=0
# Also without a verdict: what a machine cannot see in 39 cases it may see in one.
if ((verdict == 0 || verdict == 3)); then
  step "measure a run of the demo suite" measure try-demo-before --suite "$demo/before/demo" || exit 2
  say "measure pairs of its second build, with 10 % more work in $slower_case: it has to fail"
  judge_demo || found=$?
fi
say "done after $SECONDS s"
mapfile -t known < <(all_suites)
((${#tried[@]} == ${#known[@]})) ||
  say "tried ${#tried[@]} of ${#known[@]} suites (${known[*]}); all of them: ci/scripts/try.sh --all, one of them: ci/scripts/try.sh NAME"

[[ ! -f $report ]] || say "the report as Markdown, as it would stand in a pull request: $report"
case $verdict in
  0) say "first half: no regression. Both sides are the same build, so this is the expected answer" ;;
  1) say "exit code 1: something fails the policy. Both sides are the same build: look in the report for what disturbed one of them" ;;
  3) say "first half: no verdict; the report says why. Fewer than half of the cases decided mean that this machine is too busy for their times" ;;
  130) say "exit code 130: interrupted" ;;
  *) say "exit code $verdict: an error; its message is above" ;;
esac
((claims == 0)) || say "first half: claims of suites that do not hold on this machine are named above; they are no regression"
case $found in
  0) ;;
  3) say "exit code 3: second half: this machine cannot see the slower case; see above" && exit 3 ;;
  *) say "exit code 1: second half: the slower case was not found as it has to be; see above" && exit 1 ;;
esac
((verdict != 0 && verdict != 3)) || say "exit code $verdict: second half: the slower case was found, confirmed and explained, as it has to be"
exit "$verdict"
