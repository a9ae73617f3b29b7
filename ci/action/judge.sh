#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Reaches the verdict and tells it. Runs nothing of the pull request, checks nothing out, and treats the results of the jobs that ran
# it as hostile: the artifact is unpacked with limits; the run must be of a merge of the pull request's newest commit into the base
# branch; policy and baseline come from the base branch. On a push to the default branch it adds the run as a baseline.
source "$(dirname "${BASH_SOURCE[0]}")/job.sh"

results=$folder/unpacked report=$folder/report history=$folder/history
rm -rf "$results" "$report" "$history"
mkdir -p "$report" "$history"
: "${GITHUB_STEP_SUMMARY:=$folder/summary.md}"
head="" base=""

# tell ARGUMENTS...: comment and check of a pull request; a push has none
tell() { [[ ${GITHUB_EVENT_NAME:-} == push ]] || program comment "$@"; }

# no_result SENTENCE: nothing can be judged, and that is not a pass
no_result() {
  printf '## torchgate: no result\n\n%s\n' "$1" | tee "$report/report.md" >>"$GITHUB_STEP_SUMMARY"
  tell --failed "$1"
  give_up "$1"
}

# said COMMAND...: its last line of errors in $why, and its exit code
why=""
said() {
  local code=0
  "$@" 2>"$folder/errors.txt" || code=$?
  cat "$folder/errors.txt" >&2
  why=$(tail -n 1 "$folder/errors.txt")
  return "$code"
}

find_target() {
  if [[ ${GITHUB_EVENT_NAME:-} == push ]]; then
    head=${GITHUB_SHA:?} base=${GITHUB_REF_NAME:?}
  else
    local target
    target=$(program comment --target) || give_up "the pull request cannot be found"
    read -r head base <<<"$target"
  fi
}

# The token reaches git in its environment only.
use_token() {
  [[ -n ${GITHUB_TOKEN:-} ]] || return 0
  export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="http.${GITHUB_SERVER_URL:=https://github.com}/.extraheader" GIT_CONFIG_VALUE_0
  GIT_CONFIG_VALUE_0="AUTHORIZATION: basic $(printf 'x-access-token:%s' "$GITHUB_TOKEN" | base64 -w0)"
}

# fetch_history COMMIT: the base branch and COMMIT without their files; the working folder becomes a repository in which HEAD is COMMIT
fetch_history() {
  cd "$history"
  git init --quiet .
  git remote add origin "${TORCHGATE_REMOTE:-${GITHUB_SERVER_URL:=https://github.com}/${GITHUB_REPOSITORY:?}}"
  git fetch --quiet --no-tags --filter=blob:none origin "+refs/heads/$base:refs/remotes/origin/$base" "$1" ||
    no_result "commit $1 or the branch $base cannot be fetched; measure again (/perf rerun)"
  git update-ref --no-deref HEAD "$1"
}

# check_commit COMMIT: a merge of the pull request's newest commit into the base branch, or that commit itself
check_commit() {
  local parents=()
  [[ $1 != "$head" ]] || return 0
  read -ra parents < <(git rev-list --parents --max-count=1 "$1" --) || true
  if ((${#parents[@]} != 3)) || [[ ${parents[2]} != "$head" ]] ||
    ! git merge-base --is-ancestor "${parents[1]}" "refs/remotes/origin/$base"; then
    no_result "the results are of commit $1, which is not a merge of $head into $base; measure again (/perf rerun)"
  fi
}

find_target
use_token
said program unpack --run-id "${RUN_ID:?}" --artifact torchgate-results --into "$results" ||
  no_result "the results of the measuring jobs cannot be used (see their logs): $why"
commit=$head
[[ ! -e $results/commit ]] || commit=$(head -c 64 "$results/commit" | tr -d '\n')
[[ $commit =~ ^[0-9a-f]{40}$ ]] || no_result "the results name no commit"
[[ -e $results/all.json ]] || no_result "the results have no run; see the logs of the measuring jobs"
fetch_history "$commit"
[[ ${GITHUB_EVENT_NAME:-} == push ]] || check_commit "$commit"
said program baseline pull || no_result "the stored runs cannot be read: $why"

arguments=(gate "$results/all.json" --commit "$commit" --policy-from "refs/remotes/origin/$base"
  --markdown "$report/report.md" --json "$report/report.json")
# Pairs that are needed and not there are an error: leaving them out must not be worth anything.
if [[ ${GITHUB_EVENT_NAME:-} == push ]]; then arguments+=(--confirm none); else arguments+=(--pairs-from "$results/pairs.json"); fi
for waivers in .torchgate/store/waivers/"$head"/*.toml; do
  [[ ! -e $waivers ]] || arguments+=(--waivers "$waivers")
done
code=0
said program "${arguments[@]}" || code=$?
((code == 0 || code == 1 || code == 3)) || no_result "torchgate gate: $why"
cat "$report/report.md" >>"$GITHUB_STEP_SUMMARY"
tell --report "$report/report.json" --markdown "$report/report.md"

if [[ ${GITHUB_EVENT_NAME:-} == push ]]; then
  program baseline add "$results/all.json" --without-objects
  program baseline push
  exit 0
fi
((code != 3)) || exit 0  # neutral: the check says so, and the job is not red
exit "$code"
