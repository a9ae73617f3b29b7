#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# submit.sh change|baseline [--shards N] [--pair-shards N] [--suite PATH]... [--run OPTION]... [--pairs OPTION]... [--shard-plan FILE] [-- SBATCH_OPTION...]
# Measures the suites of this folder's project on nodes of a Slurm cluster, waits, and exits as `torchgate gate` does: 0 no regression, 1 a failure, 2
# an error, 3 no verdict, which is also the answer where a part was not measured. README.md beside this file explains each option.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/job.sh"

usage() {
  sed -nE '3,5s/^# ?//p' "${BASH_SOURCE[0]}" >&2
  exit 2
}
fail() {
  printf 'submit.sh: %s\n' "$1" >&2
  exit 2
}

mode=${1:-}
[[ $mode == change || $mode == baseline ]] || usage
shift
shards=4 pair_shards=1 retries=1 plan="" sbatch_options=()
while (($# > 0)); do
  case $1 in
    --) shift && sbatch_options=("$@") && break ;;
    --shards | --pair-shards | --suite | --run | --pairs | --shard-plan) (($# > 1)) || fail "$1: a value is missing" ;;
    *) fail "unknown option \"$1\"; options of sbatch stand behind --" ;;
  esac
  case $1 in
    --shards) shards=$2 ;;
    --pair-shards) pair_shards=$2 ;;
    --suite) suites+=(--suite "$2") ;;
    --run) run_options+=("$2") ;;
    --pairs) pairs_options+=("$2") ;;
    --shard-plan) plan=$2 ;;
  esac
  shift 2
done
[[ $shards =~ ^[1-9][0-9]{0,2}$ && $shards != 1 ]] || fail "--shards \"$shards\": expected a number from 2 to 999"
[[ $pair_shards =~ ^[1-9][0-9]{0,2}$ ]] || fail "--pair-shards \"$pair_shards\": expected a number from 1 to 999"
command -v sbatch >/dev/null || fail "sbatch is not installed here; run this on a node from which jobs are submitted"
torchgate=$(command -v torchgate) || fail "torchgate is not in PATH; it has to be on a file system that all nodes see"
torchgate=$(realpath "$torchgate")
commit=$(commit_here) changes=""
[[ -z $commit ]] || changes=$(changes_here)
[[ $mode == change || -z $changes ]] || fail "files differ from commit $commit, so what is measured is not its baseline; commit or undo the changes, and build again"

folder=$PWD/.torchgate/slurm/$(date -u +%Y%m%dT%H%M%SZ)-$$
mkdir -p "$folder"
if [[ -n $plan ]]; then
  cp "$plan" "$folder/shards.json" || fail "$plan: cannot be copied"
  shards=$(grep -cE '^  \[' "$folder/shards.json") || fail "$plan: not a shard plan of torchgate run --shards N --shard-plan FILE"
else
  "$torchgate" run "${suites[@]}" "${run_options[@]}" --shards "$shards" --shard-plan "$folder/shards.json" ||
    fail "no shard plan (see above); where the suites cannot start here, make it on a node and name it with --shard-plan"
fi
# As assignments of the whole file, not of the function that reads it.
declare -p mode shards pair_shards retries torchgate commit changes suites run_options pairs_options | sed 's/^declare -[^ ]* //' >"$folder/settings"

array="" screen="" pairs="" judge="" submission=""
judge_job() { head -n 1 "$folder/judge_job" 2>/dev/null | cut -d ';' -f 1; }
# One call for each job: scancel refuses all of its arguments where one is empty.
cancel() {
  local job
  [[ -z $submission ]] || kill "$submission" 2>/dev/null || true  # before it submits a job that judges nothing
  for job in "$array" "$screen" "$pairs" "$(judge_job)"; do [[ -z $job ]] || scancel "$job" 2>/dev/null || true; done
}
trap 'cancel; exit 130' INT TERM
array=$(sbatch --parsable --array="1-$shards" --output="$folder/measure-%a.log" "${sbatch_options[@]}" "$here/measure.sh" "$here" "$folder") ||
  fail "sbatch refused the array job"
array=${array%%;*}  # of several clusters: JOB;CLUSTER
say "array job $array measures; everything is in $folder"
after=$array how=()
if [[ $mode == change && $pair_shards != 1 ]]; then
  # submitted DEPENDENCY ARGUMENTS...: the job's number
  submitted() {
    local job
    job=$(sbatch --parsable --dependency="afterany:$1" "${@:2}") || { cancel; fail "sbatch refused the jobs of the pairs"; }
    echo "${job%%;*}"
  }
  screen=$(submitted "$array" --output="$folder/merge.log" "${sbatch_options[@]}" "$here/judge.sh" "$here" "$folder" "$array" screen)
  pairs=$(submitted "$screen" --array="1-$pair_shards" --output="$folder/pairs-%a.log" "${sbatch_options[@]}" "$here/pairs.sh" "$here" "$folder")
  say "array job $pairs measures the pairs"
  after=$pairs how=(verdict "$pairs")
fi
code=0
sbatch --parsable --wait --dependency="afterany:$after" --output="$folder/judge.log" "${sbatch_options[@]}" \
  "$here/judge.sh" "$here" "$folder" "$array" "${how[@]}" >"$folder/judge_job" &
submission=$!
wait "$submission" || code=$?
submission=""
judge=$(judge_job)
if [[ -z $judge ]]; then
  cancel
  fail "sbatch refused the job that judges"
fi

[[ ! -e $folder/judge.log ]] || cat "$folder/judge.log"
# Not by the exit code of sbatch, which is 0 where the job was cancelled.
result=$(head -n 1 "$folder/result" 2>/dev/null) || true
if [[ ! $result =~ ^[0-3]$ ]]; then
  say "no verdict: job $judge ended without one (sbatch --wait: exit code $code; see $folder/judge.log)"
  exit 3
fi
say "exit code $result; reports are in $folder"
exit "$result"
