#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# creep_test.sh TORCHGATE FAKE_SUITE: ten commits of +0.9 % after a release, on a suite whose speed a build decides. Every gate of a commit
# passes; the change since the release is found by `gate --since`, in one step and in three jobs. No pull request pays for it.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1
export FAKE=$2
new_repository
printf '*.json\n*.md\n' >>.gitignore
export FAKE_GROUPS=a,b FAKE_READS="" TORCHGATE_GATE_ALLOW_NOISY=true TORCHGATE_RUN_SUITES=build
export TORCHGATE_GATE_COUNT_UNDECIDED=false TORCHGATE_GATE_COMPARE_CODE=false  # Callgrind knows nothing of times that a suite prints
name=fake/a/eager/device:cpu

cat >build.sh <<'SCRIPT'
mkdir -p build
rm -f build/fake
cp "$FAKE" build/fake
printf '\nFAKE_LEVEL=%s\n' "$(cat level)" >>build/fake
SCRIPT
level_after() { python3 -c 'import sys; print(round(1e6 * 1.009 ** int(sys.argv[1])))' "$1"; }
commit() {
  level_after "$1" >level
  git add .
  git commit -qm "commit $1"
  sh build.sh
}
# pairs_of JSON: on how many pairs that report rests
pairs_of() {
  python3 -c 'import json, sys
print(sum((f["confirmation"] or {"pairs": 0})["pairs"] for f in json.load(open(sys.argv[1]))["findings"]))' "$1"
}

# 1. The release: measured, stored, pinned.
exits_with 3 "$torchgate" baseline pin v1.0
says "torchgate baseline add"
commit 0
git tag v1.0
exits_with 0 "$torchgate" run --save release
exits_with 0 "$torchgate" baseline add release
exits_with 0 "$torchgate" baseline pin v1.0
says "pin v1.0: commit $(git rev-parse --short=12 HEAD), 1 run"
exits_with 2 "$torchgate" baseline pin v1.0
says "move it with --move"
exits_with 2 "$torchgate" baseline pin a/b
exits_with 0 "$torchgate" baseline list
says "pin v1.0: commit"
exits_with 2 "$torchgate" gate --since v1.1
says 'unknown pin "v1.1"'
says "existing pins: v1.0"

# 2. Ten commits. Each gate passes, and none of them is asked for pairs since the release.
for n in 1 2 3 4 5 6 7 8 9 10; do
  commit "$n"
  exits_with 0 "$torchgate" run --save "commit-$n"
  # That each commit passes by itself is what this is about, not how many of its cases its machine decides.
  TORCHGATE_GATE_MIN_DECIDED=0 exits_with 0 "$torchgate" gate --json "gate-$n.json"
  exits_with 0 "$torchgate" baseline add "commit-$n"
  python3 - "gate-$n.json" <<'PYTHON' || complain "commit $n: its gate knows of a pin, or fails"
import json, sys
report = json.load(open(sys.argv[1]))
assert report["outcome"] == "pass" and "since" not in report, report["headline"]
assert not any(finding["action"] == "fail" for finding in report["findings"])
PYTHON
done
exits_with 0 "$torchgate" baseline list

# 3. The tenth, since the release.
exits_with 1 "$torchgate" gate --since v1.0 --json since.json --markdown since.md
says "since v1.0 ($(git rev-parse --short=12 v1.0), "
says "comparing 4 cases with pin v1.0 in interleaved pairs"
python3 - "$name" <<'PYTHON' || complain "the tenth report: $(finding since.json "$name")"
import json, sys
report = json.load(open("since.json"))
assert report["since"]["name"] == "v1.0" and report["before"]["label"] == "pin v1.0", report["since"]
assert report["headline"].startswith("since v1.0 ("), report["headline"]
assert report["gate_ratio"] == 0.05 and report["paired"], report
found = [f for f in report["findings"] if f["metric"]["name"] == "time"]
assert len(found) == 4, found
for one in found:
    assert one["verdict"] == "regressed" and one["action"] == "fail", one
    assert abs(one["change"] - (1.009 ** 10 - 1)) < 0.005, one["change"]
    assert any(reason.startswith("change since v1.0 (") for reason in one["reasons"]), one["reasons"]
