# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the steps that judge: from an artifact of unknown origin to a report. The artifact is unpacked with limits; the run must be of
# a merge of the pull request's newest commit into the base branch; policy, waivers and baseline come from the base branch.
source "$(dirname "${BASH_SOURCE[0]}")/job.sh"

results=$folder/unpacked report=$folder/report history=$folder/history
rm -rf "$results" "$report" "$history"
mkdir -p "$report" "$history"
: "${GITHUB_STEP_SUMMARY:=$folder/summary.md}" "${GITHUB_SERVER_URL:=https://github.com}"
target=()  # which pull request, where the event does not say
head="" base="" base_commit="" commit=""
name_workflow

# tell ARGUMENTS...: comment and check of a pull request; a push has none
tell() {
  local commands=(--key "$key")
  [[ ${COMMANDS:-} != true ]] || commands+=(--commands)
  [[ ${NO_VERDICT:-} != failure ]] || commands+=(--no-verdict-fails)
  [[ ${GITHUB_EVENT_NAME:-} == push ]] || program comment "${target[@]}" "${commands[@]}" "$@"
}

# as_text SENTENCE: Markdown that shows it as it is; a name in it may be the artifact's
as_text() {
  sed -e 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g' -e 's/[][\\`*_!|#~]/\\&/g' -e 's/@/@\&#8203;/g; s|://|:\&#8203;//|g' <<<"$1"
}

# no_result SENTENCE: nothing can be judged, and that is not a pass
no_result() {
  printf '## torchgate: no result\n\n%s\n' "$(as_text "$1")" | tee "$report/report.md" >>"$GITHUB_STEP_SUMMARY"
  tell --failed "$1"
  give_up "$1"
}

# said COMMAND...: its exit code, and its last line of errors in $why, where the files of the artifact have no folder
why=""
said() {
  local code=0
  "$@" 2>"$folder/errors.txt" || code=$?
  cat "$folder/errors.txt" >&2
  why=$(tail -n 1 "$folder/errors.txt")
  why=${why//"$results/"/}
  return "$code"
}

# no_pull_request: closed, or a newer push, which cancels the run of the older commit: no check or comment is about it any more. The report is for
# the step that uploads it, which fails without a file.
no_pull_request() {
  local sentence="no open pull request has the measured commit; a newer push or a closed pull request needs no verdict"
  echo "::notice::$sentence"
  printf '## torchgate: no verdict\n\n%s\n' "$sentence" | tee "$report/report.md" >>"$GITHUB_STEP_SUMMARY"
  exit 0
}

# find_target: the measured commit of the pull request (or of the push) in $head, the branch that it goes into in $base, and a commit
# of that in $base_commit
find_target() {
  if [[ ${GITHUB_EVENT_NAME:-} == push ]]; then
    head=${GITHUB_SHA:?} base=${GITHUB_REF_NAME:?}
    [[ ${GITHUB_REF_TYPE:-branch} == branch ]] ||
      no_result "$base is a tag, and only pushes of branches are judged: add 'branches: [main]' to 'push' in the measuring workflow"
  else
    local found
    said program comment --target "${target[@]}" >"$folder/target.txt" || give_up "the pull request cannot be found: $why"
    found=$(<"$folder/target.txt")
    [[ -n $found ]] || no_pull_request
    read -r head base base_commit <<<"$found"
  fi
}

# The token reaches git in its environment only.
use_token() {
  [[ -n ${GITHUB_TOKEN:-} ]] || return 0
  export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="http.$GITHUB_SERVER_URL/.extraheader" GIT_CONFIG_VALUE_0
  GIT_CONFIG_VALUE_0="AUTHORIZATION: basic $(printf 'x-access-token:%s' "$GITHUB_TOKEN" | base64 -w0)"
}

# fetch_history: the base branch and $commit without their files; the working folder becomes a repository whose HEAD is $commit
fetch_history() {
  cd "$history"
  git init --quiet .
  git remote add origin "${TORCHGATE_REMOTE:-$GITHUB_SERVER_URL/${GITHUB_REPOSITORY:?}}"
  git fetch --quiet --no-tags --no-recurse-submodules --filter=blob:none origin "+refs/heads/$base:refs/remotes/origin/$base" "$commit" ||
    no_result "commit $commit or the branch $base cannot be fetched; run the measuring workflow again"
  git update-ref --no-deref HEAD "$commit"
}

# file_of_base FILE: as the base branch has it; absent if it has none
file_of_base() {
  rm -f "$1"
  [[ -n $(git ls-tree --name-only "refs/remotes/origin/$base" -- "$1") ]] || return 0
  git show "refs/remotes/origin/$base:$1" >"$1" || no_result "$1 of the branch $base cannot be read"
}

# check_commit: $commit is a merge of the pull request's newest commit into the base branch as it is now, or was when the pull request
# was last updated; on a push, it is the pushed one
check_commit() {
  local parents=()
  if [[ ${GITHUB_EVENT_NAME:-} == push ]]; then
    [[ $commit == "$head" ]] || no_result "the results are of commit $commit, not of $head; run the measuring workflow again"
    return 0
  fi
  # A merge group is the commit that the branch will get; its base may be the group before it, which the branch does not have yet.
  if [[ ${GITHUB_EVENT_NAME:-} == merge_group ]]; then
    if [[ $commit != "$head" ]] || ! git merge-base --is-ancestor "$base_commit" "$commit"; then
      no_result "the results are of commit $commit, not of the merge group $head on $base_commit; run the measuring workflow again"
    fi
    return 0
  fi
  read -ra parents < <(git rev-list --parents --max-count=1 "$commit" --) || true
  if ((${#parents[@]} != 3)) || [[ ${parents[2]} != "$head" ]] ||
    ! git merge-base --is-ancestor "${parents[1]}" "refs/remotes/origin/$base" ||
    ! git merge-base --is-ancestor "$base_commit" "${parents[1]}"; then
    no_result "the results are of commit $commit, which is not a merge of $head into $base, because $base was rewritten or the pull request got another base: push to the pull request (an empty commit, or 'Update branch')"
  fi
}

# fetch_results: the results of workflow run RUN_ID, the commits they are of, and the stored runs
fetch_results() {
  use_token
  [[ ${NO_VERDICT:-neutral} == neutral || $NO_VERDICT == failure ]] ||
    no_result "no-verdict: '$NO_VERDICT' is neither neutral nor failure; correct the input in the workflow file"
  # An artifact of this name may be another call's, as this one's was refused.
  [[ ${UPLOADED:-unknown} == unknown || $UPLOADED =~ ^[0-9]+$ ]] ||
    no_result "the measuring jobs of this call uploaded no results (see their logs); where two calls of performance.yml, or legs of a matrix, run in one workflow, give each a 'key' of its own"
  local artifact=(--artifact "torchgate${KEY:+.$KEY}-results")
  [[ ${UPLOADED:-unknown} == unknown ]] || artifact+=(--artifact-id "$UPLOADED")
  said program unpack --run-id "${RUN_ID:?}" "${artifact[@]}" --into "$results" ||
    no_result "the results of the measuring jobs cannot be used (see their logs): $why"
  commit=$head
  [[ ! -e $results/commit ]] || commit=$(head -c 64 "$results/commit" | tr -d '\n')
  [[ $commit =~ ^[0-9a-f]{40}$ ]] || no_result "the results name no commit"
  [[ -e $results/all.json ]] || no_result "the results have no run; see the logs of the measuring jobs"
  fetch_history
  check_commit
  file_of_base torchgate.toml
  said program baseline pull || no_result "the stored runs cannot be read: $why"
}

# no_pairs_reason: of the measuring job, as text of one line
no_pairs_reason() {
  local reason
  reason=$(head -c 1000 "$results/no_pairs.json" | sed -nE '1s/^\{"reason": "([^"\\]+)"\}$/\1/p' | tr -c '[:print:]' ' ')
  printf '%s' "${reason:-the measuring job gives no reason}"
}

# no_report SENTENCE: the results were read, and cannot be judged
no_report() { no_result "$1"; }

# is_default_branch: a push to another branch is judged, and that is all: its runs are no baseline of the default branch
is_default_branch() {
  local default=${DEFAULT_BRANCH:-}
  [[ -n $default ]] || default=$(git ls-remote --symref origin HEAD | sed -n 's|^ref: refs/heads/\(.*\)\tHEAD$|\1|p')
  [[ $GITHUB_REF_NAME != "$default" || ${GITHUB_REF_TYPE:-branch} != branch ]] || return 0
  echo "$GITHUB_REF_NAME is not the default branch (${default:-unknown}): no baseline is added, no issue is opened"
  return 1
}

# merged_heads FROM: what was merged into $commit after FROM. Only merging writes the line of first parents: older commits of a pull request, and
# what it merged, are no second parents of it.
merged_heads() {
  git rev-list --first-parent --min-parents=2 --max-parents=2 --parents "$1..$commit" -- | cut -d ' ' -f 3
}

# accepted_commits: the commits whose waivers hold for $commit. That is $head, but in a merge group, whose commit is new: there, the heads of the
# pull requests that the queue merged. Those of groups before this one belong to them while the branch lacks them, as the nearest baseline is
# of the branch.
accepted_commits() {
  local from
  if [[ ${GITHUB_EVENT_NAME:-} != merge_group ]]; then
    printf '%s\n' "$head"
    return 0
  fi
  from=$(git merge-base "$base_commit" "refs/remotes/origin/$base") || return 0
  merged_heads "$from"
}

# accepted_since_baseline: the heads of the pull requests that $commit contains and the baseline of the report does not. What was accepted for
# them holds until one of their merges is the baseline: for the push, whose commit is new, and for the groups and pull requests behind it. A push to
# another branch than the default one may have them by any merge.
accepted_since_baseline() {
  local from
  [[ ${GITHUB_EVENT_NAME:-} != push ]] || is_default_branch >"$folder/default_branch.txt" || return 0
  from=$(sed -nE '/^  "before": \{/,/^  \}/s/^    "commit": "([0-9a-f]{40})",?$/\1/p' "$report/report.json")
  [[ -n $from ]] && git merge-base --is-ancestor "$from" "$commit" 2>"$folder/errors.txt" || return 0
  merged_heads "$from"
}

# add_waivers: those of the commits of standard input, to $arguments; false if they have none that it lacks
add_waivers() {
  local waivers each found=1
  while IFS= read -r each; do
    for waivers in "$store/waivers/$each"/*.toml; do
      [[ ! -e $waivers || " ${arguments[*]} " == *" $waivers "* ]] || { arguments+=(--waivers "$waivers") && found=0; }
    done
  done
  return "$found"
}

# policy_when_measured: the commit whose policy the measuring jobs used (pairs.sh), of which check_commit knows that the change did not write it: of a
# pull request the first parent of its merge, of a group the base that the event names, of a push the commit itself
policy_when_measured() {
  local parent
  if [[ ${GITHUB_EVENT_NAME:-} == push ]]; then
    parent=$commit
  elif [[ ${GITHUB_EVENT_NAME:-} == merge_group ]]; then
    parent=$base_commit
  else
    parent=$(git rev-parse "$commit^1")
  fi
  printf '%s' "$parent"
}

# judge: report.md, report.json, report.html and annotations.txt in $report, the exit code of the gate (0, 1 or 3) in $verdict
verdict=2
judge() {
  local policy="refs/remotes/origin/$base" pairs=(--pairs-from "$results/pairs.json")
  local arguments=(--markdown "$report/report.md" --json "$report/report.json" --html "$report/report.html" --write github="$report/annotations.txt")
  # What needs pairs does not pass without them. Leaving them out without a reason is an error.
  [[ ! -e $results/no_pairs.json || -e $results/pairs.json ]] || pairs=(--without-pairs "$(no_pairs_reason)")
  # The baseline may have moved since the plan was made.
  [[ ! -e $results/pair_plan.json ]] || arguments+=(--baseline-of "$results/pair_plan.json")
  [[ ${GITHUB_EVENT_NAME:-} != push ]] || arguments+=(--skip-own-commit)
  # The measured commit of a pull request is GitHub's merge for its test: it never enters a branch.
  [[ $commit == "$head" ]] || arguments+=(--head "$head")
  add_waivers < <(accepted_commits) || true
  gate
  # Only the report says which baseline it was.
  ((verdict != 1)) || ! add_waivers < <(accepted_since_baseline) || gate
}

# gate: by the policy of the branch as it is now, and where that plans other pairs than were measured, by the one before
gate() {
  local since="the settings of $base or its calibration changed while this was measured"
  gate_once
  if is_another_plan; then
    policy=$(policy_when_measured)
    gate_once
  fi
  # Of a push the screen is still right: a regression of the branch is not left without an issue.
  if is_another_plan && [[ ${GITHUB_EVENT_NAME:-} == push ]]; then
    pairs=(--without-pairs "$since")
    gate_once
  fi
  ! is_another_plan || why+="; or $since: run the measuring workflow again"
  ((verdict == 0 || verdict == 1 || verdict == 3)) || no_report "torchgate gate: $why"
  [[ -s $report/report.md && -s $report/report.json ]] || no_report "torchgate gate: no report: $why"
}
gate_once() {
  verdict=0
  said program gate "$results/all.json" --commit "$commit" --policy-from "$policy" "${pairs[@]}" "${arguments[@]}" || verdict=$?
}
is_another_plan() { ((verdict == 2)) && [[ $why == *"these pairs belong to another plan"* ]]; }
