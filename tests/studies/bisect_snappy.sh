#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A real history: plants one slower commit among the 26 commits of google/snappy from 2022-06-09 to 2023-07-12, two merges among them, and lets
# `torchgate bisect` find it with snappy's own Google Benchmark program. The planted commit validates the input before it decompresses: the real
# commits of that time made decompressing up to 8 % faster, which hides a smaller slow-down between the ends.
# Exit code: 0 the planted commit was named, 1 another one or none, 2 wrong usage.
set -euo pipefail

usage="usage: tests/studies/bisect_snappy.sh CLONE [--after N] [--cases REGEX] [--build DIR] [-- OPTIONS OF BISECT]
  CLONE          a clone of https://github.com/google/snappy (it is not changed)
  --after N      plant it after the Nth of the 24 commits of the first parents (default 9)
  --cases REGEX  what is bisected (default BM_UFlat/[01]$)
  --build DIR    where torchgate was built (default build/ci)"

clone="" after=9 cases='BM_UFlat/[01]$' build=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/build/ci
while (($#)); do
  case $1 in
    --after) after=${2:?$usage}; shift ;;
    --cases) cases=${2:?$usage}; shift ;;
    --build) build=$(cd "${2:?$usage}" && pwd); shift ;;
    --) shift; break ;;
    -h | --help) echo "$usage"; exit 0 ;;
    -*) echo "unknown argument '$1'"$'\n'"$usage" >&2; exit 2 ;;
    *) clone=$(cd "$1" && pwd) ;;
  esac
  shift
done
[[ -n $clone ]] || { echo "$usage" >&2; exit 2; }
torchgate=$build/ci/cli/torchgate
[[ -x $torchgate ]] || { echo "$torchgate is missing; build it: cmake --build $build" >&2; exit 2; }

good=44caf79 last=27f34a5
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
git clone -q "$clone" "$folder/snappy"
cd "$folder/snappy"
git config user.name study
git config user.email study@example.invalid
parent=$(git rev-list --first-parent --reverse "$good..$last" | sed -n "${after}p")
[[ -n $parent ]] || { echo "--after $after: there are only $(git rev-list --first-parent --count "$good..$last") commits" >&2; exit 2; }
git checkout -q -b planted "$parent"
python3 - <<'PY'
text = open("snappy.cc", encoding="utf-8").read()
signature = "bool RawUncompress(const char* compressed, size_t compressed_length,\n                   char* uncompressed) {\n"
checked = "  if (!IsValidCompressedBuffer(compressed, compressed_length)) return false;\n"
assert text.count(signature) == 1
open("snappy.cc", "w", encoding="utf-8").write(text.replace(signature, signature + checked))
PY
git commit -q -a -m "Validate the input before decompressing"
planted=$(git rev-parse HEAD)
git rebase -q --rebase-merges --onto planted "$parent" "$last"
bad=$(git rev-parse HEAD)
git -c advice.detachedHead=false checkout -q "$good"
echo "planted: $(git log -1 --format='%h %s' "$planted"), commit $((after + 1)) of the $(git rev-list --first-parent --count "$good..$bad") of the first parents, $(git rev-list --count "$good..$bad") in all"

build_command='cmake -S . -B out -DCMAKE_BUILD_TYPE=Release -DSNAPPY_BUILD_TESTS=OFF -DSNAPPY_BUILD_BENCHMARKS=OFF >/dev/null &&
cmake --build out >/dev/null && g++ -O2 -DNDEBUG -std=c++17 -DHAVE_CONFIG_H -Iout -I. snappy_benchmark.cc snappy_test_data.cc snappy-test.cc \
out/libsnappy.a -lbenchmark_main -lbenchmark -lpthread -lz -o out/snappy_benchmark'
"$torchgate" bisect "$cases" --good "$good" --bad "$bad" --build "$build_command" --suites out/snappy_benchmark --json answer.json "$@" || true
grep -q "$planted" answer.json || { echo "the planted commit was not named" >&2; exit 1; }
