#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Answers a `/perf` command of a comment; what is left to do goes into the outputs of the step.
source "$(dirname "${BASH_SOURCE[0]}")/job.sh"
named=()
[[ -z ${KEY:-} ]] || named=(--key "$KEY")
program perf --workflow "${WORKFLOW:?}" "${named[@]}" --artifact "torchgate${KEY:+.$KEY}-results" --output "${GITHUB_OUTPUT:?}"
