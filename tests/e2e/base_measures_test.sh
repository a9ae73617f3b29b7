#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The base branch decides how a change is measured: `torchgate run` in a pull request reads its policy, and the gate does not pass
# a run that was measured with less.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 fake=$2
new_repository
export TORCHGATE_GATE_ALLOW_NOISY=true FAKE_GROUPS=ok
mkdir -p build/bench
cp "$fake" build/bench/fake
printf '[run]\nsuites = ["build/bench"]\nprocesses = 3\n' >torchgate.toml
git add torchgate.toml
git commit -qm "a policy"
git update-ref refs/remotes/origin/main HEAD
exits_with 0 "$torchgate" run --quick --save main
exits_with 0 "$torchgate" baseline add main

# planned NAME: what the run set out to measure
planned() {
  python3 -c 'import json, sys
plan = json.load(open(sys.argv[1]))["plan"]
print(plan["processes"], plan["group_limit_s"], plan["total_limit_s"])' ".torchgate/runs/$1.json"
}
in_pull_request() { GITHUB_EVENT_NAME=pull_request GITHUB_BASE_REF=main "$@"; }

for weaker in "processes = 1" "processes = 2" "group_limit_s = 0.01" "total_limit_s = 0.05" "threads = 2" 'allocator = "system"'; do
  printf '[run]\nsuites = ["build/bench"]\nprocesses = 3\n%s\n' "$weaker" >torchgate.toml
  [[ $weaker != processes* ]] || printf '[run]\nsuites = ["build/bench"]\n%s\n' "$weaker" >torchgate.toml
  git commit -qam "$weaker"
  # Where CI says that it is a pull request the base measures, and the report lists the change.
  exits_with 0 in_pull_request "$torchgate" run --quick --save change
  says "this change alters the policy (run.${weaker%% *}"
  says "it applies after the merge"
  [[ $(planned change) == "3 600 18000" ]] || complain "$weaker measured: $(planned change)"
  exits_with 0 in_pull_request "$torchgate" gate change --confirm none
  # Measured by the change's own policy, whoever did that: no pass, and no neutral answer either.
  "$torchgate" run --quick --save weak >out.txt 2>&1 || true
  if [[ -e .torchgate/runs/weak.json ]]; then
    exits_with 1 in_pull_request "$torchgate" gate weak --confirm none --write junit=junit.xml --write github=annotations.txt
    says "the run was measured with less than the base branch asks for"
    grep -q '<error\|<failure' junit.xml || complain "JUnit is green: $weaker"
    grep -q '^::error' annotations.txt || complain "no annotation: $weaker"
    exits_with 1 "$torchgate" gate weak --confirm none --policy-from refs/remotes/origin/main
  else
    grep -q "limit" out.txt || complain "neither measured nor refused: $weaker"
  fi
  rm -f .torchgate/runs/weak.json
  git checkout -q HEAD^
  git checkout -q -B work
done

# A flag of the job that measures, too; at a desk it is free.
exits_with 0 "$torchgate" run --quick --processes 2 --save few
exits_with 1 "$torchgate" gate few --confirm none --policy-from refs/remotes/origin/main
says "run.processes 2 instead of 3"
exits_with 0 "$torchgate" gate few --confirm none
never_says() { [[ $out != *"$1"* ]] || complain "said: $1"; }
never_says "measured with less"
# The base branch may allow it: a setting of its own policy.
TORCHGATE_GATE_WEAKER_RUN=warn exits_with 0 "$torchgate" gate few --confirm none --policy-from refs/remotes/origin/main
says "run.processes 2 instead of 3"
# A baseline that was measured with the same flag makes it no weakness.
exits_with 0 "$torchgate" baseline add few
exits_with 0 "$torchgate" run --quick --processes 2 --save again
exits_with 0 "$torchgate" gate again --confirm none --policy-from refs/remotes/origin/main
never_says "measured with less"

# A change may add a suite and may not remove one: what the base names is measured as long as it exists.
mkdir build/more
cp "$fake" build/more/other
printf '[run]\nsuites = ["build/more"]\nprocesses = 3\n' >torchgate.toml
exits_with 2 in_pull_request "$torchgate" run --quick --list
says "duplicate suite"
rm -r build/more
printf '[run]\nsuites = []\nprocesses = 3\n' >torchgate.toml
exits_with 0 in_pull_request "$torchgate" run --quick --list
says "2 cases"
# Without the base there is no policy to measure by.
GITHUB_BASE_REF=gone exits_with 2 "$torchgate" run --quick --save change
says "the policy of the base branch cannot be read"
finish
