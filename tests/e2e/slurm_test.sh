#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ci/templates/slurm on a real Slurm with seven nodes of this machine: a baseline, a slow-down, lost nodes, killed, stopped and cancelled tasks, tasks that
# may not run again, nodes of two types, pairs on several nodes, and ranks on one and on two nodes. What was not measured is named, and never passes.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
source "$(dirname "${BASH_SOURCE[0]}")/slurm_cluster.sh"
source "$(dirname "${BASH_SOURCE[0]}")/slurm_other_commit.sh"
# As the first process of a PID namespace: daemons, jobs and what waits for them end with it, also where a time limit kills it.
own_processes=(unshare --pid --fork --kill-child --mount-proc)
if (($$ != 1)) && "${own_processes[@]}" true 2>/dev/null; then exec "${own_processes[@]}" bash "${BASH_SOURCE[0]}" "$@"; fi
trap 'exit 143' INT TERM  # which a first process ignores otherwise
torchgate=$1 fake_suite=$2 ranks_suite=$3 templates=$4
new_repository
why=$(why_no_cluster "$work")
[[ -z $why ]] || { echo "skipped: $why"; exit 77; }
trap 'stop_cluster; rm -rf "$work"' EXIT
start_cluster "$work/slurm"
printf 'slurm\nbin\nci\nheld\n*.txt\n' >>.gitignore
git commit -qam ignored
mkdir bin
cp "$torchgate" bin/torchgate
export PATH="$work/bin:$PATH" FAKE_GROUPS=a,b,c TORCHGATE_GATE_ALLOW_NOISY=true TORCHGATE_GATE_PAIRS=24
export TORCHGATE_GATE_COMPARE_CODE=false TORCHGATE_GATE_COUNT_UNDECIDED=false  # the fake suite cannot be counted

build() {
  mkdir -p "build/$2"
  cp "$fake_suite" "build/$2/fake"
  printf '\nFAKE_LEVEL=%s\n' "$1" >>"build/$2/fake"
}
# A suite that waits while $work/hold-NAME-TASK exists, in the first attempt of the task of submission NAME: something can happen to it then.
mkdir -p held build/held
cat >build/held/fake <<'SUITE'
#!/usr/bin/env bash
hold=$WORK/held/${SUBMISSION:-}-${SLURM_ARRAY_TASK_ID:-}
if [[ $* == *--torchgate_group* && -e $hold && -z ${SLURM_RESTART_COUNT:-} ]]; then
  touch "$hold.reached"
  while [[ -e $hold ]]; do sleep 0.05; done
fi
exec "$WORK/build/fast/fake" "$@"
SUITE
chmod +x build/held/fake
export WORK=$work
hold() { touch "held/$1-$2"; }
measures() { [[ -e held/$1-$2.reached ]]; }

mkdir ci
ln -s "$templates" ci/slurm  # as the page has it
# submit NAME ARGUMENTS...: in the background, with its output in NAME.txt
declare -A pid=()
submit() {
  SUBMISSION=$1 ci/slurm/submit.sh "${@:2}" >"$1.txt" 2>&1 &
  pid[$1]=$!
}
# submit_as_page NAME MODE SUITES: the command of the page
submit_as_page() {
  local words
  ln -sfn "$3" build/suites
  read -ra words < <(grep -E "^ci/slurm/submit.sh $2 " "$templates/README.md")
  [[ ${words[0]} == ci/slurm/submit.sh ]] || complain "README.md has lost its command for $2"
  submit "$1" "${words[@]:1}"
}
array_of() { sed -nE '/ measures; everything is in /s/.*array job ([0-9]+) .*/\1/p' "$1.txt"; }
folder_of() { sed -nE 's/.* measures; everything is in (.*)/\1/p' "$1.txt"; }
is_submitted() { [[ -n $(array_of "$1") && -s $(folder_of "$1")/judge_job ]]; }
is_measuring() { [[ -n $(array_of "$1") && -e held/judge-$1 ]]; }
has_no_jobs() { [[ -z $(squeue --noheader --jobs="$(array_of "$1")") ]]; }
judge_of() { head -n 1 "$(folder_of "$1")/judge_job"; }
# kill_torchgate NODE: as the kernel does when memory runs out
kill_torchgate() {
  local process
  for process in $(processes_of "$1"); do
    [[ $(cat "/proc/$process/comm" 2>/dev/null) != torchgate ]] || kill -KILL "$process"
  done
}
measures_again() { grep -q 'attempt 1, on' "$(folder_of "$1")/measure-$2.log"; }
node_of() { squeue --noheader --jobs="$1" --format=%N; }
# ended NAME CODE: of the submission; its output is in $out
ended() {
  local code=0
  wait "${pid[$1]}" || code=$?
  out=$(<"$1.txt")
  ((code == $2)) || { complain "$1: exit code $code instead of $2"; tail -n +1 "$1.txt" "$(folder_of "$1")"/measure-*.log >&2; }
  ((code != $2)) || echo "ok: exit code $code: $1"
}
# not_said TEXT
not_said() { [[ $out != *"$1"* ]] || { complain "said: $1"; echo "$out" >&2; }; }

