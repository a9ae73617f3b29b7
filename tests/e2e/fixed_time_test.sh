#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A Google Benchmark program that works for a fixed time (UseManualTime) and counts what it did: its time stands still whatever becomes
# slower, and its rates are what run, gate and ab have to judge.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 builds=$2
new_repository
# A throttled CPU, such as that of a container with a quota, decides nothing here.
export TORCHGATE_GATE_ALLOW_NOISY=true
mkdir build

# judged REPORT CASE METRIC: verdict and action of one metric of a case.
judged() {
  python3 - "$@" <<'END'
import json, sys
report = json.load(open(sys.argv[1]))
found = [f for f in report["findings"] if f["case"] == sys.argv[2] and f["metric"]["name"] == sys.argv[3]]
print(*[f"{f['verdict']} {f['action']}" for f in found] or ["none"])
END
}
build_as() { rm -f build/bench; cp "$builds/$1" build/bench; }
run() { exits_with 0 "$torchgate" run --quick --processes 6 --suite build/bench --filter "${2:-BM_}" --save "$1"; }

build_as as_it_was
run base
says "queue_depth: direction unknown, not judged; set it with"
python3 - .torchgate/runs/base.json <<'END' || complain "the rates are not in the record"
import json, sys
run = json.load(open(sys.argv[1]))
metrics = {m["name"]: m for m in run["metrics"]}
print("  ", {n: m["unit"] for n, m in metrics.items()})
sys.exit(not (metrics["requests_per_second"]["judged"] and metrics["items_per_second"]["unit"] == "items/s"
              and "queue_depth" not in metrics))
END
exits_with 0 "$torchgate" baseline add base

# The user says what the program does not: nothing is left to warn of.
exits_with 0 "$torchgate" run --quick --suite build/bench --filter BM_serve --better queue_depth=lower --save said
[[ $out != *"direction unknown"* ]] || complain "said, and warned of"

# Half the throughput: suspected by the rate, confirmed in pairs, while the time of the window does not move.
build_as slower
git commit -q --allow-empty -m "slow down"
run slower
exits_with 1 "$torchgate" gate slower --json slower.json
for metric in items_per_second requests_per_second; do
  echo "  gate: $metric $(judged slower.json bench/BM_serve "$metric")"
  [[ $(judged slower.json bench/BM_serve "$metric") == "regressed fail" ]] || complain "gate: $metric"
done
[[ $(judged slower.json bench/BM_serve time) == equivalent* ]] || complain "the time: $(judged slower.json bench/BM_serve time)"
# What a window does differs on a busy machine.
grep -Eq "does (half|0\.[3-7][0-9]* times) the work per call" slower.json || complain "the work of a call is not said"
# Where the time says all, its rate is no second finding. The rate is one of CPU time, which says more where other programs disturb the time.
more_cpu_time() {
  python3 - .torchgate/runs/base.json .torchgate/runs/slower.json <<'END'
import json, statistics, sys
median = 5  # of what a measurement sums up
def of(file, metric):
    run = json.load(open(file))
    number = [case["name"] for case in run["cases"]].index("bench/BM_request")
    return statistics.median(result["measurements"][metric][median] for process in run["processes"] for result in process["cases"]
                             if result["case"] == number)
before, after = sys.argv[1:]
sys.exit(not of(after, "cpu_time") / of(before, "cpu_time") >= 1.05 * of(after, "time") / of(before, "time"))
END
}
[[ $(judged slower.json bench/BM_request items_per_second) == none ]] || more_cpu_time || complain "a rate was judged beside its time"

# The same in pairs from the start; and a rebuilt program has nothing that fails.
exits_with 1 "$torchgate" ab --quick --filter BM_serve --before "$builds/as_it_was" --after "$builds/slower" --json ab.json
[[ $(judged ab.json slower/BM_serve items_per_second) == "regressed fail" ]] ||
  complain "ab: $(judged ab.json slower/BM_serve items_per_second)"
code=0
"$torchgate" ab --quick --filter BM_serve --before "$builds/as_it_was" --after "$builds/rebuilt" >/dev/null || code=$?
((code == 0 || code == 3)) || complain "ab of the same code: exit code $code"
finish
