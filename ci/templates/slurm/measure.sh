#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# measure.sh TEMPLATES FOLDER: a task of the array job that submit.sh starts. Measures the groups of one shard on a node that no other job uses.
# What follows are defaults: options of sbatch behind `submit.sh ... --` replace them.
#SBATCH --job-name=torchgate-measure
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
name=slurm-${SLURM_ARRAY_JOB_ID:?}-shard-$task-attempt-$attempt
say "shard $task of $shards, attempt $attempt, on ${SLURMD_NODENAME:-an unknown node}"
say_cpus

# Of an attempt that was lost after it had measured: its node may have been the reason.
rm -f "$folder/shard-$task"
why=$(why_another_checkout)
if [[ -n $why ]]; then
  say "shard $task was not measured: $why; submit again, and leave this checkout as it is until submit.sh has ended (work on in another clone)"
  exit 3
fi
code=0
until_end "$torchgate" run "${suites[@]}" "${run_options[@]}" --shard "$task/$shards" --shard-plan "$folder/shards.json" --save "$name" || code=$?

# 0 and 1 are a complete shard: of 1 some cases failed, which is judged with the rest.
if ((!stopped && (code == 0 || code == 1))); then
  write_whole "$folder/shard-$task" "$name"
  exit 0
fi
if ((stopped)); then
  say "shard $task was stopped before it was complete (time limit, or scancel): its groups are not measured; use more shards, or a longer --time"
  exit 3
fi
again_if_killed "$code" "the shard is measured"
say "shard $task was not measured (exit code $code)"
exit "$code"
