#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Do the files of a release work? Compares them with SHA256SUMS, runs the program in the oldest supported system (a Debian 11 that
# portable_sysroot.sh made, by chroot), and installs the wheel into empty virtual environments, of this machine and in there.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"

usage="usage: ci/scripts/release_check.sh DIR [--root DIR]
  DIR         the files that release.sh made
  --root DIR  the folder of portable_sysroot.sh, with deb11/ (default: build/portable-root); without a deb11/ only this machine is checked
Exit code: 0 everything works, 1 something does not, 2 wrong usage."

files="" root=$repository/build/portable-root
while (($#)); do
  case $1 in
    --root) (($# > 1)) || give_up 2 "--root needs a folder"; root=$2; shift ;;
    -h | --help) echo "$usage"; exit 0 ;;
    -*) give_up 2 "unknown argument '$1'"$'\n'"$usage" ;;
    *) files=$1 ;;
  esac
  shift
done
[[ -f $files/SHA256SUMS ]] || give_up 2 "'$files' has no SHA256SUMS; name the folder that release.sh made"
files=$(realpath -- "$files") root=$(realpath --canonicalize-missing -- "$root")
before=$repository/tests/fixtures/import/google_benchmark_1.7.1.json
version=$(sed -nE 's/^project\(torchgate VERSION ([0-9.]+).*/\1/p' "$repository/CMakeLists.txt")
program=torchgate-$version-linux-x86_64
work=$(mktemp -d)
inside="" # what is copied into the Debian 11
trap 'rm -rf "$work"; [[ -z $inside ]] || as_root rm -rf "$inside"' EXIT

# The doctor exits with 3 where a machine cannot be measured on, which says nothing of the program. The compared file is made slower: each
# time gets one more digit.
works_sh='
set -eu
torchgate=$1 before=$2 version=$3
said=$("$torchgate" --version)
echo "$said"
case $said in *"$version"*) ;; *) echo "expected version $version" >&2; exit 1 ;; esac
code=0
"$torchgate" doctor >doctor.txt || code=$?
[ "$code" -eq 0 ] || [ "$code" -eq 3 ] || { cat doctor.txt; echo "doctor: exit code $code" >&2; exit 1; }
head -n 6 doctor.txt
code=0
sed -E "s/(\"(real|cpu)_time\": )([0-9])/\19\3/" "$before" >after.json
"$torchgate" compare --rule textbook "$before" after.json >compare.txt || code=$?
[ "$code" -eq 1 ] && grep -q "5 regressed" compare.txt || { cat compare.txt; echo "compare: exit code $code" >&2; exit 1; }
head -n 6 compare.txt
'

# A file without a hash would be published unchecked.
check_sums() {
  local unlisted
  unlisted=$(comm -23 <(cd "$files" && find . -mindepth 1 ! -path ./SHA256SUMS -printf '%P\n' | sort) <(sed -E 's/^[0-9a-f]+ [ *]//' "$files/SHA256SUMS" | sort))
  [[ -z $unlisted ]] || { echo "not in SHA256SUMS: ${unlisted//$'\n'/, }"; return 1; }
  (cd "$files" && sha256sum --check --strict SHA256SUMS)
}

# An empty virtual environment, and nothing from a package index.
venv_sh='
set -eu
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check --no-index --no-cache-dir ./*.whl
venv/bin/python -m pip list --disable-pip-version-check 2>/dev/null | grep -i "^torchgate"
'

check_here() {
  cd "$work" && cp "$files"/*.whl . && sh -c "$venv_sh" &&
    sh -c "$works_sh" works venv/bin/torchgate "$before" "$version" && cmp venv/bin/torchgate "$files/$program" &&
    venv/bin/torchgate help --man | cmp - venv/share/man/man1/torchgate.1
}

# With its own /proc, in a mount namespace that ends with the command; without one where that is not allowed (a container).
in_deb11() {
  local mounted='mount -t proc proc "$0/proc" && exec chroot "$0" "$@"'
  if as_root unshare --mount sh -c 'mount -t proc proc "$0/proc"' "$root/deb11" 2>/dev/null; then
    as_root unshare --mount sh -c "$mounted" "$root/deb11" "$@"
  else
    say "warning: /proc cannot be mounted here; the doctor sees less"
    as_root chroot "$root/deb11" "$@"
  fi
}

check_deb11() {
  in_deb11 sh -c 'cat /etc/debian_version; ldd --version | head -n 1' &&
    in_deb11 sh -c "cd ${inside#"$root/deb11"} && $works_sh" works "./$program" before.json "$version" &&
    in_deb11 sh -c "cd ${inside#"$root/deb11"} && $venv_sh" &&
    in_deb11 sh -c "cd ${inside#"$root/deb11"} && $works_sh" works venv/bin/torchgate before.json "$version"
}

step "compare the files with SHA256SUMS" check_sums
step "install the wheel into an empty virtual environment" check_here
if [[ -d $root/deb11 ]]; then
  inside=$(as_root mktemp -d "$root/deb11/tmp/release-check.XXXXXX")
  as_root chmod 755 "$inside"
  as_root cp "$files/$program" "$files"/*.whl "$inside"
  as_root cp "$before" "$inside/before.json"
  step "run the program and install the wheel in Debian 11" check_deb11
else
  say "warning: $root/deb11 is missing; nothing was run in Debian 11"
fi
