#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# judge.sh TEMPLATES FOLDER ARRAY_JOB [screen | verdict PAIRS_JOB]: starts when all tasks of the array job have ended. Merges their shards, measures interleaved
# pairs of what the screen leaves open (both sides on this node, which no other job uses), and judges. With `screen` it ends before the pairs, and
# with `verdict` it judges those that the tasks of PAIRS_JOB measured. The exit code is that of `torchgate gate`, and is also in FOLDER/result: the
# exit code of a job that was cancelled is 0.
#SBATCH --job-name=torchgate-judge
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --exclusive
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:TERM@60
source "$1/job.sh"
folder=$2 array=$3 stage=${4:-all} pairs_job=${5:-}
read_settings "$folder"

# task_states JOB: how Slurm ended the tasks, from the controller, which forgets them after MinJobAge, else from accounting
task_states() {
  say "job $1:"
  squeue --array --noheader --states=all --jobs="$1" --format='  task %K: %T %r %N' 2>/dev/null && return
  sacct --noheader --allocations --jobs="$1" --format=JobID%20,State%20,ExitCode,NodeList 2>/dev/null ||
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

# commit_of RUN: which it was measured at; empty: unknown
commit_of() { head -n 1 ".torchgate/runs/$1.json" | sed -nE 's/.*"sides": ?\[\{"label": ?"[^"]*", ?"commit": ?"([0-9a-f]+)".*/\1/p'; }

# why_not_measured SHARD...: the last reason in the log of each task; one that many tasks have, once
why_not_measured() {
  local shard
  for shard in "$@"; do
    { grep -E '^torchgate on Slurm: shard [0-9]+ was (not measured|stopped)' "$folder/measure-$shard.log" 2>/dev/null || true; } | tail -n 1
  done | sed -E 's/: shard [0-9]+ was /: a shard was /' | sort -u
}

# why_not LOG CODE: the last error of torchgate in it; one that was killed has said nothing
why_not() {
  local why
  why=$(grep '^torchgate: ' "$1" | tail -n 1 | cut -c 12- | head -c 500) || true
  [[ -n $why ]] || { (($2 > 128)) && why="it was killed" || why="it gave no reason"; }
  printf '%s (exit code %s)' "$why" "$2"
}

# why_no_pairs: ": TASK: WHY" of the last task of the pairs whose log has a reason
why_no_pairs() {
  local part why
  for ((part = pair_shards; part >= 1; --part)); do
    why=$({ grep '^torchgate: ' "$folder/pairs-$part.log" || grep -E '^torchgate on Slurm: pairs .* were ' "$folder/pairs-$part.log"; } 2>/dev/null |
      tail -n 1 | sed -E 's/^torchgate( on Slurm)?: //' | head -c 500) || true
    [[ -z $why ]] || { printf ': task %s: %s' "$part" "$why"; return 0; }
  done
}

# with_reports SUFFIX: options of gate
with_reports() { reports=(--markdown "$folder/report$1.md" --json "$folder/report$1.json" --html "$folder/report$1.html"); }

# screen RUN SUFFIX: the exit code of the screen in $screened; what needs pairs is in FOLDER/pair_plan$SUFFIX.json. Without a baseline there is no plan:
# that, and what is invalid, is the verdict.
screen() {
  rm -f "$folder/pair_plan$2.json" "$folder/part$2"-* ".torchgate/runs/$1-pairs.json"
  screened=0
  with_reports "$2"
  "$torchgate" gate "$1" "${of_commit[@]}" --pair-plan "$folder/pair_plan$2.json" "${reports[@]}" >"$folder/screen$2.log" 2>&1 || screened=$?
}

# measure_pairs RUN SUFFIX: all pairs, on this node. Sets $how, the options of gate about them; $none: no case needs pairs
measure_pairs() {
  local log=$folder/pairs$2.log code=0
  until_end "$torchgate" ab --pair-plan "$folder/pair_plan$2.json" --save "$1-pairs" "${pairs_options[@]}" >"$log" 2>&1 || code=$?
  cat "$log"
  if ((stopped)); then
    how=(--without-pairs "the job of the pairs was stopped (time limit, or scancel)")
  elif ((code != 0)); then
    how=(--without-pairs "$(why_not "$log" "$code")")
  else
    take_pairs "$1"
  fi
}

# merge_pairs RUN SUFFIX: the same, of those that the tasks of the array job measured. Groups of a task that measured none are named by torchgate merge, and in
# the report.
merge_pairs() {
  local part names=() code=0 log=$folder/merge_pairs$2.log
  for ((part = 1; part <= pair_shards; ++part)); do
    [[ ! -s $folder/part$2-$part ]] || names+=("$(<"$folder/part$2-$part")")
  done
  if ((${#names[@]} == 0)); then
    how=(--without-pairs "none of the $pair_shards tasks of job $pairs_job measured some$(why_no_pairs)")
    return 0
  fi
  "$torchgate" merge "${names[@]}" --save "$1-pairs" >"$log" 2>&1 || code=$?
  cat "$log"
  if ((code == 0 || code == 3)) && [[ -e .torchgate/runs/$1-pairs.json ]]; then
    take_pairs "$1"
  else
    how=(--without-pairs "$(why_not "$log" "$code")")
  fi
}

take_pairs() {
  how=(--pairs-from "$1-pairs")
  [[ -e .torchgate/runs/$1-pairs.json ]] || none=1
}

# judge RUN SUFFIX SCREENED: exit code of the verdict on this run in $verdict; reports are FOLDER/report$SUFFIX.*
judge() {
  local none=0 how=()
  verdict=$3
  [[ -e $folder/pair_plan$2.json ]] || { cat "$folder/screen$2.log"; return 0; }
  if [[ $stage == verdict ]]; then merge_pairs "$1" "$2"; else measure_pairs "$1" "$2"; fi
  ((!none)) || { cat "$folder/screen$2.log"; return 0; }
  with_reports "$2"
  verdict=0
  "$torchgate" gate "$1" "${of_commit[@]}" --baseline-of "$folder/pair_plan$2.json" "${how[@]}" "${reports[@]}" || verdict=$?
}

# add_baseline RUN: only what is complete
add_baseline() {
  local measured
  measured=$(commit_of "$1")
  if [[ -n $commit && $measured != "$commit" ]]; then
    say "run $1: of commit ${measured:-(unknown)}, and $commit was submitted: nothing was added; submit again"
    verdict=2
    return 0
  fi
  verdict=0
  "$torchgate" baseline add "$1" || verdict=$?
}

# finish CODE: the result of the submission
finish() {
  write_whole "$folder/result" "$1"
  exit "$1"
}

# merge_shards: one run of the shards of each type of node. What became of them is in FOLDER/merged: run, suffix of its files, exit codes of the merge and of
# the screen.
merge_shards() {
  local shard run host suffix names merged screened number=0 missing=() lines=""
  local -A of_host=()
  task_states "$array"
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
  why_not_measured "${missing[@]}"
  if ((${#of_host[@]} == 0)); then
    say "no shard was measured: $([[ $mode == change ]] && echo "no verdict" || echo "nothing was added"); see $folder/measure-*.log"
    finish 3
  fi
  ((${#of_host[@]} == 1)) ||
    say "the tasks ran on ${#of_host[@]} types of nodes (${!of_host[*]}): each is judged by itself, and together they never pass; choose one with --constraint or --partition"
  for host in "${!of_host[@]}"; do
    number=$((number + 1)) suffix="" merged=0 screened=0
    ((${#of_host[@]} == 1)) || suffix=-$host
    run=slurm-$array-merged-$number
    read -ra names <<<"${of_host[$host]}"
    rm -f ".torchgate/runs/$run.json"
    "$torchgate" merge "${names[@]}" --save "$run" || merged=$?
    if [[ $mode == change && -e .torchgate/runs/$run.json ]]; then screen "$run" "$suffix"; fi
    lines+="$run|$suffix|$merged|$screened"$'\n'
  done
  write_whole "$folder/merged" "${lines%$'\n'}"
}

# What was measured after the checkout had moved on, between the look of a task and the start of torchgate, is refused.
of_commit=()
[[ -z $commit ]] || of_commit=(--commit "$commit")
rm -f "$folder/result"  # of an attempt before
if [[ $stage == verdict ]]; then
  [[ ! -e $folder/merge.log ]] || cat "$folder/merge.log"
  task_states "$pairs_job"
  [[ -s $folder/merged ]] || { say "the shards were not merged: no verdict"; finish 3; }
else
  rm -f "$folder/merged"
  merge_shards
fi
[[ $stage != screen ]] || exit 0

worst=0
while IFS='|' read -r -u 3 run suffix merged screened; do
  verdict=0
  if [[ ! -e .torchgate/runs/$run.json ]]; then
    verdict=$merged
  elif [[ $mode == change ]]; then
    judge "$run" "$suffix" "$screened"
  elif ((merged == 0)); then
    add_baseline "$run"
  else
    say "not all shards were measured: nothing was added"
    verdict=3
  fi
  # As torchgate orders them: 2, then 1, then 3, then 0. What is incomplete is never 0.
  ((merged == 0 || verdict != 0)) || verdict=3
  case $verdict in
    0) ;;
    1) ((worst == 2)) || worst=1 ;;
    3) ((worst != 0)) || worst=3 ;;
    *) worst=2 ;;
  esac
done 3<"$folder/merged"
finish "$worst"
