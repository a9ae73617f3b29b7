# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What gpu_check.sh run found, as JSON and as Markdown. No Python, no jq: the machine with the GPU may have neither.
# Sourced, never run. Uses $folder, $out, $torch, $torch_version and $blocked of the run.
# shellcheck disable=SC2154

manifest() { sed -n "s/^$1=//p" "$folder/manifest.txt"; }

begin_report() {
  steps=()
  declare -gA figures=() aa_verdicts=()
}

# add_step NAME passed|failed|skipped SECONDS PASSED FAILED SKIPPED NOTE
add_step() {
  local IFS=$'\x1f'
  steps+=("$*")
  printf '    %-13s %-8s %s passed, %s failed, %s skipped%s\n' "$1" "$2" "$4" "$5" "$6" "${7:+: $7}"
}

# status_of PASSED FAILED [RAN]: what counts is whether anything ran; RAN where that is more than what passed
status_of() {
  if (($2 > 0)); then echo failed; elif (($1 > 0 || ${3:-0} > 0)); then echo passed; else echo skipped; fi
}

read_figures() { # of GoogleTest's JSON file: its recorded properties
  local name value
  while IFS='=' read -r name value; do
    figures[$name]=$value
  done < <(sed -nE 's/^ *"(gpu_name|cuda_driver_api|cuda_runtime|expected_clock_mhz|known_duration_error|cold_over_hot_copy|peak_bytes|peak_bytes_values_in_10_runs)": "([^"]*)",?$/\1=\2/p' "$1")
}

verdict_counts() { # of a report of torchgate, as members of a JSON object
  grep -o '"verdict": "[a-z_]*"' "$1" | sort | uniq -c | awk '{printf "%s%s: %d", sep, $3, $1; sep = ", "}'
}

cases_with() { # cases_with VERDICTS FILE: their names, of a report of torchgate
  awk -F'"' -v verdicts="^($1)$" '$2 == "case" { name = $4 } $2 == "verdict" && $4 ~ verdicts && !(name in seen) { seen[name]; print name }' "$2" 2>/dev/null || true
}

claims_that() { # claims_that STATES: "CASE: TEXT, measured RATIO" of each, of the cases on the GPU
  awk -F'"' -v states="^($1)$" '/^  "claims": \[/ { claims = 1 } !claims { next }
    $2 == "case" { name = $4 } $2 == "text" { text = $4 } $2 == "state" { state = $4 }
    $2 == "measured_ratio" && state ~ states && name ~ /device:cuda/ { gsub(/[^0-9.e+-]/, "", $3); print name ": " text ", measured " $3 }' "$out/cases.json" 2>/dev/null || true
}

