#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the LibTorch of the input `libtorch`, before anything of the pull request runs; it may be there already, from the cache. The
# versions that this action has the hashes of are checked. Output: `root`, its folder.
source "$(dirname "${BASH_SOURCE[0]}")/job.sh"

sources=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
[[ ${LIBTORCH:-} =~ ^([0-9]+\.[0-9]+\.[0-9]+)(\+cuda)?$ ]] || give_up "libtorch: '${LIBTORCH:-}' is not of the form 2.15.0 or 2.15.0+cuda"
version=${BASH_REMATCH[1]} cuda=${BASH_REMATCH[2]}
pinned=$(sed -nE 's/^torch==([0-9.]+) .*/\1/p' "$sources/ci/scripts/wheels-cpu.txt")
into=$folder/libtorch set=cpu arguments=(--libtorch "$version")
[[ -z $cuda ]] || set=full arguments+=(--cuda)

# No hash of it is known here.
install_unpinned() {
  local python=${TORCHGATE_PYTHON:-python3} from=(--no-deps --index-url https://download.pytorch.org/whl/cpu)
  [[ -z $cuda ]] || from=()
  echo "::warning::LibTorch $version is not one that this action has the hashes of (such as $pinned): it is installed without a known hash"
  rm -rf "$into/part"
  env PIP_USER=0 PIP_REQUIRE_VIRTUALENV=0 PIP_ROOT_USER_ACTION=ignore "$python" -m pip install --quiet --disable-pip-version-check \
    --no-input --no-compile --only-binary=:all: "${from[@]}" --target "$into/part" "torch==$version" ||
    give_up "pip could not install torch $version"
  mv "$into/part" "$1"
}

dir=$into/libtorch-$version-$set
if [[ $version == "$pinned" || -s $sources/ci/scripts/wheels-$set-$version.txt ]]; then
  CI="" TORCHGATE_TORCH_ROOT="" TORCHGATE_DEPS_DIR=$into bash "$sources/ci/scripts/setup.sh" "${arguments[@]}" ||
    give_up "LibTorch $version cannot be installed"
elif [[ ! -s $dir/torch/lib/libtorch_cpu.so ]]; then
  mkdir -p "$into"
  install_unpinned "$dir"
fi
[[ -s $dir/torch/lib/libtorch_cpu.so ]] || give_up "$dir has no torch/lib/libtorch_cpu.so"
printf 'root=%s\n' "$dir/torch" >>"${GITHUB_OUTPUT:?}"
