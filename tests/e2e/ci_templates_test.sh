#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The scripts of ci/templates/gitlab.yml and ci/templates/Jenkinsfile, as their CI systems run them: checkouts of one repository, the variables of a
# change or of the main branch, and a download that hands out this torchgate. What they exit with, what they judge by, and what they leave.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 fake_suite=$2 templates=$3
lint=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../lint")
python=python3
"$python" -c 'import yaml' 2>/dev/null || python=/usr/bin/python3
"$python" -c 'import yaml' 2>/dev/null || { echo "skipped: no python3-yaml (ci/scripts/setup.sh --lint installs it)"; exit 77; }
new_repository
export FAKE_GROUPS=a TORCHGATE_GATE_ALLOW_NOISY=true TORCHGATE_GATE_PAIRS=24
export TORCHGATE_GATE_COMPARE_CODE=false TORCHGATE_GATE_COUNT_UNDECIDED=false  # the fake suite cannot be counted
export GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@example.org GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@example.org

# The scripts as files: gitlab-JOB and jenkins-STAGE; beside each, NAME.variables as `export` lines.
mkdir scripts tools
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$lint "$python" - "$templates" scripts <<'PYTHON'
import pathlib, re, shlex, sys
from workflow_files import File, blocks_of
templates, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
for name in ("gitlab.yml", "Jenkinsfile"):
    file = File(templates / name, name)
    for block in blocks_of(file):
        job = re.search(r'job "torchgate-(\w+)"', block.where)
        stage = [] if job else re.findall(r"stage\('(\w+)'\)", "\n".join(file.lines[:block.text.line]))
        script = folder / (f"gitlab-{job[1]}" if job else f"jenkins-{stage[-1].lower()}")
        assert not script.exists(), f"{name}: two scripts in {script.name}"
        # GitLab's runner: one shell, which ends at the first failure.
        script.write_text(("set -eo pipefail\n" if job else "") + block.text)
        values = {key: value["value"] if isinstance(value, dict) else value for key, value in block.environment.items()}
        script.with_suffix(".variables").write_text("".join(f"export {key}={shlex.quote(value)}\n" for key, value in values.items()))
PYTHON

cat >tools/curl <<'CURL'
#!/usr/bin/env bash
[[ -z ${CURL_CODE:-} ]] || exit "$CURL_CODE"
while [[ $1 != --output ]]; do shift; done
cp "$TORCHGATE_OF_TEST" "$2"
CURL
chmod +x tools/curl
TORCHGATE_OF_TEST=$(realpath "$torchgate")
export TORCHGATE_OF_TEST PATH="$work/tools:$PATH" FAKE_SUITE_OF_TEST=$fake_suite
hash=$(sha256sum "$torchgate" | cut -d ' ' -f 1)
# The level of a commit is in its file `level`.
# shellcheck disable=SC2016  # for the shell of the job
build='mkdir -p build/bin && cp "$FAKE_SUITE_OF_TEST" build/bin/fake && printf "\nFAKE_LEVEL=%s\n" "$(cat level)" >>build/bin/fake'

git init -q --bare -b main origin.git
git clone -q origin.git person 2>/dev/null
# commit BRANCH LEVEL [FROM]: pushed
commit() {
  git -C person checkout -q -B "$1" ${3:+"$3"}
  echo "$2" >person/level
  date +%N >person/stamp
  git -C person add .
  git -C person commit -qm "level $2"
  git -C person push -qf origin "$1"
}
printf '.torchgate\nbuild\nreport.*\njunit.xml\nmetrics.txt\n' >person/.gitignore
commit main 1000

# with_variables SCRIPT COMMAND...: with what its file sets, and what a project sets
with_variables() {
  (
    # shellcheck source=/dev/null
    source "$work/scripts/$1.variables"
    export TORCHGATE_SHA256=$hash TORCHGATE_SUITES=build/bin TORCHGATE_BUILD=${BUILD:-$build}
    "${@:2}"
  )
}

# --- GitLab: one checkout on the runner for all jobs ------------------------------------------------------------------
# checkout FOLDER REPOSITORY REF: as the runner does, with the flags that the job sets
checkout() {
  if [[ ! -d $1 ]]; then git init -q "$1" && git -C "$1" remote add origin "$2"; fi
  git -C "$1" fetch -q --prune origin '+refs/heads/*:refs/remotes/origin/*'
  git -C "$1" checkout -qf --detach "origin/$3"
  # shellcheck disable=SC2016  # for the shell with the variables of the job
  with_variables gitlab-change bash -c 'git -C "$1" clean -q ${GIT_CLEAN_FLAGS:--ffdx}' - "$1"
}
# Variables of a merge request into main of owner/project, from a branch of it.
merge_request=(CI_PIPELINE_SOURCE=merge_request_event CI_MERGE_REQUEST_IID=1 CI_PROJECT_PATH=owner/project CI_MERGE_REQUEST_PROJECT_PATH=owner/project
  CI_MERGE_REQUEST_PROJECT_URL="$work/origin" CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main)
# gitlab_change FOLDER [NAME=VALUE...]
gitlab_change() {
  (
    cd "$1"
    with_variables gitlab-change env "${merge_request[@]}" "CI_MERGE_REQUEST_DIFF_BASE_SHA=$(git merge-base HEAD origin/main)" "${@:2}" \
      bash "$work/scripts/gitlab-change"
  )
}
gitlab_main() { (cd "$1" && with_variables gitlab-baseline env CI_PIPELINE_SOURCE=push CI_COMMIT_BRANCH=main CI_DEFAULT_BRANCH=main bash "$work/scripts/gitlab-baseline"); }

