#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The store on a data branch, with real repositories: two processes that push at once, pushes that are killed or whose answer is lost,
# branches that somebody tampered with, and a gate whose baseline has no binaries. Made runs, and a suite whose times are fixed.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 fake_suite=$2 made_runs=$3
unset GITHUB_TOKEN TORCHGATE_GITHUB_TOKEN GITHUB_SERVER_URL
pushes=${PUSHES:-20} # of each process
branch="torchgate-baselines"
new_repository
git remote add origin "$work/origin.git"
git init -q --bare "$work/origin.git"
echo '*' >.git/info/exclude # folders of this test
origin() { git -C "$work/origin.git" "$@"; }
origin config receive.denyNonFastForwards false # a push by force would succeed here, and be found below
origin config core.logAllRefUpdates true

# A hook that notes every push, after it was stored.
hook() { printf '#!/bin/sh\n%s\n' "$2" >"$work/origin.git/hooks/$1" && chmod +x "$work/origin.git/hooks/$1"; }
hook post-receive "cat >>'$work/pushes'"

# Runs of commits that are not in any repository, but for the first: a push does not look at them.
mkdir runs
git rev-parse HEAD >commits
for ((i = 1; i < 2 * pushes; ++i)); do printf '%012x%028x\n' "$i" 0; done >>commits
"$made_runs" history $((2 * pushes)) 999 1 commits runs
records() { git -C "$work/origin.git" ls-tree -r --name-only "$1" | grep -c '^runs/.*json$' || true; }
# add FILE: to the store of the working folder
add() { "$torchgate" baseline add "$1" --without-objects >/dev/null; }

# --- The first pull request has no baseline: not an error, and the gate says what to do --------------------------------
exits_with 0 "$torchgate" baseline pull
says "no data branch yet: origin has no branch $branch"
exits_with 3 "$torchgate" gate runs/0.json
says "no run is stored"
says "torchgate baseline push"
exits_with 0 "$torchgate" baseline push # the marker alone
[[ $(records $branch) == 0 ]] || complain "runs out of nothing"
origin update-ref -d refs/heads/$branch

# --- Two processes push at once, each from its own clone: all runs arrive, none by force ------------------------------------
pusher() { # pusher NAME FIRST
  local i
  mkdir "$work/$1"
  cd "$work/$1"
  git init -q .
  git remote add origin "$work/origin.git"
  for ((i = $2; i < 2 * pushes; i += 2)); do
    add "$work/runs/$i.json" || return
    "$torchgate" baseline push || return
  done
}
rm -rf .torchgate/store
: >pushes
(pusher even 0) >even.log 2>&1 &
even=$!
(pusher odd 1) >odd.log 2>&1 &
odd=$!
wait $even || complain "the first process failed: $(tail -3 even.log)"
wait $odd || complain "the second process failed: $(tail -3 odd.log)"
[[ $(records $branch) == $((2 * pushes)) ]] || complain "$(records $branch) runs of $((2 * pushes)) arrived"
[[ $(wc -l <pushes) == "$(origin rev-list --count $branch)" ]] || complain "pushes: $(wc -l <pushes), commits: $(origin rev-list --count $branch)"
[[ $(origin rev-list --count $branch) == $((2 * pushes)) ]] || complain "$(origin rev-list --count $branch) commits"
[[ $(origin rev-list --merges --count $branch) == 0 && $(origin rev-list --max-parents=0 --count $branch) == 1 ]] ||
  complain "the history is not one line"
[[ -z $(origin log --format= --name-status --diff-filter=a $branch) ]] || complain "a commit changed or removed a file"
while read -r old new _; do
  [[ $old == 0000* ]] || origin merge-base --is-ancestor "$old" "$new" || complain "forced: $old $new"
done <pushes
[[ $(origin reflog show --format=%H $branch | wc -l) == $((2 * pushes)) ]] || complain "the reflog has other updates"
echo "pushes that lost to another and were repeated: $(cat even.log odd.log | grep -cE ', [0-9]+ pushes\)' || true) of $((2 * pushes))"
exits_with 0 "$torchgate" baseline pull
says "$((2 * pushes)) runs added"
for i in 0 1 "$pushes" $((2 * pushes - 1)); do
  id=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["id"])' "runs/$i.json")
  exits_with 0 "$torchgate" baseline show "$id" --quiet
done
[[ $(git rev-parse --is-shallow-repository) == false && -z $(git for-each-ref refs/remotes) && ! -e .git/FETCH_HEAD ]] ||
  complain "a pull left something in the user's repository: $(git for-each-ref)"

