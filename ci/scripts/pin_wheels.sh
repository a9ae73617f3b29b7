#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# pin_wheels.sh [cpu] [full] [lint] [axe] [release] [--torch VERSION]: writes the files that setup.sh installs the wheels of LibTorch (cpu, full), of the tools
# of tests/lint (lint) and of axe-core (axe) from, and release.sh its tools: every wheel with its version and the SHA-256 of its content, for each CPython
# whose pip may be the one that installs. By default all five. --torch: of another version of LibTorch than the table's, in files that have
# it in their names (cpu and full; what its CPU path needs beside it is read from what it depends on). Run it after a version in cmake/torchgate_dependencies.cmake or
# lint_tools.sh was changed, and review what it changed. Nothing large is downloaded: the package index names the hashes.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"
source "$(dirname "${BASH_SOURCE[0]}")/lint_tools.sh"

table=$repository/cmake/torchgate_dependencies.cmake
target=$repository/ci/scripts
# The oldest first: the others must resolve to the same.
pythons=(3.10 3.11 3.12 3.13 3.14)
torch_python=3.11 # the oldest that LibTorch has wheels for since 2.15
platforms=()
newest_glibc=28 # torch's own; Debian 12 has 2.36
for tag in $(seq -f _2_%g "$newest_glibc" -1 5) 2014 2010 1; do platforms+=(--platform "manylinux${tag}_x86_64"); done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# resolve SET PYTHON PIP-ARGUMENT...: what pip would install, as its report
resolve() {
  local set=$1 python=$2
  shift 2
  "${TORCHGATE_PYTHON:-python3}" -m pip install --quiet --disable-pip-version-check --no-input --dry-run --ignore-installed \
    --only-binary=:all: --target "$work/nowhere" --python-version "$python" --implementation cp --abi "cp${python/./}" \
    --abi abi3 --abi none "${platforms[@]}" --constraint "$work/$set.versions" --report "$work/$set-$python.json" "$@" ||
    give_up 1 "pip cannot resolve $* for CPython $python (its message is above)"
  # The first Python's versions are everybody's.
  [[ -s $work/$set.versions ]] || python3 - "$work/$set-$python.json" >"$work/$set.versions" <<'PYTHON'
import json, sys
for each in json.load(open(sys.argv[1]))["install"]:
    print(f'{each["metadata"]["name"]}=={each["metadata"]["version"]}')
PYTHON
}

write_pins() {
  local set=$1 what=$2 file=$target/wheels-$1.txt
  [[ $set != cpu && $set != full ]] || file=$target/wheels-$set${torch:+-$torch}.txt
  python3 - "$what" "$work/$set"-*.json >"$work/$set.txt" <<'PYTHON'
import json, sys
pins = {}
for report in sys.argv[2:]:
    for each in json.load(open(report))["install"]:
        name = each["metadata"]["name"].lower().replace("_", "-").replace(".", "-")
        pin = pins.setdefault(name, (each["metadata"]["version"], {}))
        assert pin[0] == each["metadata"]["version"], f"{name}: {pin[0]} and {each['metadata']['version']}"
        wheel = each["download_info"]["url"].rsplit("/", 1)[1]
        pin[1][each["download_info"]["archive_info"]["hashes"]["sha256"]] = wheel
print("# SPDX-License-Identifier: Apache-2.0")
print(f"# {sys.argv[1]}")
print("# Written by ci/scripts/pin_wheels.sh, for `pip install --require-hashes`.")
for name in sorted(pins):
    version, wheels = pins[name]
    print(f"{name}=={version}", end="")
    for sha256, wheel in sorted(wheels.items(), key=lambda item: item[1]):
        print(f" \\\n    --hash=sha256:{sha256}", end="")
    print()
PYTHON
  mv "$work/$set.txt" "$file"
  say "$file: $(grep -c '==' "$file") packages, $(grep -c 'sha256:' "$file") wheels"
}

# pin SET WHAT OLDEST-PYTHON PIP-ARGUMENT...
pin() {
  local set=$1 what=$2 oldest=$3 python
  shift 3
  : >"$work/$set.versions"
  for python in "${pythons[@]}"; do
    ((${python#3.} < ${oldest#3.})) || resolve "$set" "$python" "$@"
  done
  write_pins "$set" "$what"
}

# "torch==2.11.0" and what its CPU path is linked with, of all that it depends on.
with_companions() {
  : >"$work/all.versions"
  resolve all "$torch_python" "torch==$1"
  grep -E '^(torch|nvidia-cuda-(runtime|cupti)(-cu[0-9]+)?)==' "$work/all.versions" | sort -r
}

torch="" sets=()
while (($#)); do
  case $1 in
    --torch) (($# > 1)) || give_up 2 "--torch needs a version, such as 2.11.0"; torch=$2; shift ;;
    *) sets+=("$1") ;;
  esac
  shift
done
mapfile -t torch_wheels < <(if [[ -n $torch ]]; then with_companions "$torch"; else pinned pypi; fi)
((${#torch_wheels[@]})) || exit 1 # with the message of resolve
mapfile -t release_wheels < <(pinned release-pypi)
mapfile -t axe_wheels < <(pinned lint-pypi)
if ((${#sets[@]} == 0)) && [[ -n $torch ]]; then sets=(cpu full); fi
((${#sets[@]})) || sets=(cpu full lint axe release)
for set in "${sets[@]}"; do
  case $set in
    cpu) pin cpu "The wheels of LibTorch that its CPU path needs (installed without their dependencies)." "$torch_python" --no-deps "${torch_wheels[@]}" ;;
    full) pin full "The wheels of LibTorch with every CUDA library and everything else that they depend on." "$torch_python" "${torch_wheels[@]}" ;;
    lint) pin lint "The tools of tests/lint that Debian does not have, with everything that they depend on." "$lint_python" "${lint_wheels[@]}" ;;
    axe) pin axe "axe-core for tests/e2e/accessibility_test.sh (installed without Playwright, which the wheel depends on)." 3.0 --no-deps "${axe_wheels[@]}" ;;
    release) pin release "The tools of ci/scripts/release.sh and everything that they depend on." 3.0 "${release_wheels[@]}" ;;
    *) give_up 2 "unknown set '$set'; use some of: cpu full lint axe release" ;;
  esac
done
