#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Screens the measured run. Outputs: `pairs`, true if some cases need pairs; `baseline`, the commit whose binaries they need.
source "$(dirname "${BASH_SOURCE[0]}")/pairs.sh"
set_results
[[ -e $results/all.json ]] || exit 0  # nothing was measured
rm -rf .torchgate/cache
screen all "$results"
! wants_pairs || printf 'pairs=true\nbaseline=%s\n' "$(baseline_of_plan)" >>"${GITHUB_OUTPUT:?}"
