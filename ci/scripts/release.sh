#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the files of a release and checks them: one program without LibTorch that runs from glibc 2.31 on (Debian 11 to Ubuntu 24.04 and
# newer), a Python wheel that carries it, the SBOM and the licence texts of what is inside, and SHA256SUMS. The same commit gives the same
# bytes wherever it is built, as long as Debian's packages are the same (their versions are in the SBOM).
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

usage="usage: ci/scripts/release.sh [--out DIR] [--root DIR] [--program FILE] [--inputs DIR] [--for-this-machine] [--no-check]
  --out DIR       the folder for the files (default: build/release-files); what an earlier release.sh left there is replaced
  --root DIR      the folder of portable_sysroot.sh (default: build/portable-root)
  --program FILE  pack this program instead of building one; it has to pass the same checks
  --for-this-machine  pack it although other systems cannot run it; for tests
  --inputs DIR    what that build read, for the SBOM: torchgate.map, deps.txt, embedded.txt (default: build/portable)
  --no-check      do not install and run the files; ci/scripts/release_check.sh does it later
Exit code: 0 the files are made and work, 1 a step failed or a file is not fit to be released, 2 wrong usage.
Needs Debian 12 for building: its compiler and static libraries. TORCHGATE_PROJECT_URL=URL: the address in the wheel's metadata
(default: of the git remote \"origin\", if that is an https address)."

out=$repository/build/release-files root=$repository/build/portable-root inputs=$repository/build/portable
program="" want_check=yes want_fit=yes
while (($#)); do
  case $1 in
    --out | --root | --program | --inputs)
      (($# > 1)) || give_up 2 "$1 needs a path"
      printf -v "${1#--}" %s "$2"
      shift ;;
    --for-this-machine) want_fit=no ;;
    --no-check) want_check=no ;;
    -h | --help) echo "$usage"; exit 0 ;;
    *) give_up 2 "unknown argument '$1'"$'\n'"$usage" ;;
  esac
  shift
done

out=$(realpath --canonicalize-missing -- "$out") root=$(realpath --canonicalize-missing -- "$root")
[[ ! -e $out || -f $out/SHA256SUMS || -z $(ls -A "$out") ]] || give_up 2 "$out has other files; name an empty or a new folder with --out"
table=$repository/cmake/torchgate_dependencies.cmake
tool_list=$repository/ci/scripts/wheels-release.txt
deps=${TORCHGATE_DEPS_DIR:-$repository/.deps}
version=$(sed -nE 's/^project\(torchgate VERSION ([0-9.]+).*/\1/p' "$repository/CMakeLists.txt")
commit=$(git -C "$repository" rev-parse HEAD) || give_up 1 "$repository is not a git repository; a release needs a commit"
date=$(git -C "$repository" log -1 --format=%ct)
export SOURCE_DATE_EPOCH=$date TZ=UTC LC_ALL=C
# Neither the caller's compiler flags nor search paths belong to a release.
unset LIBRARY_PATH CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH CXXFLAGS CPPFLAGS LDFLAGS CXX CMAKE_PREFIX_PATH
umask 022

# --- What a release needs ---------------------------------------------------------------------------------------------

# from PREFIX: "name version" of the rows of the table that come from PREFIX
from() {
  awk -F'|' -v prefix="^$1:" '/^# \|/ { n = split($4, each, " "); gsub(/ /, "", $3)
    for (i = 1; i <= n; i++) if (sub(prefix, "", each[i])) print each[i], $3 }' "$table"
}

