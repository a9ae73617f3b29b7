# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by slurm_test.sh: a real Slurm of one machine, in a folder of its own, with its own ports, key and socket of munge. Nodes n1 to n6 are of
# one type; n7 may use one CPU only. Each node has a /tmp/torchgate.lock of its own, as machines do.

# why_no_cluster FOLDER: empty where one can be started
why_no_cluster() {
  local program
  ((EUID == 0)) || { echo "only root can start nodes"; return; }
  for program in munged slurmctld slurmd sbatch srun squeue scontrol scancel sacct; do
    command -v "$program" >/dev/null || { echo "no $program (Debian: apt-get install slurm-wlm munge)"; return; }
  done
  (($(nproc) >= 2)) || { echo "two types of nodes need two CPUs"; return; }
  bash "$(dirname "${BASH_SOURCE[0]}")/own_lock.sh" "$1/lock" true 2>/dev/null ||
    { echo "no mount namespaces, which give each node a lock of its own"; return; }
  (($$ == 1)) || echo "no PID namespaces, with which the daemons end however the test ends"
}

nodes=(n1 n2 n3 n4 n5 n6 n7)

# start_cluster FOLDER
start_cluster() {
  cluster=$1
  local node
  mkdir -p "$cluster"/{munge,state,log}
  chmod 700 "$cluster/munge"
  head -c 1024 /dev/urandom >"$cluster/munge/key"
  chmod 400 "$cluster/munge/key"
  munged --force --socket="$cluster/munge/socket" --key-file="$cluster/munge/key" --pid-file="$cluster/munge/pid" \
    --log-file="$cluster/log/munge" --seed-file="$cluster/munge/seed"
  write_configuration
  export SLURM_CONF=$cluster/slurm.conf
  start_daemons
  if ! within 600 all_idle; then
    echo "not all nodes are idle: again, with other ports, since something else may have taken one" >&2
    stop_daemons
    rm -rf "$cluster"/state/* "$cluster"/n? "$cluster"/*.pid
    write_configuration
    start_daemons
  fi
  wait_until "all nodes are idle" all_idle
}
all_idle() { (($(sinfo --noheader --Node --states=idle --format=%N | sort -u | wc -l) == ${#nodes[@]})); }

# write_configuration: of the cluster, with ports that are free now
write_configuration() {
  local ports port node name cpus gpu
  name=$(hostname)
  cpus=$(nproc)
  mapfile -t ports < <(python3 -c 'import socket
sockets = [socket.socket() for _ in range(8)]
for each in sockets: each.bind(("127.0.0.1", 0))
for each in sockets: print(each.getsockname()[1])')
  cat >"$cluster/slurm.conf" <<CONF
ClusterName=torchgate
SlurmctldHost=$name(127.0.0.1)
SlurmctldPort=${ports[0]}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$cluster/munge/socket
CredType=cred/munge
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/%n.pid
SlurmdSpoolDir=$cluster/%n
StateSaveLocation=$cluster/state
SlurmctldLogFile=$cluster/log/slurmctld
SlurmdLogFile=$cluster/log/%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobCompType=jobcomp/filetxt
JobCompLoc=$cluster/log/jobs
JobAcctGatherType=jobacct_gather/none
SlurmdTimeout=60
ReturnToService=2
GresTypes=gpu
KillWait=2
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
CONF
  # GPUs as far as Slurm is concerned: it hands out numbers.
  printf 'NodeName=n[4-5] Name=gpu File=/dev/null\n' >"$cluster/gres.conf"
  for node in "${nodes[@]}"; do
    port=${ports[${node#n}]}
    [[ $node != n7 ]] || cpus=1
    gpu=""
    [[ $node != n[45] ]] || gpu=Gres=gpu:1
    echo "NodeName=$node NodeHostname=$name NodeAddr=127.0.0.1 Port=$port CPUs=$cpus RealMemory=100 $gpu" >>"$cluster/slurm.conf"
  done
  cat >>"$cluster/slurm.conf" <<'CONF'
PartitionName=first Nodes=n[1-3] Default=YES MaxTime=10 State=UP
PartitionName=second Nodes=n[4-6] MaxTime=10 State=UP
PartitionName=mixed Nodes=n[6-7] MaxTime=10 State=UP
CONF
}

start_daemons() {
  local node
  slurmctld -i || true
  for node in "${nodes[@]}"; do start_node "$node" || true; done
}

start_node() {
  local bound=()
  [[ $1 != n7 ]] || bound=(taskset --cpu-list "$(taskset --cpu-list --pid $$ | sed -E 's/.*: ([0-9]+).*/\1/')")
  "${bound[@]}" bash "$(dirname "${BASH_SOURCE[0]}")/own_lock.sh" "$cluster/$1.lock" slurmd -N "$1"
}

