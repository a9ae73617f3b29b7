#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The files of a release, made of the program of this build (nothing is built here), installed and run; and what release.sh refuses.
# ci/scripts/release.sh without --program builds the real one.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 repository=$2
scripts=$repository/ci/scripts
python3 -c 'import ensurepip' 2>/dev/null || { echo "skipped: python3 cannot make virtual environments (apt-get install python3-venv)"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# What portable_sysroot.sh and a build leave: one file was read of each package that is in the program.
root=$work/root inputs=$work/inputs
mkdir -p "$root/sysroot/copyright" "$inputs"
sysroot=$(realpath "$root/sysroot")
echo "Archive member included to satisfy reference by file (symbol)" >"$inputs/torchgate.map"
awk -F'|' '/^# \+/ { gsub(/[# +]/, "", $1); gsub(/ /, "", $2); if ($2 != "package") print $1, $2 }' \
  "$repository/cmake/torchgate_dependencies.cmake" >rows
while read -r what package; do
  printf '%s\t1.0+b1\tdebian-12\n' "$package" >>"$root/sysroot/versions.tsv"
  echo "licence of $package" >"$root/sysroot/copyright/$package"
  printf '/usr/include/%s.h\t%s\n' "$package" "$package" >>"$root/sysroot/packages.tsv"
  at=$sysroot
  [[ $what != compiler ]] || at=
  echo "    $at/usr/include/$package.h" >>"$inputs/deps.txt"
done <rows
printf '/usr/lib/libre2.a\tlibre2-dev\n' >>"$root/sysroot/packages.tsv"
echo "$sysroot/usr/lib/libre2.a(re2.o)" >>"$inputs/torchgate.map"

release() { exits_with "$1" "$scripts/release.sh" --root "$root" --inputs "$inputs" "${@:2}"; }

# Made, installed and run; a second time with the same bytes.
code=0
out=$("$scripts/release.sh" --root "$root" --inputs "$inputs" --program "$torchgate" --for-this-machine --out first 2>&1) || code=$?
[[ $out != *"pip could not install"* ]] || { echo "skipped: no package index for the tools of release.sh"; exit 77; }
((code == 0)) || { complain "release.sh: exit code $code"; echo "$out"; finish; }
says "install the wheel into an empty virtual environment: done"
says "nothing was run in Debian 11"
release 0 --program "$torchgate" --for-this-machine --no-check --out second
cmp first/SHA256SUMS second/SHA256SUMS || complain "the second release has other bytes"

version=$("$torchgate" --version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+')
files=$(cd first && echo *)
[[ $files == "SHA256SUMS torchgate-$version-licences.txt torchgate-$version-linux-x86_64 torchgate-$version-py3-none-manylinux_2_31_x86_64.whl torchgate-$version.cdx.json" ]] ||
  complain "other files: $files"
python3 - "first/torchgate-$version.cdx.json" first/*.whl "$torchgate" rows <<'PYTHON' || complain "the SBOM or the wheel is not as expected"
import hashlib, json, subprocess, sys, zipfile
bill = json.load(open(sys.argv[1]))
packages = [line.split()[1] for line in open(sys.argv[4])]
assert [c["purl"].split("@")[0] for c in bill["components"]] == [f"pkg:deb/debian/{p}" for p in packages], bill["components"]
assert all(c["version"] == "1.0+b1" and c["licenses"] for c in bill["components"])
assert bill["metadata"]["component"]["hashes"][0]["content"] == hashlib.sha256(open(sys.argv[3], "rb").read()).hexdigest()
wheel = zipfile.ZipFile(sys.argv[2])
names = {name.partition("/")[2]: wheel.getinfo(name) for name in wheel.namelist()}
assert {"scripts/torchgate", "METADATA", "sboms/sbom.cdx.json", "licenses/LICENSE", "licenses/licences.txt"} <= set(names), names
assert names["scripts/torchgate"].external_attr >> 16 & 0o111, "the program cannot be executed"
pages = {"bash-completion/completions/torchgate": ["completion", "bash"], "zsh/site-functions/_torchgate": ["completion", "zsh"],
         "fish/vendor_completions.d/torchgate.fish": ["completion", "fish"], "man/man1/torchgate.1": ["help", "--man"]}
for page, arguments in pages.items():
    made = subprocess.run([sys.argv[3], *arguments], capture_output=True, check=True).stdout
    assert made and wheel.read(names[f"data/share/{page}"]) == made, page
assert b"licence of libre2-dev" in wheel.read(names["licenses/licences.txt"])
metadata = wheel.read(names["METADATA"]).decode()
assert "Requires-Python: >=3.8" in metadata and "License-Expression: Apache-2.0" in metadata, metadata
PYTHON

# This build's program needs the libraries of this machine.
release 1 --program "$torchgate" --out refused
says "which not every system has"
[[ ! -e refused ]] || complain "refused files are there"

# program GLIBC-VERSION NAME: stripped, needing one function of that version from libc.so.6, and nothing else
program() {
  echo "GLIBC_$1 { global: brand_new; local: *; };" >map
  echo 'extern "C" void brand_new() {}' >libc.cpp
  echo 'extern "C" void brand_new(); extern "C" void _start() { brand_new(); }' >start.cpp
  "${CXX:-g++}" -shared -nostdlib -Wl,-soname,libc.so.6 -Wl,--version-script=map libc.cpp -o libc_made.so
  "${CXX:-g++}" -s -nostdlib -nostartfiles start.cpp libc_made.so -o "$2"
}
program 2.31 fit
exits_with 0 "$scripts/check_program.py" fit
program 2.34 too_new
exits_with 1 "$scripts/check_program.py" too_new
says "needs brand_new of GLIBC_2.34, newer than GLIBC_2.31"
cp fit too_large
truncate -s 15000001 too_large
exits_with 1 "$scripts/check_program.py" too_large
says "15.0 MB, allowed are 15 MB"
exits_with 2 "$scripts/check_program.py" map

# The table and what the build read disagree.
cp -r "$inputs" more
echo "$sysroot/usr/lib/libextra.a(extra.o)" >>more/torchgate.map
exits_with 1 "$scripts/release.sh" --root "$root" --inputs more --program "$torchgate" --for-this-machine --out extra
says "/usr/lib/libextra.a is in the program, but of no package"
cp -r "$inputs" less
sed -i /libcli11/d less/deps.txt
exits_with 1 "$scripts/release.sh" --root "$root" --inputs less --program "$torchgate" --for-this-machine --out less_files
says "nothing of libcli11-dev is in the program"

# Files of somebody else stay, and a changed file is found.
mkdir other && echo kept >other/file
release 2 --program "$torchgate" --for-this-machine --out other
says "has other files"
[[ $out != *"install the tools"* ]] || complain "other files are refused only after the build"
[[ -f other/file ]] || complain "a file of somebody else is gone"
echo >>"second/torchgate-$version.cdx.json"
exits_with 1 "$scripts/release_check.sh" second --root "$root"
says "FAILED"
echo more >first/more
exits_with 1 "$scripts/release_check.sh" first --root "$root"
says "not in SHA256SUMS: more"
# A program that does not work: no folder that looks like a release.
printf '#!/bin/sh\n[ "$1" != --version ] || exec echo none\nexec "%s" "$@"\n' "$(realpath "$torchgate")" >broken
chmod +x broken
release 1 --program "$work/broken" --for-this-machine --out broken_files
says "the files do not work"
[[ ! -e broken_files ]] || complain "files that do not work are in the folder of the release"
release 2 --wrong
says "unknown argument '--wrong'"
finish
