#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs every command of README.md and ci/cli/README.md in a block marked <!-- tested -->, in order, in a fresh repository, as a reader
# would; exit code 1 (a verdict of a busy machine) is an answer, anything above is not. The two scripts must be there.
set -euo pipefail
source_dir=$1 build=$2 suite=$3
# The commands are tested, not the machine: a noisy one has no verdict otherwise (exit code 3).
unset GITHUB_BASE_REF GITHUB_EVENT_NAME CI_MERGE_REQUEST_IID CI_MERGE_REQUEST_TARGET_BRANCH_NAME \
  CI_MERGE_REQUEST_DIFF_BASE_SHA CHANGE_ID CHANGE_TARGET BUILDKITE_PULL_REQUEST BUILDKITE_PULL_REQUEST_BASE_BRANCH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
git init -q .
git config user.email test@example.org
git config user.name test
printf '.torchgate\nbuild\nreport.*\n' >.gitignore
git add .
git commit -qm first
mkdir build
ln -s "$build" build/release

awk '/^<!-- tested -->$/ {marked = 1; next} /^```sh$/ && marked {inside = 1; next} /^```$/ {inside = marked = 0} inside' \
  "$source_dir/README.md" "$source_dir/ci/cli/README.md" >commands
(($(wc -l <commands) >= 10)) || { echo "README.md and ci/cli/README.md have lost tested commands"; exit 1; }
while read -r command; do
  echo "\$ $command"
  code=0
  eval "$command" </dev/null || code=$?
  ((code <= 1)) || { echo "exit code $code: $command"; exit 1; }
done <commands
[[ -s report.md && -s report.json ]] || { echo "the gate wrote no report"; exit 1; }

for script in ci/scripts/try.sh ci/scripts/test.sh; do
  grep -q "^$script " "$source_dir/README.md" || { echo "README.md does not name $script"; exit 1; }
  [[ -x $source_dir/$script ]] || { echo "$script cannot be executed"; exit 1; }
done

# The suite that harness/bench/README.md shows keeps its claim.
"$build/ci/cli/torchgate" run --quick --suite "$suite" --save mine
"$build/ci/cli/torchgate" report mine --format json --output mine.json
python3 -c 'import json
claims = json.load(open("mine.json"))["claims"]
assert len(claims) == 2 and all(c["state"] == "holds" for c in claims), claims'
