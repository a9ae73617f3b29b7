#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what torchgate needs and is missing: Debian packages, and LibTorch in .deps/. In three sets: the program, the suites, the tests.
# What and which version is read from the table in cmake/torchgate_dependencies.cmake. Running it again repairs what was interrupted, and otherwise
# changes nothing.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/steps.sh"
source "$(dirname "${BASH_SOURCE[0]}")/lint_tools.sh"

usage="usage: ci/scripts/setup.sh [--program | --suites | --core | --libtorch [VERSION]] [--cuda] [--compile] [--lint] [--fuzz]
                           [--torch-root DIR]
  --program         only what compiles torchgate (-DTORCHGATE_SUITES=OFF -DTORCHGATE_TESTS=OFF): no LibTorch
  --suites          that, LibTorch and what else the suites need, without what only the tests use
  --core            all packages, no LibTorch: enough for cmake --preset core
  --libtorch        LibTorch alone, no packages; VERSION: another one, in a folder of its own beside the tested one
  --cuda            LibTorch with every CUDA library (4.6 GB) instead of what its CPU path needs (1.2 GB)
  --compile         PyTorch for Python beside it (4.6 GB), which makes the compiled models of the suite compile
  --lint            the tools of tests/lint as well: clang-format, clang-tidy, shellcheck, yamllint, and in .deps/ zizmor and
                    check-jsonschema; and axe-core, which looks at HTML pages (also when the environment says CI)
  --fuzz            what ci/scripts/fuzz.sh builds with: clang and its sanitizers' libraries
  --torch-root DIR  use the LibTorch in DIR (also: TORCHGATE_TORCH_ROOT=DIR); nothing is downloaded
Exit code: 0 everything is installed, 1 an installation failed, 2 wrong usage or a system this script does not know."

table=$repository/cmake/torchgate_dependencies.cmake
deps=${TORCHGATE_DEPS_DIR:-$repository/.deps}
# Every wheel with the hash of its content, written by pin_wheels.sh.
wheel_lists=${TORCHGATE_WHEEL_LISTS:-$repository/ci/scripts}
os_release=${TORCHGATE_OS_RELEASE:-/etc/os-release}
tested_system="debian 12"
# The tools themselves are not in the table: it lists what the code is built against.
base_packages=(ca-certificates g++ git)
python_packages=(python3 python3-pip)  # LibTorch and the linters are wheels; compiling the program needs none
fuzz_packages=(clang-14 libclang-rt-14-dev)
# Debian starts these when it installs them; the tests start servers of their own.
service_packages=(munge slurmctld slurmd redis-server prometheus)
etc=${TORCHGATE_ETC_DIR:-/etc}

other_torch="" # a version that is not the tested one
want_sets=(program suites tests) want_torch=yes want_full=no want_python=no want_lint=${CI:+yes} want_fuzz=no torch_root=${TORCHGATE_TORCH_ROOT:-}

parse_arguments() {
  while (($#)); do
    case $1 in
      --program) want_sets=(program) want_torch=no ;;
      --suites) want_sets=(program suites) ;;
      --core) want_torch=no ;;
      --libtorch) want_sets=(); [[ ! ${2:-} =~ ^[0-9] ]] || { other_torch=$2; shift; } ;;
      --libtorch=*) want_sets=() other_torch=${1#*=} ;;
      --cuda) want_full=yes ;;
      --compile) want_python=yes ;;
      --lint) want_lint=yes ;;
      --fuzz) want_fuzz=yes ;;
      --torch-root) (($# > 1)) || give_up 2 "--torch-root needs a folder"; torch_root=$2; shift ;;
      --torch-root=*) torch_root=${1#*=} ;;
      -h | --help) echo "$usage"; exit 0 ;;
      *) give_up 2 "unknown argument '$1'"$'\n'"$usage" ;;
    esac
    shift
  done
}

check_system() {
  local machine name=unknown id="" version=""
  machine="$(uname -s) $(uname -m)"
  if [[ -r $os_release ]]; then
    # shellcheck source=/dev/null
    IFS='|' read -r name id version < <(. "$os_release" && echo "${PRETTY_NAME:-${NAME:-unknown}}|${ID:-} ${ID_LIKE:-}|${ID:-} ${VERSION_ID:-}")
  fi
  if [[ $machine != "Linux x86_64" ]] || ! [[ " $id " =~ \ (debian|ubuntu)\  ]]; then
    give_up 2 "this script knows Debian and Ubuntu on Linux x86_64, not $name on $machine: install what ${table#"$repository"/} lists by your own means, then build with cmake --preset release"
  fi
  [[ $version == "$tested_system" ]] || say "warning: tested on Debian 12; $name should do if its packages are as new"
}

