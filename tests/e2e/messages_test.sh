#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What goes wrong outside of torchgate is told as what it is: full disks, no git, another user's repository, line breaks in paths, waiting.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 fake=$2
out=""
# Full disks are small file systems of a private mount namespace, where this machine allows them.
if [[ -z ${TORCHGATE_MAY_MOUNT:-} ]] && unshare --mount mount -t tmpfs none /mnt 2>/dev/null; then
  TORCHGATE_MAY_MOUNT=yes exec unshare --mount bash "${BASH_SOURCE[0]}" "$@"
fi
new_repository
export TORCHGATE_GATE_ALLOW_NOISY=true FAKE_GROUPS=ok
mkdir build small
cp "$fake" build/fake
exits_with 0 "$torchgate" run --suite build --quick --processes 1 --save a

if [[ -n ${TORCHGATE_MAY_MOUNT:-} ]]; then
  small_disk() { mount -t tmpfs -o "size=$1" none small; }
  small_disk 64k
  exits_with 2 "$torchgate" baseline add a --store small/store
  says "No space left on device; free some space there"
  says "small/store/objects"
  umount small
  small_disk 4m
  mount -o remount,ro small
  exits_with 2 "$torchgate" baseline add a --store small/store
  says "Read-only file system"
  umount small
  small_disk 64k
  TMPDIR=$work/small exits_with 2 "$torchgate" run --suite build --list
  says "the folder for temporary files (TMPDIR) has no space"
  says "No space left on device"
  [[ $out != *"not a torchgate suite"* ]] || complain "a full disk is no property of the suite"
  umount small
  # Full only when the suite runs.
  small_disk 2m
  printf '#!/bin/sh\nhead -c 3000000 /dev/zero >%s/small/fill\nexit 0\n' "$work" >filling
  chmod +x filling
  TMPDIR=$work/small exits_with 1 "$torchgate" run --suite ./filling --list
  says "no report can be written (TMPDIR)"
  umount small
else
  echo "no mounts here: full disks are not tried"
fi
# A limit for the size of files is a full disk, too.
exits_with 2 bash -c "trap '' XFSZ; ulimit -f 8; exec '$torchgate' baseline add a"
says "File too large"
says "ulimit -f"

# Without git, with a PATH that has all else.
mkdir programs
for program in sh env; do ln -s "$(command -v "$program")" programs/; done
PATH=$work/programs exits_with 2 "$torchgate" gate a
says "no folder of PATH has it: install git"
[[ $out != *"detached merge commit"* ]] || complain "whether HEAD is a merge commit is not known"
PATH=$work/programs exits_with 0 "$torchgate" run --suite build --quick --processes 1 --save without
says "The commit of this run is unknown: git is needed"
exits_with 2 "$torchgate" baseline add without
says "it is not tied to a commit: git is needed"
if [[ $(id -u) == 0 ]]; then
  # A container that runs as another user than the one who checked out.
  cp -r . "$work-other"
  trap 'rm -rf "$work" "$work-other"' EXIT
  rm -rf "$work-other/.torchgate"
  chown -R 65534 "$work-other"
  cd "$work-other"
  HOME=$work/home GIT_CONFIG_SYSTEM=/dev/null exits_with 2 "$torchgate" gate a
  says "safe.directory"
  HOME=$work/home GIT_CONFIG_SYSTEM=/dev/null exits_with 0 "$torchgate" run --suite build --quick --processes 1 --save other
  says "The commit of this run is unknown: "
  says "safe.directory"
  cd "$work"
fi

# A line break in the path of the repository.
mkdir -p $'two\nlines'
git clone -q . $'two\nlines/repository'
cd $'two\nlines/repository'
exits_with 0 "$torchgate" run --suite "$work/build" --quick --processes 1 --save odd
exits_with 0 "$torchgate" baseline add odd
says "as a baseline of"
cd "$work"

# Another writer holds the store.
exits_with 0 "$torchgate" baseline add a
exits_with 0 "$torchgate" run --suite build --quick --processes 1 --save b
exec 9<.torchgate/store/torchgate-store.json
flock 9
"$torchgate" baseline add b 9<&- >waited.txt 2>&1 &
waiting=$!
for _ in {1..1000}; do
  grep -q "Waiting for another torchgate process that writes to the store" waited.txt && break
  sleep 0.05
done
exec 9<&-
wait "$waiting" || complain "the one that waited failed: $(cat waited.txt)"
grep -q "for at most 10 min" waited.txt || complain "not told: $(cat waited.txt)"

# The working folder is gone.
mkdir gone
cd gone
rmdir ../gone
for command in "gate" "run --suite ./x --list" "compare a b" "ab --before a --after b" "import estimates.json" "baseline list" "baseline pull" "report a" "merge a b"; do
  # shellcheck disable=SC2086  # words
  exits_with 2 "$torchgate" $command
  [[ $out != *"internal error"* ]] || complain "internal error: $command"
done
cd "$work"
finish
