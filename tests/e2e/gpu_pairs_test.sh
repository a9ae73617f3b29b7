#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# gpu_pairs_test.sh TORCHGATE FIXTURES: pairs of one build with itself, recorded on an NVIDIA H200 (ci/scripts/gpu_check.sh): short calls,
# whose time is undecided, and whose time on the device is equal.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 pairs=$2/gpu/h200_pairs.json
unset TORCHGATE_GATE_MIN_DECIDED
new_repository

exits_with 0 "$torchgate" report "$pairs"
says "NO VERDICT"
says "no regression in 3 cases, 0 decided and 3 undecided"
says "3 undecided cases run on a GPU, and what is judged is the time that a caller waits: \`--device-metric gpu_time_hot\`"

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
exits_with 2 "$torchgate" run --device-metric gpu_time
says "takes one of \"time\", \"gpu_time_hot\", \"gpu_time_cold\""
finish