# --- Debian packages --------------------------------------------------------------------------------------------------

wanted_packages() {
  printf '%s\n' "${base_packages[@]}"
  [[ ${want_sets[*]} == program && $want_lint != yes && $want_python != yes ]] || printf '%s\n' "${python_packages[@]}"
  [[ $want_lint != yes ]] || printf '%s\n' "${lint_packages[@]}"
  [[ $want_fuzz != yes ]] || printf '%s\n' "${fuzz_packages[@]}"
  awk -F'|' -v sets=" ${want_sets[*]} " '/^# \|/ { set = $5; gsub(/ /, "", set); if (!index(sets, " " set " ")) next
    n = split($4, from, " "); for (i = 1; i <= n; i++) if (sub(/^deb:/, "", from[i])) print from[i] }' "$table"
}

installed_of() { dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true; }

# A tool counts as installed wherever it comes from; a library has to be the distribution's.
missing_packages() {
  local package wanted installed
  mapfile -t wanted < <(wanted_packages)
  installed=$(installed_of "${wanted[@]}")
  for package in "${wanted[@]}"; do
    [[ $'\n'$installed$'\n' != *$'\n'"installed $package"$'\n'* ]] || continue
    case $package in
      g++ | git | cmake | ccache | mold | python3 | shellcheck | yamllint | clang-*) ! command -v "$package" >/dev/null || continue ;;
      ninja-build) ! command -v ninja >/dev/null || continue ;;
      python3-pip) ! python_with_pip >/dev/null || continue ;;
    esac
    echo "$package"
  done
}

