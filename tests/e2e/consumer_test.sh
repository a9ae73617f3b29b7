#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# consumer_test.sh TORCHGATE SOURCE BUILD WAY COMPONENT CMAKE_ARGUMENTS...: a suite in a project of its own, which gets
# torchgate by WAY (find_package, add_subdirectory, FetchContent), is built and measured; with an installed torchgate, it is gated, too (with
# COMPONENT bench_torch in action_consumer_test.sh). That one is not built again, and always lies in the same folder, so that ccache knows its
# headers. The two ways that build it share BUILD/consumer: torchgate's libraries are compiled once for both, unoptimised, as only one run of
# them is measured, and the next time only what has changed.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 source_dir=$2 build=$3 way=$4 component=$5
shift 5
new_repository
# A throttled CPU, such as that of a container with a quota, decides nothing here.
export TORCHGATE_GATE_ALLOW_NOISY=true

consumer=$build/consumer installed=$build/consumer_installed
optimised=()
if [[ $way != find_package ]]; then
  optimised=(-DCMAKE_CXX_FLAGS_RELEASE=-O0)
else
  consumer=$build/consumer_$component
  rm -rf "$consumer" "$installed"
  exits_with 0 cmake --install "$build" --prefix "$installed"
  torchgate=$installed/bin/torchgate
  exits_with 0 "$torchgate" --version
  for page in bash-completion/completions/torchgate zsh/site-functions/_torchgate fish/vendor_completions.d/torchgate.fish man/man1/torchgate.1; do
    [[ -s $installed/share/$page ]] || complain "share/$page is not installed"
  done
fi
# build_with PASSES: the suite doing its work so many times a call, as build/mine
build_with() {
  exits_with 0 cmake -S "$source_dir/tests/consumer" -B "$consumer" -G Ninja "${@:2}" "${optimised[@]}" -DWAY="$way" -DCOMPONENT="$component" \
    -DPASSES="$1" -DTORCHGATE_SOURCE="$source_dir" -DCMAKE_PREFIX_PATH="$installed"
  exits_with 0 cmake --build "$consumer" --target suite_mine
  mkdir -p build
  rm -f build/mine
  cp "$consumer/mine" build/mine
}

build_with 1 --fresh "$@"  # which removes CMakeFiles/, the objects of the consumer with it
! grep -A 4 'mine_.*\.cpp\.o: ' "$consumer/build.ninja" | grep -q -e -Wshadow || complain "our warnings reach the consumer"
for ours in suites generated planted; do
  [[ ! -e $consumer/$ours ]] || complain "torchgate has made $ours/ in the consumer's build folder"
done
exits_with 0 "$torchgate" run --quick --suite build --save first
# Built from source, a suite is gated as an installed one is.
[[ $way == find_package && $component == bench ]] || { finish; exit 0; }
exits_with 0 "$torchgate" baseline add first
exits_with 0 "$torchgate" run --quick --suite build --save again
exits_with 0 "$torchgate" gate again

build_with 4 "$@"
git commit -q --allow-empty -m "slow down"
exits_with 0 "$torchgate" run --quick --suite build --save slower
exits_with 1 "$torchgate" gate slower
says "regressed"
finish
