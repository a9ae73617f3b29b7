# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the steps beside it: where files are, and running what a pull request wrote without letting its output be read as
# commands of the workflow.
set -euo pipefail

folder=${RUNNER_TEMP:?}/torchgate
mkdir -p "$folder"

give_up() {
  printf '::error::%s\n' "${1//$'\n'/ }"
  exit "${2:-2}"
}

# program ARGUMENTS...: the installed torchgate
program() { "${PROGRAM:?}" "$@"; }

# untrusted COMMAND...: lines such as "::add-mask::" in its output are text
untrusted() {
  local token code=0
  token=$(head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n')
  echo "::stop-commands::$token"
  "$@" || code=$?
  echo "::$token::"
  return "$code"
}

# build: the build command of the workflow's author, once per job
build() {
  [[ -n ${BUILD:-} ]] || return 0
  untrusted bash -euo pipefail -c "$BUILD" || give_up "the build command failed (exit code $?)" 1
}

# keep_run NAME FOLDER FILE: a run of the workspace, with its raw samples, as FOLDER/FILE. Samples are named by their hash.
keep_run() {
  mkdir -p "$2"
  cp ".torchgate/runs/$1.json" "$2/$3"
  find .torchgate/runs -maxdepth 1 -name '*.samples' -exec cp -n -t "$2" {} +
}
