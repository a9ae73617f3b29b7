# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by the scripts that play the steps of ci/action, after github_stub.sh: the repository of a user, and the machines of its jobs, all
# below $work.
# shellcheck disable=SC2154 # the caller sets work and stub

# new_origin: a repository $work/origin.git that serves what jobs fetch, and an empty work tree $work/dev of it, which becomes the
# current folder
new_origin() {
  git init -q --bare -b main "$work/origin.git"
  git -C "$work/origin.git" config uploadpack.allowFilter true
  git -C "$work/origin.git" config uploadpack.allowAnySHA1InWant true
  git init -q -b main "$work/dev"
  cd "$work/dev" || return
  git config user.email test@example.org
  git config user.name test
  git remote add origin "$work/origin.git"
}

# with_state EXPRESSION: changes the stub's state, which it reads when it starts
with_state() {
  stop_stub
  python3 -c 'import json, os, sys
file = sys.argv[1]
state = json.load(open(file)) if os.path.exists(file) else {}
for key in ("pulls", "artifacts", "runs"): state.setdefault(key, [])
exec(sys.argv[2])
json.dump(state, open(file, "w"))' "$stub/state.json" "$1"
  start_stub "$stub"
}

# job NAME [COMMIT]: a machine of its own with a clone at COMMIT, in the same folder each time; without COMMIT, an empty folder
job() {
  rm -rf "$work/jobs/$1" "$work/temp/$1"
  mkdir -p "$work/jobs/$1" "$work/temp/$1"
  cd "$work/jobs/$1" || return
  export RUNNER_TEMP=$work/temp/$1
  if (($# > 1)); then
    git clone -q "$work/origin.git" .
    git fetch -q origin "$2"
    git checkout -q --detach FETCH_HEAD
  fi
}

# pack_results ARTIFACT FOLDER: as actions/upload-artifact does, of the next workflow run; sets RUN_ID and $packed
pack_results() {
  export RUN_ID=$((${RUN_ID:-500} + 1))
  packed=$stub/artifacts/$1-$RUN_ID.zip
  python3 -c 'import os, sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
    for name in sorted(os.listdir(sys.argv[2])): archive.write(os.path.join(sys.argv[2], name), name)' "$packed" "$2"
}
