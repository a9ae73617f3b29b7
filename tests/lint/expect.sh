# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What the shell tests of this folder share: a temporary tree, files in it, and what a command must say. Sourced.

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

# put PATH TEXT: a file in the tree (printf escapes).
put() {
  mkdir -p "$(dirname "$tree/$1")"
  printf '%b' "$2" >"$tree/$1"
}

# expect CODE TEXT COMMAND...: COMMAND exits with CODE and says TEXT (a fixed string; "" for anything).
expect() {
  local code=$1 text=$2 got=0 output
  shift 2
  output=$("$@" 2>&1) || got=$?
  if ((got != code)) || [[ $output != *"$text"* ]]; then
    printf 'FAILED: %s\n  expected exit code %s and "%s", got %s and:\n%s\n' "$*" "$code" "$text" "$got" "$output"
    failures=$((failures + 1))
  fi
}

finish() {
  ((failures == 0)) || { echo "$failures expectations failed"; exit 1; }
  echo "all expectations hold"
}
