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

# In a container (input `container`) the steps are root's, and the folder of the checkout belongs to the user of the runner: git refuses such a
# repository unless a setting of the user trusts it. actions/checkout has that setting for its own step only.
checkout=${GITHUB_WORKSPACE:-$PWD}
if [[ -e $checkout/.git ]] && ! git -C "$checkout" rev-parse --git-dir >/dev/null 2>&1; then
  git config --global --add safe.directory "$checkout" || give_up "git refuses the checkout $checkout, and cannot be told to trust it"
fi

# The store of these jobs: the machine's copy of the data branch. baseline.store of torchgate.toml is the place of other machines; without this,
# torchgate would read and push that one, and the steps would look for waivers and binaries in another folder than it.
store=.torchgate/store
export TORCHGATE_BASELINE_STORE=$store

# program ARGUMENTS...: the installed torchgate
program() { "${PROGRAM:?}" "$@"; }

# name_workflow: in $key, which of the repository's workflows measures. Each has its own check, comment, issues and data branch.
# KEY names it; else it is the file of the workflow, "performance" for performance.yml.
name_workflow() {
  local named=()
  [[ -z ${KEY:-} ]] || named=(--key "$KEY")
  [[ -z ${RUN_ID:-} ]] || named+=(--run-id "$RUN_ID")
  key=$(program comment --show-key "${named[@]}") || give_up "the workflow that measures is unknown; name it with key"
  key=${key:-performance}
  [[ $key == performance || -n ${TORCHGATE_BASELINE_BRANCH:-} ]] || export TORCHGATE_BASELINE_BRANCH=torchgate-baselines-$key
}

# The LibTorch of the input `libtorch`, where CMake and torchgate look for it
[[ -z ${LIBTORCH_ROOT:-} ]] || export Torch_ROOT=$LIBTORCH_ROOT TORCHGATE_TORCH_ROOT=$LIBTORCH_ROOT

# What the build command exported, and the input `environment`: for untrusted commands only, as NAME=VALUE.
untrusted_environment=()

# is_passed_on NAME: not what steers the runner, this shell, git or torchgate, whose settings are the base branch's
is_passed_on() {
  [[ $1 =~ ^[A-Za-z_][A-Za-z0-9_]*$ ]] || return 1
  case $1 in
    ACTIONS_* | BASH* | ENV | GH_* | GIT_* | GITHUB_* | IFS | INPUT_* | OLDPWD | PS4 | PWD | RUNNER_* | SHELLOPTS | SHLVL | TORCHGATE_* | _) return 1 ;;
    EUID | GROUPS | PPID | UID) return 1 ;;  # this shell does not let them be set
    BUILD | ENVIRONMENT | KEY | LIBTORCH_ROOT | OPTIONS | PAIRS | PROGRAM | RUN_ID | SHARD | SUITES) return 1 ;;
  esac
}

read_environment_input() {
  local line
  while IFS= read -r line || [[ -n $line ]]; do
    [[ -n ${line// /} ]] || continue
    [[ $line == *=* ]] || give_up "environment: '$line' is not of the form NAME=VALUE"
    is_passed_on "${line%%=*}" || give_up "environment: ${line%%=*} cannot be set here; settings of torchgate belong into torchgate.toml"
    untrusted_environment+=("$line")
  done <<<"${ENVIRONMENT:-}"
}

# read_exports FILE: what the build command left in its environment (env -0): untrusted text, of which only variables that differ are kept
read_exports() {
  local line name most_bytes=1048576
  [[ -f $1 && ! -L $1 ]] || return 0
  (($(stat -c %s "$1") <= most_bytes)) || give_up "the build command exports more than $most_bytes bytes" 1
  while IFS= read -r -d '' line; do
    name=${line%%=*}
    is_passed_on "$name" || continue
    [[ ! -v $name || $line != "$name=${!name}" ]] || continue
    untrusted_environment+=("$line")
  done <"$1"
}

# The build may have been in an earlier step of this job.
exported=$folder/exported
read_environment_input
read_exports "$exported"

# untrusted COMMAND...: lines such as "::add-mask::" in its output are text
untrusted() {
  local token code=0
  token=$(head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n')
  echo "::stop-commands::$token"
  in_its_environment "$@" || code=$?
  echo "::$token::"
  return "$code"
}
in_its_environment() (
  ((${#untrusted_environment[@]} == 0)) || export "${untrusted_environment[@]}"
  "$@"
)

# build: the build command of the workflow's author, once per job. What it exports (LD_LIBRARY_PATH) reaches the commands after it.
build() {
  [[ -n ${BUILD:-} ]] || return 0
  rm -rf "$exported"
  untrusted_environment=()
  read_environment_input
  # shellcheck disable=SC2016  # expanded by that shell
  untrusted bash -euo pipefail -c 'torchgate_exported=$1 torchgate_build=$2; shift 2
    trap '\''env -0 >"$torchgate_exported"'\'' EXIT
    eval "$torchgate_build"' build "$exported" "$BUILD" || give_up "the build command failed (exit code $?)" 1
  read_exports "$exported"
}

# keep_run NAME FOLDER FILE: a run of the workspace, with its raw samples, as FOLDER/FILE. Samples are named by their hash; what a copy that
# was interrupted left under that name is replaced.
keep_run() {
  mkdir -p "$2"
  cp ".torchgate/runs/$1.json" "$2/$3"
  find .torchgate/runs -maxdepth 1 -name '*.samples' -exec cp -f -t "$2" {} +
}
