#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check_shell.sh ROOT: shellcheck finds nothing in our scripts. Skipped (exit code 77), visibly, where it is not installed.
set -euo pipefail
root=$(cd "${1:?the folder to check}" && pwd)
cd "$root"

command -v shellcheck >/dev/null || { echo "skipped: no shellcheck (ci/scripts/setup.sh --lint installs it)"; exit 77; }
mapfile -t files < <(find .ci/run ci tests -type f \( -name '*.sh' -o -path .ci/run \) | sort)
shellcheck --severity=warning --external-sources --source-path=SCRIPTDIR "${files[@]}"
echo "${#files[@]} scripts are in order"