text() { # a JSON string, or null
  local value=$1
  [[ -n $value ]] || { printf null; return; }
  value=${value//\\/\\\\}
  value=${value//\"/\\\"}
  printf '"%s"' "$(tr -d '\000-\037' <<<"$value")"
}

number_or_null() { if [[ $1 =~ ^-?[0-9]+(\.[0-9]+)?$ ]]; then printf '%s' "$1"; else printf null; fi; }

driver_version() { sed -nE 's/^NVRM version:.* ([0-9]+\.[0-9.]+) .*/\1/p' /proc/driver/nvidia/version 2>/dev/null || true; }
system_name() { sed -nE 's/^PRETTY_NAME="?([^"]*)"?$/\1/p' /etc/os-release 2>/dev/null || true; }
cpu_name() { sed -nE 's/^model name[[:space:]]*: (.*)/\1/p' /proc/cpuinfo 2>/dev/null | head -n 1 || true; }

write_json() {
  local each name state seconds passed failed skipped note comma=""
  echo "{"
  echo "  \"schema\": \"torchgate.gpu_check/1\","
  echo "  \"status\": \"$status\","
  echo "  \"reason\": $(text "$blocked"),"
  echo "  \"created\": \"$(date -u +%Y-%m-%dT%H:%M:%SZ)\","
  echo "  \"seconds\": $SECONDS,"
  echo "  \"machine\": {\"gpu\": $(text "${figures[gpu_name]:-}"), \"expected_clock_mhz\": $(number_or_null "${figures[expected_clock_mhz]:-}"), \"driver\": $(text "$(driver_version)"), \"cpu\": $(text "$(cpu_name)"), \"cpus\": $(nproc), \"system\": $(text "$(system_name)"), \"kernel\": $(text "$(uname -r)")},"
  echo "  \"versions\": {\"torchgate\": $(text "$(manifest torchgate_version)"), \"commit\": $(text "$(manifest commit)"), \"cuda\": $(text "$(manifest cuda_version)"), \"libtorch\": $(text "$(manifest libtorch_version)"), \"libtorch_here\": $(text "$torch_version"), \"cuda_driver_api\": $(number_or_null "${figures[cuda_driver_api]:-}"), \"cuda_runtime\": $(number_or_null "${figures[cuda_runtime]:-}")},"
  echo "  \"steps\": ["
  for each in "${steps[@]}"; do
    IFS=$'\x1f' read -r name state seconds passed failed skipped note <<<"$each"
    printf '%s    {"name": "%s", "status": "%s", "seconds": %s, "passed": %s, "failed": %s, "skipped": %s, "note": %s}' \
      "$comma" "$name" "$state" "$seconds" "$passed" "$failed" "$skipped" "$(text "$note")"
    comma=$',\n'
  done
  printf '\n  ],\n  "figures": {\n'
  for name in known_duration_error cold_over_hot_copy peak_bytes peak_bytes_values_in_10_runs; do
    echo "    \"$name\": $(number_or_null "${figures[$name]:-}"),"
  done
  echo "    \"aa_verdicts\": {\"aa_fusion\": {${aa_verdicts[aa_fusion]:-}}, \"aa_batching\": {${aa_verdicts[aa_batching]:-}}}"
  printf '  }\n}\n'
}

write_markdown() {
  local each name state seconds passed failed skipped note
  echo "# GPU check: $status"
  echo
  [[ -z $blocked ]] || printf 'Nothing could run: %s\n\n' "$blocked"
  echo "- GPU: ${figures[gpu_name]:-none}, driver $(driver_version | grep . || echo unknown), $(system_name), kernel $(uname -r)"
  echo "- torchgate $(manifest torchgate_version), commit $(manifest commit)"
  echo "- LibTorch $(manifest libtorch_version) and CUDA $(manifest cuda_version) when built; LibTorch here: ${torch_version:-none}"
  echo "- $SECONDS s in all"
  printf '\n| step | status | passed | failed | skipped | seconds | |\n|---|---|--:|--:|--:|--:|---|\n'
  for each in "${steps[@]}"; do
    IFS=$'\x1f' read -r name state seconds passed failed skipped note <<<"$each"
    echo "| $name | $state | $passed | $failed | $skipped | $seconds | ${note//|/\\|} |"
  done
  printf '\n| figure | value | has to be |\n|---|--:|---|\n'
  echo "| error of event times of a kernel of known duration | ${figures[known_duration_error]:-not measured} | at most 0.02 |"
  echo "| cold / hot time of a copy that moves 32 MB | ${figures[cold_over_hot_copy]:-not measured} | more than 1 |"
  echo "| different peaks in 10 runs (of ${figures[peak_bytes]:-unknown} bytes) | ${figures[peak_bytes_values_in_10_runs]:-not measured} | 1 |"
  for name in aa_fusion aa_batching; do
    echo "| verdicts of $name | ${aa_verdicts[$name]:-not measured} | no difference |"
  done
}

# Writes both files and ends with the exit code that they stand for.
end_report() {
  local all code=3 status=skipped
  all=$(printf '%s\n' "${steps[@]}" | cut -d $'\x1f' -f 2)
  if grep -q failed <<<"$all"; then
    status=failed code=1
  elif grep -q passed <<<"$all"; then
    status=passed code=0
  fi
  write_json >"$out/gpu_check.json"
  write_markdown >"$out/gpu_check.md"
  say "$status after $SECONDS s${blocked:+: $blocked}"
  say "report: $out/gpu_check.md, $out/gpu_check.json"
  exit "$code"
}
