#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Result files of another tool with times that are none: each such case fails by name, and the others are judged as ever.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1
new_repository

cat >make.py <<'PYTHON'
"""make.py NAME=TIMES...: five files of each NAME; TIMES of BM_odd as JSON, one for each repetition, with "s " in front for
seconds and "only " for what the first file alone has."""
import json, random, sys
for name, odd, number in ((*argument.split("=", 1), number) for argument in sys.argv[1:] for number in range(1, 6)):
    random.seed(f"{name} {number}")
    entries = []
    def add(case, time, unit="ns"):
        entries.append({"name": case, "run_name": case, "run_type": "iteration", "iterations": 1, "real_time": time,
                        "cpu_time": time, "time_unit": unit})
    for case in ("BM_a", "BM_b"):
        for _ in range(5): add(case, 1000 * (1 + random.gauss(0, 0.001)))
    unit = "s" if odd.startswith("s ") else "ns"
    if number == 1 or not odd.startswith("only "):
        for time in json.loads(odd[odd.index("["):]): add("BM_odd", time * (1 + random.gauss(0, 0.001)), unit)
    json.dump({"context": {"date": f"2026-01-0{number}T00:00:00+00:00", "num_cpus": 2, "executable": name,
                           "library_build_type": "release"}, "benchmarks": entries}, open(f"{name}{number}.json", "w"))
PYTHON
side() { echo "$1"{1..5}.json | tr ' ' ,; }
# compared CODE BEFORE AFTER VERDICT [OPTION]...: BM_odd has the verdict, and stands in the first line; BM_a is judged
compared() {
  local odd other
  local code=$1 before=$2 after=$3 verdict=$4
  shift 4
  exits_with "$code" "$torchgate" compare "$(side "$before")" "$(side "$after")" --json report.json "$@"
  { read -r odd && read -r other; } < <(verdicts)
  [[ $odd == "$verdict"* ]] || complain "$after: $odd"
  [[ $code != 1 || $out == "FAIL"*"BM_odd"* ]] || complain "$after: the first line does not name BM_odd: $out"
  [[ $other =~ ^(equivalent|inconclusive|improved|regressed) ]] || complain "$after: BM_a is not judged: $other"
}
verdicts() { # of BM_odd and of BM_a, a line each
  awk -F'"' '$2 == "case" { name = $4 } $2 == "verdict" { verdict = $4 } $2 == "action" && !(name in said) { said[name] = verdict " " $4 }
    END { print said["BM_odd"]; print said["BM_a"] }' report.json
}

usual="[100, 101, 99, 100, 100]"
python3 make.py "before=$usual" "same=$usual" "zero=[0, 0, 0]" "zero_too=[0, 0, 0]" "some_zero=[100, 101, 0, 100]" \
  "huge=only [100, 100, 1e300]" "huge_everywhere=[100, 1e300, 99]" "centuries=s [1e305]" "infinite=[100, Infinity]" \
  "not_a_number=[100, NaN, 100]" "negative=[100, -1, 100]" "denormal=[5e-324, 5e-324]" "rare=only [300, 301, 299]" \
  "rare_before=only [100, 101, 99]"
compared 0 before same equivalent

for after in zero some_zero huge huge_everywhere centuries infinite not_a_number negative denormal; do
  compared 1 before "$after" "failed fail"
done
compared 1 before zero "failed fail" --rule textbook
compared 1 before some_zero "failed fail" --rule textbook
compared 1 zero zero_too "failed fail"

# Three times slower, in one of five files.
compared 1 before rare "missing fail"
says "4 of 5 processes did not report it; in the baseline 0 of 5 did not"
compared 3 rare_before rare inconclusive
says "1 of 5 processes of the baseline has it: too few to judge it"

# One file a side: the reason is that, and what to do is said.
exits_with 3 "$torchgate" compare before1.json same1.json
says "NO VERDICT  no case could be judged: 1 process per side: no between-process variance"
says "run the tool several times for each build"
finish
