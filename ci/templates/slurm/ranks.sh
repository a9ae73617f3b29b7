#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# sbatch --wait --output=LOG [SBATCH_OPTION...] ranks.sh BEFORE AFTER FILTER FOLDER [PROCESSES]
# Compares two builds of a suite in groups with ranks, which srun starts as tasks of this job: by default two tasks on two nodes; on one node
# with --nodes=1 --ntasks-per-node=2. Both builds run on the same nodes, one after the other in turns, PROCESSES times each (default 10). The exit
# code is that of `torchgate compare`, 3 where nothing was compared, and is also in FOLDER/result: that of a job that was cancelled may be 0.
#SBATCH --job-name=torchgate-ranks
#SBATCH --nodes=2
#SBATCH --ntasks=2
#SBATCH --ntasks-per-node=1
#SBATCH --exclusive
#SBATCH --requeue
#SBATCH --open-mode=append
set -euo pipefail
if (($# < 4 || $# > 5)); then
  sed -nE '3s/^# ?//p' "${BASH_SOURCE[0]}" >&2
  exit 2
fi
before=$1 after=$2 filter=$3 folder=$4 processes=${5:-10}
[[ $processes =~ ^[1-9][0-9]*$ ]] || { echo "ranks.sh: \"$processes\": expected a number of processes" >&2; exit 2; }
# What ends this before there is a verdict is not a regression, which is exit code 1.
code=""
ended() {
  [[ -n $code ]] || { echo "ranks.sh: ended before both builds were compared: no verdict"; code=3; }
  echo "$code" >"$folder/result" || true
  exit "$code"
}
trap ended EXIT
mkdir -p "$folder"
rm -f "$folder/result" "$folder"/before-*.json "$folder"/after-*.json  # of an attempt before

# The address of the first node, where srun starts rank 0, as Slurm itself reaches it.
first=$(scontrol show hostnames "${SLURM_JOB_NODELIST:?}" | head -n 1)
address=$(scontrol show node "$first" | grep -oE 'NodeAddr=[^ ]+' | cut -d = -f 2) ||
  { echo "ranks.sh: scontrol does not say the address of node \"$first\""; exit 3; }
export MASTER_ADDR=$address MASTER_PORT
# As torchgate sets them where it starts the suites itself.
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1}
launches=0
echo "ranks run on: $(srun printenv SLURMD_NODENAME | sort | uniq -c | awk '{printf "%s%s %s", separator, $1, $2; separator = ", "}')"

# launch SIDE SUITE NUMBER: one process of the comparison: all ranks, of which rank 0 writes the file
launch() {
  local out=$folder/$1-$3.json
  launches=$((launches + 1))
  # A port of its own for each launch: the one before may not be free yet. Below 32768, from where Linux gives ports to whoever asks for any.
  MASTER_PORT=$((20000 + (SLURM_JOB_ID * 64 + launches) % 12000))
  srun --kill-on-bad-exit=1 "$2" --benchmark_filter="$filter" --benchmark_out="$out.new" --benchmark_out_format=json >>"$folder/$1.log" 2>&1 ||
    { echo "ranks.sh: launch $3 of $1 failed; see $folder/$1.log"; rm -f "$out.new"; return 0; }
  # Google Benchmark ends with 0 where its filter matches nothing.
  [[ -s $out.new ]] || { echo "ranks.sh: launch $3 of $1 wrote no times; see $folder/$1.log, and whether \"$filter\" matches a group"; rm -f "$out.new"; return 0; }
  mv "$out.new" "$out"
}

for ((i = 1; i <= processes; ++i)); do
  if ((i % 2)); then
    launch before "$before" "$i"
    launch after "$after" "$i"
  else
    launch after "$after" "$i"
    launch before "$before" "$i"
  fi
done

shopt -s nullglob
before_files=("$folder"/before-*.json) after_files=("$folder"/after-*.json)
list() { local IFS=,; echo "$*"; }
if ((${#before_files[@]} < processes || ${#after_files[@]} < processes)); then
  echo "ranks.sh: not measured: $((processes - ${#before_files[@]})) of $processes launches of before and $((processes - ${#after_files[@]})) of after failed: no verdict"
  code=3
else
  compared=0
  torchgate compare "$(list "${before_files[@]}")" "$(list "${after_files[@]}")" --markdown "$folder/report.md" --json "$folder/report.json" || compared=$?
  # Killed, or not found: `ended` says it.
  ((compared > 3)) || code=$compared
fi
