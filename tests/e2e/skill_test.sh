#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# skill_test.sh TORCHGATE FAKE_SUITE SKILL: runs every command of SKILL.md, in order, as a program would that follows it: a suite that becomes
# slower between "before" and "after". What `torchgate help agent` names is in the report.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 fake=$2 skill=$3
new_repository
export FAKE_GROUPS=a FAKE_READS="" TORCHGATE_GATE_ALLOW_NOISY=true TORCHGATE_GATE_COUNT_UNDECIDED=false TORCHGATE_GATE_COMPARE_CODE=false
export SUITES=$work/build BEFORE=$work/before CASE=fake/a/eager/device:cpu
mkdir bin build
ln -s "$(realpath "$torchgate")" bin/torchgate
PATH=$work/bin:$PATH
printf 'bin\nbefore\n*.json\nreport.*\n' >>.gitignore
git add .gitignore
git commit -qm "ignore results"
build() {
  rm -f build/fake
  cp "$fake" build/fake
  printf '\nFAKE_LEVEL=%s\n' "$1" >>build/fake
}
build 1000

# The commands of the document, each on a line.
awk '/^```sh$/ {inside = 1; next} /^```$/ {inside = 0} inside' "$skill" >commands
(($(wc -l <commands) >= 6)) || complain "SKILL.md has lost its commands"
while IFS= read -r command; do
  want=0
  case $command in
    cp\ *) built_before=1 ;;
    torchgate\ ab*) want=1; [[ ${built_before:-} ]] || complain "SKILL.md does not keep the built suites" ;;
    # The baseline is what was before; a person made it.
    torchgate\ gate*)
      want=1
      build 1000
      torchgate run --suite build --save main >/dev/null 2>&1
      torchgate baseline add main >/dev/null
      git commit -q --allow-empty -m "slow down"
      build 1300 ;;
  esac
  code=0
  eval "$command" </dev/null >output 2>&1 || code=$?
  if ((code == want)); then echo "ok: exit code $code: $command"; else complain "exit code $code instead of $want: $command: $(cat output)"; fi
  case $command in
    cp\ *) build 1300 ;;
    torchgate\ ab*)
      [[ $(finding report.json "$CASE") == "regressed fail"* ]] || complain "the slower build: $(finding report.json "$CASE")" ;;
    python3*outcome*) grep -q '^fail - ' output || complain "the outcome: $(cat output)" ;;
    python3*findings*) grep -q "^fail regressed $CASE 0\.[23]" output || complain "the findings: $(cat output)" ;;
  esac
done <commands
[[ -s explanation.json && -s report.html && -s report.md ]] || complain "a file is missing"

# The members that the help names for programs are those of the report.
torchgate help agent >agent
python3 - <<'PYTHON' || complain "torchgate help agent and the report"
import json, re
report = json.load(open("report.json"))
text = open("agent").read()
section = re.search(r"\nRead report\.json.*?\n\n", text, re.S).group(0)
members = re.findall(r"^  (\w+) ", section, re.M)
assert len(members) >= 4, section
assert not [member for member in members if member not in report], members
of_finding = re.search(r"worst first: ([\w\s(),.:%]*)", section).group(1)
for member in ("case", "metric", "verdict", "action", "change", "interval", "reasons"):
    assert re.search(rf"\b{member}\b", of_finding), (member, of_finding)
    assert member in report["findings"][0], member
PYTHON
# Its calls are understood: only what they name is absent.
while IFS= read -r call; do
  code=0
  eval "${call//DIR/build}" >output 2>&1 </dev/null || code=$?
  ! grep -q "unknown\|unexpected" output || complain "$call: $(cat output)"
done < <(sed -n 's/^  \(torchgate .*\)/\1/p' agent)
finish
