# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the scripts beside it.
set -euo pipefail

# A job of a CI system that runs these scripts may be for a pull request of its own, of which their repositories know nothing.
unset GITHUB_BASE_REF GITHUB_EVENT_NAME CI_MERGE_REQUEST_IID CI_MERGE_REQUEST_TARGET_BRANCH_NAME \
  CI_MERGE_REQUEST_DIFF_BASE_SHA CHANGE_ID CHANGE_TARGET BUILDKITE_PULL_REQUEST BUILDKITE_PULL_REQUEST_BASE_BRANCH

failures=0
complain() {
  echo "FAILED: $*" >&2
  failures=$((failures + 1))
}

# exits_with CODE COMMAND...: runs it, keeps its output in $out, and shows it when the code is another one
out=""
exits_with() {
  local want=$1 code=0
  shift
  out=$("$@" 2>&1) || code=$?
  if ((code != want)); then
    complain "exit code $code instead of $want: $*"
    echo "$out" >&2
  else
    echo "ok: exit code $code: ${*##*/}"
  fi
}

# exits_with_any "CODE CODE" COMMAND...: the same where the machine decides between these
exits_with_any() {
  local wanted=$1 code=0
  shift
  out=$("$@" 2>&1) || code=$?
  [[ " $wanted " == *" $code "* ]] || { complain "exit code $code instead of one of $wanted: $*"; echo "$out" >&2; }
}

# says TEXT: the last command's output has it, on one line or wrapped
says() {
  local flat
  flat=$(tr -s ' \n' ' ' <<<"$out")
  [[ $out == *"$1"* || $flat == *"$1"* ]] || { complain "not said: $1"; echo "$out" >&2; }
}

# finding JSON CASE: verdict and effect of the case's time
finding() {
  python3 -c 'import json, sys
for f in json.load(open(sys.argv[1]))["findings"]:
    if f["case"] == sys.argv[2] and f["metric"]["name"] == "time":
        print(f["verdict"], f["action"], round(100 * f["change"], 1) if f["change"] is not None else "")' "$1" "$2"
}

# build_fake PROGRAM LEVEL: build/ has this fake suite alone, with times that LEVEL sets
build_fake() {
  rm -rf build
  mkdir build
  cp "$1" build/fake
  printf '\nFAKE_LEVEL=%s\n' "$2" >>build/fake
}

# Skips a script, with the reason, where browser.py finds no browser.
needs_browser() {
  command -v chromium chromium-browser google-chrome >/dev/null || {
    echo "skipped: chromium is missing; install it (apt-get install chromium)"
    exit 77
  }
}

finish() {
  if ((failures > 0)); then
    echo "$failures checks failed" >&2
    exit 1
  fi
  echo "all checks passed"
}

# A git repository with one commit, in a folder that goes away with the script; torchgate's own folder is ignored.
new_repository() {
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  cd "$work"
  git init -q .
  git config user.email test@example.org
  git config user.name test
  echo .torchgate >.gitignore
  echo build >>.gitignore
  echo 1 >code
  git add .
  git commit -qm first
}
