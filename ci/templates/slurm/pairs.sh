#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# pairs.sh TEMPLATES FOLDER: a task of the array job of `submit.sh --pair-shards N`, when the screen is done. Measures the pairs of its share of the groups
# that need some: both sides of a pair on this node, which no other job uses.
#SBATCH --job-name=torchgate-pairs
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --exclusive
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:TERM@60
source "$1/job.sh"
folder=$2
read_settings "$folder"

task=${SLURM_ARRAY_TASK_ID:?} attempt=${SLURM_RESTART_COUNT:-0}
say "pairs $task of $pair_shards, attempt $attempt, on ${SLURMD_NODENAME:-an unknown node}"
say_cpus

worst=0
shopt -s nullglob
# One plan for each type of node that measured: this node measures those of its own type, and torchgate refuses the others.
for plan in "$folder"/pair_plan*.json; do
  suffix=$(basename "$plan" .json) suffix=${suffix#pair_plan}
  part=$folder/part$suffix-$task
  name=slurm-${SLURM_ARRAY_JOB_ID:?}-pairs$suffix-$task-attempt-$attempt
  rm -f "$part"  # of an attempt before
  code=0
  until_end "$torchgate" ab --pair-plan "$plan" --shard "$task/$pair_shards" --save "$name" "${pairs_options[@]}" || code=$?
  if ((stopped)); then
    say "pairs $task were stopped before they were complete (time limit, or scancel): these groups have no pairs; use more --pair-shards, or a longer --time"
    exit 3
  fi
  if ((code == 0)); then
    # Nothing needs pairs: there is no run.
    if [[ -e .torchgate/runs/$name.json ]]; then write_whole "$part" "$name"; fi
    continue
  fi
  again_if_killed "$code" "its pairs are measured"
  say "pairs $task of $(basename "$plan") were not measured (exit code $code)"
  worst=$code
done
exit "$worst"