build 1000 fast
build 1300 slow
submit_as_page baseline baseline fast
ended baseline 0
says "added in .torchgate/store as a baseline"
echo 2 >code
git commit -qam second

echo "-- a slow-down; meanwhile tasks that are stopped and cancelled, and jobs that are cancelled before they start"
submit_as_page slower change slow
submit nothing change --shards 3 --suite build/fast -- --begin=now+1hour
submit unjudged change --shards 3 --suite build/fast -- --begin=now+1hour
scontrol update NodeName=n6 State=DRAIN Reason=test
# Before there is a job that judges, or without one: sbatch waits here for one submission and refuses for the other.
mkdir bin/sbatch_of_judges
cat >bin/sbatch_of_judges/sbatch <<'SBATCH'
#!/usr/bin/env bash
PATH=${PATH#*:}
[[ $* == */judge.sh* ]] || exec sbatch "$@"
touch "held/judge-$SUBMISSION"
[[ $SUBMISSION != interrupted ]] || exec sleep 600
exit 1
SBATCH
chmod +x bin/sbatch_of_judges/sbatch
for name in interrupted refused; do
  PATH=$work/bin/sbatch_of_judges:$PATH submit "$name" change --shards 3 --suite build/fast -- --begin=now+1hour
done
wait_until "interrupted has an array job" is_measuring interrupted
kill -TERM "${pid[interrupted]}"  # as Ctrl-C; INT is ignored in the background
ended interrupted 130
ended refused 2
says "sbatch refused the job that judges"
for name in interrupted refused; do wait_until "no task of $name is left" has_no_jobs "$name"; done

hold parts 1
hold parts 2
submit parts change --shards 3 --suite build/held -- --partition=second --gres=gpu:1
for name in nothing unjudged parts; do wait_until "$name is submitted" is_submitted "$name"; done
scancel "$(judge_of unjudged)"
scancel "$(array_of nothing)"
scontrol update "JobId=$(judge_of nothing)" StartTime=now
wait_until "task 1 measures" measures parts 1
scancel --batch --signal=TERM "$(array_of parts)_1"  # as Slurm does a minute before the time limit
wait_until "task 2 measures" measures parts 2
scancel "$(array_of parts)_2"

ended unjudged 3
says "no verdict: job $(judge_of unjudged) ended without one"
scancel "$(array_of unjudged)"
ended nothing 3
says "not measured: shards 1 2 3 of 3, groups fake/"
says "no shard was measured: no verdict"
ended parts 3
says "not measured: shards 1 2 of 3, groups fake/"
says "INCOMPLETE: shards 1, 2 of 3 are missing: its groups were not measured and are not judged (fake/"
says "task 2: CANCELLED"
grep -q "was stopped before it was complete" "$(folder_of parts)/measure-1.log" || complain "task 1 does not say that it was stopped"
if grep -q ', on n6$' "$(folder_of parts)"/measure-*.log; then complain "a task ran on the drained node"; fi
scontrol update NodeName=n6 State=RESUME
python3 - .torchgate/runs/slurm-"$(array_of parts)"-shard-3-attempt-0.json <<'PYTHON' || complain "the GPU that Slurm gave to the task is not recorded"
import json, sys
facts = {fact["name"]: fact.get("value") for fact in json.load(open(sys.argv[1]))["machine"]["facts"]}
assert facts["slurm_gpus"] == "0" and "CUDA_VISIBLE_DEVICES=0" in facts["library_environment"].split(), facts
PYTHON

ended slower 1
says "6 of 6 cases slower"
folder=$(folder_of slower) array=$(array_of slower)
pairs=$(sed -nE 's/.*array job ([0-9]+) measures the pairs/\1/p' slower.txt)
for task in 1 2 3; do [[ $(<"$folder/part-$task") == slurm-$pairs-pairs-$task-attempt-0 ]] || complain "task $task has no pairs"; done
[[ $(finding "$folder/report.json" fake/a/eager/device:cpu) == "regressed fail "* ]] || complain "slower: $(finding "$folder/report.json" fake/a/eager/device:cpu)"
# The same values, judged on one machine without Slurm.
mapfile -t names < <(cat "$folder"/shard-{1,2,3})
exits_with 0 env -u SLURM_CONF "$torchgate" merge "${names[@]}" --save again
exits_with 1 env -u SLURM_CONF "$torchgate" gate again --pairs-from "slurm-$array-merged-1-pairs" --json one.json
python3 - "$folder/report.json" one.json <<'PYTHON' || complain "the verdict on one machine is another one"
import json, sys
slurm, one = (json.load(open(file)) for file in sys.argv[1:])
assert slurm["findings"] == one["findings"] and len(one["findings"]) == 6, (slurm["findings"], one["findings"])
assert slurm["outcome"] == one["outcome"] == "fail", (slurm["outcome"], one["outcome"])
PYTHON
python3 - "$array" .torchgate/runs/slurm-"$array"-shard-2-attempt-0.json <<'PYTHON' || complain "the run does not have the facts of its job"
import json, sys
facts = {fact["name"]: fact for fact in json.load(open(sys.argv[2]))["machine"]["facts"]}
assert facts["slurm_job"]["value"] == sys.argv[1] + "_2" and facts["slurm_partition"]["value"] == "first", facts
assert facts["slurm_node"]["value"] in ("n1", "n2", "n3") and facts["slurm_node"]["class"] == "info", facts
PYTHON

# The same pairs, of which one task has none: its group is named.
cp -r "$folder" .torchgate/lost_pairs
rm .torchgate/lost_pairs/part-2
exits_with 1 "$templates/judge.sh" "$templates" "$work/.torchgate/lost_pairs" "$array" verdict "$pairs"
says "INCOMPLETE: shard 2 of 3 is missing: its groups were not measured and are not judged (fake/"
grep -q "its group was not measured in pairs: shard 2 of 3 is missing" .torchgate/lost_pairs/report.json || complain "the group without pairs is not named"
rm .torchgate/lost_pairs/part-*
echo 'torchgate: the disk is full' >>.torchgate/lost_pairs/pairs-2.log
exits_with_any "1 3" "$templates/judge.sh" "$templates" "$work/.torchgate/lost_pairs" "$array" verdict "$pairs"
says "none of the 3 tasks of job $pairs measured some: task 2: the disk is full"
rm .torchgate/lost_pairs/merged
exits_with 3 "$templates/judge.sh" "$templates" "$work/.torchgate/lost_pairs" "$array" verdict "$pairs"
says "the shards were not merged: no verdict"

# The same shards, of which one has lost its run, and torchgate ab is killed: that is the reason in the report.
cp -r "$folder" .torchgate/lost_run
cat >bin/killed_pairs <<'TORCHGATE'
#!/usr/bin/env bash
[[ $1 != ab ]] || kill -KILL $$
exec torchgate "$@"
TORCHGATE
chmod +x bin/killed_pairs
echo "torchgate=$work/bin/killed_pairs" >>.torchgate/lost_run/settings
echo no_such_run >.torchgate/lost_run/shard-2
rm .torchgate/lost_run/result
exits_with_any "1 3" "$templates/judge.sh" "$templates" "$work/.torchgate/lost_run" "$array"
says "not measured: shards 2 of 3, groups fake/"
says "it was killed (exit code 137)"
[[ $(<.torchgate/lost_run/result) =~ ^[13]$ ]] || complain "judge.sh has no result"
echo mode=baseline >>.torchgate/lost_run/settings
exits_with 3 "$templates/judge.sh" "$templates" "$work/.torchgate/lost_run" "$array"
says "not all shards were measured: nothing was added"

submit_other_commits "$folder" "$array" "$templates"

echo "-- a node that is lost and a torchgate that is killed while they measure; nodes of two types; ranks on two nodes and on one"
hold lost 1
hold lost 2
hold once 1
submit once change --shards 3 --suite build/held -- --partition=second --exclude=n6 --no-requeue
submit lost change --shards 3 --suite build/held
submit types change --shards 3 --suite build/fast -- --partition=mixed
# On two nodes also runs with ranks, as tasks of srun: well, with one that hangs, and on the first node alone with one that dies.
cat >ranks_jobs.sh <<'JOB'
#!/usr/bin/env bash
"$1/ranks.sh" "$2" "$2" '^ranks/well/even' "$PWD/.torchgate/ranks2" 3
torchgate run --suite "$2" --filter '^ranks/(well|hang|alone)' --quick --processes 1 --group-limit 2 --ranks-with auto --save run2 >run2.txt 2>&1
SLURM_JOB_NUM_NODES=1 torchgate run --suite "$2" --filter '^ranks/(well|crash)' --quick --processes 1 --ranks-with auto --save run1 >run1.txt 2>&1
JOB
sbatch --wait --partition=second --nodelist='n[4-5]' --nodes=2 --ntasks=2 --ntasks-per-node=1 --exclusive --output=ranks2.txt ranks_jobs.sh "$templates" "$ranks_suite" >/dev/null 2>&1 &
pid[ranks2]=$!
# In pairs with a stored baseline, whose binaries are restored where both nodes see them; afterwards, and after a signal, nothing of them is left.
git clone -q . stored
cat >stored/job.sh <<'JOB'
#!/usr/bin/env bash
export TORCHGATE_RUN_RANKS_WITH=auto
mkdir -p build/ranks
cp "$1" build/ranks/ranks
torchgate run --suite build/ranks --filter '^ranks/well' --quick --processes 5 --save first >first.txt 2>&1
torchgate baseline add first >>first.txt 2>&1
git -c user.email=test@example.org -c user.name=test commit -q --allow-empty -m second
# Another build is another file: a large one (with a sanitizer) is linked into the store.
cp build/ranks/ranks rebuilt
echo >>rebuilt
mv rebuilt build/ranks/ranks
code=0
torchgate gate --suite build/ranks --filter '^ranks/well' --quick --pairs 12 --save pairs >pairs.txt 2>&1 || code=$?
echo "$code" >pairs_code
find .torchgate/restored -name 'torchgate-scratch-*' >left.txt
torchgate gate --suite build/ranks --filter '^ranks/well' --quick --pairs 12 >stopped.txt 2>&1 &
for ((i = 0; i < 600; ++i)); do
  [[ -z $(find .torchgate/restored -name ranks) ]] || break
  sleep 0.1
done
find .torchgate/restored -name ranks >restored.txt
kill -TERM $!
wait $!
echo $? >stopped_code
find .torchgate/restored -name 'torchgate-scratch-*' >>left.txt
JOB
sbatch --wait --chdir="$work/stored" --partition=second --nodelist='n[4-5]' --nodes=2 --ntasks=2 --ntasks-per-node=1 --exclusive --output=job.txt stored/job.sh "$ranks_suite" >/dev/null 2>&1 &
pid[stored]=$!
# On nodes of two types nothing is measured.
cat >mixed_job.sh <<'JOB'
#!/usr/bin/env bash
torchgate run --suite "$1" --filter '^ranks/well' --quick --ranks-with auto >mixed.txt 2>&1
JOB
sbatch --wait --partition=mixed --nodes=2 --ntasks=2 --ntasks-per-node=1 --exclusive --output=mixed_job.txt mixed_job.sh "$ranks_suite" >/dev/null 2>&1 &
pid[mixed]=$!
sbatch --wait --partition=second --nodelist=n4 --nodes=1 --ntasks-per-node=2 --output=ranks1.txt "$templates/ranks.sh" "$ranks_suite" "$ranks_suite" '^ranks/(well/even|crash)' "$work/.torchgate/ranks1" 1 >/dev/null 2>&1 &
pid[ranks1]=$!
# Slurm refuses `scontrol requeue` of a job with Requeue=0, as of all jobs where slurm.conf has JobRequeue=0 and the script no --requeue.
wait_until "task 1 measures, once" measures once 1
once_node=$(node_of "$(array_of once)_1")
kill_torchgate "$once_node"
rm held/once-1

wait_until "lost is submitted" is_submitted lost
array=$(array_of lost)
wait_until "task 1 measures" measures lost 1
lost_node=$(node_of "${array}_1")
lose_node "$lost_node"
wait_until "task 2 measures" measures lost 2
killed_node=$(node_of "${array}_2")
kill_torchgate "$killed_node"
# Slurm's two minutes are there so that what is left of the first attempt can end.
wait_until "task 2 is to be run again" state_is "${array}_2" PENDING
wait_until "the first attempt of task 2 has ended" is_free "$killed_node"
run_again "${array}_2"
run_again "${array}_1"
ended lost 0
measures_again lost 1 || complain "the task of the lost node was not measured again"
measures_again lost 2 || complain "the killed task was not measured again"
[[ $(grep 'attempt 1, on' "$(folder_of lost)/measure-1.log") != *" $lost_node" ]] || complain "measured again on the lost node"
not_said "not measured"

ended once 3
says "not measured: shards 1 of 3, groups fake/"
says "INCOMPLETE: shard 1 of 3 is missing: its groups were not measured and are not judged (fake/"
not_said "task 1: COMPLETED"
grep -q "scontrol requeue failed (see above): not again" "$(folder_of once)/measure-1.log" || complain "the refused requeue is not named"
if measures_again once 1; then complain "a task without requeue ran again"; fi
[[ ! -e $(folder_of once)/shard-1 ]] || complain "the killed task has a shard"
python3 - "$(folder_of once)"/report.json <<'PYTHON' || complain "what was not measured has a verdict"
import json, sys
report = json.load(open(sys.argv[1]))
assert report["outcome"] == "no_verdict", report["outcome"]
assert len({f["case"].split("/")[1] for f in report["findings"] if f["action"] == "pass"}) <= 2, report["findings"]
PYTHON

ended types 3
says "the tasks ran on 2 types of nodes"
(($(find "$(folder_of types)" -name 'report-*.json' | wc -l) == 2)) || complain "not one report for each type of node"

wait "${pid[ranks2]}" || true
[[ $(cat .torchgate/ranks2/result) =~ ^[013]$ ]] || complain "ranks on two nodes: $(cat ranks2.txt)"
grep -q 'ranks run on: 1 n4, 1 n5' ranks2.txt || complain "ranks were not on two nodes: $(cat ranks2.txt)"
python3 - .torchgate/ranks2/report.json <<'PYTHON' || complain "ranks on two nodes have no finding"
import json, sys
assert {f["case"] for f in json.load(open(sys.argv[1]))["findings"]} == {"ranks/well/even"}
PYTHON
code=0
wait "${pid[ranks1]}" || code=$?
out=$(<ranks1.txt)
((code == 3)) || complain "ranks of which one crashes: exit code $code: $out"
says "ranks run on: 2 n4"
says "not measured: 1 of 1 launches of before and 1 of after failed: no verdict"

for nodes in 1 2; do
  python3 - ".torchgate/runs/run$nodes.json" "$nodes" <<'PYTHON' || complain "ranks of a run on $nodes nodes: $(cat "run$nodes.txt")"
import json, sys
run, nodes = json.load(open(sys.argv[1])), int(sys.argv[2])
processes = {process["group"]: process for process in run["processes"]}
assert "status" not in processes["ranks/well"] and processes["ranks/well"]["cases"], processes
protocols = {case["group"]: case["protocol"] for case in run["cases"]}
assert protocols["ranks/well"] == ("cpu-wall/1 on 2 nodes" if nodes == 2 else "cpu-wall/1"), protocols
if nodes == 1:
    crash = processes["ranks/crash"]
    assert crash["status"] == "crashed" and crash["message"].startswith("rank 1: killed by SIGSEGV"), crash
else:
    hang = processes["ranks/hang"]
    assert hang["status"] == "timed_out" and ": killed after its time limit of 2 s" in hang["message"], hang
    assert protocols["ranks/alone"] == "cpu-wall/1" and "status" not in processes["ranks/alone"], processes
facts = {fact["name"]: fact.get("value") for fact in run["machine"]["facts"]}
assert facts.get("slurm_rank_nodes") == ("n4, n5" if nodes == 2 else None), facts
assert facts.get("slurm_nodes_checked") == ("n5" if nodes == 2 else None), facts
assert not any("torchgate doctor" in warning for warning in run["warnings"]), run["warnings"]
PYTHON
done

code=0
wait "${pid[mixed]}" || code=$?
out=$(<mixed.txt)
((code == 3)) || complain "ranks on nodes of two types: exit code $code: $out"
says "ranks on several nodes: n7 is another type of machine than n6 (cpu_count is \"1\" and not \"$(nproc)\")"
wait "${pid[stored]}" || true
[[ $(cat stored/pairs_code) =~ ^[013]$ ]] || complain "pairs with a stored baseline on two nodes: $(cat stored/{job,first,pairs}.txt)"
python3 - stored/.torchgate/runs/pairs.json <<'PYTHON' || complain "pairs with a stored baseline on two nodes: $(cat stored/{job,first,pairs}.txt)"
import json, sys
pairs = json.load(open(sys.argv[1]))
assert "/stored/.torchgate/restored/" in pairs["sides"][0]["suite_paths"][0], pairs["sides"]
assert {case["protocol"] for case in pairs["cases"]} == {"cpu-wall/1 on 2 nodes"}, pairs["cases"]
assert {process.get("status", "ok") for process in pairs["processes"]} == {"ok"} and len(pairs["processes"]) > 1, pairs["processes"]
PYTHON
[[ -s stored/restored.txt && $(cat stored/stopped_code) == 130 ]] || complain "pairs were not stopped: $(cat stored/stopped{_code,.txt})"
[[ ! -s stored/left.txt ]] || complain "restored binaries are left: $(cat stored/left.txt)"
exits_with 2 env -u SLURM_JOB_ID "$torchgate" run --suite "$ranks_suite" --filter '^ranks/well' --ranks-with srun
says "ranks by srun: this is not a job of Slurm (SLURM_JOB_ID is not set)"
exits_with 2 env SLURM_JOB_ID=1 SLURM_STEP_ID=0 "$torchgate" run --suite "$ranks_suite" --filter '^ranks/well' --ranks-with srun
says "ranks by srun: torchgate itself runs in a step of Slurm"

# Nothing was measured: not a regression, which is exit code 1.
mkdir bin/no_ranks
ln -s "$(type -P true)" bin/no_ranks/srun
exits_with 3 env PATH="$work/bin/no_ranks:$PATH" SLURM_JOB_ID=1 SLURM_JOB_NODELIST=n1 "$templates/ranks.sh" before after . .torchgate/ranks0 1
says "launch 1 of before wrote no times"
[[ $(<.torchgate/ranks0/result) == 3 ]] || complain "ranks.sh has no result"
ln -s "$(type -P false)" bin/no_ranks/scontrol
exits_with 3 env PATH="$work/bin/no_ranks:$PATH" SLURM_JOB_ID=1 SLURM_JOB_NODELIST=n1 "$templates/ranks.sh" before after . .torchgate/ranks0 1
says "ended before both builds were compared: no verdict"

echo "-- what Slurm says"
sacct --completion --format=jobid,jobname,partition,nnodes,nodelist,state 2>/dev/null | tee sacct.txt
grep -q 'CANCELLED' sacct.txt && grep -q 'COMPLETED' sacct.txt || complain "sacct does not show the jobs"
finish
