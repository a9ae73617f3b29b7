#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# layout_test.sh TORCHGATE CXX: a Google Benchmark program with 24 arrays. Before, gaps lie between them; after, they lie 4096 bytes from each other, which a cache
# has few places for: a case becomes slower, and no function that it executes changes. Then a real change of such a function.
set -euo pipefail
torchgate=$(realpath "$1") cxx=$2
for tool in valgrind ldconfig; do
  command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# A throttled CPU, such as that of a container with a quota, decides nothing here.
export TORCHGATE_GATE_ALLOW_NOISY=true

cat >program.cpp <<'CPP'
#include <benchmark/benchmark.h>
#ifdef GAPS
#define GAP(n) char gap_##n[64];
#else
#define GAP(n)
#endif
#define BLOCK(n) alignas(64) char block_##n[4096]; GAP(n)
extern "C" {
BLOCK(0) BLOCK(1) BLOCK(2) BLOCK(3) BLOCK(4) BLOCK(5) BLOCK(6) BLOCK(7) BLOCK(8) BLOCK(9) BLOCK(10) BLOCK(11)
BLOCK(12) BLOCK(13) BLOCK(14) BLOCK(15) BLOCK(16) BLOCK(17) BLOCK(18) BLOCK(19) BLOCK(20) BLOCK(21) BLOCK(22) BLOCK(23)
}
static char* const blocks[] = {block_0,  block_1,  block_2,  block_3,  block_4,  block_5,  block_6,  block_7,
                               block_8,  block_9,  block_10, block_11, block_12, block_13, block_14, block_15,
                               block_16, block_17, block_18, block_19, block_20, block_21, block_22, block_23};
int touch_blocks() {
  int sum = 0;
  for (int round = 0; round < 500 EXTRA; ++round)
    for (char* block : blocks) sum += ++*block;
  return sum;
}
#ifdef GAPS
int is_not_executed(int x) { return x + gap_0[x] + gap_23[x]; }
#endif
static void touch(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(touch_blocks());
}
BENCHMARK(touch);
BENCHMARK_MAIN();
CPP
build() {
  local folder=$1
  shift
  mkdir -p "$folder"
  "$cxx" -O2 -fno-toplevel-reorder "$@" program.cpp -lbenchmark -lpthread -o "$folder/program"
}
build before -DGAPS -DEXTRA=
build after -DEXTRA=
build changed -DGAPS -DEXTRA=*2

failed=0
# expect CODE TEXT... -- COMMAND...: exit code and texts in the output, whose lines are joined.
expect() {
  local code=$1 output actual=0 texts=()
  shift
  while [[ $1 != -- ]]; do texts+=("$1"); shift; done
  shift
  output=$("$@" 2>&1) || actual=$?
  local joined
  joined=$(tr -s ' \n' ' ' <<<"$output")
  if ((actual != code)); then
    echo "$*: exit code $actual, expected $code"
    failed=1
  fi
  for text in "${texts[@]}"; do
    [[ $joined == *"$text"* ]] || { echo "$*: no \"$text\" in its output"; failed=1; }
  done
  if ((failed)); then
    printf '%s\n' "$output"
    exit 1
  fi
}

ab=("$torchgate" ab --quick --pairs 12)
expect 0 "layout program/touch" "function that it executes is identical" "changed, and not executed by it: is_not_executed" \
  "1 moved without a change of its code" -- "${ab[@]}" --before before --after after --save moved
echo "other addresses, sides named by their folders: layout, exit code 0"
expect 0 "function that it executes is identical" -- "$torchgate" explain program/touch moved
expect 1 "regressed program/touch" " changed (1 of " -- "${ab[@]}" --before before/program --after changed/program --save changed
echo "a changed function: regressed, and it is the first cause"
expect 0 " changed (1 of " -- "$torchgate" explain program/touch changed

# Without what it needs, nothing is cleared.
mkdir bin
for program in /bin/* /usr/bin/*; do
  [[ $program == */valgrind* ]] || ln -sf "$program" bin/
done
expect 1 "regressed program/touch" "valgrind is not in PATH" -- env PATH="$work/bin" "${ab[@]}" --before before/program --after after/program
TORCHGATE_GATE_COMPARE_CODE=false expect 1 "regressed program/touch" -- "${ab[@]}" --before before/program --after after/program
strip -s -o after/stripped after/program && mv after/stripped after/program
expect 1 "regressed program/touch" "whether its code changed is unknown" -- "${ab[@]}" --before before/program --after after/program
echo "without Valgrind, without symbols, switched off: regressed"

# gate: against a stored baseline.
build after -DEXTRA=
git init -q . && git -c user.name=t -c user.email=t@localhost commit -q --allow-empty -m first
expect 0 -- "$torchgate" run --quick --suite before/program --save base
expect 0 -- "$torchgate" baseline add base
cp before/program kept && cp after/program before/program
expect 0 "layout program/touch" -- bash -c "'$torchgate' run --quick --suite before/program >/dev/null && '$torchgate' gate"
expect 0 "function that it executes is identical" -- "$torchgate" explain program/touch
echo "gate, sides named by their files: layout, exit code 0; explain reads its pairs"
echo "all checks passed"
