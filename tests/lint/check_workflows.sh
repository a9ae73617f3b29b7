#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check_workflows.sh ROOT: workflows, actions, CI templates, and the workflows in pages (behind <!-- workflow -->): their schema, what
# zizmor, actionlint, yamllint and shellcheck find, their structure (check_workflows.py), and each run block run with stubs (run_blocks.py).
# Skipped (exit code 77), visibly, where a tool is not installed.
set -euo pipefail
root=$(cd "${1:?the folder to check}" && pwd)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# Where setup.sh --lint puts the tools that Debian does not have.
tools=${TORCHGATE_DEPS_DIR:-$here/../../.deps}/lint-tools

skip() { echo "skipped: $1 (ci/scripts/setup.sh --lint installs it)"; exit 77; }
for tool in shellcheck yamllint; do command -v "$tool" >/dev/null || skip "no $tool"; done
for tool in zizmor check-jsonschema; do [[ -x $tools/bin/$tool ]] || skip "no $tool"; done
python=python3
"$python" -c 'import yaml' 2>/dev/null || python=/usr/bin/python3  # Debian's package is for Debian's Python
"$python" -c 'import yaml' 2>/dev/null || skip "no python3-yaml"
python=$("$python" -c 'import sys; print(sys.executable)')  # not a wrapper that looks for it each time

# The one tool that not every machine can install (ci/scripts/lint_tools.sh).
actionlint=${TORCHGATE_DEPS_DIR:-$here/../../.deps}/actionlint/bin/actionlint
[[ -x $actionlint ]] || actionlint=$(command -v actionlint || true)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
# passes WHAT COMMAND...: shows what COMMAND says only when it fails.
passes() {
  local what=$1 code=0
  shift
  "$@" >"$work/said" 2>&1 || code=$?
  ((code == 0)) || { echo "$what:"; cat "$work/said"; failed=1; }
}

# Every file by its kind, the workflows of pages and the run blocks as files of their own.
"$python" "$here/list_workflows.py" "$root" "$work" >"$work/files" || exit 1
of_kind() { awk -F'\t' -v kind="$1" '$1 == kind { print $2 }' "$work/files"; }
mapfile -t workflows < <(of_kind workflow)
mapfile -t actions < <(of_kind action)
mapfile -t gitlab < <(of_kind gitlab)
mapfile -t blocks < <(of_kind block)
mapfile -t scripts < <(find "$root/ci/action" -type f -name '*.sh' 2>/dev/null | sort)

schema() { PYTHONPATH=$tools "$tools/bin/check-jsonschema" --no-cache --builtin-schema "vendor.$1" "${@:2}"; }
cd "$root"
((${#workflows[@]} == 0)) || passes "schema of workflows" schema github-workflows "${workflows[@]}"
((${#actions[@]} == 0)) || passes "schema of actions" schema github-actions "${actions[@]}"
[[ ! -f renovate.json ]] || passes "schema of renovate.json" schema renovate renovate.json
((${#gitlab[@]} == 0)) || passes "schema of GitLab CI" schema gitlab-ci "${gitlab[@]}"
if ((${#workflows[@]} + ${#actions[@]})); then
  passes "zizmor" "$tools/bin/zizmor" --offline --no-progress --strict-collection --persona pedantic --config "$here/zizmor.yml" "${workflows[@]}" "${actions[@]}"
fi
if [[ -n $actionlint ]] && ((${#workflows[@]})); then
  # Run blocks are checked below; its own check of them does not know env: either.
  passes "actionlint" "$actionlint" -no-color -shellcheck= -pyflakes= -config-file "$here/actionlint.yaml" "${workflows[@]}"
fi
((${#workflows[@]} + ${#actions[@]} + ${#gitlab[@]} == 0)) ||
  passes "yamllint" yamllint --strict -c "$here/yamllint.yml" "${workflows[@]}" "${actions[@]}" "${gitlab[@]}"
((${#blocks[@]} == 0)) || passes "shellcheck of run blocks" shellcheck --shell=bash --exclude=SC2154 "${blocks[@]}"  # env: sets them
((${#scripts[@]} == 0)) || passes "shellcheck of ci/action" shellcheck --external-sources --source-path=SCRIPTDIR "${scripts[@]}"
passes "structure" "$python" "$here/check_workflows.py" "$root"
passes "run blocks" "$python" "$here/run_blocks.py" "$root"

((failed == 0)) || exit 1
echo "${#workflows[@]} workflows, ${#actions[@]} actions, ${#gitlab[@]} GitLab templates and ${#blocks[@]} run blocks are in order$([[ -n $actionlint ]] || echo ' (without actionlint, which is not installed)')"
