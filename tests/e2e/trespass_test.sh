#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Code under test that reaches beyond its own process: none of it makes a slow-down pass. In each of these `new` is 30 % slower
# than `old`.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 fake=$2
new_repository

# build SIDE LEVEL GROUPS: a suite with these times and, behind a script, these groups
build() {
  mkdir -p "$1" "kept/$1"
  rm -f "kept/$1/fake"
  cp "$fake" "kept/$1/fake"
  printf '\nFAKE_LEVEL=%s\n' "$2" >>"kept/$1/fake"
  printf '#!/bin/sh\nFAKE_GROUPS=%s exec "%s" "$@"\n' "$3" "$work/kept/$1/fake" >"$1/fake"
  chmod +x "$1/fake"
}
ab() { "$torchgate" ab --allow-noisy --quick --before old --after new --pairs 12 "$@"; }
judged() { [[ $(finding "$1" fake/lingers/fast/device:cpu) == "regressed fail"* ]] || complain "$2: $(finding "$1" fake/lingers/fast/device:cpu)"; }

# A daemon of the new side makes every report of the old one slower.
build old 1000 lingers
build new 1300 lingers,haunts
exits_with 1 ab --json haunts.json
judged haunts.json "a daemon"
grep -q "fake/haunts: its process ended with child processes still running" haunts.json || complain "the daemon is not told"

# The new side writes into the old one's script, and sets its time of modification back.
build old 1000 lingers
build new 1300 lingers,rewrites
FAKE_VICTIM="$work/old/fake" exits_with 2 ab
says "$work/old/fake changed since the first launch"
finish
