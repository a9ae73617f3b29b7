# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# How the scripts of this folder talk: one line when a step starts, its seconds when it ends, and a loud line when it
# fails. Sourced, never run.

# shellcheck disable=SC2034  # used by the scripts that source this
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export TORCHGATE_STEP_DEPTH=$((${TORCHGATE_STEP_DEPTH:-0} + 1))

# step WHAT COMMAND...: runs COMMAND where everything can see it, and returns its exit code.
step() {
  local what=$1 begin=$SECONDS code=0
  shift
  say "$what"
  "$@" || code=$?
  ((code == 0)) || { say "FAILED: $what (exit code $code after $((SECONDS - begin)) s)" >&2; return "$code"; }
  say "$what: done in $((SECONDS - begin)) s"
}

# logged_step LOG WHAT COMMAND...: the same with the output in a file; what matters of it is shown when COMMAND fails.
logged_step() {
  local log=$1 what=$2
  shift 2
  mkdir -p "$(dirname "$log")"
  step "$what" to_log "$log" "$@"
}

to_log() {
  local log=$1 code=0 shown_lines=40
  shift
  "$@" >"$log" 2>&1 || code=$?
  ((code == 0)) || { tail -n "$shown_lines" "$log"; say "all of it: $log"; } >&2
  return "$code"
}

# Lines of a script that another one started are indented under it.
say() { printf '%*s==> %s\n' $(((TORCHGATE_STEP_DEPTH - 1) * 2)) '' "$*"; }

# give_up CODE SENTENCE: where going on makes no sense.
give_up() {
  printf '%s: %s\n' "$(basename "$0")" "$2" >&2
  exit "$1"
}

# as_root COMMAND...: with sudo where this is not root.
as_root() {
  if (($(id -u) == 0)); then "$@"; else sudo "$@"; fi
}