install_packages() {
  local name missing=()
  while read -r name _; do
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null) == installed ]] || missing+=("$name")
  done < <(from release-deb)
  ((${#missing[@]})) || return 0
  local apt=(as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300)
  logged_step "$deps/apt-update.log" "read the package lists" "${apt[@]}" update || say "warning: continuing with the existing package lists"
  logged_step "$deps/apt-release.log" "install ${missing[*]}" "${apt[@]}" install -y --no-install-recommends "${missing[@]}" ||
    give_up 1 "apt-get could not install: ${missing[*]} (its message is above)"
}

# Python tools in a folder named after the list of their hashes, so that a changed list is installed anew.
tools=$deps/release-tools-$(sha256sum "$tool_list" | cut -c1-12)
install_tools() {
  local name pinned
  while read -r name pinned; do
    grep -q -- "^$name==$pinned " "$tool_list" || give_up 1 "${tool_list#"$repository"/}: $name $pinned of ${table#"$repository"/} is missing; run ci/scripts/pin_wheels.sh release"
  done < <(from release-pypi)
  [[ ! -d $tools ]] || return 0
  rm -rf "$tools.part"
  env PIP_USER=0 PIP_REQUIRE_VIRTUALENV=0 PIP_ROOT_USER_ACTION=ignore \
    python3 -m pip install --quiet --disable-pip-version-check --no-input --no-compile --only-binary=:all: --target "$tools.part" \
    --require-hashes --requirement "$tool_list" || give_up 1 "pip could not install what ${tool_list#"$repository"/} lists (its message is above)"
  mv "$tools.part" "$tools"
}
with_tools() { env PYTHONPATH="$tools" PYTHONDONTWRITEBYTECODE=1 "$@"; }

# --- The files --------------------------------------------------------------------------------------------------------

build_program() {
  cmake --fresh --preset portable -DTORCHGATE_SYSROOT="$root/sysroot" &&
    cmake --build --preset portable --clean-first && ninja -C "$inputs" -t deps >"$inputs/deps.txt"
}

validate_sbom() {
  with_tools python3 - "$1" <<'PYTHON'
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(open(sys.argv[1]).read())
sys.exit(f"{sys.argv[1]}: not CycloneDX 1.6: {error.data.json_path}: {error.data.message}" if error else 0)
PYTHON
}

project_url() {
  local url=${TORCHGATE_PROJECT_URL:-}
  [[ -n $url ]] || url=$(git -C "$repository" remote get-url origin 2>/dev/null || true)
  [[ $url != https://* ]] || echo "${url%.git}"
}

build_wheel() {
  local stage=$out.part/stage shell
  mkdir "$stage" && "$1" help --man >"$stage/torchgate.1" || return
  for shell in bash zsh fish; do "$1" completion "$shell" >"$stage/torchgate.$shell" || return; done
  cp "$repository"/ci/wheel/* "$repository/LICENSE" "$repository/CMakeLists.txt" "$stage" &&
    cp "$1" "$stage/torchgate" && cp "$2" "$stage/sbom.cdx.json" && cp "$3" "$stage/licences.txt" &&
    (cd "$stage" && with_tools env TORCHGATE_PROJECT_URL="$(project_url)" python3 -m hatchling build -t wheel -d "$out.part") &&
    rm -rf "$stage"
}

[[ -n $program ]] || install_packages
step "install the tools of $(basename "$tool_list")" install_tools
[[ -z $(git -C "$repository" status --porcelain) ]] || {
  commit+=-modified
  say "warning: the work tree differs from its commit: do not release these files"
}
if [[ -z $program ]]; then
  "$repository/ci/scripts/portable_sysroot.sh" "$root"
  logged_step "$repository/build/portable.log" "build the program (preset portable)" build_program
  program=$inputs/ci/cli/torchgate
fi
rm -rf "$out.part"
mkdir -p "$out.part"
out_program=$out.part/torchgate-$version-linux-x86_64
out_sbom=$out.part/torchgate-$version.cdx.json out_licences=$out.part/torchgate-$version-licences.txt
install -m 755 "$program" "$out_program"

step "check what the program needs" "$repository/ci/scripts/check_program.py" "$out_program" ||
  [[ $want_fit == no ]] || give_up 1 "the program is not fit to be released (see above)"
step "write the SBOM and the licence texts" "$repository/ci/scripts/sbom.py" --program "$out_program" --version "$version" \
  --commit "$commit" --date "$date" --sysroot "$root/sysroot" --inputs "$inputs" -o "$out_sbom" --licences "$out_licences"
step "check the SBOM against the schema of CycloneDX 1.6" validate_sbom "$out_sbom"
step "build the wheel" build_wheel "$out_program" "$out_sbom" "$out_licences"
(cd "$out.part" && sha256sum -- * >"$out.sums" && mv "$out.sums" SHA256SUMS)
[[ $want_check == no ]] || "$repository/ci/scripts/release_check.sh" "$out.part" --root "$root" ||
  give_up 1 "the files do not work (see above); they are in $out.part, and $out is as it was"
rm -rf "$out"
mv "$out.part" "$out"
say "torchgate $version, commit $commit: $out"
(cd "$out" && ls -l && cat SHA256SUMS)