install_packages() {
  local missing before package as_root=() root=()
  mapfile -t missing < <(missing_packages)
  ((${#missing[@]})) || return 0
  if (($(id -u) != 0)); then
    command -v sudo >/dev/null ||
      give_up 1 "packages are missing and this is neither root nor is there sudo; ask someone who may to run: apt-get install ${missing[*]}"
    root=(sudo)
  fi
  as_root=("${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300)
  mkdir -p "$deps"
  logged_step "$deps/apt-update.log" "read the package lists" "${as_root[@]}" update ||
    say "warning: continuing with the existing package lists"
  # Debian's package makes a cluster and starts its server otherwise.
  if [[ " ${missing[*]} " == *" postgresql "* && ! -e $etc/postgresql-common/createcluster.conf ]]; then
    # shellcheck disable=SC2016
    "${root[@]}" bash -c 'mkdir -p "$1" && echo "create_main_cluster = false" >"$1/createcluster.conf"' bash "$etc/postgresql-common" ||
      give_up 1 "cannot write $etc/postgresql-common/createcluster.conf, without which the package postgresql starts a server"
  fi
  before=$(installed_of "${service_packages[@]}")
  logged_step "$deps/apt-install.log" "install ${missing[*]}" \
    "${as_root[@]}" install -y --no-install-recommends "${missing[@]}" ||
    give_up 1 "apt-get could not install: ${missing[*]} (its message is above)"
  # Without systemd nothing was started.
  command -v systemctl >/dev/null || return 0
  while read -r _ package; do
    [[ $'\n'$before$'\n' == *$'\n'"installed $package"$'\n'* ]] ||
      ! systemctl is-active --quiet "$package" 2>/dev/null || "${root[@]}" systemctl disable --now "$package" >/dev/null 2>&1 ||
      say "warning: $package may be running; stop it if you do not use it"
  done < <(installed_of "${service_packages[@]}" | grep '^installed ' || true)
}

# --- LibTorch ---------------------------------------------------------------------------------------------------------

# The first Python that has pip: pyenv's or the system's, both do, for nothing is installed into it.
python_with_pip() {
  local python
  for python in ${TORCHGATE_PYTHON:+"$TORCHGATE_PYTHON"} python3 /usr/bin/python3; do
    if "$python" -m pip --version >/dev/null 2>&1; then
      echo "$python"
      return 0
    fi
  done
  return 1
}

# "torch 2.15.0" and so on, the first of which names the set.
tested_pins() {
  awk -F'|' '/^# \|/ { gsub(/ /, ""); if (sub(/^pypi:/, "", $4)) print $4, $3 }' "$table"
}

# Of another version its list of wheels knows what belongs to it.
wheel_pins() {
  if [[ -z $other_torch ]]; then tested_pins; else
    awk -F '==| ' '/^torch==/ { torch = $1 " " $2 } /^nvidia-/ { rest = rest "\n" $1 " " $2 } END { print torch rest }' "$(wheel_list cpu)"
  fi
}

# wheel_list SET: cpu or full
wheel_list() { echo "$wheel_lists/wheels-$1${other_torch:+-$other_torch}.txt"; }

check_other_torch() {
  local set=cpu tested
  read -r _ tested < <(tested_pins)
  [[ $other_torch != "$tested" ]] || other_torch=""
  [[ -n $other_torch ]] || return 0
  [[ $other_torch =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || give_up 2 "--libtorch $other_torch: not a version; use three numbers, such as $tested"
  [[ $want_full == no ]] || set=full
  [[ -s $(wheel_list cpu) && -s $(wheel_list $set) ]] ||
    give_up 2 "LibTorch $other_torch: $(wheel_list $set) with the hashes of its wheels is missing; write it with ci/scripts/pin_wheels.sh cpu full --torch $other_torch"
}

torch_version_in() {
  awk '/^#define TORCH_VERSION_(MAJOR|MINOR|PATCH) / { v = v dot $3; dot = "." } END { print v }' \
    "$1/include/torch/headeronly/version.h" 2>/dev/null || true
}

# What is wrong with the set of wheels in folder $1; nothing is printed when it is whole. Looks at what the build and the
# loader will ask for, not at a note that says an installation once ended well.
flaw_of_set() {
  local dir=$1 full=$2 package version soname
  [[ -d $dir ]] || { echo "not there"; return; }
  for soname in libc10.so libtorch_cpu.so; do
    [[ -s $dir/torch/lib/$soname ]] || { echo "torch/lib/$soname is missing"; return; }
  done
  [[ -d $dir/torch/include/ATen ]] || { echo "torch/include/ATen is missing"; return; }
  while read -r package version; do
    [[ -s $dir/${package//-/_}-$version.dist-info/RECORD ]] || { echo "$package $version is missing"; return; }
    case $package in
      torch) [[ $(torch_version_in "$dir/torch") == "$version" ]] || { echo "its headers are not those of $version"; return; } ;;
      nvidia-cuda-runtime*) soname=libcudart.so.${version%%.*} ;;
      nvidia-cuda-cupti*) soname=libcupti.so.${version%%.*} ;;
    esac
    [[ $package != nvidia-* ]] || compgen -G "$dir/nvidia/*/lib/$soname" >/dev/null || { echo "$soname is missing"; return; }
  done < <(wheel_pins)
  [[ $full == no ]] || compgen -G "$dir/nvidia/cudnn/lib/libcudnn.so*" >/dev/null || echo "cuDNN is missing"
}

# Downloads into a .part folder and renames it: the folder's final name exists only when everything is in it.
install_wheels() {
  local dir=$1 full=$2 python flaw requirements pin list no_deps=(--no-deps)
  list=$(wheel_list cpu)
  python=$(python_with_pip) || give_up 1 "no Python with pip found: set TORCHGATE_PYTHON to one"
  [[ $full == no ]] || { no_deps=() list=$(wheel_list full); }
  mapfile -t requirements < <(wheel_pins | sed 's/ /==/')
  for pin in "${requirements[@]}"; do
    grep -q -- "^$pin " "$list" || give_up 1 "$list: $pin of ${table#"$repository"/} is missing; run ci/scripts/pin_wheels.sh"
  done
  rm -rf "$dir.part"
  # A user's own pip settings (user installs, "only in a virtual environment") do not fit --target.
  env PIP_USER=0 PIP_REQUIRE_VIRTUALENV=0 PIP_ROOT_USER_ACTION=ignore \
    "$python" -m pip install --quiet --disable-pip-version-check --no-input --no-compile --only-binary=:all: \
    "${no_deps[@]}" --target "$dir.part" --require-hashes --requirement "$list" ||
    give_up 1 "pip could not install ${requirements[*]} with the hashes of $list (its message is above); LibTorch 2.15 needs Python 3.11 or newer (TORCHGATE_PYTHON names one), and an existing LibTorch can be used with --torch-root DIR"
  flaw=$(flaw_of_set "$dir.part" "$full")
  [[ -z $flaw ]] || give_up 1 "what pip installed in $dir.part is not a LibTorch: $flaw"
  rm -rf "$dir"
  mv "$dir.part" "$dir"
}

provide_torch() {
  local version dir flaw full=$want_full
  read -r _ version < <(wheel_pins)
  if [[ $full == no && -z $(flaw_of_set "$deps/libtorch-$version-full" yes) ]]; then
    full=yes # it contains the smaller set
  fi
  dir=$deps/libtorch-$version-$([[ $full == yes ]] && echo full || echo cpu)
  mkdir -p "$deps"
  # Two set-ups at once: the second waits here and then finds everything done.
  exec 9>"$deps/.lock"
  flock 9
  flaw=$(flaw_of_set "$dir" "$full")
  if [[ -n $flaw ]]; then
    [[ $flaw == "not there" ]] || say "LibTorch in $dir is broken ($flaw): installing it again"
    step "download LibTorch $version into $dir (about $([[ $full == yes ]] && echo 4.6 || echo 1.2) GB)" install_wheels "$dir" "$full"
  fi
  say "LibTorch $version: $dir"
  [[ -z $other_torch ]] || say "build with: -DTorch_ROOT=$dir/torch"
}

# What Python imports: the full set, in a folder of its own, so that programs are still built with the smaller one. The full set
# of --cuda serves as well.
provide_python_torch() {
  local version dir flaw
  read -r _ version < <(wheel_pins)
  dir=$deps/libtorch-$version-full
  [[ -z $(flaw_of_set "$dir" yes) ]] || dir=$deps/python-torch-$version
  flaw=$(flaw_of_set "$dir" yes)
  if [[ -n $flaw ]]; then
    [[ $flaw == "not there" ]] || say "PyTorch in $dir is broken ($flaw): installing it again"
    step "download PyTorch $version for Python into $dir (about 4.6 GB)" install_wheels "$dir" yes
  fi
  say "PyTorch $version for Python: $dir"
}

# Someone's own LibTorch: the folder with include/ and lib/, or its parent (`libtorch` of the official zip, `torch` of a wheel).
accept_torch() {
  local layout dir found version tested
  for layout in "" /torch /libtorch; do
    dir=$torch_root$layout
    if [[ -s $dir/lib/libtorch_cpu.so && -d $dir/include/torch ]]; then
      found=$(torch_version_in "$dir") version=${found:-of an unknown version}
      say "LibTorch $version: $dir (yours; nothing was installed)"
      read -r _ tested < <(tested_pins)
      [[ $found == "$tested" || -s $wheel_lists/wheels-cpu-$found.txt ]] || say "warning: LibTorch $tested is what is tested"
      [[ $torch_root == "${TORCHGATE_TORCH_ROOT:-}" ]] || say "build with: -DTorch_ROOT=$dir"
      return 0
    fi
  done
  give_up 2 "no LibTorch in $torch_root: expected lib/libtorch_cpu.so and include/torch there, or in torch/ or libtorch/ below it"
}

parse_arguments "$@"
check_other_torch
((${#want_sets[@]} == 0)) || { check_system; install_packages; }
# Their servers are others: they are downloaded beside LibTorch, which is what takes long.
provide_tools() {
  provide_lint_tools "$deps" "$wheel_lists"
  provide_actionlint "$deps" "$wheel_lists"
  provide_axe "$deps" "$wheel_lists"
}
tools=""
# What fails meanwhile does not leave them behind, writing into .deps.
trap '[[ -z $tools ]] || wait "$tools" || true' EXIT
[[ $want_lint != yes ]] || { provide_tools & tools=$!; }
if [[ $want_torch == yes ]]; then
  if [[ -n $torch_root ]]; then accept_torch; else provide_torch; fi
fi
[[ $want_python != yes ]] || provide_python_torch
[[ -z $tools ]] || wait "$tools"
say "set-up complete after $SECONDS s"
