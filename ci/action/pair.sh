#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Measures the planned pairs, with the binaries that a cache had, or that are built.
source "$(dirname "${BASH_SOURCE[0]}")/pairs.sh"
source "$(dirname "${BASH_SOURCE[0]}")/objects.sh"
set_results
take_objects
[[ ! -d $folder/shards ]] || build  # a job of its own: the run's binaries are not built yet
measure_pairs "$results"
