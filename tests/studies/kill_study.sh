#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Kills `baseline add`, `run --save`, `merge` and `accept` with SIGKILL at random instants, in turn, and checks after each kill
# and the next start of the program: what was acknowledged (printed, or exit code 0) is there, every file is whole, and no
# temporary file is left. Needs no LibTorch.
# Exit code: 0 all of it holds, 1 something does not, 2 wrong usage.
set -euo pipefail

usage="usage: tests/studies/kill_study.sh [--kills N] [--seed N] [--build DIR]
  --kills N    so many kills in all (default 500)
  --seed N     of the instants (default 20261122)
  --build DIR  where torchgate, made_runs and torchgate_fake_suite were built (default build/ci)"

kills=500 seed=20261122 build=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/build/ci
while (($#)); do
  case $1 in
    --kills) kills=${2:?$usage}; shift ;;
    --seed) seed=${2:?$usage}; shift ;;
    --build) build=$(cd "${2:?$usage}" && pwd); shift ;;
    -h | --help) echo "$usage"; exit 0 ;;
    *) echo "unknown argument '$1'"$'\n'"$usage" >&2; exit 2 ;;
  esac
  shift
done
torchgate=$build/ci/cli/torchgate made_runs=$build/tests/e2e/made_runs
fake_suite=$build/tests/harness/launch/torchgate_fake_suite
for program in "$torchgate" "$made_runs" "$fake_suite"; do
  [[ -x $program ]] || { echo "$program is missing; build it: cmake --build $build" >&2; exit 2; }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tmp" "$work/repository" "$work/objects"
cd "$work/repository"
git init -q .
git -c user.email=test@example.org -c user.name=test commit -q --allow-empty -m first
export TMPDIR=$work/tmp FAKE_GROUPS=a,ok TORCHGATE_GATE_ALLOW_NOISY=true

python3 - "$kills" "$seed" "$torchgate" "$made_runs" "$fake_suite" "$work" <<'PYTHON'
import glob, hashlib, json, os, random, signal, statistics, subprocess, sys, time

kills, seed = int(sys.argv[1]), int(sys.argv[2])
torchgate, made_runs, fake_suite, work = sys.argv[3:]
chance = random.Random(seed)
wrong = []

def complain(text):
    wrong.append(text)
    print("WRONG:", text, flush=True)

def start(*arguments, **options):
    """A machine that is full of work refuses to fork now and then."""
    for _ in range(60):
        try:
            return subprocess.Popen(*arguments, **options)
        except BlockingIOError:
            time.sleep(1)
    sys.exit("no process can be started on this machine")

