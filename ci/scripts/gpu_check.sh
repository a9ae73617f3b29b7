#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Takes torchgate to a machine with a GPU and back: `build` puts everything into one folder, `run` needs that folder, a
# driver and a LibTorch. What cannot run is called skipped, never passed.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/steps.sh"
source "$here/gpu_report.sh"
source "$here/noted_copy.sh"

usage="usage: ci/scripts/gpu_check.sh build [FOLDER] [--libtorch VERSION]      (default: build/gpu_check)
       FOLDER/gpu_check.sh run [--torch DIR] [--out DIR] [--budget SECONDS] [--processes N]
  build           suites with CUDA cases, GPU tests and torchgate in FOLDER, under 55 MB; needs nvcc, but no GPU
  --libtorch V    built with that version, which the machine with the GPU has, in place of the tested one
  run             all of it on this machine's GPU: gpu_check.json and gpu_check.md in the --out folder
  --torch DIR     a LibTorch with CUDA of the version the folder was built with (default: that of python3)
  --out DIR       where the report goes (default: gpu_check_report)
  --budget N      seconds for all of it (default: 600)
  --processes N   in how many processes each case is measured (default: 2)
Exit code of run: 0 everything passed, 1 something failed, 2 wrong usage or an incomplete folder, 3 nothing could run
(no GPU, no driver, no LibTorch of that version): the report says why."

# --- build ------------------------------------------------------------------------------------------------------------

most_mb=55
# Part of every system with a driver, or of LibTorch; anything else goes into the folder.
base_libraries=" linux-vdso.so.1 libc.so.6 libm.so.6 libpthread.so.0 libdl.so.2 librt.so.1 libutil.so.1 libresolv.so.2 libgcc_s.so.1 libstdc++.so.6 "

of_file() { sed -n "s/^$2=//p" "$1"; }

count_cuda_cases() { # count_cuda_cases SUITE_OR_FOLDER: how many it has, in $cuda_cases
  local said
  said=$("$torchgate" run --list --json --filter device:cuda --suite "$1" 2>&1) || true
  cuda_cases=$(grep -c '"name": ".*device:cuda' <<<"$said" || true)
  # A suite that could not say what it has must not be missing from the folder in silence.
  [[ $said == *'"failed": []'* || $said == *"no case matches"* ]] || give_up 1 "$1 cannot be asked for its cases: $said"
}

