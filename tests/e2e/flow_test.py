#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One history of pushes and pull requests through the workflow of the README, with the default policy: flow_test.py TORCHGATE FAKE_SUITE CHECKOUT.

Every step is played by workflow_player.py from the files themselves, on github_stub.py, with real git repositories and processes. After
each: the jobs' results, the check, the comment, the issues and what is stored. The table at the end is the answer; a step that came out
otherwise than expected fails the test."""
import json
import os
import re
import subprocess
import sys
import tempfile
import textwrap
import time
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from workflow_player import Player  # noqa: E402

program, fake_suite, checkout = map(os.path.abspath, sys.argv[1:4])
checkout = Path(checkout)
work = Path(tempfile.mkdtemp(prefix="torchgate-flow-"))
rows, failures = [], []


def git(*arguments, where=None):
    done = subprocess.run(["git", "-C", str(where or work / "dev"), *arguments], check=True, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.stdout.strip()


class Stub:
    """github_stub.py in a process of its own."""

    def __init__(self):
        self.folder = work / "stub"
        (self.folder / "artifacts").mkdir(parents=True)
        os.environ["STUB_TOKEN"] = "ghs_0123456789secret"
        self.errors = open(self.folder / "errors.txt", "w")
        self.process = subprocess.Popen([sys.executable, str(Path(__file__).parent / "github_stub.py"), str(self.folder)], stderr=self.errors)
        while not (self.folder / "address").exists():
            if self.process.poll() is not None:
                raise RuntimeError("the stub ended")
            time.sleep(0.05)
        os.environ["GITHUB_API_URL"] = (self.folder / "address").read_text()

    def append(self, **things):
        request = urllib.request.Request(os.environ["GITHUB_API_URL"] + "/_test/append", json.dumps(things).encode(), method="POST")
        urllib.request.urlopen(request).read()

    def state(self):
        file = self.folder / "state.json"
        return {"comments": [], "check_runs": [], "issues": [], **(json.loads(file.read_text()) if file.exists() else {})}

    def add_artifact(self, name, github, content):
        (self.folder / "artifacts" / f"{name}-{github['run_id']}.zip").write_bytes(content)
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        run = {"id": github["run_id"], "head_sha": github["head"], "run_started_at": github["started"], "run_attempt": github["run_attempt"]}
        number = github["run_id"] * 1000 + len(name) + sum(map(ord, name))
        self.append(runs=[run], artifacts=[{"id": number, "run": github["run_id"], "name": name, "size_in_bytes": len(content), "expired": False,
                                            "created_at": stamp}])
        return number


def readme_workflow():
    """The README's one file, with this project's build and suites in `with`."""
    block = re.search(r"<!-- workflow -->\n```yaml\n(.*?)```", (checkout / "README.md").read_text(), re.S).group(1)
    block = re.sub(r"(?m)^      build: .*$", "      build: sh build.sh", block)
    return re.sub(r"(?m)^      suites: .*$", "      suites: build/bench", block)


def other_cpu():
    """A command in front of others that gives them another CPU model; None where this user may not."""
    text = re.sub(r"(?m)^model name\s*:.*$", "model name\t: Another CPU @ 2.00GHz", Path("/proc/cpuinfo").read_text())
    (work / "cpuinfo").write_text(text)
    for enter in (["unshare", "-m"], ["unshare", "-Urm"]):
        prefix = [*enter, "bash", "-c", f'mount --bind {work}/cpuinfo /proc/cpuinfo && exec "$@"', "x"]
        if subprocess.run([*prefix, "grep", "-q", "Another CPU", "/proc/cpuinfo"], check=False, stderr=subprocess.DEVNULL).returncode == 0:
            return prefix
    return None


# --- a repository whose build "compiles" a suite of the speed in the file `level`, never twice the same bytes

def write(files):
    for name, text in files.items():
        file = work / "dev" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            git("rm", "-q", name)
        else:
            file.write_text(text)


build = textwrap.dedent("""\
    mkdir -p build/bench
    while read -r name level rest; do
      sed "s/@GROUPS@/$rest/" suite.txt >/dev/null
      cp "$FAKE_PROGRAM" "build/bench/$name"
      printf '\\n%s %s\\nFAKE_LEVEL=%s\\n' "$PWD" "$(date +%N)" "$level" >>"build/bench/$name"
    done <levels
    """)


def levels(**suites):
    return "".join(f"{name} {level}\n" for name, level in suites.items())


class History:
    def __init__(self):
        os.environ.update({"FAKE_PROGRAM": fake_suite, "FAKE_GROUPS": "a,b", "FAKE_READS": "", "TORCHGATE_GATE_ALLOW_NOISY": "true"})
        for name in list(os.environ):
            if name.startswith(("GITHUB_", "CI_")) or name in ("CI", "TORCHGATE_GITHUB_TOKEN"):
                del os.environ[name]
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", work / "origin.git"], check=True)
        for key in ("allowFilter", "allowAnySHA1InWant"):
            git("config", f"uploadpack.{key}", "true", where=work / "origin.git")
        subprocess.run(["git", "init", "-q", "-b", "main", work / "dev"], check=True)
        git("config", "user.email", "test@example.org")
        git("config", "user.name", "test")
        git("remote", "add", "origin", str(work / "origin.git"))
        write({"build.sh": build.replace('  sed "s/@GROUPS@/$rest/" suite.txt >/dev/null\n', ""), "levels": levels(fake=1000), ".gitignore": ".torchgate\nbuild\n"})
        git("add", ".")
        git("commit", "-qm", "first")
        git("push", "-q", "origin", "main")
        self.stub = Stub()
        self.elsewhere = set()
        self.other_cpu = other_cpu()
        self.player = Player(checkout, work, program=program, remote=str(work / "origin.git"), stub=self.stub,
                             prefix_of=lambda machine: self.other_cpu if machine in self.elsewhere or machine.rsplit("-", 1)[0] in self.elsewhere else [])
        self.workflow = readme_workflow()
        self.pulls = 0

    def commit(self, message, files, amend=False):
        write(files)
        git("add", "-A")
        git("commit", "-q", "--allow-empty", "-m", message)

    def push(self, message=None, files=None, rerun_of=None, force=False):
        if message is not None:
            git("checkout", "-q", "main")
            self.commit(message, files)
            git("push", "-q", *(["--force"] if force else []), "origin", "main")
        return self.run_push(git("rev-parse", "main"), rerun_of)

    def run_push(self, sha, rerun_of=None):
        github = {"event_name": "push", "sha": sha, "ref": "refs/heads/main", "ref_name": "main", "head": sha, "base_ref": "",
                  "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                  "event": {"repository": {"default_branch": "main", "full_name": "acme/nets"}, "after": sha, "ref": "refs/heads/main"}}
        return self.told(self.player.play(self.workflow, github, rerun_of), sha, None)

    def pull(self, files, base="main"):
        self.pulls += 1
        number = self.pulls
        git("checkout", "-q", "-B", f"change-{number}", base)
        self.commit(f"change {number}", files)
        head = git("rev-parse", "HEAD")
        git("checkout", "-q", "--detach", base)
        git("merge", "-q", "--no-ff", "-m", f"Merge {head} into main", head)
        merge = git("rev-parse", "HEAD")
        git("push", "-q", "--force", "origin", f"{head}:refs/pull/{number}/head", f"{merge}:refs/pull/{number}/merge")
        event = {"number": number, "state": "open", "head": {"sha": head, "repo": {"full_name": "acme/nets"}},
                 "base": {"ref": "main", "sha": git("rev-parse", f"{merge}^1"), "repo": {"default_branch": "main"}}}
        self.stub.append(pulls=[{"id": number, **event}])
        self.events = {**getattr(self, "events", {}), number: (head, merge, event)}
        return self.run_pull(number)

    def run_pull(self, number):
        head, merge, event = self.events[number]
        github = {"event_name": "pull_request", "sha": merge, "ref": f"refs/pull/{number}/merge", "ref_name": f"{number}/merge", "head": head,
                  "base_ref": "main", "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                  "event": {"action": "synchronize", "number": number, "pull_request": event,
                            "repository": {"default_branch": "main", "full_name": "acme/nets"}}}
        return self.told(self.player.play(self.workflow, github), head, number)

    def told(self, results, head, number):
        state = self.stub.state()
        checks = [c for c in state["check_runs"] if c["head_sha"] == head]
        stored = subprocess.run(["git", "-C", str(work / "origin.git"), "ls-tree", "-r", "--name-only", "torchgate-baselines"], text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
        return {"jobs": {k: v for k, v in results.items() if v != "skipped"}, "check": checks[-1].get("conclusion") if checks else None,
                "checks": len({c["name"] for c in checks}),
                "title": checks[-1]["output"]["title"] if checks and checks[-1].get("output") else "",
                "comments": len([c for c in state["comments"] if c["issue"] == number]),
                "comment": next((c["body"] for c in state["comments"] if c["issue"] == number), ""),
                "issues": [(i["title"], i["state"]) for i in state["issues"]],
                "stored": len(re.findall(r"(?m)^runs/.*\.json$", stored))}


history = History()


def step(what, got, *, says="", **expected):
    """One row: EXPECTED by key of told(); `red` is whether any job failed."""
    got = {**got, "red": "failure" in got["jobs"].values(), "open": len([i for i in got["issues"] if i[1] == "open"])}
    wrong = [f"{key}: {got[key]!r} instead of {value!r}" for key, value in expected.items() if got[key] != value]
    if says and not re.search(says, got["comment"]):
        wrong.append(f"the comment does not say {says!r}")
    rows.append((what, expected, {key: got[key] for key in expected}, wrong, got["title"]))
    print(f"{'FAILED' if wrong else 'ok'}: {len(rows)}. {what}: {'; '.join(wrong) or got['title']}", flush=True)
    if wrong:
        failures.append(what)
        print(textwrap.indent("\n".join(history.player.log[-60:]), "    "), flush=True)
        print(textwrap.indent(json.dumps(got, indent=1)[:3000], "    "), flush=True)
    history.player.log.clear()


def play():
    fast, slow = {"levels": levels(fake=1000)}, {"levels": levels(fake=1300)}
    step("a first pull request, +30 %, before any baseline", history.pull(slow), red=False, check="neutral", comments=1, stored=0, says="no baseline|No baseline")
    step("push 1, the first baseline", history.push("docs", {"notes.md": "1\n"}), red=False, stored=1, open=0)
    step("pull request of a document only", history.pull({"notes.md": "2\n"}), red=False, check="success", comments=1, stored=1)
    step("pull request, +30 %", history.pull(slow), red=True, check="failure", comments=1, stored=1, says="regressed")
    repaired = history.pulls
    step("the same, judged again", history.run_pull(repaired), red=True, check="failure", comments=1, stored=1)
    # From here on the jobs count no instructions, which takes half of the time of this test: instructions_test and layout_test are about them.
    os.environ.update({"TORCHGATE_GATE_COMPARE_CODE": "false", "TORCHGATE_GATE_COUNT_UNDECIDED": "false"})
    step("push 2, a document only", history.push("docs", {"notes.md": "3\n"}), red=False, stored=2, open=0)
    step("push 3, +30 %", history.push("slower", slow), red=True, stored=3, open=1)
    red = history.player.run_id
    step("push 3 again: not compared with its own first attempt", history.push(rerun_of=red), red=True, stored=4, open=1)
    step("pull request of a document on top of it", history.pull({"notes.md": "4\n"}), red=False, check="success", stored=4)
    step("pull request that repairs it", history.pull(fast), red=False, check="success", stored=4)
    step("push 4, repaired", history.push("repaired", fast), red=False, stored=5)

    if history.other_cpu:
        history.elsewhere = {"measure", "confirm"}
        step("pull request, +30 %, on a CPU without a baseline", history.pull(slow), red=True, check="failure", says="regressed")
        step("pull request of a document, on a CPU without a baseline", history.pull({"notes.md": "5\n"}), red=False, check="success")
        step("push 5, on another CPU", history.push("docs", {"notes.md": "6\n"}), red=False, stored=6)
        history.elsewhere = set()
    else:
        print("skipped: another CPU model: this user may not mount over /proc/cpuinfo")
        history.push("docs", {"notes.md": "6\n"})

    history.player.cache.clear()
    step("pull request, +30 %, the cache was evicted", history.pull(slow), red=True, check="failure", says="rebuilt from commit")
    history.player.cache_limit_bytes = 1000
    step("push 6, +30 %, binaries too large for the cache", history.push("slower", slow), red=True, stored=7)
    step("push 7, the same speed, after a red one", history.push("docs", {"notes.md": "7\n"}), red=False, stored=8)
    history.player.cache_limit_bytes = 10 << 30

    # Two pushes at once: the second measures before the first is stored. Played as: the second, then the first, then a pull request.
    git("checkout", "-q", "main")
    history.commit("first of two", {"notes.md": "8\n"})
    first = git("rev-parse", "HEAD")
    history.commit("second of two, +30 %", {"levels": levels(fake=1690)})
    git("push", "-q", "origin", "main")
    step("push 9, +30 %, before push 8 is stored", history.run_push(git("rev-parse", "main")), red=True, stored=9)
    step("push 8, stored after push 9", history.run_push(first), red=False, stored=10)

    git("checkout", "-q", "main")
    git("reset", "-q", "--hard", first)
    step("a force-push: push 9 is gone, push 10 is compared with push 8", history.push("forced", {"notes.md": "9\n"}, force=True), red=False, stored=11)
    step("pull request without one of two suites", vanished(), red=True, check="failure", says="missing")
    libtorch("1")
    with_libtorch = {"build.sh": build_with_libtorch, "suite.cpp": suite_with_libtorch, "libtorch": "1\n", "levels": levels(fake=1300)}
    step("push 12: another suite, on LibTorch; the old ones are missing once", history.push("LibTorch", with_libtorch), red=True, stored=13)
    step("push 13, a document only: nothing is missing any more", history.push("docs", {"notes.md": "10\n"}), red=False, stored=14)
    libtorch("2")
    step("pull request, LibTorch 1 to 2, +30 %", history.pull({"libtorch": "2\n", "levels": levels(fake=1690)}), red=True, check="failure", says="regressed")
    libtorch("1", "another build of it")
    history.player.cache.clear()
    step("pull request, +30 %, on machines whose LibTorch changed", history.pull({"levels": levels(fake=1690)}), red=True, check="failure",
         says="another version than the baseline's run")
    step("pull request, +4 %, on such machines: pairs are needed and impossible", history.pull({"levels": levels(fake=1352)}), red=False,
         check="neutral", says="pairs of 1 case are missing")

    history.workflow = readme_workflow() + "      shards: '[\"1/2\", \"2/2\"]'\n      commands: true\n"
    step("push 14, two shards", history.push("shards", {"build.sh": build_same_bytes, "levels": levels(fake=1000)}), red=True, stored=15)
    step("pull request, +30 %, two shards", history.pull({"levels": levels(fake=1300)}), red=True, check="failure", checks=1, says="regressed")
    step("pull request of a document, two shards", history.pull({"notes.md": "11\n"}), red=False, check="success")
    if history.other_cpu:
        history.elsewhere = {"measure-1"}
        step("pull request, two shards on two CPU models", history.pull({"levels": levels(fake=1001)}), red=False, check="neutral", says="INCOMPLETE")
        step("push 15, two shards on two CPU models: no baseline", history.push("docs", {"notes.md": "12\n"}), red=False, stored=15)
        history.elsewhere = {"confirm"}
        step("pull request, +4 %, two shards, confirmed on another CPU", history.pull({"levels": levels(fake=1040)}), red=False, check="neutral",
             says="another machine")
        # The pushes so far were fast, slow, fast, slow and fast again: where both levels take turns, stored times alone do not say which is new.
        step("pull request, +30 %, two shards, confirmed on another CPU", history.pull({"levels": levels(fake=1300)}), red=False, check="neutral",
             says="too large to pass undecided")
        history.elsewhere = set()
    step("pull request whose build fails", history.pull({"build.sh": "exit 1\n"}), red=True, check="failure", says="uploaded no results")


def vanished():
    history.push("a second suite", {"levels": levels(fake=1300, other=1000), "build.sh": build_of_two})
    return history.pull({"levels": levels(fake=1300)})


def libtorch(version, content="the first build of it"):
    """A LibTorch of the machine, outside of the repository."""
    folder = work / "libtorch" / version / "lib"
    folder.mkdir(parents=True, exist_ok=True)
    (work / "libtorch.c").write_text(f'const char* torch_version(void) {{ return "{version}: {content}"; }}\n')
    subprocess.run(["cc", "-shared", "-fPIC", "-o", str(folder / "libtorch_cpu.so"), str(work / "libtorch.c")], check=True)


build_with_libtorch = textwrap.dedent(f"""\
    mkdir -p build/bench
    read -r name level <levels
    lib={work}/libtorch/$(cat libtorch)/lib
    c++ -std=c++17 -DLEVEL=$level suite.cpp -o build/bench/net -L$lib -Wl,-rpath,$lib -ltorch_cpu -lbenchmark -lpthread
    """)
suite_with_libtorch = textwrap.dedent("""\
    #include <benchmark/benchmark.h>
    #include <unistd.h>
    #include <random>
    extern "C" const char* torch_version();
    static void net(benchmark::State& state) {
      static std::mt19937_64 random(std::random_device{}());
      for (auto _ : state) state.SetIterationTime(LEVEL * 1e-6 * (1 + 1e-6 * double(random() % 2001) - 1e-3 + 0 * torch_version()[0]));
    }
    BENCHMARK(net)->UseManualTime()->Iterations(20);
    BENCHMARK_MAIN();
    """)

build_same_bytes = textwrap.dedent("""\
    mkdir -p build/bench
    read -r name level <levels
    cp "$FAKE_PROGRAM" build/bench/fake
    printf '\\nFAKE_LEVEL=%s\\n' "$level" >>build/bench/fake
    """)

# The second suite is the same program under a name of its own.
build_of_two = (work / "dev" / "build.sh").read_text() + textwrap.dedent("""\
    [ ! -e build/bench/other ] || {
      mkdir -p build/bin
      mv build/bench/other build/bin/other
      printf '#!/bin/sh\\nFAKE_SUITE=other exec %s/build/bin/other "$@"\\n' "$PWD" >build/bench/other
      chmod +x build/bench/other
    }
    """)

try:
    play()
finally:
    history.stub.process.kill()
width = max(len(row[0]) for row in rows)
print("\nstep | expected | came | headline")
for number, (what, expected, came, wrong, title) in enumerate(rows, 1):
    said = " ".join(f"{k}={v}" for k, v in expected.items())
    print(f"{number:2} {what:{width}} | {said} | {'as expected' if not wrong else came} | {title}")
if failures:
    print(f"{len(failures)} steps failed; the folder is {work}")
    sys.exit(1)
subprocess.run(["rm", "-rf", str(work)], check=True)
print(f"all {len(rows)} steps passed")
