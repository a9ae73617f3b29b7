# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the scripts beside it, after shared.sh: GitHub's API on a loopback address.

stub_program=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/github_stub.py

# start_stub FOLDER: serves, and sets the variables that torchgate reads. The token is only in the environment.
start_stub() {
  stub=$1
  mkdir -p "$stub/artifacts"
  export STUB_TOKEN=ghs_0123456789secret STUB_LOGIN=${STUB_LOGIN:-}
  python3 "$stub_program" "$stub" 2>"$stub/errors.txt" &
  stub_pid=$!
  for _ in $(seq 100); do
    [[ -e $stub/address ]] && break
    sleep 0.1
  done
  export GITHUB_API_URL GITHUB_TOKEN=$STUB_TOKEN GITHUB_REPOSITORY=acme/nets
  GITHUB_API_URL=$(cat "$stub/address")
}

stop_stub() {
  kill "$stub_pid" 2>/dev/null || true
  wait "$stub_pid" 2>/dev/null || true
  rm -f "$stub/address"
}

# stored EXPRESSION: prints it, with `state` and the requests so far (`requests`) of the stub in Python
stored() {
  python3 -c 'import json, os, sys
folder, expression = sys.argv[1:]
def text(name): return open(os.path.join(folder, name)).read() if os.path.exists(os.path.join(folder, name)) else ""
state = {"comments": [], "check_runs": [], "issues": [], "reruns": [], "reactions": [], **json.loads(text("state.json") or "{}")}
requests = [json.loads(line) for line in text("requests.jsonl").splitlines()]
print(eval(expression))' "$stub" "$1"
}

# stores EXPRESSION: it is true
stores() { [[ $(stored "$1") == True ]] || complain "not so: $1 ($(stored "[(r['method'], r['path'], r['status']) for r in requests][-6:]"))"; }
