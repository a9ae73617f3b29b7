# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the scripts beside it. Slurm starts a copy of a batch script from elsewhere, so each is given this folder, and the folder of
# the submission, where submit.sh wrote `settings`.
set -euo pipefail

# Ranks of a job with several tasks or nodes are tasks of srun, unless the submission says otherwise.
export TORCHGATE_RUN_RANKS_WITH=${TORCHGATE_RUN_RANKS_WITH:-auto}

# What `settings` sets.
# shellcheck disable=SC2034  # for the scripts that source this
torchgate="" mode=change shards=0 pair_shards=1 retries=0
# shellcheck disable=SC2034  # of the submission: what was built, and what its times belong to. Empty: no repository of git, or no changes
commit="" changes=""
# shellcheck disable=SC2034
suites=() run_options=() pairs_options=()  # options of torchgate run and of torchgate ab --pair-plan

# read_settings FOLDER
read_settings() {
  # shellcheck source=/dev/null
  source "$1/settings"
  [[ -x $torchgate ]] || { say "$torchgate cannot be executed on ${SLURMD_NODENAME:-this node}; install torchgate where all nodes see it"; exit 2; }
}

say() { printf 'torchgate on Slurm: %s\n' "$*"; }

# commit_here: of the checkout in this folder; empty where git has none
commit_here() { git rev-parse --quiet --verify HEAD 2>/dev/null || true; }

# changes_here: a hash of how tracked files differ from that commit; empty where they do not. Many tasks ask at once: without locks
changes_here() {
  local diff=(git --no-optional-locks diff --no-ext-diff --no-textconv --binary HEAD)
  "${diff[@]}" --quiet || "${diff[@]}" | sha256sum | cut -d ' ' -f 1
}

# why_another_checkout: how the checkout differs from the submitted one; empty where it does not. torchgate records the commit that it finds when it
# starts, which may be hours after the submission.
why_another_checkout() {
  local now
  [[ -n $commit ]] || return 0
  now=$(commit_here)
  if [[ $now != "$commit" ]]; then
    printf '%s is at commit %s, and was at %s when this was submitted' "$PWD" "${now:-(unknown to git on this node)}" "$commit"
  elif [[ $(changes_here) != "$changes" ]]; then
    printf 'files in %s were changed after this was submitted at commit %s' "$PWD" "$commit"
  fi
}

# write_whole FILE TEXT: complete or absent, also where a node is lost while it is written
write_whole() {
  printf '%s\n' "$2" >"$1.new-$$"
  mv "$1.new-$$" "$1"
}

# say_cpus: without task/affinity or task/cgroup a job may run on CPUs that it was not given
say_cpus() {
  local cpus
  cpus=$(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc)  # nproc obeys these
  [[ $cpus == "${SLURM_CPUS_ON_NODE:-}" ]] ||
    say "warning: the job has ${SLURM_CPUS_ON_NODE:-an unknown number of} CPUs and may run on $cpus; measure with --exclusive, and let Slurm bind jobs to their CPUs (TaskPlugin)"
}

# again_if_killed CODE WHAT: a task that something else killed, such as the kernel when memory ran out, once more, wherever a node is free
again_if_killed() {
  (($1 > 128 && ${SLURM_RESTART_COUNT:-0} < retries)) || return 0
  say "torchgate was killed (exit code $1): $2 again"
  if scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"; then
    # Slurm ends this script. At SIGTERM it stays until SIGKILL (KillWait, 30 s): where it ended by itself first, with an error, a busy Slurm has
    # taken that for the end of the task.
    trap '' TERM
    sleep 120
  else
    say "scontrol requeue failed (see above): not again"
  fi
}

# until_end COMMAND...: runs it, and hands on the signal that Slurm sends before a time limit and on scancel, so that what was measured is
# saved. Returns its exit code; $stopped is 1 after such a signal.
stopped=0
until_end() {
  local child code=0
  "$@" &
  child=$!
  # shellcheck disable=SC2064  # this child
  trap "stopped=1; kill -TERM $child 2>/dev/null || true" TERM
  wait "$child" || code=$?
  # A signal ends `wait` before the child has ended.
  while ((stopped)) && kill -0 "$child" 2>/dev/null; do code=0; wait "$child" || code=$?; done
  trap - TERM
  return "$code"
}
