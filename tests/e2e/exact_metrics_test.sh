#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# exact_metrics_test.sh TORCHGATE SUITE [--full]: what is called exact agrees to the last unit: every exact metric of every case of one
# suite, in three processes of the cases of the profile quick; or in ten of all. Times decide nothing: two samples do.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 suite=$2 profile=${3:---quick}
processes=3
[[ $profile == --quick ]] || processes=10
new_repository
"$torchgate" run "$profile" --samples 2 --warmup 2 --processes "$processes" --suite "$suite" --save all >run.log 2>&1 ||
  { tail -n 5 run.log >&2; complain "run: exit code $?"; }
repeated=0
python3 - .torchgate/runs/all.json "$processes" <<'PY' || repeated=$?
import collections, json, sys
run, processes = json.load(open(sys.argv[1])), int(sys.argv[2])
skipped = {case.get("skipped") for case in run["cases"]}
if None not in skipped:
    print("  no case of this suite can run here:", *sorted(skipped), sep="\n    ")
    sys.exit(77)
exact = [m["name"] for m in run["metrics"] if m["kind"] == "exact"]
values, unmeasured, missing = collections.defaultdict(list), set(), collections.Counter()
for process in run["processes"]:
    for result in process["cases"]:
        case = run["cases"][result["case"]]
        if result.get("status", "ok") != "ok":
            unmeasured.add((case["name"], result["status"], result.get("message", "")[:80]))
            continue
        for metric in case["metrics"]:
            name = run["metrics"][metric]["name"]
            if name not in exact:
                continue
            if name in result["measurements"]:
                values[case["name"], name].append(result["measurements"][name])
            else:
                missing[case["name"], name] += 1
differ = {key: sorted(set(seen)) for key, seen in values.items() if len(set(seen)) > 1}
short = {key: len(seen) for key, seen in values.items() if len(seen) != processes}
print(f"  {len(values)} exact metrics of {len({case for case, _ in values})} cases, {processes} times each: {len(differ)} differ")
for name in sorted({name for _, name in values}):
    print(f"    {name}: {sum(1 for _, other in values if other == name)} cases")
for key, seen in differ.items():
    print("  differs:", *key, seen)
for key, count in short.items():
    print(f"  only {count} of {processes} processes have", *key)
for key, count in missing.items():
    print(f"  not recorded, since it did not repeat, in {count} processes:", *key)
for what in sorted(unmeasured):
    print("  not measured:", *what)
sys.exit(bool(differ or short or missing or not values))
PY
((repeated != 77)) || exit 77
((repeated == 0)) || complain "an exact metric did not repeat"
finish