copy_libraries() { # what the programs given need beyond any system's own and LibTorch's
  local torch=$1 name path
  shift
  ldd "$@" | awk '$2 == "=>" && $3 ~ /^\// {print $1, $3}' | sort -u | while read -r name path; do
    [[ $base_libraries != *" $name "* && $path != "${torch%/torch}"/* ]] || continue
    cp -L "$path" "$folder/lib/$name"
  done
}

write_manifest() {
  local facts=$1 commit cuda_cases
  count_cuda_cases "$folder/suites"
  commit=$(git rev-parse HEAD 2>/dev/null || echo unknown)
  [[ -z $(git status --porcelain --untracked-files=no 2>/dev/null) ]] || commit+=" (modified)"
  cat >"$folder/manifest.txt" <<MANIFEST
torchgate_version=$("$torchgate" --version | awk '{print $NF; exit}')
commit=$commit
libtorch_version=$(of_file "$facts" libtorch_version)
cuda_version=$(of_file "$facts" cuda_version)
gpu_tests=$("$folder/bin/bench_gpu_test" --gtest_list_tests | grep -c '^  ')
gpu_cases=$cuda_cases
MANIFEST
  (cd "$folder" && find . -type f ! -name SHA256SUMS -print0 | sort -z | xargs -0 sha256sum >SHA256SUMS)
}

assemble() {
  local target=$1 made=$repository/build/gpu torch size suite cuda_cases
  torch=$(of_file "$made/torchgate_torch.txt" libtorch_folder)
  folder=$target.part torchgate=$target.part/bin/torchgate
  rm -rf "$folder"
  mkdir -p "$folder"/{bin,suites,lib,planted}
  use_libraries "$torch"
  cp "$here"/{gpu_check.sh,gpu_report.sh,noted_copy.sh,steps.sh} "$folder/"
  cp "$made/ci/cli/torchgate" "$made/tests/harness/bench/torch/bench_gpu_test" "$folder/bin/"
  # The same code, which is 10 % slower where its file is called so; not the same bytes, which would not be measured.
  noted_copy "$made/tests/harness/bench/torch/known_kernel" "$folder/planted/known_kernel" A
  noted_copy "$made/tests/harness/bench/torch/known_kernel" "$folder/planted/known_kernel-plus10" B
  for suite in "$made"/suites/bin/*; do
    [[ -f $suite && -x $suite ]] || continue # beside a suite lies the folder of its compiled packages
    count_cuda_cases "$suite"
    ((cuda_cases == 0)) || cp "$suite" "$folder/suites/"
  done
  # Made here: the machine with the GPU may have no binutils.
  noted_copies "$folder/copies" "$folder"/suites/{fusion,batching}
  copy_libraries "$torch" "$folder"/{bin,suites,planted}/*
  write_manifest "$made/torchgate_torch.txt"
  size=$(du -sm "$folder" | cut -f 1)
  ((size < most_mb)) || give_up 1 "$folder has $size MB; it has to stay under $most_mb MB"
  rm -rf "$target"
  mv "$folder" "$target"
  say "$target: $size MB, $(of_file "$target/manifest.txt" gpu_tests) tests, $(of_file "$target/manifest.txt" gpu_cases) cases; run it with: $target/gpu_check.sh run"
}

build() {
  local target="" version="" torch_root=(-UTorch_ROOT) deps=${TORCHGATE_DEPS_DIR:-$repository/.deps}
  while (($#)); do
    case $1 in
      --libtorch) (($# > 1)) || give_up 2 "--libtorch needs a value"; version=$2; shift ;;
      -*) give_up 2 "unknown argument '$1'"$'\n'"$usage" ;;
      *) [[ -z $target ]] || give_up 2 "one folder at most"$'\n'"$usage"; target=$1 ;;
    esac
    shift
  done
  target=${target:-$repository/build/gpu_check}
  [[ $target == /* ]] || target=$PWD/$target
  [[ -e $here/setup.sh ]] || give_up 2 "this is a built folder: build in a checkout"
  [[ ! -e $target || -e $target/manifest.txt ]] || give_up 2 "$target already exists, and is not a folder that this script made"
  cd "$repository"
  if [[ -n $version ]]; then
    step "set-up" "$here/setup.sh" --core
    step "LibTorch $version" "$here/setup.sh" --libtorch "$version" --cuda
    torch_root=("-DTorch_ROOT=$deps/libtorch-$version-full/torch")
  else
    step "set-up" "$here/setup.sh" --cuda
  fi
  # What an earlier configuration found may belong to another LibTorch.
  local -r toolkit=(-UTORCHGATE_CUDA_INCLUDE -UTORCHGATE_CUDART -UTORCHGATE_NVCC)
  step "configure gpu" cmake --preset gpu "${toolkit[@]}" "${torch_root[@]}"
  step "build gpu" cmake --build --preset gpu --target torchgate torchgate_suites bench_gpu_test known_kernel
  step "put together $target" assemble "$target"
}

# --- run: what there is -----------------------------------------------------------------------------------------------

# The folder with lib/ and include/ of a LibTorch: the one given, or that of python3, which need not import it.
find_torch() {
  local given=$1 layout
  if [[ -z $given ]]; then
    given=$("${TORCHGATE_PYTHON:-python3}" -c 'import importlib.util
found = importlib.util.find_spec("torch")
print(list(found.submodule_search_locations)[0] if found else "")' 2>/dev/null || true)
    [[ -n $given ]] || { blocked="no LibTorch: python3 has no torch; name a folder with --torch DIR"; return; }
  fi
  for layout in "" /torch /libtorch; do
    [[ -e $given$layout/lib/libtorch_cpu.so ]] || continue
    torch=$(cd "$given$layout" && pwd)
    break
  done
  [[ -n $torch ]] || { blocked="no LibTorch in $given: lib/libtorch_cpu.so is expected there, or in torch/ or libtorch/ below it"; return; }
  torch_version=$(awk '/^#define TORCH_VERSION_(MAJOR|MINOR|PATCH) / { v = v dot $3; dot = "." } END { print v }' \
    "$torch/include/torch/headeronly/version.h" 2>/dev/null || true)
  [[ -n $torch_version ]] || torch_version=$(sed -n "s/^__version__ = '\([0-9.]*\).*/\1/p" "$torch/version.py" 2>/dev/null || true)
  if [[ $torch_version != "$(manifest libtorch_version)" ]]; then
    blocked="LibTorch ${torch_version:-of an unknown version} in $torch, but this folder was built with $(manifest libtorch_version): name another one with --torch DIR"
  elif [[ ! -e $torch/lib/libtorch_cuda.so ]]; then
    blocked="LibTorch $torch_version in $torch has no CUDA (lib/libtorch_cuda.so is missing)"
  fi
}

use_libraries() { # of the LibTorch in folder $1, and what came with ours
  local path=$1/lib dir
  for dir in "$1"/../nvidia/*/lib; do [[ ! -d $dir ]] || path+=:$dir; done
  export LD_LIBRARY_PATH="$path:$folder/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
}

check_libraries() {
  local missing
  missing=$(ldd "$folder"/{bin,suites,planted}/* 2>&1 | grep 'not found' | sed 's/^[[:space:]]*//' | sort -u | head -n 3 || true)
  [[ -z $missing ]] || blocked="libraries that the programs need are not here: ${missing//$'\n'/; }"
}

check_whole() {
  local missing
  [[ -s $folder/manifest.txt && -s $folder/SHA256SUMS ]] ||
    give_up 2 "$folder: not made by gpu_check.sh build: manifest.txt or SHA256SUMS is missing"
  missing=$(cd "$folder" && LC_ALL=C sha256sum --check --quiet SHA256SUMS 2>/dev/null | sed 's/: FAILED.*//' | tr '\n' ' ' || true)
  [[ -z $missing ]] || give_up 2 "$folder: missing or changed files: $missing; copy the folder again"
}

aa_limit=100 # seconds for each comparison of a build with itself; the cases get what the tests leave of the rest

# --- run: the steps ---------------------------------------------------------------------------------------------------

# bounded SECONDS LOG COMMAND...: never longer than that, nor than what is left of all. Sets $took and $code.
bounded() {
  local limit=$1 log=$2 begin=$SECONDS
  shift 2
  ((limit <= budget - SECONDS)) || limit=$((budget - SECONDS))
  code=0
  if ((limit > 0)); then
    timeout --kill-after=5 "$limit" "$@" >"$log" 2>&1 || code=$?
  else
    code=124
    echo "no time was left for it" >"$log"
  fi
  took=$((SECONDS - begin))
}

how_it_ended() { if ((code == 124 || code == 137)); then echo "stopped at its time limit"; else echo "ended with exit code $code"; fi; }

run_gpu_tests() {
  local file=$out/gpu_tests.json tests failed skipped note=""
  say "GPU tests"
  bounded 110 "$out/gpu_tests.log" "$folder/bin/bench_gpu_test" --gtest_output="json:$file"
  if [[ ! -s $file ]]; then
    add_step gpu_tests failed "$took" 0 1 0 "$(how_it_ended), see gpu_tests.log"
    return
  fi
  tests=$(grep -m 1 -o '"tests": [0-9]*' "$file" | tr -dc 0-9)
  failed=$(grep -m 1 -o '"failures": [0-9]*' "$file" | tr -dc 0-9)
  skipped=$(grep -c '"result": "SKIPPED"' "$file" || true)
  read_figures "$file"
  if ((failed > 0 || code != 0)); then
    note="$(grep -o '^\[  FAILED  \] [A-Za-z.]*' "$out/gpu_tests.log" | sed 's/.*] //' | sort -u | tr '\n' ' ')see gpu_tests.log"
    ((failed > 0)) || failed=1
  elif ((tests == skipped)); then
    blocked=$(grep -m 1 -o 'no CUDA device.*' "$out/gpu_tests.log" || echo "every GPU test skipped itself, see gpu_tests.log")
    note=$blocked
  fi
  add_step gpu_tests "$(status_of $((tests - failed - skipped)) "$failed")" "$took" $((tests - failed - skipped)) "$failed" "$skipped" "$note"
}

# The figures once more, against what is known, whatever the tests made of them.
check_truths() {
  local passed=0 failed=0 skipped=0 note="" name limit
  for limit in "known_duration_error <= 0.02" "cold_over_hot_copy > 1" "peak_bytes_values_in_10_runs == 1"; do
    name=${limit%% *}
    if [[ -z ${figures[$name]:-} ]]; then
      skipped=$((skipped + 1)) note+="$name was not measured. "
    elif awk -v value="${figures[$name]}" "BEGIN {exit !(value ${limit#* })}"; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1)) note+="$limit does not hold: ${figures[$name]}. "
    fi
  done
  add_step known_truths "$(status_of $passed $failed)" 0 $passed $failed $skipped "${note:-${blocked:-}}"
}

