#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Provides the program: the one that TORCHGATE_PROGRAM names, else a release whose checksum and attestation are verified, else a build
# from this action's own sources. Outputs: `program`, its path, and `shard`.
source "$(dirname "${BASH_SOURCE[0]}")/job.sh"

owner=torchgate/torchgate
releases=${TORCHGATE_RELEASES:-https://github.com/$owner/releases/download}
sources=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
version=${VERSION:-$(sed -nE 's/^project\(torchgate VERSION ([0-9.]+).*/\1/p' "$sources/CMakeLists.txt")}
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || give_up "version: '$version' is not of the form 1.2.3"

# Which shard this is, for names of artifacts; strategy.job-index is 0 inside an action.
[[ ${SHARD:=1/1} =~ ^[1-9][0-9]*/[1-9][0-9]*$ ]] || give_up "shard: '$SHARD' is not of the form I/N"

finish() {
  "$1" --version || give_up "$1 does not start on this machine"
  printf 'program=%s\nshard=%s\n' "$1" "${SHARD%/*}" >>"${GITHUB_OUTPUT:?}"
  exit 0
}

# The release of this version: absent (1), or not what was attested (an error).
download() {
  local name=torchgate-$version-linux-x86_64 into=$folder/bin
  mkdir -p "$into"
  cd "$into"
  curl --fail --silent --show-error --location --retry 5 --max-time 300 --output SHA256SUMS "$releases/v$version/SHA256SUMS" || return 1
  curl --fail --silent --show-error --location --retry 5 --max-time 300 --output "$name" "$releases/v$version/$name" || return 1
  grep -E "^[0-9a-f]{64}  $name\$" SHA256SUMS | sha256sum --check --strict --quiet - ||
    give_up "$name: its content is not that of SHA256SUMS"
  command -v gh >/dev/null || give_up "gh: not installed; install the GitHub CLI, which verifies the attestation"
  gh attestation verify "$name" --repo "$owner" --signer-workflow "$owner/.github/workflows/release.yml" \
    --source-ref "refs/tags/v$version" >/dev/null ||
    give_up "$name: not built by the workflow of $owner (gh attestation verify)"
  chmod +x "$name"
  finish "$into/$name"
}

[[ -z ${TORCHGATE_PROGRAM:-} ]] || finish "$TORCHGATE_PROGRAM"
download || echo "$version cannot be downloaded from $releases; building it from the sources of this action"
cd "$sources"
ci/scripts/setup.sh --core
cmake -S . -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DTORCHGATE_SUITES=OFF -DTORCHGATE_TESTS=OFF
cmake --build "$folder/build" --target torchgate
finish "$folder/build/ci/cli/torchgate"
