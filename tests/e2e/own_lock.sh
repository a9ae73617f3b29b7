#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# own_lock.sh FILE COMMAND...: runs COMMAND with FILE in the place of the lock by which one torchgate at a time measures on a machine. For
# tests whose measured times decide nothing. Fails where this user may not mount.
set -euo pipefail
machine_lock=/tmp/torchgate.lock
: >>"$1"
[[ -e $machine_lock ]] || : >>"$machine_lock"
# shellcheck disable=SC2016  # the inner shell's arguments
exec unshare --mount bash -c 'mount --bind "$1" "$2" && shift 2 && exec "$@"' own_lock "$1" "$machine_lock" "${@:2}"
