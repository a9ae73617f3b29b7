#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Provides the program: the one that TORCHGATE_PROGRAM names; else that of the job `program`, whose hash this job was given; else a release
# whose checksum and attestation are verified; else a build from this action's own sources. Outputs: `program`, its path, its `sha256`, `shard`, and
# `artifact`, with which the names of artifacts begin.
source "$(dirname "${BASH_SOURCE[0]}")/job.sh"

owner=torchgate/torchgate
server=${GITHUB_SERVER_URL:-https://github.com}
releases=${TORCHGATE_RELEASES:-$server/$owner/releases/download}
sources=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
version=${VERSION:-$(sed -nE 's/^project\(torchgate VERSION ([0-9.]+).*/\1/p' "$sources/CMakeLists.txt")}
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || give_up "version: '$version' is not of the form 1.2.3"

# Which shard this is, for names of artifacts; strategy.job-index is 0 inside an action.
[[ ${SHARD:=1/1} =~ ^[1-9][0-9]*/[1-9][0-9]*$ ]] || give_up "shard: '$SHARD' is not of the form I/N"

[[ ${KEY:=} =~ ^[A-Za-z0-9._-]*$ ]] || give_up "key: '$KEY' has characters other than letters, digits, '.', '_' and '-'"

# No step of the action has another one as its condition: the job would be green.
[[ -z ${STEPS:-} || " $STEPS " == *" ${STEP:-} "* ]] || give_up "step: '${STEP:-}' is none of: $STEPS"

finish() {
  local hash
  "$1" --version || give_up "$1 does not start on this machine"
  hash=$(sha256sum <"$(command -v "$1")")
  printf 'program=%s\nsha256=%s\nshard=%s\nartifact=torchgate%s\n' "$1" "${hash%% *}" "${SHARD%/*}" "${KEY:+.$KEY}" >>"${GITHUB_OUTPUT:?}"
  exit 0
}

# The program of the job `program`. Anything in this run can upload an artifact; the hash is an output of a job that ran no foreign code.
take_artifact() {
  local file=$folder/program/torchgate
  [[ $PROGRAM_SHA256 =~ ^[0-9a-f]{64}$ ]] || give_up "program-sha256: '$PROGRAM_SHA256' is not a hash"
  [[ -f $file && ! -L $file ]] || give_up "the artifact of the job program is missing; run all jobs of the workflow again"
  sha256sum --check --strict --quiet - <<<"$PROGRAM_SHA256  $file" ||
    give_up "the artifact of the job program is not what that job uploaded"
  chmod +x "$file"
  ! "$file" --version >/dev/null || finish "$file"
  echo "the program of the job program does not start in this image; providing another one"
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
  # Of GitHub Enterprise, gh reads the host and the token from other variables.
  [[ $server == https://github.com ]] || export GH_HOST=${server#*://} GH_ENTERPRISE_TOKEN=${GH_TOKEN:-}
  gh attestation verify "$name" --repo "$owner" --signer-workflow "$owner/.github/workflows/release.yml" \
    --source-ref "refs/tags/v$version" >/dev/null ||
    give_up "$name: not built by the workflow of $owner (gh attestation verify)"
  chmod +x "$name"
  finish "$into/$name"
}

[[ -z ${TORCHGATE_PROGRAM:-} ]] || finish "$TORCHGATE_PROGRAM"
[[ -z ${PROGRAM_SHA256:-} ]] || take_artifact
download || echo "$version cannot be downloaded from $releases; building it from the sources of this action"
cd "$sources"
CI="" ci/scripts/setup.sh --program  # CI: the linters, too
cmake -S . -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DTORCHGATE_SUITES=OFF -DTORCHGATE_TESTS=OFF
cmake --build "$folder/build" --target torchgate
finish "$folder/build/ci/cli/torchgate"
