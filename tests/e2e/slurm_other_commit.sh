# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by slurm_test.sh.

# submit_other_commits FOLDER ARRAY TEMPLATES: in its repository; the checkout is not that of the submission. FOLDER and ARRAY are of one that was
# judged.
submit_other_commits() {
  local other submitted name folder=$1 array=$2 templates=$3 work=$PWD
  echo "-- another commit than the submitted one"
  cp -r "$folder" .torchgate/other_commit
  other=$(printf '0%.0s' {1..40})
  echo "commit=$other" >>.torchgate/other_commit/settings
  exits_with 2 "$templates/judge.sh" "$templates" "$work/.torchgate/other_commit" "$array"
  says "of commit $(git rev-parse HEAD), expected $other"
  echo mode=baseline >>.torchgate/other_commit/settings
  exits_with 2 "$templates/judge.sh" "$templates" "$work/.torchgate/other_commit" "$array"
  says "of commit $(git rev-parse HEAD), and $other was submitted: nothing was added"
  git clone -q . moved
  cp -r build ci moved
  cd moved || return
  git config user.email test@example.org
  git config user.name test
  submit moved baseline --shards 2 --suite build/fast -- --begin=now+1hour
  submit edited change --shards 2 --suite build/fast -- --begin=now+1hour
  for name in moved edited; do wait_until "$name is submitted" is_submitted "$name"; done
  submitted=$(git rev-parse HEAD)
  echo 3 >code
  scontrol update "JobId=$(array_of edited)" StartTime=now
  wait_until "no task of edited is left" has_no_jobs edited
  git commit -qam third
  scontrol update "JobId=$(array_of moved)" StartTime=now
  for name in moved edited; do
    wait_until "no task of $name is left" has_no_jobs "$name"
    scontrol update "JobId=$(judge_of "$name")" StartTime=now
  done
  ended moved 3
  says "a shard was not measured: $PWD is at commit $(git rev-parse HEAD), and was at $submitted when this was submitted; submit again"
  says "no shard was measured: nothing was added"
  [[ ! -e .torchgate/store ]] || complain "a baseline was added for a commit that was not submitted"
  ended edited 3
  says "a shard was not measured: files in $PWD were changed after this was submitted at commit $submitted"
  says "no shard was measured: no verdict"
  echo 4 >code
  exits_with 2 ci/slurm/submit.sh baseline --shards 2 --suite build/fast
  says "files differ from commit $(git rev-parse HEAD)"
  cd .. || return
}
