#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The commits by which the workflows name ci/action, and by which the documents name the workflows. Without a release the action builds the
# program of its own commit, so that commit has to have the program that the pages describe. A commit cannot hold its own hash: commit a
# change of ci/action or of the program, run this, commit, run it again for the documents, commit.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

usage="usage: ci/scripts/pin_action.sh [--check | --check-action]
  --check         change nothing; exit code 1 if a pinned commit has other files than HEAD: the action, what it builds the program from, or a
                  workflow; 77 if this clone lacks it (shallow). A release needs that
  --check-action  the same without the program's sources, for each commit in between
Exit code: 0 all pins name commits whose files are those of HEAD, 2 wrong usage, or changes that are not committed."
[[ $# -eq 0 || $* == --check || $* == --check-action ]] || give_up 2 "$usage"
cd "$repository"

workflows=(.github/workflows/performance.yml .github/workflows/performance-forks.yml .github/workflows/performance-commands.yml)
documents=(README.md ci/action/README.md)
own=torchgate/torchgate
# What install.sh builds: the folders that CMake adds without suites and tests, and the scripts that install what it needs.
program=(CMakeLists.txt cmake stats harness baselines reports ci/advise ci/calibrate ci/cli ci/gate ci/git ci/github ci/history ci/policy
  ci/workflow ci/CMakeLists.txt ci/scripts/setup.sh ci/scripts/steps.sh ci/scripts/lint_tools.sh ci/scripts/wheels-cpu.txt ci/scripts/wheels-full.txt)

# paths_of PATH: what has to be the same in the pinned commit, one a line
paths_of() {
  echo "$1"
  [[ $1 != ci/action || ${mode:-} == --check-action ]] || printf '%s\n' "${program[@]}"
}

# newest PATH: the newest commit that changed what runs of it
newest() {
  local paths
  mapfile -t paths < <(paths_of "$1")
  git log -1 --format=%H -- "${paths[@]}" ':(exclude)*.md'
}

# check PATH FILE: each pin of PATH in FILE is a commit with the same PATH as HEAD
check() {
  local path=$1 file=$2 pin paths other
  mapfile -t paths < <(paths_of "$path")
  while read -r pin; do
    git cat-file -e "$pin^{commit}" 2>/dev/null ||
      { [[ $(git rev-parse --is-shallow-repository) == true ]] && give_up 77 "$file: commit $pin is not in this shallow clone"; } ||
      give_up 1 "$file: commit $pin does not exist; run ci/scripts/pin_action.sh"
    other=$(git diff --name-only "$pin" HEAD -- "${paths[@]}" ':(exclude)*.md' | head -n 1)
    [[ -z $other ]] ||
      give_up 1 "$file: $other is another one in the pinned commit $pin; run ci/scripts/pin_action.sh"
  done < <(grep -oE "$own/${path}[a-z/-]*@[0-9a-f]{40}" "$file" | sed 's/.*@//' | sort -u)
}

# pin PATH FILE: names the newest commit of PATH
pin() { sed -Ei "s|($own/${1}[a-z/-]*)@[0-9a-f]{40}|\1@$(newest "$1")|" "$2"; }

mode=${1:-}
if [[ -z $mode ]]; then
  [[ -z $(git status --porcelain -- ci/action .github/workflows "${program[@]}") ]] ||
    give_up 2 "ci/action, .github/workflows or the program has changes; commit them first"
  for file in "${workflows[@]}"; do pin ci/action "$file"; done
  if [[ -z $(git status --porcelain -- .github/workflows) ]]; then
    for file in "${documents[@]}"; do pin ci/action "$file"; done
    for workflow in "${workflows[@]}"; do
      for file in "${documents[@]}"; do pin "$workflow" "$file"; done
    done
  else
    say "the workflows have new pins: commit them, then run this again for the documents"
  fi
  exit 0
fi
for file in "${workflows[@]}" "${documents[@]}"; do check ci/action "$file"; done
for workflow in "${workflows[@]}"; do
  for file in "${documents[@]}"; do check "$workflow" "$file"; done
done
