#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# action_assumptions.sh ROOT: what ci/action/README.md says that the workflows assume is what they do (action_assumptions.py). And the check finds
# what is missing.
set -euo pipefail
root=$(cd "${1:?the folder to check}" && pwd)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python=python3
"$python" -c 'import yaml' 2>/dev/null || python=/usr/bin/python3
"$python" -c 'import yaml' 2>/dev/null || { echo "skipped: no python3-yaml (ci/scripts/setup.sh --lint installs it)"; exit 77; }
"$python" "$here/action_assumptions.py" "$root"

source "$here/expect.sh"
check() { "$python" "$here/action_assumptions.py" "$tree"; }
# with FILE SED TEXT: the check says TEXT of a copy in which FILE was changed
with() {
  rm -rf "${tree:?}"/*
  mkdir -p "$tree/.github/workflows" "$tree/ci/scripts" "$tree/cmake"
  cp "$root"/.github/workflows/performance*.yml "$tree/.github/workflows/"
  cp -r "$root/ci/action" "$tree/ci/"
  cp "$root/ci/scripts/setup.sh" "$tree/ci/scripts/"
  cp "$root/cmake/torchgate_dependencies.cmake" "$tree/cmake/"
  sed -Ei "$2" "$tree/$1"
  expect 1 "$3" check
}
with ci/action/judge.sh '$ a jq . "$report/report.json"' "programs: jq is missing"
with ci/action/pull.sh '$ a key=$(yq .key x) || true' "programs: yq is missing"
with ci/action/README.md 's/^(\| programs \|)/\1 `wget`,/' "programs: wget is not used"
with cmake/torchgate_dependencies.cmake 's/deb:libfmt-dev /deb:libfmt9-dev/' "packages: libfmt9-dev is missing"
with ci/scripts/setup.sh 's/^base_packages=\(/&make /' "packages: make is missing"
with .github/workflows/performance.yml 's/checks: write/statuses: write/' "statuses: write"
with .github/workflows/performance.yml 's/timeout-minutes: 360/timeout-minutes: 30/' "30 min) is missing"
with .github/workflows/performance-forks.yml '/inputs:/a\      more:\n        type: string\n        default: x' "inputs: more (x) is missing"
with .github/workflows/performance.yml 's/default: ubuntu-24.04/default: ubuntu-22.04/' "inputs: runs-on (ubuntu-22.04) is missing"
with ci/action/measure/action.yml 's|actions/cache/save@|actions/setup-node@|' "actions: actions/setup-node is missing"
with .github/workflows/performance.yml '/no-verdict: \$/d' "performance.yml: judge: step judge: no-verdict is not handed on"
with .github/workflows/performance.yml '/no-verdict: \$/d' "performance.yml: baseline: step judge: no-verdict is not handed on"
with .github/workflows/performance-forks.yml '/no-verdict: \$/d' "performance-forks.yml: judge: step judge: no-verdict is not handed on"
with .github/workflows/performance-commands.yml '/no-verdict: \$/d' "performance-commands.yml: accept: step accept: no-verdict is not handed on"
with .github/workflows/performance.yml '/uploaded: \$/d' "performance.yml: judge: step judge: whether the measuring jobs uploaded results"
with .github/workflows/performance.yml '/uploaded: \$/d' "performance.yml: baseline: step judge: whether the measuring jobs uploaded results"
with ci/action/judge/action.yml '/UPLOADED/d' "action.yml: Judge: uploaded is not handed on"
with ci/action/judge/action.yml '/NO_VERDICT/d' "action.yml: Judge: no-verdict is not handed on"
with ci/action/judge/action.yml '/NO_VERDICT/d' "action.yml: Accept: no-verdict is not handed on"
finish
