#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# triage_loop_test.sh TORCHGATE FAKE_SUITE README: the commands of README ("Triage") on real pairs: a commit makes a case slower, the next
# one does not repair it, the one after does.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
source "$(dirname "${BASH_SOURCE[0]}")/github_stub.sh"
torchgate=$1
export FAKE=$2
commands=$(awk '/^<!-- tested by tests\/e2e\/triage_loop_test.sh -->$/ {marked = 1; next}
  /^```sh$/ && marked {inside = 1; next} /^```$/ {inside = marked = 0} inside' "$3")
[[ $commands == *"triage --open"* ]] || { echo "$3 has lost its commands"; exit 1; }
new_repository
trap 'stop_stub; rm -rf "$work"' EXIT
unset GITHUB_EVENT_PATH GITHUB_SERVER_URL GITHUB_RUN_ID TORCHGATE_GITHUB_TOKEN
printf '*.json\nstub\nbin\ncommands.sh\n' >>.gitignore
printf '%s\n' "$commands" >commands.sh
export FAKE_GROUPS=ok
mkdir bin
ln -s "$torchgate" bin/torchgate
export PATH=$work/bin:$PATH BUILD="sh build.sh" SUITES=build
# The level stands behind the executable; every commit has another file.
cat >build.sh <<'SCRIPT'
set -e
mkdir -p build
rm -f build/fake
cp "$FAKE" build/fake
printf '\nFAKE_LEVEL=%s\n#%s\n' $(cat code) >>build/fake
SCRIPT
next_commit() {
  echo "$1" >code
  git add .
  git commit -qm "$2"
  git tag "$2"
}
next_commit "1000000 1" good
next_commit "1300000 2" slower
stub=""
start_stub "$work/stub"

torchgate ab --before good --after slower --build "$BUILD" --suites "$SUITES" --json report.json --quiet --allow-noisy || (($? == 1))
[[ $(python3 -c 'import json; print({f["verdict"] for f in json.load(open("report.json"))["findings"] if f["metric"]["name"] == "time"})') == "{'regressed'}" ]] ||
  complain "not slower: $(cat report.json)"
export TORCHGATE_GATE_ALLOW_NOISY=true
run_commands() { exits_with 0 bash -euo pipefail commands.sh; }

echo "--- a new issue; HEAD is the cause"
run_commands
says "created issue 1 for $(git rev-parse slower | cut -c1-12)"
stores "[i['state'] for i in state['issues']] == ['open'] and 'still slower' in state['issues'][0]['body']"

echo "--- said to be fixed, and is not"
next_commit "1290000 3" not_fixed
run_commands
stores "[i['state'] for i in state['issues']] == ['open'] and '$(git rev-parse not_fixed | cut -c1-12)' in state['issues'][0]['body']"

echo "--- repaired"
next_commit "1000000 4" fixed
run_commands
says "closed issue 1"
stores "[(i['state'], i['state_reason']) for i in state['issues']] == [('closed', 'completed')] and '$(git rev-parse fixed | cut -c1-12)' in state['comments'][0]['body']"
run_commands
stores "len(state['issues']) == 1 and len(state['comments']) == 1"
finish
