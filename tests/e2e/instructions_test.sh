#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Counted instead of timed: the cost beforehand, +0.3 % found, what is lost said, shards, skipped groups, an interrupted run.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 suite=$2 benchmark=$3
readme=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../../ci/action/README.md")
command -v valgrind >/dev/null || { echo "skipped: valgrind is not installed"; exit 77; }
new_repository
# A throttled CPU, such as that of a container with a quota, decides nothing here.
export TORCHGATE_GATE_ALLOW_NOISY=true
cat > torchgate.toml <<'TOML'
[run]
processes = 1
[gate]
confirm = "none"
[[case]]
match = "turns:100000|BM_loop/100000"
metrics = { instructions = "fail" }
TOML
git add . && git commit -q -m policy

cases='^counted/(loop|prepared)/|BM_loop'
measure() { exits_with 0 "$torchgate" run --quick --instructions --counter callgrind --allow-noisy --filter "$cases" --save "$@"; }
both=(--suite "$suite" --suite "$benchmark")
# count FILE CASE: what was counted, or why not
count() {
  python3 -c 'import json, sys
for c in json.load(open(sys.argv[1])).get("instructions", []):
    if c["case"] == sys.argv[2]: print(*c["per_call"], c.get("unknown", ""))' ".torchgate/runs/$1.json" "$2"
}
# changed JSON CASE: action and change of its instructions
changed() {
  python3 -c 'import json, sys
for f in json.load(open(sys.argv[1]))["findings"]:
    if f["case"] == sys.argv[2] and f["metric"]["name"] == "instructions":
        print(f["verdict"], f["action"], round(100 * f["change"], 2) if f["change"] is not None else "")' "$1" "$2"
}

exits_with 0 "$torchgate" run --list --instructions --counter callgrind --filter "$cases" "${both[@]}"
says "counting instructions of 5 cases with callgrind-"
measure base "${both[@]}"
says "instructions of 5 cases counted"
exits_with 0 "$torchgate" baseline add base

# Nothing changed, and something did.
measure same "${both[@]}"
exits_with 0 "$torchgate" gate same --json same.json
[[ -z $(changed same.json counted/loop/loop/turns:100000) ]] || complain "nothing changed: $(changed same.json counted/loop/loop/turns:100000)"
export COUNTED_EXTRA=3
measure more "${both[@]}"
unset COUNTED_EXTRA
exits_with 1 "$torchgate" gate more --json more.json
says "turns (counted_suite): +1800 instructions per call"
for case in counted/loop/loop/turns:100000 counted_benchmark/BM_loop/100000; do
  [[ $(changed more.json "$case") == "changed fail 0.3" ]] || complain "$case: $(changed more.json "$case")"
done
[[ -z $(changed more.json counted/prepared/prepared) ]] || complain "an untouched case changed"

# The settings of ci/action/README.md for hosted runners: +1 % fails, nothing else does, and a busy machine is no doubt.
sed -n '/^<!-- settings of tests\/e2e\/instructions_test.sh -->$/,/^```$/p' "$readme" | sed '1,2d;$d' >hosted.toml
export COUNTED_EXTRA=10
measure hosted "${both[@]}"
unset COUNTED_EXTRA
exits_with 1 "$torchgate" --config hosted.toml gate hosted --json hosted.json
[[ $(changed hosted.json counted/loop/loop/turns:1000) == "changed fail "* ]] || complain "hosted.toml: $out"
[[ $out != *"The machine was noisy"* ]] || complain "rule exact doubts the machine: $out"
exits_with 0 "$torchgate" --config hosted.toml gate same

# A run that did not count is not green for what is gated.
exits_with 0 "$torchgate" run --quick --allow-noisy --filter "$cases" "${both[@]}" --save without
exits_with 1 "$torchgate" gate without
says "counted in the baseline and not now"

# Shards count their own groups.
exits_with 0 "$torchgate" run --quick --filter "$cases" "${both[@]}" --shards 2 --shard-plan plan.json
for shard in 1 2; do measure "shard$shard" "${both[@]}" --shard "$shard/2" --shard-plan plan.json; done
exits_with 0 "$torchgate" merge .torchgate/runs/shard{1,2}.json --save merged
for case in counted/loop/loop/turns:1000 counted/prepared/prepared counted_benchmark/BM_loop/1000; do
  [[ $(count merged "$case") == "$(count base "$case")" ]] || complain "$case merged: $(count merged "$case"), base: $(count base "$case")"
done
exits_with 0 "$torchgate" run --quick --allow-noisy --filter "$cases" "${both[@]}" --shard 2/2 --shard-plan plan.json --save uncounted
exits_with 2 "$torchgate" merge .torchgate/runs/shard1.json .torchgate/runs/uncounted.json --save mixed
says "instructions were counted differently"

# Groups that did not change are neither timed nor counted. Google Benchmark programs are always measured.
measure skipping "${both[@]}" --skip-unchanged
[[ -z $(count skipping counted/prepared/prepared) ]] || complain "an unchanged group was counted"
[[ $(count skipping counted_benchmark/BM_loop/1000) == "$(count base counted_benchmark/BM_loop/1000)" ]] || complain "not counted: BM_loop"
exits_with 0 "$torchgate" gate skipping

# Stopped while it counts: incomplete, the times are kept, and resuming counts anew.
COUNTED_STARTED="$PWD/started" "$torchgate" run --quick --instructions --counter callgrind --allow-noisy --suite "$suite" \
  --filter '^counted/(slow|prepared)/' --save stopped >stopped.log 2>&1 &
pid=$!
for _ in $(seq 1200); do [[ -s started ]] && break; sleep 0.1; done
kill -TERM "$pid"  # a background job of a script ignores SIGINT
code=0
wait "$pid" || code=$?
((code == 130)) || complain "interrupted: exit code $code: $(cat stopped.log)"
[[ $(count stopped counted/prepared/prepared) =~ ^[0-9] || -z $(count stopped counted/prepared/prepared) ]] ||
  complain "a case that was not counted has a reason: $(count stopped counted/prepared/prepared)"
exits_with 0 "$torchgate" run --resume
[[ $(count stopped counted/prepared/prepared) =~ ^[0-9]+ ]] || complain "resumed: $(count stopped counted/prepared/prepared)"

# Calibrated, the gate knows how far each case repeats.
exits_with 0 "$torchgate" calibrate --runs 3 --quick --instructions --counter callgrind --filter turns --suite "$suite"
says "Instructions per call, counted with callgrind-"
exits_with 1 "$torchgate" gate more --json calibrated.json
says "processes of the calibration differ by 0 %"
finish
