#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# gpu_pairs_test.sh TORCHGATE FIXTURES FAKE_SUITE: pairs of one build with itself, recorded on an NVIDIA H200 (ci/scripts/gpu_check.sh): short calls,
# whose time is undecided where processes ran one after the other, and whose time on the device is equal; in turns, time decides.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 pairs=$2/gpu/h200_pairs.json fake=$3
unset TORCHGATE_GATE_MIN_DECIDED
new_repository

exits_with 0 "$torchgate" report "$pairs"
says "NO VERDICT"
says "no regression in 3 cases, 0 decided and 3 undecided"
says "3 undecided cases run on a GPU, and what is judged is the time that a caller waits: measure with \`--device-metric gpu_time_hot\`"

# As `ab --device-metric gpu_time_hot` records the same.
python3 - "$pairs" >device.json <<'PY'
import json, sys
run = json.load(open(sys.argv[1]))
for metric in run["metrics"]:
    metric["primary"] = metric["name"] == "gpu_time_hot"
json.dump(run, sys.stdout)
PY
exits_with 0 "$torchgate" report device.json
says "PASS no regression in 3 cases, all decided"

exits_with 0 "$torchgate" report "$2/gpu/h200_turns.json"
says "PASS no regression in 3 cases, all decided"

# Which metric a run records as judged: by flag and by variable.
judged() {
  python3 -c 'import json, sys; print(*[m["name"] for m in json.load(open(sys.argv[1]))["metrics"] if m.get("primary")])' ".torchgate/runs/$1.json"
}
expect_judged() { [[ $(judged "$1") == "$2" ]] || complain "$1 is judged by $(judged "$1"), not by $2"; }
export FAKE_GROUPS=gpu
exits_with 0 "$torchgate" run --suite "$fake" --processes 1 --save caller
expect_judged caller time
exits_with 0 "$torchgate" run --suite "$fake" --processes 1 --device-metric gpu_time_hot --save flag
expect_judged flag gpu_time_hot
exits_with 0 env TORCHGATE_RUN_DEVICE_METRIC=gpu_time_hot "$torchgate" run --suite "$fake" --processes 1 --save variable
expect_judged variable gpu_time_hot
exits_with 2 "$torchgate" run --device-metric gpu_time
says "takes one of \"time\", \"gpu_time_hot\", \"gpu_time_cold\""
finish
