#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Cases, counts and suites that a run has lost, or measured in another way: through a real store, none of them is new, and none passes.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 fake_suite=$2
new_repository
git branch -m main
export FAKE_GROUPS=a,b TORCHGATE_GATE_ALLOW_NOISY=true TORCHGATE_GATE_CONFIRM=none TORCHGATE_GATE_COMPARE_CODE=false
name=fake/a/eager/device:cpu

build() { build_fake "$fake_suite" "$1"; }
# run NAME [VARIABLE=VALUE...] [FLAG...]: whatever its exit code
run() {
  local saved=$1 variables=()
  shift
  while [[ ${1:-} == *=* && $1 != -* ]]; do variables+=("$1") && shift; done
  env "${variables[@]}" "$torchgate" run --suite build --save "$saved" "$@" >run.txt 2>&1 || true
  [[ -e .torchgate/runs/$saved.json ]] || { complain "no run $saved"; cat run.txt >&2; }
}
push() {
  git commit -q --allow-empty -m "$1"
  run "$@"
  exits_with 0 "$torchgate" baseline add "$1"
}
fresh() {
  rm -rf .torchgate
  build 1000
  push main
}
change() {
  git commit -q --allow-empty -m "$1"
  run "$@"
}
expect_finding() {
  [[ $(finding report.json "${2:-$name}") == "$1"* ]] || complain "$(finding report.json "${2:-$name}") instead of $1"
}
gate() { exits_with "$1" "$torchgate" gate "${@:2}" --json report.json; }

# edited RUN WHAT: RUN-edited.json, in which the first case failed in all processes, or its count is lost or a number
edited() {
  python3 - "$1" "$2" <<'PYTHON'
import json, os, sys
name, what = sys.argv[1:]
run = json.load(open(os.path.realpath(f".torchgate/runs/{name}.json")))
first = next(i for i, case in enumerate(run["cases"]) if case["name"] == "fake/a/eager/device:cpu")
for process in run["processes"]:
    for case in process["cases"]:
        if case["case"] != first:
            continue
        if what == "failed":
            case.update(status="failed", message="out of memory")
            case["measurements"] = {}
        elif what == "uncounted":
            del case["measurements"]["calls"]
        else:
            case["measurements"]["calls"] = int(what)
json.dump(run, open(f"{name}-edited.json", "w"))
PYTHON
}
push_edited() {
  git commit -q --allow-empty -m "$1"
  run "$1"
  edited "$1" "$2"
  exits_with 0 "$torchgate" baseline add "$1-edited.json" --without-objects
}

echo "-- a pushed run that failed in a case, then a slower change"
fresh
push_edited failed failed
gate 1 failed-edited.json
expect_finding "failed fail"
build 3000
change slower
gate 1 slower
expect_finding "suspected fail"
says "has no usable numbers of it: it failed in 5 of 5 processes: out of memory"
exits_with 1 env TORCHGATE_GATE_CONFIRM=regressions "$torchgate" gate slower --json report.json
expect_finding "suspected fail"
says "not confirmed: pairs run the binaries of the newest stored run"
build 1000
change repaired
gate 0 repaired
expect_finding "equivalent pass"
change documents --skip-unchanged
gate 0 documents; echo "DOC $(finding report.json $name) $(cat run.txt | head -3)"
rm -rf .torchgate
push_edited failed failed
change repaired
gate 3 repaired
expect_finding "not_comparable warn"
says "has no numbers in the baseline, where it failed in 5 of 5 processes: out of memory"

echo "-- another seed of the inputs"
fresh
build 3000
change seed FAKE_SEED=7
gate 1 seed
expect_finding "not_comparable fail"
says "measured on both sides, not comparable: its input seed was 1 and is 7"
exits_with 0 "$torchgate" accept "$name" fake/a/fast/device:cpu fake/b/eager/device:cpu fake/b/fast/device:cpu --reason "new inputs"
says "missing = true"
gate 3 seed
expect_finding "not_comparable pass"
rm -f torchgate-waivers.toml
push seed FAKE_SEED=7
build 1000
change back
gate 0 back
says "compared with an older run of the baseline, as the newest has no usable numbers"

echo "-- a suite under another name, a group that is gone, a suite that no longer lists its cases"
fresh
change renamed FAKE_SUITE=other
gate 1 renamed
expect_finding "missing fail"
says "its suite fake is not in this run (suites: other)"
change shorter FAKE_GROUPS=b
gate 1 shorter
expect_finding "missing fail"
TORCHGATE_GATE_MISSING=warn gate 0 shorter
TORCHGATE_GATE_MISSING=warn TORCHGATE_GATE_MIN_DECIDED=0.8 gate 3 shorter
change unlisted FAKE_LISTING=crash
gate 1 unlisted
push shorter FAKE_GROUPS=b
change shorter_still FAKE_GROUPS=b
gate 0 shorter_still
says "2 cases of older runs of the baseline are neither in its newest run nor in this one"

echo "-- a filter: a part on a desk, missing where the base branch's policy judges"
fresh
change part --filter fake/b/
gate 0 part
says "2 cases of the baseline were not judged"
gate 1 part --policy-from HEAD
expect_finding "missing fail"
says "the filter fake/b/ of this run leaves it out"
git update-ref refs/remotes/origin/main HEAD
export GITHUB_EVENT_NAME=pull_request GITHUB_BASE_REF=main
gate 1 part
TORCHGATE_GATE_PARTIAL=listed gate 0 part
change whole --skip-unchanged
gate 0 whole
for shard in 1 2; do run "shard-$shard" --shard $shard/2; done
exits_with 0 "$torchgate" merge .torchgate/runs/shard-1.json .torchgate/runs/shard-2.json --save merged
gate 0 merged
gate 3 shard-1
unset GITHUB_EVENT_NAME GITHUB_BASE_REF

echo "-- a pushed run that lost a count, then a change of it"
fresh
push_edited uncounted uncounted
exits_with 0 "$torchgate" gate uncounted-edited.json
says "counted in the baseline and not now"
change more
edited more 8
exits_with 0 env TORCHGATE_GATE_CHANGED=warn "$torchgate" gate more-edited.json --json report.json
says "counted in run"
exits_with 1 env TORCHGATE_GATE_CHANGED=fail "$torchgate" gate more-edited.json --rule exact --json report.json

# losing HOW: the third and fourth process of group a do that in the place of measuring
losing() {
  build 1000
  mv build/fake real
  rm -f launches
  cat >build/fake <<SCRIPT
#!/bin/sh
case "\$*" in
  *list*) ;;
  *fake/a*)
    echo >>"$PWD/launches"
    case \$(wc -l <"$PWD/launches") in 3 | 4) $1 ;; esac
    ;;
esac
exec "$PWD/real" "\$@"
SCRIPT
  chmod +x build/fake
}

echo "-- a change that loses two processes of a group: by a time-out, without a report, by a signal"
fresh
for how in "exec sleep 30" "exit 0" "kill -9 \$\$"; do
  losing "$how"
  change losing --group-limit 2
  gate 1 losing
  expect_finding "failed fail"
  says "in 2 of 4 processes: lost"
done
finish
