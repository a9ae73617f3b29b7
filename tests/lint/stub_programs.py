# SPDX-License-Identifier: Apache-2.0
"""The programs that a run block calls in run_blocks.py: each notes how it was called and does as much as the next line needs."""
import pathlib
import shutil
import subprocess

# STUB_CALLS gets: the number of arguments, the program, the arguments, each ended by NUL.
note = r"""#!/bin/bash
printf '%s\0' "$#" "${0##*/}" "$@" >>"${STUB_CALLS:-/dev/null}"
# Read to the end what is piped in where the arguments say so: the writer would otherwise get SIGPIPE.
for each; do case $each in - | @- | *=@- | *stdin*) [[ ! -p /dev/stdin ]] || cat >/dev/null; break ;; esac; done
"""
quiet = ("apt apt-get brew chroot cmake cosign ctest debootstrap docker dnf dpkg gh gpg make mount ninja node npm npx nvidia-smi pip pip3 pipx podman rsync scp "
         "ssh systemctl twine umount unzip yum").split()
# A file that a program is told to write exists afterwards.
writes_files = r"""
previous=
for each; do
  case $previous in
    %s) mkdir -p "$(dirname -- "$each")"; [[ $each == - || -e $each ]] || printf '{}\n' >"$each" ;;
  esac
  previous=$each
done
"""
bodies = {
    "curl": writes_files % "-o | --output" + 'echo "{}"',
    "wget": writes_files % "-O | --output-document",
    "torchgate": writes_files % "-o | --output | --out | --markdown | --json | --html | --pair-plan | --shard-plan" + '[[ ${1:-} != --version ]] || echo "torchgate 0.1.0"',
    "sudo": 'while [[ ${1:-} == -* || ${1:-} == *=* ]]; do shift; done\n(($# == 0)) || exec "$@"',
    # What was downloaded is a stub's file: its hash cannot be right. Writing hashes is real.
    "sha256sum": 'for each; do case $each in -c | --check) exit 0 ;; esac; done\nexec /usr/bin/sha256sum "$@"',
    # The network is not there; everything else is real.
    "git": 'for each; do case $each in fetch | push | pull | clone | ls-remote | submodule) exit 0 ;; esac; done\nexec /usr/bin/git "$@"',
    # The Python of a made virtual environment is this stub again.
    "python3": 'case "${1:-} ${2:-}" in "-m venv") mkdir -p "${!#}/bin"; cp "${BASH_SOURCE[0]}" "${!#}/bin/python" ;; "-m pip" | "-m build" | "-m twine" | "-m pipx") ;; '
               '*) exec /usr/bin/python3 "$@" ;; esac',
    # Waiting is no part of what is looked at.
    "sleep": "",
}


def write_program(path, body=""):
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{note}{body}\n", encoding="utf-8")
    path.chmod(0o755)


def make_stubs(folder):
    for name in quiet:
        write_program(folder / name)
    for name, body in bodies.items():
        write_program(folder / name, body)
    write_program(folder / "python", bodies["python3"])


def make_checkout(root, folder):
    """checkout/: a repository of two commits with the files of this one's first level, and its scripts as stubs; action/: the actions as others get them."""
    scripts = [path.relative_to(root) for path in [root / ".ci/run", *root.glob("ci/scripts/*.sh")] if path.is_file()]
    (folder / "checkout").mkdir(parents=True)
    for path in root.iterdir():
        if path.is_file() and path.name != ".git":
            shutil.copy(path, folder / "checkout")
    for place in ("checkout", "action"):
        for script in scripts:
            write_program(folder / place / script)
        if (root / "ci/action").is_dir():
            shutil.copytree(root / "ci/action", folder / place / "ci/action")
    git = ["/usr/bin/git", "-C", str(folder / "checkout"), "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    for command in (["init", "-q", "--template="], ["commit", "-q", "--allow-empty", "-m", "first"], ["commit", "-q", "--allow-empty", "-m", "second"],
                    ["update-ref", "refs/remotes/origin/main", "HEAD"]):
        subprocess.run([*git, *command], check=True)


def calls_in(path):
    """(program, arguments) of each call that was noted."""
    fields = path.read_bytes().decode("utf-8", "replace").split("\0") if path.is_file() else []
    calls, i = [], 0
    while i + 1 < len(fields):
        count = int(fields[i])
        calls.append((fields[i + 1], fields[i + 2:i + 2 + count]))
        i += 2 + count
    return calls
