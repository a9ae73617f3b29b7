#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes what the released program is built against (cmake/portable/toolchain.cmake), below one folder: deb11/, a Debian 11 that runs
# (debootstrap checks Debian's signatures), and sysroot/, with the C library of that Debian 11 and, of this Debian 12, the headers and
# static libraries of the packages that cmake/torchgate_dependencies.cmake has in the program. Beside them, for the SBOM:
#   sysroot/packages.tsv   every file and its package
#   sysroot/versions.tsv   every package, its version and its distribution
#   sysroot/copyright/     every package's licence text
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

usage="usage: ci/scripts/portable_sysroot.sh DIR
  DIR  the folder for deb11/ and sysroot/; a finished deb11/ is kept
Exit code: 0 both are there, 1 a step failed, 2 wrong usage.
TORCHGATE_DEBIAN_MIRROR=URL: where Debian 11 is read from (default: deb.debian.org, then archive.debian.org)."

[[ ${1:-} != -h && ${1:-} != --help ]] || { echo "$usage"; exit 0; }
[[ $# == 1 && $1 != -* ]] || give_up 2 "expected one folder"$'\n'"$usage"
mkdir -p "$1"
dir=$(cd "$1" && pwd)
deb11=$dir/deb11 sysroot=$dir/sysroot
table=$repository/cmake/torchgate_dependencies.cmake
mirrors=(http://deb.debian.org/debian http://archive.debian.org/debian)
[[ -z ${TORCHGATE_DEBIAN_MIRROR:-} ]] || mirrors=("$TORCHGATE_DEBIAN_MIRROR")
# libc6-dev is built against; python3-venv is for the check that installs the wheel there.
deb11_packages=libc6-dev,python3-venv
# From Debian 11; all other packages of the table are this system's.
old_packages=(libc6-dev linux-libc-dev)
# Needed to link, and not part of the program: shared libraries.
linked_shared=(libc6 libgcc-s1)

# In a .part folder until it is whole.
make_deb11() {
  local mirror
  for mirror in "${mirrors[@]}"; do
    as_root rm -rf "$deb11.part"
    as_root debootstrap --variant=minbase --include="$deb11_packages" bullseye "$deb11.part" "$mirror" || continue
    as_root mv "$deb11.part" "$deb11"
    return
  done
  return 1
}

packages_of_program() { awk -F'|' '/^# \+/ { gsub(/ /, ""); if ($2 != "package") print $2 }' "$table"; }

# Those packages are found beside the compiler, not in the system root.
is_compiler() { [[ $1 =~ ^lib(gcc|stdc\+\+)-[0-9]+-dev$ ]]; }
is_old() { [[ " ${old_packages[*]} " == *" $1 "* ]]; }

# take ROOT PACKAGE...: headers, libraries and scripts of the packages that are installed in ROOT. Of this system no shared libraries: a library
# that has no static one must not be found. The compiler finds its own files without a system root.
take() {
  local root=$1 package unwanted='^$'
  shift
  [[ $root != / ]] || unwanted='\.so(\.|$)'
  for package; do
    dpkg-query --admindir="$root/var/lib/dpkg" -L "$package" | grep -E '^(/usr)?/((include|lib|lib64|share/cmake)/|share/javascript/[^/]+/[^/]+\.min\.(js|css)$)' |
      grep -Ev "$unwanted" | sed 's|^/||' >"$dir/files" ||
      give_up 1 "package $package has no headers, libraries or scripts; correct its row in ${table#"$repository"/}"
    tar -C "$root" --no-recursion -c --files-from "$dir/files" | tar -C "$sysroot" -x --keep-directory-symlink ||
      give_up 1 "cannot copy the files of $package to $sysroot"
    [[ " ${linked_shared[*]} " == *" $package "* ]] || sed "s|^|/|; s|\$|\t$package|" "$dir/files" >>"$sysroot/packages.tsv"
  done
}

# describe ROOT DISTRIBUTION PACKAGE: its version and its licence text
describe() {
  local version
  version=$(dpkg-query --admindir="$1/var/lib/dpkg" -W -f '${Version}' "$3") || give_up 1 "package $3 is not installed; run ci/scripts/setup.sh --core"
  printf '%s\t%s\t%s\n' "$3" "$version" "$2" >>"$sysroot/versions.tsv"
  # The compiler's packages share one text, by a link to a folder.
  cp -L "$1/usr/share/doc/$3/copyright" "$sysroot/copyright/$3" || give_up 1 "package $3 has no licence text; install it again"
}

make_sysroot() {
  local package link
  rm -rf "$sysroot"
  mkdir -p "$sysroot"/usr/{lib,lib64,include} "$sysroot/copyright"
  ln -s usr/lib "$sysroot/lib"
  ln -s usr/lib64 "$sysroot/lib64"
  take "$deb11" "${linked_shared[@]}" "${old_packages[@]}"
  while read -r package; do
    if is_old "$package"; then
      describe "$deb11" "debian-11" "$package"
    else
      describe "" "debian-12" "$package"
      if is_compiler "$package"; then
        dpkg-query -L "$package" | sed "s|\$|\t$package|" >>"$sysroot/packages.tsv"
      else
        take / "$package"
      fi
    fi
  done < <(packages_of_program)
  # A link such as libpthread.so -> /lib/... would leave the system root.
  find "$sysroot" -type l -lname '/*' -print0 | while IFS= read -r -d '' link; do
    ln -sfnr "$sysroot$(readlink "$link")" "$link"
  done
  rm -f "$dir/files"
}

command -v debootstrap >/dev/null || give_up 1 "debootstrap is missing; run apt-get install debootstrap"
[[ -s $deb11/etc/debian_version ]] || logged_step "$dir/debootstrap.log" "make a Debian 11 in $deb11" make_deb11
step "collect the C library of Debian 11 and static libraries in $sysroot" make_sysroot
