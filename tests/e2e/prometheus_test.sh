#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The exported metrics in a real Prometheus, and every expression of the dashboard (ci/templates/grafana-dashboard.json) sent to it.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 made_runs=$2
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
new_repository
unset GITHUB_BASE_REF GITHUB_EVENT_NAME
export TORCHGATE_GATE_ALLOW_NOISY=true
"$made_runs" generate 12 30 5 1 before.json
"$made_runs" generate 12 30 5 2 after.json
exits_with 0 "$torchgate" compare before.json after.json --quiet --json report.json --write prometheus=metrics.prom
# With a case that is judged by its device's time, and one of which two metrics fail.
sed -i -E '/case:9",metric="time"/{p;s//case:gpu",metric="gpu_time_hot"/}; /^torchgate_case_fails.*case:5"/{s/ 0$/ 1/;p;s/"time"/"calls"/}' metrics.prom
python3 "$(dirname "${BASH_SOURCE[0]}")/prometheus_test.py" metrics.prom "$root/ci/templates/grafana-dashboard.json" report.json || complain "Prometheus"
finish