# bounded_torchgate SECONDS LOG COMMAND...: with a torchgate.toml of its own; ends by itself before its time limit
bounded_torchgate() {
  local limit=$1 log=$2 soft
  local -r to_end=30 # of the last process, and of the judging
  shift 2
  soft=$((limit < budget - SECONDS ? limit : budget - SECONDS))
  soft=$((soft > to_end + 1 ? soft - to_end : 1))
  bounded "$limit" "$log" "$folder/bin/torchgate" --config "$out/policy.toml" "$@" --group-limit 60 --total-limit "$soft"
}

run_cases() {
  local line ok bad lost skipped status note="" names left
  [[ -z $blocked ]] || processes=1
  say "cases on the GPU"
  left=$((budget - SECONDS))
  bounded_torchgate $((left > 5 * aa_limit ? left - 3 * aa_limit : left / 2)) "$out/cases.log" run --quick --filter device:cuda --processes "$processes" --suite "$folder/suites" --save gpu_check
  line=$(grep -m 1 -E ' results? of ' "$out/cases.log" || true)
  number() { grep -oE "[0-9,]+ $1" <<<"$line" | grep -oE '^[0-9,]+' | tr -d , || echo 0; } # "1 case skipped", "1,200 cases skipped"
  ok=$(number "results? of") bad=$(number "results? failed or wrong") lost=$(number "process(es)? lost") skipped=$(number "cases? skipped")
  [[ -n $line ]] || bad=1
  status=$(status_of "$ok" $((bad + lost)))
  ((code == 0)) || { status=failed note="$(how_it_ended), see cases.log"; }
  "$folder/bin/torchgate" --config "$out/policy.toml" report gpu_check --format json -o "$out/cases.json" >>"$out/cases.log" 2>&1 || true
  if ((bad + lost > 0)); then
    names=$(cases_with 'failed|wrong|missing' "$out/cases.json" | head -n 5 | tr '\n' ' ')
    [[ -z $names ]] || note+="; why is in cases.json: $names"
  fi
  [[ $status != skipped ]] || note=${blocked:-see cases.log}
  ((bad + lost > 0)) || [[ $status != failed ]] || bad=1
  add_step cases "$status" "$took" "$ok" $((bad + lost)) "$skipped" "$note"
}

