#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ci/scripts/pin_action.sh in a made-up repository: a pin of a commit with another action, program or workflow is found.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/expect.sh"

checkout=$tree/checkout
mkdir -p "$checkout"
cd "$checkout"
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
git init -q -b main .
mkdir -p ci/scripts ci/action/judge ci/gate ci/cli stats .github/workflows tests
cp "$here/../../ci/scripts/pin_action.sh" "$here/../../ci/scripts/steps.sh" ci/scripts/
nothing=$(printf '0%.0s' {1..40})
for name in performance performance-forks performance-commands; do
  echo "uses: torchgate/torchgate/ci/action/judge@$nothing" >".github/workflows/$name.yml"
  echo "uses: torchgate/torchgate/.github/workflows/$name.yml@$nothing" >>README.md
done
cp README.md ci/action/README.md
echo 1 | tee ci/action/judge.sh ci/gate/judge.cpp stats/welch.cpp tests/a_test.cpp CMakeLists.txt >/dev/null
commit() { git add -A && git commit -qm "$1"; }
pins() { ci/scripts/pin_action.sh && commit workflows && ci/scripts/pin_action.sh && commit documents; }
check() { ci/scripts/pin_action.sh "${1:---check}"; }
commit first
expect 1 "does not exist; run ci/scripts/pin_action.sh" check
expect 0 "" pins
expect 0 "" check

# changed FILE CODE: what --check says after a commit that changes it; pinned again, it is in order
changed() {
  echo 2 >>"$1"
  commit "$1"
  expect "$2" "${3:-}" check
  expect "${4:-$2}" "" check --check-action
  pins >/dev/null 2>&1 || true
  git reset -q --hard
  expect 0 "" check
}
changed ci/action/judge.sh 1 "ci/action/judge.sh is another one in the pinned commit"
changed ci/gate/judge.cpp 1 "ci/gate/judge.cpp is another one in the pinned commit" 0
changed stats/welch.cpp 1 "stats/welch.cpp is another one" 0
changed CMakeLists.txt 1 "CMakeLists.txt is another one" 0
changed .github/workflows/performance.yml 1 "README.md: .github/workflows/performance.yml is another one"
changed tests/a_test.cpp 0
echo words >ci/gate/README.md && commit page
expect 0 "" check
echo 3 >>stats/welch.cpp
expect 2 "has changes; commit them first" ci/scripts/pin_action.sh
expect 2 "usage" ci/scripts/pin_action.sh --pin
finish