PYTHON
grep -q "since v1.0" since.md || complain "the Markdown does not say since when"

# The policy: an action of its own, and a budget of its own for each case.
TORCHGATE_GATE_CREEP=warn exits_with 0 "$torchgate" gate --since v1.0 --json warn.json
[[ $(finding warn.json "$name") == "regressed warn 9."* ]] || complain "warn: $(finding warn.json "$name")"
printf '[gate]\nsince = 0.2\n[[case]]\nexact = "%s"\nsince = 0.08\n' "$name" >torchgate.toml
exits_with 1 "$torchgate" gate --since v1.0 --json case.json
[[ $(finding case.json "$name") == "regressed fail 9."* ]] || complain "[[case]]: $(finding case.json "$name")"
[[ $(finding case.json fake/b/fast/device:cpu) == "regressed warn 9."* ]] || complain "below: $(finding case.json fake/b/fast/device:cpu)"
rm torchgate.toml
exits_with 0 "$torchgate" gate --since v1.0 --gate 0.2 --budget "400 pairs"
exits_with 2 "$torchgate" gate --since v1.0 --against release
exits_with 2 "$torchgate" gate --since v1.0 --budget run

# 4. In three jobs: the job that runs code does not judge.
exits_with 0 "$torchgate" gate --since v1.0 --pair-plan plan.json
says "plan.json: 4 cases to compare in pairs"
exits_with 0 "$torchgate" ab --pair-plan plan.json --save pairs
says "--since v1.0 --pairs-from"
exits_with 1 "$torchgate" gate --since v1.0 --pairs-from pairs --json split.json
[[ $(finding split.json "$name") == "regressed fail 9."* ]] || complain "three jobs: $(finding split.json "$name")"
exits_with 0 "$torchgate" gate "commit-9" --since v1.0 --pair-plan other.json
exits_with 2 "$torchgate" gate "commit-9" --since v1.0 --pairs-from pairs
says "another plan"

# 5. The binaries of the release are lost: rebuilt from its commit, or no verdict.
mv .torchgate/store/objects kept
exits_with 3 "$torchgate" gate --since v1.0
says "no interleaved pairs"
export TORCHGATE_BASELINE_BUILD="sh build.sh" TORCHGATE_BASELINE_SUITES=build
exits_with 1 "$torchgate" gate --since v1.0 --json rebuilt.json
[[ $(finding rebuilt.json "$name") == "regressed fail 9."* ]] || complain "rebuilt: $(finding rebuilt.json "$name")"
says "rebuilt from commit"
mv kept .torchgate/store/objects

# 6. The pin moves to the newest commit; nothing has changed since.
exits_with 0 "$torchgate" baseline pin v1.0 --move
exits_with 0 "$torchgate" run --save again
exits_with 0 "$torchgate" gate --since v1.0 --json moved.json
exits_with 0 "$torchgate" baseline show v1.0
exits_with 0 "$torchgate" baseline unpin v1.0
exits_with 2 "$torchgate" gate --since v1.0
exits_with 2 "$torchgate" baseline unpin v1.0

# 7. The data branch carries pins and what became of them.
git init -q --bare "$work/build/remote.git"
git remote add origin "$work/build/remote.git"
exits_with 0 "$torchgate" baseline pin v2.0 --commit v1.0
exits_with 0 "$torchgate" baseline push
exits_with 0 "$torchgate" baseline pull --store .torchgate/other
exits_with 0 "$torchgate" baseline list --store .torchgate/other --json
says '"name": "v2.0"'
[[ $out != *'"v1.0"'* ]] || complain "a removed pin came back"
finish