same_files() { # whether some program of both sides is one and the same file, by content: its pairs could never fail
  local old
  for old in "$folder"/copies/old/*; do
    [[ -e $old ]] && ! cmp -s "$old" "$folder/copies/new/${old##*/}" || return 0
  done
  return 1
}

check_claims() { # what the suites claim of the cases that were measured
  local note="" broken=() holds=()
  if [[ -n $blocked || ! -s $out/cases.json ]]; then
    add_step claims skipped 0 0 0 0 "${blocked:-no case was measured}"
    return
  fi
  mapfile -t broken < <(claims_that broken)
  mapfile -t holds < <(claims_that holds)
  ((${#broken[@]} == 0)) || note="broken: $(printf '%s; ' "${broken[@]:0:5}")"
  add_step claims "$(status_of ${#holds[@]} ${#broken[@]})" 0 ${#holds[@]} ${#broken[@]} \
    "$(claims_that 'undecided|not_measured' | wc -l)" "${note%; }"
}

# compared NAME WHAT BEFORE AFTER [OPTION]...: eleven pairs of both; false where that gave no report, which is a step of its own already
compared() {
  local name=$1 what=$2 before=$3 after=$4
  shift 4
  if [[ -n $blocked ]]; then
    add_step "$name" skipped 0 0 0 1 "$blocked"
    return 1
  fi
  say "$what"
  bounded_torchgate "$aa_limit" "$out/$name.log" ab --quick "$@" --pairs 11 --before "$before" --after "$after" --quiet --json "$out/$name.json"
  [[ ! -s $out/$name.json ]] || return 0
  add_step "$name" failed "$took" 0 1 0 "$(how_it_ended), see $name.log"
  return 1
}

run_aa() { # run_aa NAME FILTER: two builds of the same code (noted_copy.sh); anything but silence is wrong
  local name=$1 filter=$2 report=$out/$1.json loud broken judged quiet note=""
  if [[ -z $blocked ]] && same_files; then
    add_step "$name" failed 0 0 1 0 "copies/old and copies/new have the same files: pairs of them cannot fail; build the folder again"
    return
  fi
  compared "$name" "the same build against itself: $filter" "$folder/copies/old" "$folder/copies/new" --filter "$filter" || return 0
  aa_verdicts[$name]=$(verdict_counts "$report")
  loud=$(grep -cE '"verdict": "(regressed|suspected|changed|improved)"' "$report" || true)
  broken=$(grep -cE '"verdict": "(failed|wrong|missing)"' "$report" || true)
  judged=$(grep -m 1 -o '"cases_judged": [0-9]*' "$report" | tr -dc 0-9)
  quiet=$(grep -c '"verdict": "equivalent"' "$report" || true)
  ((judged > 0)) || { broken=$((broken + 1)) note="nothing could be judged, see $name.log; "; }
  ((loud == 0)) || note+="$loud $( ((loud == 1)) && echo difference || echo differences) between a build and itself: $(cases_with 'regressed|suspected|changed|improved' "$report" | head -n 5 | tr '\n' ' ')"
  add_step "$name" "$(status_of "$quiet" $((loud + broken)) "$judged")" "$took" "$quiet" $((loud + broken)) 0 "$note"
}

run_planted() { # kernels that take 10 % more cycles: each case has to be found
  local report=$out/planted.json all found lost passed failed note=""
  compared planted "10 % more cycles" "$folder/planted/known_kernel" "$folder/planted/known_kernel-plus10" || return 0
  # Of all cases, whatever became of them: one that could not be measured was not found either.
  found=$(cases_with regressed "$report")
  all=$(cases_with '.*' "$report")
  lost=$(grep -vxF -- "${found:-nothing}" <<<"$all" | grep . || true)
  [[ -n $all ]] || lost="no case, see planted.log"
  [[ -z $lost ]] || note="not found: $(head -n 5 <<<"$lost" | tr '\n' ' ')"
  passed=$(grep -c . <<<"$found" || true) failed=$(grep -c . <<<"$lost" || true)
  add_step planted "$(status_of "$passed" "$failed")" "$took" "$passed" "$failed" 0 "$note"
}

run() {
  local given="" budget=600 processes=2 code=0 took=0 torch="" torch_version="" blocked=""
  out=gpu_check_report folder=$here
  while (($#)); do
    case $1 in
      --torch | --out | --budget | --processes) (($# > 1)) || give_up 2 "$1 needs a value" ;;&
      --torch) given=$2; shift ;;
      --out) out=$2; shift ;;
      --budget) budget=$2; [[ $budget =~ ^[1-9][0-9]*$ ]] || give_up 2 "--budget takes seconds, not '$2'"; shift ;;
      --processes) processes=$2; [[ $processes =~ ^[1-9][0-9]?$ ]] || give_up 2 "--processes takes a number from 1 to 99, not '$2'"; shift ;;
      *) give_up 2 "unknown argument '$1'"$'\n'"$usage" ;;
    esac
    shift
  done
  check_whole
  mkdir -p "$out"
  out=$(cd "$out" && pwd)
  rm -rf "$out"/{gpu_check.json,gpu_check.md,gpu_tests.json,cases.json,aa_fusion.json,aa_batching.json,planted.json,.torchgate}
  : >"$out/policy.toml"
  begin_report
  find_torch "$given"
  cd "$out" # torchgate keeps its runs where it is called
  if [[ -z $blocked ]]; then use_libraries "$torch"; check_libraries; fi
  if [[ -n $blocked ]]; then
    add_step gpu_tests skipped 0 0 0 "$(manifest gpu_tests)" "$blocked"
    add_step known_truths skipped 0 0 0 3 "$blocked"
    add_step cases skipped 0 0 0 "$(manifest gpu_cases)" "$blocked"
  else
    run_gpu_tests
    check_truths
    run_cases
  fi
  check_claims
  run_aa aa_fusion 'fusion/gelu/.*device:cuda'
  run_aa aa_batching 'batching/mlp/.*device:cuda'
  run_planted
  end_report
}

case ${1:-} in
  build) shift; build "$@" ;;
  run) shift; run "$@" ;;
  -h | --help) echo "$usage" ;;
  *) give_up 2 "build or run?"$'\n'"$usage" ;;
esac
