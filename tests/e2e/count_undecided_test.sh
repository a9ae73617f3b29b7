#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# count_undecided_test.sh TORCHGATE CXX: two pairs decide nothing on any machine, so instructions do: a regression, no more of them, a number in between. What is
# said without Valgrind, in three jobs, and where the change does not want to count.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 cxx=$2
unset TORCHGATE_GATE_MIN_DECIDED
export TORCHGATE_GATE_ALLOW_NOISY=true
command -v valgrind >/dev/null || { echo "skipped: valgrind is not installed"; exit 77; }
new_repository

cat >program.cpp <<'CPP'
#include <benchmark/benchmark.h>
volatile unsigned sink;
[[gnu::noinline]] void turns(long count) {
  for (long i = 0; i < count; ++i) sink = sink + 1;
}
#ifdef UNUSED
int unused(int x) { return x + UNUSED; }
#endif
static void loop(benchmark::State& state) {
  for (auto _ : state) turns(TURNS);
}
BENCHMARK(loop);
BENCHMARK_MAIN();
CPP
build() {
  local folder=$1
  shift
  mkdir -p "build/$folder"
  "$cxx" -O1 "$@" program.cpp -lbenchmark -lpthread -o "build/$folder/program"
}
build before -DTURNS=100000
build more -DTURNS=110000
build less -DTURNS=103000
build same -DTURNS=100000 -DUNUSED=1
git add . && git commit -qm program

ab=("$torchgate" ab --quick --budget "2 pairs" --before build/before/program)
counted() {
  python3 -c 'import json, sys
report = json.load(open(sys.argv[1]))
for f in report["findings"]:
    if f["counted"]: print(f["metric"]["name"], f["verdict"], f["counted"]["answer"], round(100 * f["counted"]["change"]))
print(report["outcome"], report["cases_decided"], report["cases_no_more_instructions"])' "$1" | tr '\n' ';'
}
expect_counted() { [[ $(counted "$1") == "$2" ]] || complain "$1: $(counted "$1") instead of $2"; }

exits_with 1 "${ab[@]}" --after build/more/program --json more.json --markdown more.md --write junit=more.xml --write github=more.txt
says "program/loop: regressed (+10.0 % instructions, counted)"
expect_counted more.json "instructions regressed regressed 10;time inconclusive regressed 10;fail 1 0;"
grep -q 'regressed.*(counted).*instructions' more.md || complain "$(cat more.md)"
grep -q '<failure type="regressed" message="regressed (counted): instructions' more.xml || complain "$(cat more.xml)"
grep -q '::error title=torchgate%3A regressed (counted)::' more.txt || complain "$(cat more.txt)"

exits_with 3 "${ab[@]}" --after build/less/program --json less.json
says "+3 % instructions per call"
expect_counted less.json "time inconclusive undecided 3;no_verdict 0 0;"

exits_with 3 "${ab[@]}" --after build/same/program --json same.json --markdown same.md --write junit=same.xml
says "NO VERDICT no case could be judged: 2 pairs cannot show a regression"
says "1 undecided case with no more instructions"
expect_counted same.json "time inconclusive no_more 0;no_verdict 0 1;"
[[ $(cat same.md) != *PASS* && $(cat same.md) != *✅* ]] || complain "a pass: $(cat same.md)"
grep -q '<error type="no_verdict"' same.xml || complain "$(cat same.xml)"

# Without Valgrind, and switched off.
mkdir bin
for program in /bin/* /usr/bin/*; do
  [[ $program == */valgrind* ]] || ln -sf "$program" bin/
done
exits_with 3 env PATH="$work/bin" "${ab[@]}" --after build/more/program --json without.json
says "apt-get install valgrind"
said=$(python3 -c 'import json; print(sum("valgrind is not in PATH" in note for note in json.load(open("without.json"))["notes"]))')
[[ $said == 1 ]] || complain "said $said times"
# Several cases, slower and faster ones: each has the reason, and the pairs are kept.
cat >several.cpp <<'CPP'
#include <benchmark/benchmark.h>
volatile unsigned sink;
static void loop(benchmark::State& state) {
  const long count = state.range(0) == 1 ? SLOWER : FASTER;
  for (auto _ : state)
    for (long i = 0; i < count; ++i) sink = sink + 1;
}
BENCHMARK(loop)->DenseRange(1, 5);
BENCHMARK_MAIN();
CPP
for side in old:100000:100000 new:110000:80000; do
  IFS=: read -r folder slower faster <<<"$side"
  mkdir -p "build/$folder"
  "$cxx" -O1 -DSLOWER="$slower" -DFASTER="$faster" several.cpp -lbenchmark -lpthread -o "build/$folder/several"
done
exits_with 3 env PATH="$work/bin" "$torchgate" ab --quick --budget "2 pairs" --before build/old/several --after build/new/several \
  --save several --json several.json
says "apt-get install valgrind"
said=$(python3 -c 'import json; print(sum(bool(count["unknown"]) for count in json.load(open(".torchgate/runs/several.json"))["instructions"]))')
[[ $said == 10 ]] || complain "$said of 10 counts have the reason"
exits_with 3 env TORCHGATE_GATE_COUNT_UNDECIDED=false "${ab[@]}" --after build/more/program --json off.json
expect_counted off.json "no_verdict 0 0;"

# Three jobs: what was counted is part of the pairs' record, and the base branch decides whether it is.
git update-ref refs/remotes/origin/main HEAD
exits_with 0 "$torchgate" run --quick --processes 2 --suite build/before/program --save base
exits_with 0 "$torchgate" baseline add base
git commit -q --allow-empty -m second
cp build/more/program build/before/program
exits_with 0 "$torchgate" run --quick --processes 2 --suite build/before/program --save change
export TORCHGATE_GATE_BUDGET="2 pairs" TORCHGATE_RUN_PROCESSES=2
exits_with 0 "$torchgate" gate change --pair-plan plan.json --policy-from refs/remotes/origin/main
exits_with 0 "$torchgate" ab --pair-plan plan.json --save pairs --run-recorded-files
exits_with 1 "$torchgate" gate change --pairs-from pairs --policy-from refs/remotes/origin/main --json judged.json
says "instructions, counted)"
printf '[gate]\ncount_undecided = false\n' >torchgate.toml
git add torchgate.toml && git commit -qm "do not count"
exits_with 1 "$torchgate" gate change --pairs-from pairs --policy-from refs/remotes/origin/main
says "instructions, counted)"
exits_with 0 env TORCHGATE_GATE_COUNT_UNDECIDED=false "$torchgate" ab --pair-plan plan.json --save uncounted --run-recorded-files
exits_with 2 "$torchgate" gate change --pairs-from uncounted --policy-from refs/remotes/origin/main
says "gate.count_undecided"
finish
