#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Output `large`: the key of the large files of the restored binaries; none if nothing was restored.
source "$(dirname "${BASH_SOURCE[0]}")/objects.sh"
[[ -e $large_key ]] || exit 0
key=$(head -c 64 "$large_key")
[[ ! $key =~ ^[0-9a-f]{64}$ ]] || printf 'large=%s\n' "$key" >>"${GITHUB_OUTPUT:?}"