origin config receive.denyNonFastForwards true
origin config receive.denyDeletes true

# --- A killed push loses nothing, and neither does one whose answer is lost --------------------------------------------------
"$made_runs" generate 3 15 5 4711 fresh.json
# of_commit FILE ID DIGITS: as a run of that commit
of_commit() {
  python3 - "$@" <<'PYTHON'
import json, sys
run = json.load(open(sys.argv[1]))
run["id"], run["samples"] = sys.argv[2], None
del run["samples"]
run["sides"][0].update(commit=(sys.argv[3] * 40)[:40], modified=False)
json.dump(run, open(sys.argv[1], "w"))
PYTHON
}
of_commit fresh.json 00000000000000a1 a1
add fresh.json
before=$(origin rev-parse $branch)
hook pre-receive "touch '$work/receiving'; sleep 5"
"$torchgate" baseline push >killed.log 2>&1 &
pushing=$!
for _ in $(seq 200); do
  [[ -e receiving ]] && break
  sleep 0.05
done
[[ -e receiving ]] || complain "the push never arrived: $(cat killed.log)"
{ kill -9 $pushing; wait $pushing; } 2>/dev/null || true
rm "$work/origin.git/hooks/pre-receive"
exits_with 0 "$torchgate" baseline show 00000000000000a1 --quiet
exits_with 0 "$torchgate" baseline push
[[ $(records $branch) == $((2 * pushes + 1)) ]] || complain "after a killed push: $(records $branch) runs"
origin merge-base --is-ancestor "$before" $branch || complain "forced after a killed push"

# The connection ends after the commit was stored: the next attempt finds it there.
of_commit fresh.json 00000000000000a2 a2
add fresh.json
hook post-receive "cat >>'$work/pushes'; kill -9 \$PPID"
commits_before=$(origin rev-list --count $branch)
exits_with 0 "$torchgate" baseline push
says "1 run added"
[[ $(origin rev-list --count $branch) == $((commits_before + 1)) ]] || complain "pushed twice after a lost answer"
hook post-receive "cat >>'$work/pushes'"

# A hook that refuses is not asked again; the run stays.
of_commit fresh.json 00000000000000a3 a3
add fresh.json
hook pre-receive "echo asked >>'$work/asked'; echo 'no data today' >&2; exit 1"
exits_with 2 "$torchgate" baseline push
says "no data today"
says "the runs are still in .torchgate/store"
[[ $(wc -l <asked) == 1 ]] || complain "asked $(wc -l <asked) times"
rm "$work/origin.git/hooks/pre-receive"
exits_with 0 "$torchgate" baseline push
says "1 run added"

# --- What is not a baseline is not pushed --------------------------------------------------------------------------------------
of_commit fresh.json 00000000000000a4 a4
"$torchgate" baseline add fresh.json --uncommitted --without-objects >/dev/null
exits_with 0 "$torchgate" baseline push
says "0 runs added"
exits_with 2 env GITHUB_EVENT_NAME=pull_request GITHUB_BASE_REF=main "$torchgate" baseline push
says "runs of a change that was not merged are not baselines"
exits_with 2 "$torchgate" baseline push --remote nowhere
says "unknown remote 'nowhere'"
exits_with 2 "$torchgate" baseline pull --branch 'no such..branch'
exits_with 2 "$torchgate" baseline pull --remote "$work/gone.git"
exits_with 0 "$torchgate" baseline pull --remote "file://$work/origin.git"

