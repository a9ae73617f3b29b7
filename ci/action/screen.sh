#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Screens the measured run. Outputs: `pairs`, true if some cases need pairs; `baseline`, the commit whose binaries they need.
source "$(dirname "${BASH_SOURCE[0]}")/pairs.sh"
[[ -e $folder/${RESULTS:?}/all.json ]] || exit 0  # one shard of several: the run is screened once it is whole
rm -rf .torchgate/cache
screen all "$folder/$RESULTS"
! wants_pairs || printf 'pairs=true\nbaseline=%s\n' "$(baseline_of_plan)" >>"${GITHUB_OUTPUT:?}"