echo "-- GitLab"
commit slower 1085  # not near a whole per cent, which is the ceiling of a waiver
checkout runner "$work/origin.git" slower
exits_with 3 gitlab_change runner
says "no run is stored"
checkout runner "$work/origin.git" main
exits_with 0 gitlab_main runner
says "1 run added to branch torchgate-baselines"

# On the runner that measured the baseline, with its binaries; on another one they are built.
checkout runner "$work/origin.git" slower
[[ ! -e runner/.torchgate/runs && ! -e runner/.torchgate/store/runs ]] || complain "more than the objects is left to the next job"
# A pipeline of the merged result names the merge request's own commit, which `accept` writes into waivers.
own=$(printf 'f%.0s' {1..40})
exits_with 1 gitlab_change runner "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA=$own"
grep -q "\"head\": *\"$own\"" runner/report.json || complain "the report does not name the merge request's own commit"
says "2 regressed (fail)"
says "measured in pairs from the start"
[[ $out != *"was rebuilt"* ]] || complain "the baseline was built although the runner has its binaries"
# What a merge request planted: a file of another content is not run.
object=$(find runner/.torchgate/store/objects -type f -size +100k | head -n 1)
cp "$(type -P false)" "$object"
checkout runner "$work/origin.git" slower
exits_with 1 gitlab_change runner
says "the baseline was rebuilt from commit"
checkout other_runner "$work/origin.git" slower
exits_with 1 gitlab_change other_runner
says "the baseline was rebuilt from commit"
says "2 regressed (fail)"

# A fork: its main branch allows slow-downs of 50 %, which is no policy for the project that it wants to change.
git clone -q --bare origin.git fork.git
git clone -q fork.git contributor
printf '[gate]\nlatency = 0.5\n' >contributor/torchgate.toml
git -C contributor add .
git -C contributor commit -qm "limits of the fork"
git -C contributor push -q origin HEAD:main
checkout fork_runner "$work/fork.git" slower
exits_with 1 gitlab_change fork_runner CI_PROJECT_PATH=contributor/project
says "policy: the base branch's ($(git -C origin.git rev-parse --short=12 main))"

# A build or a download that fails is not a verdict, whatever its exit code; 3 is a warning only where `gate` gave it.
BUILD='exit 3' exits_with 2 gitlab_change runner
exits_with 2 gitlab_change runner CURL_CODE=3
exits_with 2 gitlab_change runner TORCHGATE_SHA256=
exits_with 2 gitlab_change runner CI_MERGE_REQUEST_PROJECT_PATH=owner/other CI_MERGE_REQUEST_PROJECT_URL=file:///nowhere

# --- Jenkins: a workspace for each branch -----------------------------------------------------------------------------
# workspace NAME BRANCH
workspace() {
  [[ -d $1 ]] || git clone -q origin.git "$1"
  git -C "$1" fetch -q origin
  git -C "$1" checkout -qf --detach "origin/$2"
}
# stage NAME WORKSPACE [NAME=VALUE...]
stage() { (cd "$2" && with_variables "jenkins-$1" env "WORKSPACE_TMP=$work/$2.tmp" "${@:3}" bash "$work/scripts/jenkins-$1"); }
pull_request=(CHANGE_ID=1 CHANGE_TARGET=main)

echo "-- Jenkins"
git -C origin.git update-ref -d refs/heads/torchgate-baselines
workspace main main
exits_with 0 stage download main
exits_with 0 stage build main
exits_with 0 stage baseline main
workspace pull slower
for each in download target build; do exits_with 0 stage "$each" pull "${pull_request[@]}"; done
exits_with 1 stage change pull "${pull_request[@]}"
says "the baseline was rebuilt from commit"
says "2 regressed (fail)"
# Nothing is judged: what the workspace has is not the report of this build.
[[ -e pull/report.md && -e pull/junit.xml ]] || complain "no reports"
exits_with 2 stage change pull "${pull_request[@]}" TORCHGATE_SUITES=nowhere
[[ -z $(compgen -G 'pull/report.*') && ! -e pull/junit.xml ]] || complain "the reports of the build before are left"

echo "-- a slow-down that is accepted"
exits_with 1 gitlab_change runner
# committed BRANCH FROM: a waiver for what runner/report.json has
committed() {
  git -C person checkout -q -B "$1" "$2"
  (cd person && "$TORCHGATE_OF_TEST" accept fake/a/eager/device:cpu fake/a/fast/device:cpu --reason "wanted" --report "$work/report.json")
  git -C person add .
  git -C person commit -qm "$1"
  git -C person push -q origin "$1"
}
cp runner/report.json .
committed slower origin/slower >waived.txt
grep -q "commit it (of a pull request: to its target branch)" waived.txt || complain "accept: $(cat waived.txt)"
checkout runner "$work/origin.git" slower
exits_with 1 gitlab_change runner
says "this change alters the policy"
says "commit the waiver (of a pull request: to its target branch, then run the job again)"
git -C person reset -q --hard HEAD~1
git -C person push -qf origin slower
committed main origin/main >waived.txt
checkout runner "$work/origin.git" slower
exits_with 0 gitlab_change runner
says "2 regressed (waived)"

# The job fails at its end, and the commit has its baseline.
echo "-- a case that crashes on the main branch"
checkout runner "$work/origin.git" main
FAKE_GROUPS=a,crash exits_with 1 gitlab_main runner
says "1 run added to branch torchgate-baselines"
workspace main main
for each in download build; do exits_with 0 stage "$each" main; done
FAKE_GROUPS=a,crash exits_with 1 stage baseline main
says "1 run added to branch torchgate-baselines"
finish
