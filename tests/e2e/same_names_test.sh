#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A Google Benchmark program with two benchmarks of one name, and with ->Complexity(): run, gate and ab measure and judge each of them, and never one for the other.
# The same with the files that the program writes itself.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 builds=$2
new_repository
# A throttled CPU, such as that of a container with a quota, decides nothing here.
export TORCHGATE_GATE_ALLOW_NOISY=true
mkdir build
filter='BM_assign|sort/(64|1024)$'
first=bench/BM_assign second=bench/BM_assign#2

build_as() { rm -f build/bench; cp "$builds/$1" build/bench; }
run() { exits_with 0 "$torchgate" run --quick --suite build/bench --filter "$filter" --save "$1"; }
verdict() { finding "$1" "$2" | cut -d' ' -f1; }

# run and gate: the second one takes three times as long.
build_as plain
exits_with 0 "$torchgate" run --list --suite build/bench --filter "$filter"
says "$second"
run base
says "4 cases"
exits_with 0 "$torchgate" baseline add base
build_as slower
git commit -q --allow-empty -m "slow down"
run slower
exits_with 1 "$torchgate" gate slower --json slower.json
[[ $(finding slower.json "$second") == "regressed fail"* ]] || complain "gate: $(finding slower.json "$second")"
[[ $(verdict slower.json "$first") != regressed ]] || complain "gate: the first one was called regressed"
! grep -qE 'BigO|RMS' slower.json || complain "a fit of ->Complexity() became a case"

# One of the two is gone: nothing says which one.
build_as without_the_second
git commit -q --allow-empty -m "remove one"
run one
exits_with 1 "$torchgate" gate one --json one.json
python3 - one.json "$first" "$second" <<'END' || complain "one of two of one name is gone"
import json, sys
verdicts = {f["case"]: (f["verdict"], f["action"]) for f in json.load(open(sys.argv[1]))["findings"]}
print("  ", verdicts)
sys.exit(verdicts[sys.argv[2]] != ("not_comparable", "fail") or verdicts[sys.argv[3]] != ("missing", "fail"))
END

# ab: the program's cases have the name of the second file.
exits_with 1 "$torchgate" ab --quick --filter BM_assign --before "$builds/plain" --after "$builds/slower" --json ab.json
[[ $(finding ab.json "slower/BM_assign#2") == "regressed fail"* ]] || complain "ab: $(finding ab.json "slower/BM_assign#2")"
[[ $(verdict ab.json slower/BM_assign) != regressed ]] || complain "ab: the first one was called regressed"

# What the program writes itself: JSON tells them apart, and CSV does not.
write() {
  "$builds/$1" --benchmark_filter='BM_assign|sort' --benchmark_repetitions=5 --benchmark_min_time=0.01 --benchmark_out="$2.json" \
    --benchmark_out_format=json >"$2.txt" 2>&1
  "$builds/$1" --benchmark_filter='BM_assign|sort' --benchmark_repetitions=5 --benchmark_min_time=0.01 --benchmark_out="$2.csv" \
    --benchmark_out_format=csv >/dev/null 2>&1
}
# Other work may disturb one repetition of five so much that no test finds the others.
for attempt in 1 2 3 4 5; do
  write plain before
  write slower after
  exits_with 1 "$torchgate" compare before.json after.json --rule textbook --json json.json
  [[ $(verdict json.json "BM_assign#2") == inconclusive ]] || break
  echo "attempt $attempt: $(finding json.json "BM_assign#2")"
done
[[ $(finding json.json "BM_assign#2") == "regressed fail"* ]] || complain "json: $(finding json.json "BM_assign#2")"
exits_with 1 "$torchgate" compare before.csv after.csv --rule textbook --json csv.json
[[ $(verdict csv.json BM_assign) == not_comparable ]] || complain "csv: $(finding csv.json BM_assign)"
! grep -qE 'BigO|RMS|_stddev|_cv' csv.json || complain "an aggregate became a case"
exits_with 2 "$torchgate" compare before.txt after.txt
says "the console table of Google Benchmark"
finish
