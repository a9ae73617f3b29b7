#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `torchgate doctor` on this machine, and a machine that is made busy; what a run says of it, and what --allow-noisy changes.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 fake_suite=$2
new_repository

# row FILE LIST NAME: answer and severity of a row of doctor's JSON (LIST checks) or of a run
row() {
  python3 -c 'import json, sys
document = json.load(open(sys.argv[1]))
for row in document.get("machine", document)[sys.argv[2]]:
    if row["name"] == sys.argv[3]: print(row["answer"], row["severity"])' "$@"
}

# Whatever this machine is, exit code and rows agree, and there is a table as well.
code=0
"$torchgate" doctor --json >doctor.json || code=$?
fatal=$(python3 -c 'import json
d = json.load(open("doctor.json"))
assert d["schema"] == "torchgate.doctor/1", d
rows = d["checks"]
assert len({row["name"] for row in rows}) == len(rows) > 40, len(rows)
bad = [row for row in rows if row["answer"] == "bad"]
assert all(row["why"] and row["advice"] for row in bad), bad
assert all(row["seen"] for row in rows), rows
assert rows[:len(bad)] == bad, "bad rows come first"
assert d["fatal"] == sum(row["severity"] == "fatal" for row in bad)
print(d["fatal"])')
if ((fatal > 0)); then ((code == 3)) || complain "fatal rows and exit code $code"; else ((code == 0)) || complain "no fatal row and exit code $code"; fi
out=$("$torchgate" doctor || true)
says "checks:"
says "governor"
exits_with 0 "$torchgate" doctor --help
says "3 a fatal condition"
exits_with 2 "$torchgate" doctor --frobnicate
exits_with 2 "$torchgate" doctor extra

# A debug switch in the environment is seen, and what is not wanted of the machine is not held against it.
DEBUG=1 "$torchgate" doctor --json >doctor.json || true
[[ $(row doctor.json checks environment) == "bad warning" ]] || complain "DEBUG=1: $(row doctor.json checks environment)"
"$torchgate" doctor --json --threads 1000 >doctor.json && complain "1000 threads are fine here" || true
[[ $(row doctor.json checks affinity) == "bad fatal" ]] || complain "1000 threads: $(row doctor.json checks affinity)"

# Busy loops, one for each CPU, are other programs: seen by doctor within its second.
for ((cpu = 0; cpu < $(nproc) || cpu < 2; ++cpu)); do
  while :; do :; done &
  loops+=("$!")
done
trap 'kill "${loops[@]}" 2>/dev/null || true; rm -rf "$work"' EXIT
sleep 0.5
"$torchgate" doctor --json >busy.json || true
[[ $(row busy.json checks other_load) == "bad warning" ]] || complain "two busy loops: $(row busy.json checks other_load)"

# And by a run, which says so and keeps it.
FAKE_GROUPS=slow "$torchgate" run --suite "$fake_suite" --save noisy >run.log 2>&1 || complain "run: $(cat run.log)"
[[ $(row .torchgate/runs/noisy.json checks_after other_load) == "bad warning" ]] ||
  complain "run: $(row .torchgate/runs/noisy.json checks_after other_load)"
(($(grep -c "other programs used" run.log) == 1)) || complain "said other than once: $(cat run.log)"
kill "${loops[@]}"
wait "${loops[@]}" 2>/dev/null || true
out=$("$torchgate" report noisy)
says "other programs used"

# A fatal finding, planted: times are not judged (3), unless they are to be; a counter that the policy cares for still fails.
python3 - <<'PYTHON'
import json
run = json.load(open(".torchgate/runs/noisy.json"))
def kept(name, number, rows=(), calls=None, **more):
    run["id"] = f"{number:016x}"
    run["machine"]["checks_before"], run["machine"]["checks_after"] = [], list(rows)
    run["machine"].pop("noisy_allowed", None)
    # Without it nothing says that the fake suite's samples of 1 us are too short for this clock.
    run["machine"]["facts"] = [fact for fact in run["machine"]["facts"] if fact["name"] != "clock_step_ns"]
    run["machine"].update(more)
    run.pop("samples", None)
    if calls is not None:
        for process in run["processes"]:
            for case in process["cases"]:
                case["measurements"]["calls"] = calls
    json.dump(run, open(f".torchgate/runs/{name}.json", "w"))
hot = {"name": "thermal_throttling", "answer": "bad", "severity": "fatal", "seen": "it was hot", "advice": "cool it"}
kept("fit", 1)
kept("fit2", 2)
kept("hot", 3, [hot])
kept("hot_allowed", 4, [hot], noisy_allowed=True)
kept("hot_counted", 5, [hot], calls=8)
PYTHON
exits_with 0 "$torchgate" compare fit fit2
exits_with 3 "$torchgate" compare fit hot
says "unfit: this run: thermal_throttling: it was hot"
exits_with 3 "$torchgate" compare hot fit
exits_with 0 "$torchgate" compare fit hot --allow-noisy --markdown report.md --json report.json
says "--allow-noisy"
grep -q -e "allow-noisy" report.md || complain "the Markdown report does not say --allow-noisy"
grep -q -e "--allow-noisy" report.json || complain "the JSON report does not say --allow-noisy"
exits_with 0 env TORCHGATE_GATE_ALLOW_NOISY=true "$torchgate" compare fit hot
exits_with 3 "$torchgate" compare fit hot_allowed  # measured with --allow-noisy: the record overrules nothing
exits_with 1 env TORCHGATE_GATE_CHANGED=fail "$torchgate" compare fit hot_counted

# A host fact that differs is refused with its name and both values.
sed 's/OMP_NUM_THREADS=1"/OMP_NUM_THREADS=2"/; s/"id":"[0-9a-f]*"/"id":"00000000000000aa"/; s/"id": "[0-9a-f]*"/"id": "00000000000000aa"/; s/"host_key": "/"host_key": "x/; s/"host_key":"/"host_key":"x/' \
  .torchgate/runs/fit2.json >.torchgate/runs/threads.json
exits_with 3 "$torchgate" compare fit threads
says 'threads was "OMP_NUM_THREADS=1" and is "OMP_NUM_THREADS=2"'

# ab --vary takes facts only.
exits_with 2 "$torchgate" ab --before "$fake_suite" --after "$fake_suite" --vary libtorhc
says 'did you mean "libtorch"'
finish