# --- A branch that somebody tampered with: refused whole, nothing is written -----------------------------------------------------
git fetch -q origin "$branch"
tip=$(git rev-parse FETCH_HEAD)
blob() { git hash-object -w --stdin; }
empty=$(blob </dev/null)
record=$(git ls-tree -r --name-only "$tip" | awk '/-000000000001-.*json$/')
samples=$(git ls-tree -r --name-only "$tip" | awk '/samples$/ && !found++')
# tampered NAME [MODE,BLOB,PATH | -PATH]...: a branch like the real one, but for these
tampered() {
  local name=$1 change
  shift
  export GIT_INDEX_FILE=$work/index
  rm -f "$GIT_INDEX_FILE"
  git read-tree "$tip"
  for change in "$@"; do
    if [[ $change == -* ]]; then git update-index --force-remove "${change#-}"
    else git update-index --add --cacheinfo "$change"; fi
  done
  made=$(git commit-tree -m "$name" "$(git write-tree)")
  unset GIT_INDEX_FILE
  git push -q origin "$made:refs/heads/$name"
}
files() { (cd "$1" && find . -type f -exec sha256sum {} + | sort); }
# refused NAME TEXT [pull]: by an empty store and by that of this folder; a push does not read the content of what is only on the branch
refused() {
  rm -rf "$work/empty"
  files .torchgate/store >before
  exits_with 2 "$torchgate" baseline pull --branch "$1" --store "$work/empty"
  says "$2"
  [[ ! -e $work/empty ]] || complain "$1: files were written: $(find "$work/empty")"
  exits_with 2 "$torchgate" baseline pull --branch "$1"
  [[ ${3-} == pull ]] || exits_with 2 "$torchgate" baseline push --branch "$1"
  files .torchgate/store | cmp -s - before || complain "$1: the store was changed"
  [[ $(origin rev-parse "$1") == "$made" ]] || complain "$1: the branch was changed"
}
host=$(dirname "$record")
tampered link "120000,$(printf /etc/passwd | blob),$host/20260101T120000.000Z-1a2b3c4d5e6f-0123456789abcdef.json"
refused link "is not a regular file (mode 120000)"
tampered executable "100755,$empty,runs/x/y.json"
refused executable "is not a regular file (mode 100755)"
tampered submodule "160000,$tip,runs/x/0123456789abcdef.json"
refused submodule "is not a regular file (mode 160000)"
tampered elsewhere "100644,$empty,.github/workflows/ci.yml"
refused elsewhere "is not a file of a baseline store"
tampered attributes "100644,$empty,.gitattributes"
refused attributes '".gitattributes" is not a file of a baseline store'
tampered deep "100644,$empty,$host/deeper/20260101T120000.000Z-1a2b3c4d5e6f-0123456789abcdef.json"
refused deep "is not a file of a baseline store"
tampered foreign "100644,$(printf '{"schema": "torchgate.store/2"}\n' | blob),torchgate-store.json"
refused foreign "another version of torchgate"
tampered markerless -torchgate-store.json
refused markerless "not a baseline store: it has no torchgate-store.json"
# Names that no index takes, put together by hand: git's own check or ours refuses them, whichever is first.
climbing=$(printf '100644 blob %s\tpasswd\n' "$empty" | git mktree)
climbing=$(printf '040000 tree %s\t..\n' "$climbing" | git mktree)
made=$(git commit-tree -m climbing "$climbing")
git push -q origin "$made:refs/heads/climbing"
refused climbing "hasDotdot"
# Records: altered, cut, of another name, twice. Here the store of this folder has the true one, so both refuse.
git cat-file blob "$tip:$record" | sed 's/"host_key": *"made-host"/"host_key":"fake-host"/' >altered
! cmp -s altered <(git cat-file blob "$tip:$record") || complain "the record was not altered"
tampered altered "100644,$(blob <altered),$record"
refused altered "its content is that of"
git cat-file blob "$tip:$record" | head -c 500 >short.json
tampered cut "100644,$(blob <short.json),$record"
refused cut "the record cannot be read"
tampered twice "100644,$(git rev-parse "$tip:$record"),${record/-000000000001-/-00000000000f-}" \
  "100644,$(git rev-parse "$tip:$record"),${record/Z-*-/Z-nocommit-}"
refused twice "are records of one run"
tampered samples "100644,$empty,$samples"
refused samples "its content has another hash"
tampered object "100644,$empty,objects/ab/ab$(printf '%062d' 0)"
refused object "its content has another hash" pull
truncate -s 101M huge
tampered huge "100644,$(git hash-object -w huge),$samples"
refused huge "bytes, at most 104857600 are read"
# Still a sound record of that name, with other times: only who has the true one can see it.
git cat-file blob "$tip:$record" | python3 -c 'import json, sys
run = json.load(sys.stdin)
run["tool_version"] = "changed"
json.dump(run, sys.stdout)' >changed
tampered changed "100644,$(blob <changed),$record"
for what in pull push; do
  exits_with 2 "$torchgate" baseline $what --branch changed
  says "differs from .torchgate/store/$record, and stored files never change"
done
[[ $(origin rev-parse changed) == "$made" ]] || complain "the changed branch was pushed to"