def quiet(*command, codes=(0,)):
    child = start(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    out, err = child.communicate()
    done = subprocess.CompletedProcess(command, child.returncode, out, err)
    if done.returncode not in codes:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done

def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()

def is_temporary(name):
    return name.endswith(".tmp")

def temporary_files():
    found = [os.path.join(folder, name) for folder, _, names in os.walk(work) for name in names if is_temporary(name)]
    return found + glob.glob(os.path.join(work, "tmp", "torchgate-*"))

def whole_run(path):
    """What is wrong with a record and its samples, or nothing."""
    try:
        run = json.load(open(path))
    except ValueError as error:
        return f"{path}: {error}"
    if "samples" in run:
        samples = os.path.join(os.path.dirname(path), run["samples"]["sha256"] + ".samples")
        if not os.path.exists(samples) or digest(samples) != run["samples"]["sha256"]:
            return f"{path}: its samples are not whole"
    return None

# --- What the four commands work on ----------------------------------------------------------------------------------
commit = subprocess.check_output(["git", "rev-parse", "HEAD"], text=True).strip()

class BaselineAdd:
    name = "baseline add"
    def __init__(self):
        self.made, self.known = 0, {}
    def prepare(self):
        self.made += 1
        self.id = f"{self.made:016x}"
        self.file = f"{work}/made.json"
        for old in glob.glob(f"{work}/*.samples"):
            os.remove(old)
        quiet(made_runs, "generate", "60", "60", "3", str(self.made), self.file)
        executable = f"{work}/objects/suite-{self.made}"
        with open(executable, "wb") as file:
            file.write(random.Random(self.made).randbytes(1 << 20))
        status = os.stat(executable)
        run = json.load(open(self.file))
        run["id"] = self.id
        run["sides"][0].update(commit=commit, modified=False)
        run["objects"] = [{"path": executable, "bytes": status.st_size, "inode": status.st_ino, "mtime_ns": status.st_mtime_ns,
                           "sha256": digest(executable), "executable": True}]
        for process in run["processes"]:
            process["objects"] = [0]
        json.dump(run, open(self.file, "w"))
        self.object = run["objects"][0]["sha256"]
        return [torchgate, "baseline", "add", self.file]
    def acknowledged(self, out):
        return f"{self.id} added" in out
    def remember(self):
        self.known[self.id] = self.object
    def check(self):
        listed = {run["id"] for run in json.loads(quiet(torchgate, "baseline", "list", "--json", codes=(0, 3)).stdout or '{"runs": []}')["runs"]}
        for lost in self.known.keys() - listed:
            complain(f"run {lost} was added and is not listed")
        for path in glob.glob(".torchgate/store/runs/*/*.json"):
            if problem := whole_run(path):
                complain(problem)
        for path in glob.glob(".torchgate/store/objects/*/*"):
            if digest(path) != os.path.basename(path):
                complain(f"{path} is not what its name says")
        for id, kept in self.known.items():
            if not os.path.exists(f".torchgate/store/objects/{kept[:2]}/{kept}"):
                complain(f"the object of run {id} is gone")

class RunSave:
    name = "run --save"
    def __init__(self):
        self.made, self.known = 0, []
    def prepare(self):
        self.made += 1
        self.save = f"measured{self.made}"
        return [torchgate, "run", "--suite", fake_suite, "--processes", "1", "--quick", "--save", self.save]
    def acknowledged(self, out):
        return f"{self.save}.json:" in out
    def remember(self):
        self.known.append(self.save)
    def check(self):
        for save in self.known:
            if not os.path.exists(f".torchgate/runs/{save}.json"):
                complain(f"run {save} was saved and is gone")
        # A folder without run.json is not a journal: its run is saved, and the process was killed while removing the rest.
        journals = [os.path.dirname(header) for header in glob.glob(".torchgate/runs/*.part/run.json")]
        pieces = [piece for journal in journals for piece in glob.glob(f"{journal}/*.json")]
        for path in glob.glob(".torchgate/runs/*.json") + pieces:
            if problem := whole_run(path):
                complain(problem)
        # As a user removes runs that are not to be resumed.
        for part in glob.glob(".torchgate/runs/*.part"):
            quiet("rm", "-r", part)

class Merge(RunSave):
    name = "merge"
    def __init__(self):
        super().__init__()
        plan = f"{work}/shards.json"
        quiet(torchgate, "run", "--suite", fake_suite, "--processes", "2", "--shards", "2", "--shard-plan", plan)
        for i in (1, 2):
            quiet(torchgate, "run", "--suite", fake_suite, "--shard", f"{i}/2", "--shard-plan", plan, "--save", f"shard{i}")
    def prepare(self):
        self.made += 1
        self.save = f"merged{self.made}"
        return [torchgate, "merge", "shard1", "shard2", "--save", self.save]

class Accept:
    name = "accept"
    def __init__(self):
        self.known, self.report = [], f"{work}/report.json"
        quiet(made_runs, "generate", "200", "10", "5", "1", f"{work}/fast.json")
        quiet(made_runs, "generate", "200", "10", "5", "2", f"{work}/same.json")
        quiet(made_runs, "scale", f"{work}/same.json", f"{work}/slow.json", "1.5", "1", "7")
        quiet(torchgate, "compare", f"{work}/fast.json", f"{work}/slow.json", "--quiet", "--json", self.report, codes=(1,))
        self.cases = [f["case"] for f in json.load(open(self.report))["findings"] if f["action"] == "fail"]
        self.next = 0
    def prepare(self):
        self.case = self.cases[self.next % len(self.cases)]
        self.next += 1
        if self.next % len(self.cases) == 0:
            self.known = []
            os.remove("torchgate-waivers.toml")
        return [torchgate, "accept", self.case, "--reason", "kill study", "--report", self.report]
    def acknowledged(self, out):
        return "Review it" in out
    def remember(self):
        self.known.append(self.case)
    def check(self):
        if not os.path.exists("torchgate-waivers.toml"):
            if self.known:
                complain("the waivers are gone")
            return
        text = open("torchgate-waivers.toml").read()
        for case in self.known:
            if f'"{case}"' not in text:
                complain(f"the waiver of {case} was acknowledged and is gone")
        # Every command that judges reads it: it has to be valid.
        quiet(torchgate, "compare", f"{work}/fast.json", f"{work}/slow.json", "--quiet", codes=(0, 1))

# --- Killing ---------------------------------------------------------------------------------------------------------
def run_once(command, kill_after=None):
    """What it printed, whether it was killed, and how long it took."""
    begin = time.monotonic()
    with open(f"{work}/out", "w+") as out:
        child = start(command, stdout=out, stderr=subprocess.DEVNULL)
        if kill_after is not None:
            try:
                child.wait(kill_after)
            except subprocess.TimeoutExpired:
                child.send_signal(signal.SIGKILL)
        code = child.wait()
        out.seek(0)
        return out.read(), code, time.monotonic() - begin

tasks = [BaselineAdd(), RunSave(), Merge(), Accept()]
total = 0
print(f"{'command':14} {'kills':>6} {'ended before':>13} {'acknowledged':>13} {'temporary left by kills':>24} {'after the next start':>21}",
      flush=True)
for turn, task in enumerate(tasks):
    durations = []
    for _ in range(3):
        out, code, seconds = run_once(task.prepare())
        if code != 0 or not task.acknowledged(out):
            sys.exit(f"{task.name}: exit code {code}: {out}")
        task.remember()
        durations.append(seconds)
    typical = statistics.median(durations)
    wanted = kills // len(tasks) + (1 if turn < kills % len(tasks) else 0)
    row = dict(killed=0, acknowledged=0, ended=0, left=0, left_after=0)
    while row["killed"] < wanted:
        out, code, _ = run_once(task.prepare(), chance.uniform(0, 1.1 * typical))
        # What was killed has perhaps said before that it was done.
        if task.acknowledged(out):
            task.remember()
            row["acknowledged"] += 1
        if code == -signal.SIGKILL:
            row["killed"] += 1
        elif code == 0:
            row["ended"] += 1
            if not task.acknowledged(out):
                complain(f"{task.name}: exit code 0, and it did not say so: {out}")
        else:
            complain(f"{task.name}: exit code {code}: {out}")
            break
        before = temporary_files()
        row["left"] += len(before)
        quiet(torchgate, "baseline", "list")  # the next start
        after = temporary_files()
        row["left_after"] += len(after)
        for file in after:
            complain(f"{task.name}: {file} is there after the next start")
            quiet("rm", "-rf", file)
        task.check()
    total += row["killed"]
    print(f"{task.name:14} {row['killed']:6} {row['ended']:13} {row['acknowledged']:13} {row['left']:24} {row['left_after']:21}", flush=True)

print(f"{total} kills, seed {seed}: {len(wrong)} things wrong")
sys.exit(1 if wrong else 0)
PYTHON
