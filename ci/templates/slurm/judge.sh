#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# judge.sh TEMPLATES FOLDER ARRAY_JOB: starts when all tasks of the array job have ended. Merges their shards, measures interleaved pairs of
# what the screen leaves open (both sides on this node, which no other job uses), and judges. The exit code is that of `torchgate gate`,
# and is also in FOLDER/result: the exit code of a job that was cancelled is 0.
#SBATCH --job-name=torchgate-judge
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --exclusive
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:TERM@60
source "$1/job.sh"
folder=$2 array=$3
read_settings "$folder"
rm -f "$folder/result"  # of an attempt before

# finish CODE: the result of the submission
finish() {
  write_whole "$folder/result" "$1"
  exit "$1"
}

# task_states: how Slurm ended the tasks, from the controller, which forgets them after MinJobAge, else from accounting
task_states() {
  squeue --array --noheader --states=all --jobs="$array" --format='  task %K: %T %r %N' 2>/dev/null && return
  sacct --noheader --allocations --jobs="$array" --format=JobID%20,State%20,ExitCode,NodeList 2>/dev/null ||
    say "the states of the tasks are unknown"
}

# groups_of SHARD...: names of the groups in these shards of the plan
groups_of() {
  local shard
  for shard in "$@"; do
    awk -v shard="$shard" '/^  \[/ { ++i } i == shard && sub(/^ *"group": "/, "") { sub(/",$/, ""); print }' "$folder/shards.json"
  done | paste -sd ' '
}

# host_of RUN: its host key, the same on all nodes of one type
host_of() { grep -m 1 -oE '"host_key": ?"[^"]*"' ".torchgate/runs/$1.json" | cut -d '"' -f 4; }

# why_not LOG CODE: the last error of torchgate in it; one that was killed has said nothing
why_not() {
  local why
  why=$(grep '^torchgate: ' "$1" | tail -n 1 | cut -c 12- | head -c 500) || true
  [[ -n $why ]] || { (($2 > 128)) && why="it was killed" || why="it gave no reason"; }
  printf '%s (exit code %s)' "$why" "$2"
}

# judge RUN SUFFIX: exit code of the verdict on this run in $verdict; reports are FOLDER/report$SUFFIX.*
judge() {
  local run=$1 suffix=$2 code=0 how=()
  local plan=$folder/pair_plan$suffix.json screen=$folder/screen$suffix.log log=$folder/pairs$suffix.log
  local reports=(--markdown "$folder/report$suffix.md" --json "$folder/report$suffix.json" --html "$folder/report$suffix.html")
  rm -f "$plan" ".torchgate/runs/$run-pairs.json"
  "$torchgate" gate "$run" --pair-plan "$plan" "${reports[@]}" >"$screen" 2>&1 || code=$?
  verdict=$code
  # Without a baseline there is no plan. That, and what is invalid, is the verdict.
  [[ -e $plan ]] || { cat "$screen"; return 0; }
  code=0
  until_end "$torchgate" ab --pair-plan "$plan" --save "$run-pairs" "${pairs_options[@]}" >"$log" 2>&1 || code=$?
  cat "$log"
  if ((code == 0)) && [[ ! -e .torchgate/runs/$run-pairs.json ]]; then
    cat "$screen"
    return 0  # no case needs pairs: the verdict is that of the screen
  elif ((code == 0)); then
    how=(--pairs-from "$run-pairs")
  elif ((stopped)); then
    how=(--without-pairs "the job of the pairs was stopped (time limit, or scancel)")
  else
    how=(--without-pairs "$(why_not "$log" "$code")")
  fi
  verdict=0
  "$torchgate" gate "$run" --baseline-of "$plan" "${how[@]}" "${reports[@]}" || verdict=$?
}

# add_baseline RUN: only what is complete
add_baseline() {
  verdict=0
  "$torchgate" baseline add "$1" || verdict=$?
}

say "job $array:"
task_states
declare -A of_host=()
missing=()
for ((shard = 1; shard <= shards; ++shard)); do
  run="" host=""
  [[ ! -s $folder/shard-$shard ]] || run=$(<"$folder/shard-$shard")
  # A run that cannot be read is missing, too.
  [[ -z $run ]] || host=$(host_of "$run") || host=""
  if [[ -n $host ]]; then
    of_host[$host]+=" $run"
  else
    missing+=("$shard")
  fi
done
((${#missing[@]} == 0)) || say "not measured: shards ${missing[*]} of $shards, groups $(groups_of "${missing[@]}")"
if ((${#of_host[@]} == 0)); then
  say "no shard was measured: no verdict; see $folder/measure-*.log"
  finish 3
fi
((${#of_host[@]} == 1)) ||
  say "the tasks ran on ${#of_host[@]} types of nodes (${!of_host[*]}): each is judged by itself, and together they never pass; choose one with --constraint or --partition"

worst=0 number=0
for host in "${!of_host[@]}"; do
  number=$((number + 1)) suffix="" verdict=0 merged=0
  ((${#of_host[@]} == 1)) || suffix=-$host
  run=slurm-$array-merged-$number
  read -ra names <<<"${of_host[$host]}"
  rm -f ".torchgate/runs/$run.json"
  "$torchgate" merge "${names[@]}" --save "$run" || merged=$?
  if [[ ! -e .torchgate/runs/$run.json ]]; then
    verdict=$merged
  elif [[ $mode == change ]]; then
    judge "$run" "$suffix"
  elif ((merged == 0)); then
    add_baseline "$run"
  else
    verdict=3  # an incomplete run is not a baseline
  fi
  # As torchgate orders them: 2, then 1, then 3, then 0. What is incomplete is never 0.
  ((merged == 0 || verdict != 0)) || verdict=3
  case $verdict in
    0) ;;
    1) ((worst == 2)) || worst=1 ;;
    3) ((worst != 0)) || worst=3 ;;
    *) worst=2 ;;
  esac
done
finish "$worst"