# --- No token in any argument, output or file ------------------------------------------------------------------------------------
mkdir path
cat >path/git <<GIT
#!/usr/bin/env bash
printf '%s\n' "\$*" >>"$work/arguments"
env | grep -c '^GIT_CONFIG_VALUE_.*basic' >>"$work/headers" || true
PATH=${PATH@Q} exec git "\$@"
GIT
chmod +x path/git
token=ghs_0123456789abcdefTOKEN
exits_with 2 env PATH="$work/path:$PATH" GITHUB_TOKEN=$token GITHUB_SERVER_URL=https://localhost:1 \
  "$torchgate" baseline pull --remote https://localhost:1/owner/name.git
says "fetching branch $branch of https://localhost:1/owner/name.git"
[[ $out != *$token* ]] || complain "the token was printed"
grep -q 1 headers || complain "git was not given the token"
[[ $(cat arguments) != *"$token"* && $(cat arguments) != *basic* ]] || complain "the token was an argument"
exits_with 2 "$torchgate" baseline pull --remote "https://x:$token@localhost:1/owner/name.git"
says "has a user or a password in it"
[[ $out != *$token* ]] || complain "the password was printed"

# --- A baseline without its binaries: rebuilt from its commit -----------------------------------------------------------------------
mkdir project
cd project
git init -q .
git config user.email test@example.org
git config user.name test
git remote add origin "$work/origin.git"
cat >build.sh <<BUILD
mkdir -p build && rm -f build/fake && cp "$fake_suite" build/fake && printf '\nFAKE_LEVEL=%s\n' "\$(cat code)" >>build/fake
BUILD
printf '[run]\nsuites = ["build"]\n[baseline]\nbranch = "of-project"\nbuild = "bash build.sh"\n[gate]\nallow_noisy = true\n' >torchgate.toml
printf '.torchgate\nbuild\n*.json\n' >.gitignore
echo 1000 >code
git add .
git commit -qm first
bash build.sh
exits_with 0 "$torchgate" run --save main
exits_with 0 "$torchgate" baseline add main
exits_with 0 "$torchgate" baseline push
says "1 run added to branch of-project of origin"
[[ -z $(origin ls-tree -r --name-only of-project objects) ]] || complain "objects were pushed"
git clone -q . "$work/change"
git push -q origin HEAD:refs/heads/main
cd "$work/change"
git remote set-url origin "$work/origin.git"
git config user.email test@example.org
git config user.name test
echo 2000 >code
git commit -qam slower
bash build.sh
exits_with 0 "$torchgate" baseline pull
says "1 run added"
exits_with 0 "$torchgate" run --save slower
exits_with 1 "$torchgate" gate slower --json report.json
[[ $(finding report.json fake/ok/eager/device:cpu) == "regressed fail"* ]] || complain "rebuilt: $(finding report.json fake/ok/eager/device:cpu)"
grep -q "the baseline was rebuilt from commit" report.json || complain "the report does not say that the baseline was rebuilt"

# With its objects on the branch, nothing is rebuilt.
cd "$work/project"
"$torchgate" run --save again >/dev/null 2>&1
exits_with 0 "$torchgate" baseline add again
exits_with 0 "$torchgate" baseline push --objects-up-to 100000000
[[ -n $(origin ls-tree -r --name-only of-project objects) ]] || complain "objects were not pushed"
cd "$work/change"
exits_with 0 "$torchgate" baseline pull
exits_with 1 "$torchgate" gate slower --json kept.json
! grep -q "the baseline was rebuilt" kept.json || complain "rebuilt although the objects were there"

# A shallow clone that hides the commit says what to do: beyond the last commit, the other parent of a merge, the baseline to rebuild.
echo 2001 >code
git commit -qam more
git push -q origin HEAD:refs/heads/change
git checkout -q --detach HEAD~2
git merge -q --no-ff -m merged 'HEAD@{1}'
git push -q origin HEAD:refs/heads/merged
for clone in change merged; do
  git clone -q --depth 1 --branch $clone "file://$work/origin.git" "$work/shallow_$clone"
  cd "$work/shallow_$clone"
  bash build.sh
  exits_with 0 "$torchgate" baseline pull
  says "2 runs added"
  exits_with 0 "$torchgate" run --save shallow
  exits_with 2 "$torchgate" gate shallow
  says "fetch-depth: 0"
done
rm -rf .torchgate/store/objects
first=$(cd .torchgate/store/runs/* && for file in *.json; do echo "${file:(-21):16}"; break; done)
"$torchgate" gate shallow --against "$first" --json against.json >/dev/null || true
grep -q "cannot be rebuilt, because this clone is shallow" against.json || complain "a hidden commit to rebuild: $(cat against.json)"
finish
