#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# On a push, after measuring: puts the binaries of the new baseline where the next steps save them as a cache. Output: `large`, the key of
# the large ones.
source "$(dirname "${BASH_SOURCE[0]}")/objects.sh"
keep_objects
printf 'large=%s\n' "$(cat "$large_key")" >>"${GITHUB_OUTPUT:?}"
