#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ci/scripts/gpu_check.sh run in made-up folders: with and without a GPU, each step failing, and what it refuses. The programs
# are stand-ins that answer as the real ones do.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/expect.sh"
scripts=$here/../../ci/scripts

fake() {
  mkdir -p "$(dirname "$tree/$1")"
  printf '#!/usr/bin/env bash\n%s\n' "$2" >"$tree/$1"
  chmod +x "$tree/$1"
}

# GoogleTest's JSON, as version 1.12 writes it: two tests with figures, one that skips itself; without a GPU all of them do.
fake folder/bin/bench_gpu_test 'file=${1#--gtest_output=json:}
[[ -z ${CRASHES:-} ]] || { echo "CUDA error"; exit 139; }
[[ -z ${HANGS:-} ]] || sleep 60
result=COMPLETED failures=0
[[ -n ${GPU:-} ]] || { result=SKIPPED; echo "no CUDA device: no driver"; }
[[ -z ${TEST_FAILS:-} ]] || { failures=1; echo "[  FAILED  ] CudaDeviceTest.TheClock (3 ms)"; }
{
  printf "{\n  \"tests\": 3,\n  \"failures\": $failures,\n  \"testsuites\": [\n    { \"result\": \"$result\""
  [[ -z ${GPU:-} ]] || printf ",\n          \"gpu_name\": \"H100\",\n          \"cuda_runtime\": \"13000\",\n          \"known_duration_error\": \"${ERROR:-0.004}\",\n          \"cold_over_hot_copy\": \"1.9\"\n"
  printf "},\n    { \"result\": \"$result\""
  [[ -z ${GPU:-} || -n ${NO_PEAK:-} ]] || printf ",\n          \"peak_bytes\": \"2097152\",\n          \"peak_bytes_values_in_10_runs\": \"1\"\n"
  printf "},\n    { \"result\": \"SKIPPED\" }\n  ]\n}\n"
} >"$file"
exit "$failures"'
fake folder/bin/torchgate 'echo "torchgate $*" >>"$LOG"
command=$3
case $command in
  run)
    if [[ -z ${GPU:-} ]]; then echo "x.json: 0 results of 0 cases, 7 cases skipped"; exit 0; fi
    [[ -z ${CASE_FAILS:-} ]] || { echo "x.json: 1,012 results of 507 cases, 1 case skipped, 1 result failed or wrong, 1 process lost"; exit 1; }
    echo "x.json: 14 results of 7 cases" ;;
  report)
    while (($#)); do [[ $1 != -o ]] || report=$2; shift; done
    printf "{\n  \"findings\": [\n    {\n      \"case\": \"a/b/c\",\n      \"verdict\": \"wrong\"\n    },\n    {\n      \"case\": \"a/b/d\",\n      \"verdict\": \"skipped\"\n    }\n  ],\n  \"claims\": [\n" >"$report"
    claim() { printf "    {\n      \"case\": \"%s\",\n      \"text\": \"time <= 0.5 x reference\",\n      \"state\": \"%s\",\n      \"measured_ratio\": %s,\n    }\n" "$@" >>"$report"; }
    claim a/b/c/device:cuda "${CLAIM:-holds}" 0.25
    claim a/b/e/device:cuda undecided 0.4
    claim a/b/c/device:cpu broken 0.9 ;;
  ab)
    while (($#)); do [[ $1 != --json ]] || report=$2; shift; done
    [[ -z ${AB_FAILS:-} ]] || { echo "no such suite"; exit 2; }
    if [[ $report == */planted.json ]]; then
      printf "{\n  \"cases_judged\": ${JUDGED:-2},\n  \"findings\": [\n    {\n      \"case\": \"k/s/1\",\n      \"verdict\": \"regressed\"\n    },\n    {\n      \"case\": \"k/s/2\",\n      \"verdict\": \"${PLANTED:-regressed}\"\n    }\n  ]\n}\n" >"$report"
      exit 1
    fi
    printf "{\n  \"cases_judged\": ${JUDGED:-2},\n  \"findings\": [\n    {\n      \"verdict\": \"equivalent\"\n    },\n    {\n      \"case\": \"f/g/v\",\n      \"verdict\": \"${VERDICT:-inconclusive}\"\n    }\n  ]\n}\n" >"$report" ;;
esac'
fake folder/suites/fusion 'exit 0'
fake folder/planted/known_kernel 'exit 0 # A'
fake folder/planted/known_kernel-plus10 'exit 0 # B'
for side in old new; do
  fake "folder/copies/$side/fusion" "exit 0 # $side"
  fake "folder/copies/$side/batching" "exit 0 # $side"
done
cp "$scripts"/{gpu_check.sh,gpu_report.sh,noted_copy.sh,steps.sh} "$tree/folder/"
put folder/manifest.txt 'torchgate_version=0.1.0\ncommit=1a2b3c\nlibtorch_version=2.11.0\ncuda_version=13.0\ngpu_tests=3\ngpu_cases=7\n'
(cd "$tree/folder" && find . -type f -print0 | xargs -0 sha256sum >"$tree/sums" && mv "$tree/sums" SHA256SUMS)

torch_of() { # torch_of NAME MINOR: a folder that looks like a LibTorch with CUDA
  put "$1/torch/include/torch/headeronly/version.h" "#define TORCH_VERSION_MAJOR 2\n#define TORCH_VERSION_MINOR $2\n#define TORCH_VERSION_PATCH 0\n"
  put "$1/torch/lib/libtorch_cpu.so" x
  put "$1/torch/lib/libtorch_cuda.so" x
}
torch_of right 11
torch_of old 10
torch_of slim 11
rm "$tree/slim/torch/lib/libtorch_cuda.so"
fake python "echo '$tree/right/torch'"

check() { # check [NAME=VALUE]... [-- ARGUMENTS]: one run; its log of torchgate's calls starts anew
  local settings=()
  while (($#)) && [[ $1 != -- ]]; do settings+=("$1"); shift; done
  (($# == 0)) || shift
  : >"$tree/log"
  (cd "$tree" && env LOG="$tree/log" TORCHGATE_PYTHON="$tree/python" "${settings[@]}" "$tree/folder/gpu_check.sh" run --out report "$@")
}
# said EXPRESSION: holds for the report r, which Python could read
said() { python3 -c 'import json, sys
r = json.load(open(sys.argv[1])); s = {x["name"]: x for x in r["steps"]}
sys.exit(not eval(sys.argv[2]))' "$tree/report/gpu_check.json" "$1"; }
markdown() { cat "$tree/report/gpu_check.md"; }

# With a GPU and nothing wrong.
expect 0 "passed after" check GPU=yes
expect 0 "" said 'r["status"] == "passed" and r["reason"] is None and r["schema"] == "torchgate.gpu_check/1"'
expect 0 "" said '[s["gpu_tests"][k] for k in ("status", "passed", "failed", "skipped")] == ["passed", 2, 0, 1]'
expect 0 "" said '[s["cases"][k] for k in ("status", "passed", "failed", "skipped")] == ["passed", 14, 0, 0]'
expect 0 "" said '[s["claims"][k] for k in ("status", "passed", "failed", "skipped")] == ["passed", 1, 0, 1]'
expect 0 "" said 's["known_truths"]["passed"] == 3 and s["aa_fusion"]["status"] == s["aa_batching"]["status"] == "passed"'
expect 0 "" said '[s["planted"][k] for k in ("status", "passed", "failed", "skipped")] == ["passed", 2, 0, 0]'
expect 0 "" said 'r["figures"]["known_duration_error"] == 0.004 and r["figures"]["cold_over_hot_copy"] == 1.9'
expect 0 "" said 'r["figures"]["aa_verdicts"]["aa_fusion"] == {"equivalent": 1, "inconclusive": 1}'
expect 0 "" said 'r["machine"]["gpu"] == "H100" and r["versions"]["libtorch_here"] == "2.11.0" and r["versions"]["cuda_runtime"] == 13000'
expect 0 "| gpu_tests | passed | 2 | 0 | 1 |" markdown
expect 0 "--filter device:cuda --processes 2 --suite $tree/folder/suites" cat "$tree/log"
expect 0 "--pairs 11 --before $tree/folder/copies/old --after $tree/folder/copies/new" cat "$tree/log"
expect 0 "passed after" check GPU=yes -- --torch "$tree/right"
expect 0 "passed after" check GPU=yes -- --processes 1 --budget 400
expect 0 "--filter device:cuda --processes 1 --suite" cat "$tree/log"

# Without one: everything is skipped, nothing passed.
nothing_passed='r["status"] == "skipped" and all(x["status"] == "skipped" and x["passed"] == x["failed"] == 0 and x["note"] for x in r["steps"])'
expect 3 "no CUDA device: no driver" check
expect 0 "" said "$nothing_passed"
expect 0 "" said 's["gpu_tests"]["skipped"] == 3 and s["cases"]["skipped"] == 7 and r["reason"].startswith("no CUDA device")'
expect 0 "Nothing could run: no CUDA device: no driver" markdown
expect 0 "--processes 1" cat "$tree/log"

# Another LibTorch, or none: nothing is started at all.
expect 3 "LibTorch 2.10.0 in $tree/old/torch, but this folder was built with 2.11.0" check GPU=yes -- --torch "$tree/old"
expect 0 "" said "$nothing_passed"
expect 0 "" said 's["gpu_tests"]["skipped"] == 3 and s["cases"]["skipped"] == 7 and r["versions"]["libtorch_here"] == "2.10.0"'
expect 0 "" test ! -s "$tree/log"
expect 3 "has no CUDA" check GPU=yes -- --torch "$tree/slim"
expect 3 "no LibTorch in $tree/folder" check GPU=yes -- --torch "$tree/folder"
expect 3 "no LibTorch: python3 has no torch" check GPU=yes TORCHGATE_PYTHON=false
expect 0 "" said "$nothing_passed"

# Each step that fails fails the check, and the others are done all the same.
expect 1 "CudaDeviceTest.TheClock" check GPU=yes TEST_FAILS=yes
expect 0 "" said 's["gpu_tests"]["failed"] == 1 and s["aa_batching"]["status"] == "passed"'
expect 1 "ended with exit code 139, see gpu_tests.log" check GPU=yes CRASHES=yes
expect 0 "" said 's["known_truths"]["skipped"] == 3 and r["figures"]["peak_bytes"] is None'
expect 1 "stopped at its time limit" check GPU=yes HANGS=yes -- --budget 1
expect 1 "known_duration_error <= 0.02 does not hold: 0.021" check GPU=yes ERROR=0.021
expect 0 "passed after" check GPU=yes NO_PEAK=yes
expect 0 "" said 's["known_truths"]["passed"] == 2 and s["known_truths"]["skipped"] == 1'
expect 1 "ended with exit code 1, see cases.log; why is in cases.json: a/b/c " check GPU=yes CASE_FAILS=yes
expect 0 "" said '[s["cases"][k] for k in ("status", "passed", "failed", "skipped")] == ["failed", 1012, 2, 1]'
expect 1 "broken: a/b/c/device:cuda: time <= 0.5 x reference, measured 0.25" check GPU=yes CLAIM=broken
expect 0 "" said 's["claims"]["failed"] == 1 and s["cases"]["status"] == "passed"'
for verdict in regressed improved changed suspected; do
  expect 1 "1 difference between a build and itself: f/g/v" check GPU=yes VERDICT="$verdict"
done
expect 0 "" said 'r["figures"]["aa_verdicts"]["aa_batching"]["suspected"] == 1'
expect 1 "1 failed, 0 skipped: not found: k/s/2" check GPU=yes PLANTED=inconclusive
expect 1 "1 passed, 1 failed, 0 skipped: not found: k/s/2" check GPU=yes PLANTED=failed JUDGED=1
expect 0 "" said 's["planted"]["passed"] == 1 and s["aa_batching"]["status"] == "passed"'
expect 1 "aa_fusion     failed" check GPU=yes VERDICT=wrong
expect 1 "nothing could be judged" check GPU=yes JUDGED=0
expect 1 "ended with exit code 2, see aa_fusion.log" check GPU=yes AB_FAILS=yes

# A comparison that could not fail is no check: the same files on both sides, or none.
sums() { (cd "$tree/folder" && find . -type f ! -name SHA256SUMS -print0 | xargs -0 sha256sum >"$tree/sums" && mv "$tree/sums" SHA256SUMS); }
for made_same in "cp $tree/folder/copies/old/batching $tree/folder/copies/new/batching" "rm -r $tree/folder/copies"; do
  cp -r "$tree/folder/copies" "$tree/kept"
  $made_same
  sums
  expect 1 "have the same files: pairs of them cannot fail" check GPU=yes
  expect 0 "" said 's["aa_fusion"]["status"] == s["aa_batching"]["status"] == "failed" and s["cases"]["status"] == "passed"'
  expect 0 "" test ! "$(grep -c 'torchgate.* ab .*copies' "$tree/log")" -gt 0
  rm -rf "$tree/folder/copies"
  mv "$tree/kept" "$tree/folder/copies"
done
sums

# What it refuses.
expect 2 "unknown argument '--fast'" check -- --fast
expect 2 "--out needs a value" check -- --out
expect 2 "--budget takes seconds" check -- --budget soon
expect 2 "--processes takes a number" check -- --processes 0
expect 2 "build or run?" "$tree/folder/gpu_check.sh"
expect 2 "--libtorch needs a value" "$scripts/gpu_check.sh" build --libtorch
expect 2 "unknown argument '--fast'" "$scripts/gpu_check.sh" build --fast
expect 2 "one folder at most" "$scripts/gpu_check.sh" build a b
expect 2 "build in a checkout" "$tree/folder/gpu_check.sh" build "$tree/other"
expect 2 "is not a folder that this script made" "$scripts/gpu_check.sh" build "$tree/right"
expect 2 "not made by gpu_check.sh build" "$scripts/gpu_check.sh" run
echo more >>"$tree/folder/suites/fusion"
expect 2 "missing or changed files: ./suites/fusion" check GPU=yes
rm "$tree/folder/bin/torchgate"
expect 2 "./bin/torchgate" check GPU=yes

# `build` in a made-up checkout, where everything is compiled already: what comes into the folder, and which LibTorch is asked for.
fake checkout/build/gpu/ci/cli/torchgate 'while (($#)); do [[ $1 != --suite ]] || suite=$2; shift; done
case ${suite:-} in
  "") echo "torchgate 0.1.0" ;;
  */compile.artefacts) echo "no suites: no executable files in $suite"; exit 2 ;;
  */serving) printf "{\n  \"cases\": [],\n  \"failed\": []\n}\n" ;;
  *) printf "{\n  \"name\": \"a/b/c/device:cuda\"\n  \"failed\": []\n}\n" ;;
esac'
fake checkout/build/gpu/tests/harness/bench/torch/bench_gpu_test 'printf "CudaDeviceTest.\n  One\n  Two\n"'
cp /bin/true "$tree/checkout/build/gpu/tests/harness/bench/torch/known_kernel"
for suite in fusion batching serving; do
  mkdir -p "$tree/checkout/build/gpu/suites/bin"
  cp /bin/true "$tree/checkout/build/gpu/suites/bin/$suite"
done
put checkout/build/gpu/suites/bin/compile.artefacts/gated.pt x
fake checkout/ci/scripts/setup.sh 'echo "setup $*" >>"$LOG"'
cp "$scripts"/{gpu_check.sh,gpu_report.sh,noted_copy.sh,steps.sh} "$tree/checkout/ci/scripts/"
fake bin/cmake 'echo "cmake $*" >>"$LOG"'
fake bin/ldd 'exit 0'
put checkout/build/gpu/torchgate_torch.txt "libtorch_folder=$tree/right/torch\nlibtorch_version=2.11.0\ncuda_version=13.0\n"
build() { : >"$tree/log"; env LOG="$tree/log" PATH="$tree/bin:$PATH" "$tree/checkout/ci/scripts/gpu_check.sh" build "$tree/made" "$@"; }
expect 0 "2 tests, 1 cases; run it with: $tree/made/gpu_check.sh run" build
expect 0 "batching fusion " bash -c "cd '$tree/made/suites' && echo * ''"
expect 1 "" cmp -s "$tree/made/copies/old/fusion" "$tree/made/copies/new/fusion"
expect 0 $'setup --cuda\ncmake --preset gpu -UTORCHGATE_CUDA_INCLUDE -UTORCHGATE_CUDART -UTORCHGATE_NVCC -UTorch_ROOT' cat "$tree/log"
expect 0 "2 tests" build --libtorch 2.11.0
expect 0 $'setup --core\nsetup --libtorch 2.11.0 --cuda\ncmake --preset gpu -UTORCHGATE_CUDA_INCLUDE -UTORCHGATE_CUDART -UTORCHGATE_NVCC -DTorch_ROOT=' cat "$tree/log"
finish
