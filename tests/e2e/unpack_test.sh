#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The artifact of an untrusted job: ordinary ones are unpacked, hostile ones are refused with nothing left behind, in the
# memory and time that reading them takes.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 address_space_mib=${2:-} # without: sanitizers reserve terabytes
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
python3 "$(dirname "${BASH_SOURCE[0]}")/hostile_zips.py" zips

# bounded COMMAND...: at most 20 s of CPU time, and a file of at most 65 MiB; bombs would need gigabytes
bounded() {
  (
    if [[ -n $address_space_mib ]]; then ulimit -v $((address_space_mib * 1024)); fi
    ulimit -t 20 -f $((65 * 1024))
    exec "$@"
  )
}

for zip in zips/good/*.zip; do
  exits_with 0 bounded "$torchgate" unpack "$zip" --into into
  says "into: "
  [[ $(cat into/run.json) == '{"schema":"torchgate.run/1"}' ]] || complain "$zip: run.json is not what was packed"
  [[ -z $(find into -type f -perm /7111) ]] || complain "$zip: an executable file"
  rm -r into
done

# each with the reason beside it
for zip in zips/hostile/*.zip; do
  exits_with 2 bounded "$torchgate" unpack "$zip" --into into
  says "torchgate: $zip: "
  says "$(cat "${zip%.zip}.reason")"
  if [[ -e into || $(echo torchgate-* .torchgate-*) != "torchgate-* .torchgate-*" ]]; then
    complain "$zip left something behind: $(ls -A)"
    rm -rf into
  fi
done
[[ $(ls -A) == zips ]] || complain "left behind: $(ls -A)"
[[ ! -e ../escaped.json && ! -e /tmp/escaped.json ]] || complain "a file escaped"

finish
