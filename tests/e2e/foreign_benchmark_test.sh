#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Somebody else's benchmark: a program written to Google Benchmark's manual, without a line of ours, is gated before and after
# a change. It is rebuilt in place, as a user's is.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 builds=$2
new_repository
# A throttled CPU, such as that of a container with a quota, decides nothing here.
export TORCHGATE_GATE_ALLOW_NOISY=true
slowed=bench/BM_sum/20000
mkdir build
export TORCHGATE_GATE_COMPARE_CODE=false TORCHGATE_GATE_COUNT_UNDECIDED=false # layout_test and count_undecided_test are about these

build_as() { rm -f build/bench; cp "$builds/$1" build/bench; }
run() { exits_with 0 "$torchgate" run --quick --suite build/bench --filter 'BM_(sum|memcpy)' --save "$1"; }

# What is listed is what is there, and nothing is measured for it.
build_as plain
exits_with 0 "$torchgate" run --list --suite build/bench
says "bench/Numbers/sort/1024"
says "bench/BM_fill<int, long>"
says 'bench/a name, with (all) of [it]: .*+?{1}|^$ \ "quoted" %s <b>&amp;'

run base
exits_with 0 "$torchgate" baseline add base
run base2
exits_with 0 "$torchgate" baseline add base2

# Rebuilt without a change (another file) it is as fast.
build_as rebuilt
git commit -q --allow-empty -m rebuild
run same
exits_with_any "0 3" "$torchgate" gate same --budget 4m  # pairs clear what the screen may suspect, or end where other programs disturb them

# Three times the work in one benchmark: suspected, then confirmed with the baseline's kept executable, which is not in build/
# any more.
build_as slower
git commit -q --allow-empty -m "slow down"
# A disturbed run can hide even that from the screen: it is measured again, five times at most.
for attempt in 1 2 3 4 5; do
  run slower
  "$torchgate" gate slower --confirm none --unconfirmed warn --quiet --json screen.json 2>/dev/null || true
  echo "  screen, attempt $attempt: $(finding screen.json "$slowed")"
  [[ $(finding screen.json "$slowed") != suspected* ]] || break
done
exits_with 1 "$torchgate" gate slower --json slower.json
says "the pairs ran the recorded binaries of both sides (verified by hash)"
echo "  $(finding slower.json "$slowed")"
[[ $(finding slower.json "$slowed") == "regressed fail"* ]] || complain "planted: $(finding slower.json "$slowed")"
! grep -q '"case": *"bench/BM_memcpy[^}]*regressed' slower.json || complain "an untouched case was called regressed"

# Files of two names are two builds of one program.
exits_with 1 "$torchgate" ab --quick --filter BM_sum --before "$builds/plain" --after "$builds/slower" --json ab.json
[[ $(finding ab.json slower/BM_sum/20000) == "regressed fail"* ]] || complain "ab: $(finding ab.json slower/BM_sum/20000)"
exits_with_any "0 3" "$torchgate" ab --quick --filter BM_sum --before "$builds/plain" --after "$builds/rebuilt"
code=0
"$torchgate" compare base same >/dev/null || code=$?  # two runs apart on a busy machine: any answer
((code <= 1 || code == 3)) || complain "compare of two runs: exit code $code"

# With our header added, each sample is in the record.
exits_with 0 "$torchgate" run --quick --suite "$builds/with_raw_samples" --filter BM_sum --save raw
python3 - .torchgate/runs/raw.json <<'END' || complain "no raw samples"
import json, sys
run = json.load(open(sys.argv[1]))
n = [c["measurements"]["time"][0] for p in run["processes"] for c in p["cases"]]
print("  samples:", n)
sys.exit(sorted(n)[len(n) // 2] < 100)  # a process that was disturbed while it chose its iterations has few
END
finish
