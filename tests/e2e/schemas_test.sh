#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# JSON reports and the files for other tools, against the published schemas, those of their receivers, and promtool.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 made_runs=$2
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
new_repository
unset GITHUB_BASE_REF GITHUB_EVENT_NAME
export TORCHGATE_GATE_ALLOW_NOISY=true
"$made_runs" generate 12 30 5 1 before.json
"$made_runs" generate 12 30 5 2 after.json
exits_with 0 "$torchgate" compare before.json after.json --quiet --json own-report.json --write junit=out.junit.xml \
  --write bencher=out.bencher.json --write github-action-benchmark=out.smaller.json --write nyrkio=out.nyrkio.jsonl \
  --write github-action-benchmark-bigger=out.bigger.json \
  --write pytorch=out.pytorch.json --write prometheus=out.prom --write gitlab=out.gitlab.txt
"$made_runs" generate 12 30 5 3 third.json
exits_with_any "0 1 3" "$torchgate" compare before.json after.json third.json --vary libtorch --quiet --json own-matrix.json
exits_with_any "0 1 3" "$torchgate" compare before.json after.json --vary libtorch --quiet --json own-report-upgrade.json
"$torchgate" doctor --format json >own-doctor.json || true
exits_with 0 "$torchgate" explain made/group/variant/case:1 before.json after.json --quiet --write json=own-explanation.json
exits_with 2 "$torchgate" compare before.json after.json --format nonsense
says 'unknown format "nonsense"; use one of: terminal, markdown, html, json'
exits_with 2 "$torchgate" compare before.json after.json --write json
says 'use FORMAT=FILE'
python3 "$(dirname "${BASH_SOURCE[0]}")/schemas_test.py" "$root" . || complain "schemas"

promtool check metrics <out.prom || complain "promtool: the program's file"
for file in "$root"/tests/golden/reports/*.prom; do promtool check metrics <"$file" || complain "promtool: $file"; done
finish