# processes_of NODE: of the jobs on it, with Slurm's own that watch them first
processes_of() {
  local environment pid parent
  for environment in /proc/[0-9]*/environ; do
    grep -qzxF "SLURM_CONF=$SLURM_CONF" "$environment" 2>/dev/null && grep -qzxF "SLURMD_NODENAME=$1" "$environment" 2>/dev/null || continue
    pid=${environment//[!0-9]/}
    parent=$(ps -o ppid= -p "$pid" | tr -d ' ') || continue  # it has ended
    [[ $(cat "/proc/${parent:-0}/comm" 2>/dev/null) != slurmstepd ]] || echo "$parent"
    echo "$pid"
  done
}

# lose_node NODE: as if its power went out. Slurm would see it after SlurmdTimeout, which is long for a busy machine's sake.
lose_node() {
  kill_node "$1"
  scontrol update NodeName="$1" State=DOWN Reason=lost
}
kill_node() {
  local all=()
  kill -KILL "$(cat "$cluster/$1.pid")"
  mapfile -t all < <(processes_of "$1")
  ((${#all[@]} == 0)) || kill -KILL "${all[@]}" 2>/dev/null || true
}

stop_cluster() {
  [[ -n ${cluster:-} ]] || return 0
  scancel --user=root 2>/dev/null || true
  stop_daemons
  stop_daemon "$cluster/munge/pid"
}

stop_daemons() {
  local node
  for node in "${nodes[@]}"; do
    [[ ! -e $cluster/$node.pid ]] || kill_node "$node" 2>/dev/null || true
  done
  # The controller saves its state as it ends: not into a folder that is being removed.
  stop_daemon "$cluster/slurmctld.pid"
}

# stop_daemon PID_FILE: ten seconds until it has ended
stop_daemon() {
  local pid
  pid=$(cat "$1" 2>/dev/null) || return 0
  kill "$pid" 2>/dev/null || true
  within 100 has_ended "$pid" || true
}
has_ended() { [[ ! -e /proc/$1/exe || -z $(readlink "/proc/$1/exe") ]]; }

# within TENTHS COMMAND...: whether it succeeds within so many tenths of a second
within() {
  local i
  for ((i = 0; i < $1; ++i)); do
    if "${@:2}" >/dev/null 2>&1; then return 0; fi
    sleep 0.1
  done
  return 1
}

# wait_until WHAT COMMAND...: two minutes, which is a failure
wait_until() {
  if within 1200 "${@:2}"; then return 0; fi
  complain "after two minutes not so: $1"
  squeue --states=all >&2
  finish
}

is_free() { [[ -z $(processes_of "$1") && $(sinfo --noheader --nodes="$1" --partition=first --format=%t) == idle ]]; }
state_is() { [[ $(squeue --noheader --states=all --jobs="$1" --format=%T) == "$2" ]]; }

# run_again TASK: Slurm waits two minutes before it starts a job again
run_again() {
  wait_until "task $1 is to be run again" state_is "$1" PENDING
  scontrol update "JobId=$1" StartTime=now
}
