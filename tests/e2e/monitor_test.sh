#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A server that is watched by a real Redis and a real Prometheus, both on ports of this machine; Redis is killed in between, then the server.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
drive=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 "$(dirname "${BASH_SOURCE[0]}")/monitor_test.py" "$drive" "$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/suites/serving/monitor/dashboard.json" "$folder" || complain "the monitor"
finish
