#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The durations this project promises, measured here and now: read ratios, and let nothing else run meanwhile. Nothing is
# asserted.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
usage="usage: ci/scripts/bench.sh [program] [judge] [formats] [site] [serving] [code] [hostile] [store] [build] [test] [suites] [harness]
                           (default: program)
  program  start-up, compare of two made runs            (needs the release preset and made_runs of a preset with tests)
  judge    10,000 cases x 30 samples a side, our files, Google Benchmark's and Go's; compare.py beside ours on 300 (needs the same,
           Debian's libbenchmark-tools, and SciPy: TORCHGATE_PYTHON names a Python that has it)
  formats  a report of 10,000 findings in each format, and one of a million whose names are hostile: time and bytes
           (needs the ci preset with its tests, built)
  site     the pages of a store of 1,000 runs with 100 cases each: all of them, after one more run, and with nothing new
           (needs the ci preset with its tests, built)
  serving  a request through the server without a model; what each part of the monitor takes on its thread (needs the ci preset
           with its tests, built)
  code     all functions of a library of 50 MB compared with those of its copy     (needs the ci preset with its tests, built; Debian's libclang-cpp14)
  hostile  time and memory of each file of the hostile corpus    (needs the release preset and made_runs of a preset with tests)
  store    10,000 runs of 100 cases put into a store, listed and loaded: a folder, and a PostgreSQL server of its own; then the history
           of a case, one more run judged and added, and the site of the store before and after it  (needs the ci preset with its tests, built; Debian's postgresql; TORCHGATE_STORE_RUNS sets another number of runs)
  build    clean builds of the presets core and release, what one changed file of ci/gate or of a suite costs; without ccache
  test     test.sh in a fresh clone of the committed state, with an empty ccache and again with a full one
  suites   a --quick and a default run of all suites
  harness  what measuring costs: our sampler beside Google Benchmark's loop, a process beside one that only loads LibTorch,
           and the untimed passes of a default run                       (needs the ci preset with its tests, built)"
((${#@} > 0)) || set -- program

torchgate=$PWD/build/release/ci/cli/torchgate
seconds() { # seconds LABEL COMMAND...
  local label=$1 begin end code=0
  shift
  begin=$(date +%s.%N)
  "$@" >/dev/null 2>&1 || code=$?
  end=$(date +%s.%N)
  ((code != 2)) || label="$label: failed"
  printf '%-58s %8.3f s\n' "$label" "$(awk -v a="$begin" -v b="$end" 'BEGIN {print b - a}')"
}
median_of() { # median_of N LABEL COMMAND...
  local n=$1 label=$2 i begin end
  shift 2
  for ((i = 0; i < n; i++)); do
    begin=$(date +%s%N)
    "$@" >/dev/null 2>&1 || true
    end=$(date +%s%N)
    echo $(((end - begin) / 1000))
  done | sort -n | awk -v label="$label (median of $n)" '{v[NR] = $1} END {printf "%-58s %8.4f s\n", label, v[int((NR + 1) / 2)] / 1e6}'
}

program() {
  local made_runs folder
  made_runs=$(ls -t build/*/tests/e2e/made_runs | head -n 1)
  folder=$(mktemp -d)
  # shellcheck disable=SC2064  # the folder of this call
  trap "rm -rf '$folder'" RETURN
  "$made_runs" generate 1000 30 5 1 "$folder/a.json"
  "$made_runs" generate 1000 30 5 2 "$folder/b.json"
  "$made_runs" generate 10000 30 5 3 "$folder/c.json"
  "$made_runs" generate 10000 30 5 4 "$folder/d.json"
  median_of 51 "torchgate --help" "$torchgate" --help
  median_of 21 "torchgate compare, 1,000 cases x 30 samples" "$torchgate" compare "$folder/a.json" "$folder/b.json"
  median_of 5 "torchgate compare, 10,000 cases x 30 samples" "$torchgate" compare "$folder/c.json" "$folder/d.json"
}

formats() {
  local time_formats=build/ci/tests/reports/time_formats
  "$time_formats" 10000
  "$time_formats" 10000 hostile
  "$time_formats" 1000000 hostile
}

site() {
  local program=$PWD/build/ci/ci/cli/torchgate made_runs=$PWD/build/ci/tests/e2e/made_runs folder i
  folder=$(mktemp -d)
  # shellcheck disable=SC2064  # the folder of this call
  trap "rm -rf '$folder'" RETURN
  (
    cd "$folder"
    git init -q .
    for ((i = 0; i < 1000; i++)); do git -c user.name=bench -c user.email=bench@example.org commit -q --allow-empty -m "$i"; done
    git rev-list --reverse HEAD >commits
    mkdir runs
    "$made_runs" history 1000 985 1.07 commits runs 100
    for ((i = 0; i < 999; i++)); do "$program" baseline add "runs/$i.json" --without-objects >/dev/null; done
    seconds "torchgate report --site, 999 runs x 100 cases" "$program" report --site pages
    "$program" baseline add runs/999.json --without-objects >/dev/null
    seconds "the same after one more run" "$program" report --site pages
    seconds "the same with nothing new" "$program" report --site pages
  )
}

# Of three runs of a command: the middle time, and the largest memory of any.
timed() { # timed LABEL COMMAND...
  python3 - "$@" <<'PYTHON'
import os, resource, subprocess, sys, time
label, command = sys.argv[1], sys.argv[2:]
seconds = []
for _ in range(3):
    begin = time.monotonic()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    seconds.append(time.monotonic() - begin)
peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
print(f"{label:58s} {sorted(seconds)[1]:8.3f} s {peak:6.0f} MiB")
open(os.environ["SECONDS_FILE"], "a").write(f"{sorted(seconds)[1]}\n")
PYTHON
}

# 10,000 benchmarks x 30 lines as `go test -bench` prints them; the same for the same SEED.
go_text() { # go_text SEED
  awk -v seed="$1" 'BEGIN {
    srand(seed)
    print "goos: linux\ngoarch: amd64\npkg: example.org/large"
    for (i = 0; i < 10000; i++) for (k = 0; k < 30; k++)
      printf "BenchmarkCase%d/n=1000-8 \t 100000\t %.1f ns/op\n", i, (100 + i) * (1 + (rand() - 0.5) / 50)
    print "PASS"
  }'
}

judge() {
  local made_runs folder python side
  made_runs=$(ls -t build/*/tests/e2e/made_runs | head -n 1)
  folder=$(mktemp -d)
  # shellcheck disable=SC2064  # the folder of this call
  trap "rm -rf '$folder'" RETURN
  for side in 1 2; do
    "$made_runs" generate 10000 30 5 $side "$folder/$side.json"
    "$made_runs" google_benchmark "$folder/$side.json" "$folder/g$side.json"
    "$made_runs" generate 300 30 5 $((side + 2)) "$folder/small$side.json"
    "$made_runs" google_benchmark "$folder/small$side.json" "$folder/few$side.json"
  done
  local -x SECONDS_FILE=$folder/seconds
  local -a reports=(--quiet --markdown "$folder/report.md" --json "$folder/report.json")
  echo "10,000 cases x 30 samples a side, read, judged, and written as Markdown and JSON:"
  timed "  our files" "$torchgate" compare "$folder/1.json" "$folder/2.json" "${reports[@]}"
  timed "  Google Benchmark JSON, $(du -m "$folder/g1.json" | cut -f 1) MiB a side" "$torchgate" compare "$folder/g1.json" "$folder/g2.json" "${reports[@]}"
  timed "  the same, --rule textbook" "$torchgate" compare "$folder/g1.json" "$folder/g2.json" --rule textbook "${reports[@]}"
  for side in 1 2; do go_text $side >"$folder/go$side.txt"; done
  timed "  Go text, $(du -m "$folder/go1.txt" | cut -f 1) MiB a side, --rule textbook" \
    "$torchgate" compare "$folder/go1.txt" "$folder/go2.txt" --rule textbook "${reports[@]}"
  echo "300 cases x 30 repetitions a side, Google Benchmark JSON:"
  timed "  torchgate compare" "$torchgate" compare "$folder/few1.json" "$folder/few2.json" --rule textbook "${reports[@]}"
  python=${TORCHGATE_PYTHON:-/usr/bin/python3}
  if [[ -e /usr/share/benchmark/compare.py ]] && "$python" -c 'import scipy' 2>/dev/null; then
    timed "  compare.py benchmarks (with its U test)" \
      "$python" /usr/share/benchmark/compare.py benchmarks "$folder/few1.json" "$folder/few2.json"
    tail -n 2 "$SECONDS_FILE" | awk '{t[NR] = $1} END {printf "  compare.py takes %.0f times as long\n", t[2] / t[1]}'
  else
    echo "  compare.py: not here, or without SciPy"
  fi
}

hostile() {
  local made_runs
  made_runs=$(ls -t build/*/tests/e2e/made_runs | head -n 1)
  python3 tests/e2e/hostile_corpus.py "$torchgate" "$made_runs"
}

store() {
  local time_store=$PWD/build/ci/tests/baselines/time_store runs=${TORCHGATE_STORE_RUNS:-10000} folder
  local -x program=$PWD/build/ci/ci/cli/torchgate
  folder=$(mktemp -d)
  # shellcheck disable=SC2064
  trap "rm -rf '$folder'" RETURN
  (
    cd "$folder"
    git init -q -b main .
    for ((i = 0; i <= runs; i++)); do
      printf 'commit refs/heads/main\ncommitter bench <bench@example.org> %d +0000\ndata 0\n\n' $((1577836800 + 3600 * i))
    done | git fast-import --quiet
    git rev-list --reverse main >commits
    # With the store in $TORCHGATE_BASELINE_STORE: the run in next.json is judged and added between two updates of a site.
    timed_commands() {
      local case=fusion/conv_bn/eager/device:cpu/batch:10
      seconds "  history of one case" "$program" history "$case"
      seconds "  the same again" "$program" history "$case"
      seconds "  the site, with all runs read" "$program" report --site "$1"
      seconds "  gate of one more run, against stored times" "$program" gate next.json --confirm none
      seconds "  baseline add of it" "$program" baseline add next.json --without-objects
      seconds "  history of one case after it" "$program" history "$case"
      seconds "  the site after it" "$program" report --site "$1"
      seconds "  the site with nothing new" "$program" report --site "$1"
    }
    { declare -f seconds timed_commands; echo 'timed_commands "$1"'; } >commands.sh
    echo "folder, $runs runs of 100 cases:"
    "$time_store" "$folder/store" "$runs" 100 commits next.json "bash commands.sh pages"
    du -sh "$folder/store" | awk '{print "  on disk " $1}'
    echo "PostgreSQL, the same:"
    "$time_store" postgresql "$runs" 100 commits next.json "bash commands.sh pages_of_database"
  )
}

# A step that builds: its time, and the CPU time, which other programs on the machine change less.
built() { # built LABEL COMMAND...
  local label=$1 log times code=0 TIMEFORMAT='%R %U %S'
  shift
  log=$(mktemp)
  times=$({ time "$@" >"$log" 2>&1; } 2>&1) || code=$?
  if ((code != 0)); then tail -n 40 "$log" >&2; fi
  rm "$log"
  ((code == 0)) || { echo "$label: failed with exit code $code" >&2; return 1; }
  awk -v label="$label" '{printf "%-58s %8.1f s %8.1f s of CPU\n", label, $1, $2 + $3}' <<<"$times"
}

# The programs in the folder of gate's tests: built and run, as after a change to ci/gate.
gate_tests() { # gate_tests BUILD
  local -a programs
  local program
  mapfile -t programs < <(find "$1/tests/ci/gate" -type f -name '*_test' -perm -u+x)
  ((${#programs[@]} > 0)) || { echo "no test program in $1/tests/ci/gate"; return 1; }
  cmake --build "$1" --target "${programs[@]##*/}" || return 1
  for program in "${programs[@]}"; do "$program" || return 1; done
}

build() {
  local folder largest
  folder=$(mktemp -d)
  # shellcheck disable=SC2064
  trap "rm -rf '$folder'" RETURN
  export CCACHE_DISABLE=1
  cmake --preset core -B "$folder/core" >/dev/null
  built "clean build, core preset with its tests" cmake --build "$folder/core"
  # The longest file: what a change costs at most.
  largest=$(find ci/gate -name '*.cpp' -size +0 -printf '%s %p\n' | sort -rn | sed -n '1s/^[0-9]* //p')
  touch "$largest"
  built "touched ${largest##*/}, its tests built and run" gate_tests "$folder/core"
  cmake --preset release -B "$folder/release" >/dev/null
  built "clean build, release preset" cmake --build "$folder/release"
  touch suites/fusion/fusion.cpp
  built "rebuild of release after touching suites/fusion" cmake --build "$folder/release"
}

test_script() {
  local folder torch
  folder=$(mktemp -d)
  # shellcheck disable=SC2064
  trap "rm -rf '$folder'" RETURN
  torch=${TORCHGATE_TORCH_ROOT:-$(find -L "$PWD/.deps" -maxdepth 1 -name 'libtorch-*' ! -name '*.part' | sort -r | head -n 1)}
  local -x CCACHE_DIR=$folder/ccache TORCHGATE_TORCH_ROOT=$torch
  git clone -q . "$folder/clone"
  built "test.sh in a fresh clone, empty ccache" bash "$folder/clone/ci/scripts/test.sh"
  rm -rf "$folder/clone/build"
  built "the same again without build/, full ccache" bash "$folder/clone/ci/scripts/test.sh"
}

suites() {
  local folder=$PWD/build/release/suites/bin here
  here=$(mktemp -d)
  # shellcheck disable=SC2064
  trap "rm -rf '$here'" RETURN
  (cd "$here" && seconds "torchgate run --quick, all suites" "$torchgate" run --quick --suite-dir "$folder")
  (cd "$here" && seconds "torchgate run, all suites" "$torchgate" run --suite-dir "$folder")
}

# Pairs of a process that measures no case and of one that has loaded LibTorch and ends at once for a wrong flag.
fixed_cost() { # fixed_cost SUITE GROUP
  python3 - "$@" <<'PYTHON'
import os, statistics, subprocess, sys, tempfile, time
suite, group = sys.argv[1:]
def seconds(*arguments):
    begin = time.monotonic()
    subprocess.run([suite, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.monotonic() - begin
with tempfile.TemporaryDirectory() as folder:
    out = os.path.join(folder, "report.json")
    measure = lambda: seconds(f"--torchgate_group={group}", f"--torchgate_out={out}", "--torchgate_filter=^$")
    load = lambda: seconds("--torchgate_no_such_flag=1")
    measure(), load()
    pairs = [(measure(), load()) for _ in range(21)]
print(f"a process without a case {statistics.median(a for a, _ in pairs) * 1e3:.0f} ms, LibTorch loaded and ended "
      f"{statistics.median(b for _, b in pairs) * 1e3:.0f} ms; beyond it {statistics.median(a - b for a, b in pairs) * 1e3:.1f} ms "
      "(median of 21 pairs)")
PYTHON
}

untimed_share() { # untimed_share RECORD
  python3 - "$1" <<'PYTHON'
import json, sys
processes = [p for p in json.load(open(sys.argv[1]))["processes"] if p.get("start", {}).get("untimed_ns") is not None]
untimed, wall = sum(p["start"]["untimed_ns"] for p in processes), sum(p["wall_ns"] for p in processes)
print(f"untimed passes (build, check, count, profile) of a default run: {untimed / 1e9:.1f} s of {wall / 1e9:.1f} s, {100 * untimed / wall:.1f} %")
PYTHON
}

serving() {
  local folder port=16379
  cmake --build --preset ci --target time_server time_monitor >/dev/null
  folder=$(mktemp -d)
  # shellcheck disable=SC2064
  trap "rm -rf '$folder'" RETURN
  build/ci/tests/suites/server/time_server
  if command -v redis-server >/dev/null; then
    redis-server --port "$port" --bind 127.0.0.1 --save "" --appendonly no >"$folder/redis.log" &
    build/ci/tests/suites/monitor/time_monitor "$folder" "$port"
    kill $!
  else
    build/ci/tests/suites/monitor/time_monitor "$folder"
  fi
}

code() {
  local library=/usr/lib/llvm-14/lib/libclang-cpp.so.14 folder
  [[ -r $library ]] || { echo "$library: missing; apt-get install libclang-cpp14" >&2; return 1; }
  cmake --build --preset ci --target compare_code >/dev/null
  folder=$(mktemp -d)
  # shellcheck disable=SC2064
  trap "rm -rf '$folder'" RETURN
  cp "$library" "$folder/copy.so"
  printf '%s bytes\n' "$(stat -Lc %s "$library")"
  median_of 3 "all functions of two such files" build/ci/tests/harness/code/compare_code "$library" "$folder/copy.so"
}

harness() {
  local built=$PWD/build/ci here
  cmake --build --preset ci --target harness_cost torchgate >/dev/null
  here=$(mktemp -d)
  # shellcheck disable=SC2064
  trap "rm -rf '$here'" RETURN
  "$built/tests/harness/bench/harness_cost"
  fixed_cost "$built/planted/base/planted" planted/pointwise
  (cd "$here" && "$built/ci/cli/torchgate" run --processes 2 --suite-dir "$built/suites/bin" --save default >/dev/null 2>&1 || true)
  untimed_share "$here/.torchgate/runs/default.json"
}

for part in "$@"; do
  case $part in
    program | judge | formats | site | serving | code | hostile | store | build | suites | harness) "$part" ;;
    test) test_script ;;
    *) echo "$usage" >&2; exit 2 ;;
  esac
done
