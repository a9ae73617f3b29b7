# SPDX-License-Identifier: Apache-2.0
"""Plays a workflow of this repository as GitHub Actions would, job by job, on this machine: its conditions, matrices, outputs, composite
actions, caches and artifacts are read from the files themselves. GitHub's API is github_stub.py; a job's machine is an empty folder.

What it does not know is an error, not a guess: an action, a context or a function that is not below."""
import fnmatch
import io
import itertools
import json
import os
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import yaml

token = re.compile(r"""\s*(?:(?P<text>'(?:[^']|'')*')|(?P<number>\d+(?:\.\d+)?)|(?P<name>[A-Za-z_][\w.-]*)|(?P<operator>==|!=|&&|\|\||[!()\[\],<>]))""")


class Failed(Exception):
    pass


def evaluate(text, context, functions):
    """A GitHub expression. Its && and || give values as Python's do."""
    code, names, at, text = [], {}, 0, text.strip()
    while at < len(text):
        match = token.match(text, at)
        if not match:
            raise ValueError(f"expression not understood at: {text[at:]!r}")
        at = match.end()
        kind, value = match.lastgroup, match.group(match.lastgroup)
        if kind == "text":
            code.append(repr(value[1:-1].replace("''", "'")))
        elif kind == "number":
            code.append(value)
        elif kind == "operator":
            code.append({"&&": " and ", "||": " or ", "!": " not "}.get(value, value))
        elif value in ("true", "false", "null"):
            code.append({"true": "True", "false": "False", "null": "None"}[value])
        elif text[at:at + 1] == "(":
            names[f"f_{value}"] = functions[value]
            code.append(f"f_{value}")
        else:
            name = f"v_{len(names)}"
            names[name] = look_up(context, value)
            code.append(name)
    return eval("".join(code).strip(), {"__builtins__": {}}, names)


def look_up(context, path):
    """What is not set is empty, but only below a context that exists."""
    first, *rest = path.split(".")
    value = context[first]
    for key in rest:
        value = value.get(key) if isinstance(value, dict) else None
    return "" if value is None else value


def shown(value):
    return {True: "true", False: "false", None: ""}.get(value, str(value)) if not isinstance(value, (dict, list)) else json.dumps(value)


class Player:
    def __init__(self, checkout, work, *, program, remote, stub, prefix_of=lambda machine: []):
        self.checkout, self.work, self.remote, self.stub = Path(checkout), Path(work), remote, stub
        self.program, self.prefix_of = program, prefix_of
        self.cache = {}  # key: folder; the newest last
        self.cache_limit_bytes = 10 << 30
        self.log = []    # every line of every step
        self.run_id = 500

    # --- expressions

    def functions(self, context, status):
        return {"format": lambda form, *values: form.format(*map(shown, values)), "fromJSON": json.loads, "toJSON": json.dumps,
                "contains": lambda where, what: what in (where or ""), "startsWith": lambda where, what: shown(where).startswith(what),
                "join": lambda values, between=",": between.join(map(shown, values)),
                "hashFiles": lambda *names: "", "always": lambda: True, "cancelled": lambda: False, "success": lambda: status == "success",
                "failure": lambda: status == "failure"}

    def text(self, value, context, status="success"):
        if not isinstance(value, str):
            return value
        whole = re.fullmatch(r"\s*\$\{\{(.*?)\}\}\s*", value, re.S)
        if whole and "${{" not in whole.group(1):
            return evaluate(whole.group(1), context, self.functions(context, status))
        return re.sub(r"\$\{\{(.*?)\}\}", lambda found: shown(evaluate(found.group(1), context, self.functions(context, status))), value, flags=re.S)

    def holds(self, condition, context, status):
        if condition is None:
            return status == "success"
        condition = str(condition)
        inner = re.fullmatch(r"\s*\$\{\{(.*)\}\}\s*", condition, re.S)
        text = inner.group(1) if inner else condition
        held = evaluate(text, context, self.functions(context, status))
        asks_status = re.search(r"\b(always|cancelled|success|failure)\(", text)
        return bool(held) and (bool(asks_status) or status == "success")

    # --- jobs

    def play(self, caller, github, rerun_of=None):
        """CALLER: the text of a workflow whose jobs call reusable ones. Returns the result of each called job by name."""
        if rerun_of is None:
            self.run_id += 1
            github = {**github, "run_id": self.run_id, "run_attempt": 1}
        else:
            github = {**github, "run_id": rerun_of, "run_attempt": 2}
        document = yaml.safe_load(caller)
        github.update(workflow=document["name"], repository="acme/nets", server_url="https://github.example", api_url=os.environ["GITHUB_API_URL"])
        github["workflow_ref"] = f"acme/nets/.github/workflows/performance.yml@refs/heads/{github['ref_name']}"
        results, artifacts = {}, {}  # a run has those of all its calls
        for name, job in document["jobs"].items():
            called = yaml.safe_load((self.checkout / job["uses"].split("@")[0].split("/", 2)[2]).read_text())
            declared = called[True]["workflow_call"].get("inputs", {})
            given = job.get("with", {})
            unknown = set(given) - set(declared)
            if unknown:
                raise ValueError(f"unknown inputs {unknown}")
            inputs = {key: given.get(key, each.get("default", "")) for key, each in declared.items()}
            context = {"github": github, "inputs": inputs, "vars": {}, "secrets": {}}
            results.update(self.play_jobs(called["jobs"], context, name, artifacts))
        return results

    def play_jobs(self, jobs, context, caller, artifacts):
        needs = {}
        left = dict(jobs)
        while left:
            name = next(n for n, j in left.items() if all(m in needs for m in self.needed(j)))
            job = left.pop(name)
            of_job = {**context, "needs": {m: needs[m] for m in self.needed(job)}}
            failed = any(needs[m]["result"] in ("failure", "skipped") for m in self.needed(job))
            if not self.holds(job.get("if"), {**of_job, "matrix": {}}, "failure" if failed else "success"):
                needs[name] = {"result": "skipped", "outputs": {}}
                continue
            needs[name] = self.play_job(name, job, of_job, artifacts)
        return {name: each["result"] for name, each in needs.items()}

    @staticmethod
    def needed(job):
        needs = job.get("needs", [])
        return [needs] if isinstance(needs, str) else needs

    def play_job(self, name, job, context, artifacts):
        matrix = (job.get("strategy") or {}).get("matrix") or {}
        axes = {key: self.text(values, context) for key, values in matrix.items()}
        results, outputs = [], {}
        for number, values in enumerate(itertools.product(*axes.values())):
            machine = Machine(self, f"{name}-{number}", context, dict(zip(axes, values)), job, artifacts)
            results.append(machine.run())
            outputs = {key: self.text(value, machine.context()) for key, value in (job.get("outputs") or {}).items()}
        return {"result": "failure" if "failure" in results else "success", "outputs": outputs}


class Machine:
    """One job on a machine of its own."""

    def __init__(self, player, name, context, matrix, job, artifacts):
        self.player, self.name, self.outer, self.matrix, self.job, self.artifacts = player, name, context, matrix, job, artifacts
        self.steps, self.inputs, self.environment = {}, context["inputs"], {}
        self.action_path = ""
        # The same folders for every job of a name, as on hosted runners.
        self.folder, self.temp = player.work / "jobs" / "nets", player.work / "temp"
        for folder in (self.folder, self.temp):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
        self.job_environment = {k: shown(player.text(v, self.context())) for k, v in (job.get("env") or {}).items()}

    def context(self):
        github = {**self.outer["github"], "token": os.environ["STUB_TOKEN"], "action_path": self.action_path, "job": self.name.rsplit("-", 1)[0], "workspace": str(self.folder)}
        return {**self.outer, "github": github, "inputs": self.inputs, "steps": self.steps, "matrix": self.matrix, "strategy": {},
                "runner": {"temp": str(self.temp), "os": "Linux", "arch": "X64"}, "env": self.environment, "job": {"status": "success"}}

    def run(self):
        return self.play_steps(self.job["steps"])

    def play_steps(self, steps):
        status = "success"
        for step in steps:
            if not self.player.holds(step.get("if"), self.context(), status):
                continue
            try:
                outputs = self.play_step(step)
                result = "success"
            except Failed as failure:
                outputs, result = getattr(failure, "outputs", {}), "failure"
                self.note(f"failed: {step.get('name') or step.get('uses')}: {failure}")
                if step.get("continue-on-error") is not True:
                    status = "failure"
            if "id" in step:
                self.steps[step["id"]] = {"outputs": outputs, "outcome": result}
        return status

    def note(self, line):
        self.player.log.append(f"[{self.name}] {line}")

    def play_step(self, step):
        given = {key: self.player.text(value, self.context()) for key, value in (step.get("with") or {}).items()}
        if "run" in step:
            return self.run_block(step)
        action = step["uses"].split("@")[0]
        if action.startswith(("torchgate/torchgate/", "./")):
            return self.composite(self.player.checkout / action.removeprefix("torchgate/torchgate/").removeprefix("./"), given)
        known = {"actions/checkout": self.check_out, "actions/cache/save": self.cache_save, "actions/cache/restore": self.cache_restore,
                 "actions/upload-artifact": self.upload, "actions/download-artifact": self.download}
        return known[action](given) or {}

    def composite(self, folder, given):
        action = yaml.safe_load((folder / "action.yml").read_text())
        unknown = set(given) - set(action["inputs"])
        if unknown:
            raise ValueError(f"{folder.name}: unknown inputs {unknown}")
        saved = self.inputs, self.steps, self.action_path
        context = self.context()
        self.inputs = {key: shown(given[key]) if key in given else self.player.text(each.get("default", ""), context) for key, each in action["inputs"].items()}
        self.steps, self.action_path = {}, str(folder)
        status = self.play_steps(action["runs"]["steps"])
        outputs = {key: self.player.text(each["value"], self.context()) for key, each in (action.get("outputs") or {}).items()}
        self.inputs, self.steps, self.action_path = saved
        if status != "success":
            failure = Failed("a step of the action failed")
            failure.outputs = outputs
            raise failure
        return outputs

    def run_block(self, step):
        github = self.context()["github"]
        files = {name: self.temp / f"_{name.lower()}" for name in ("GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            file.write_text("")
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("GITHUB_", "GH_", "CI_"))}
        environment.update({
            "CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_SHA": github["sha"], "GITHUB_REF_NAME": github["ref_name"], "GITHUB_REF": github["ref"],
            "GITHUB_EVENT_NAME": github["event_name"], "GITHUB_EVENT_PATH": str(self.event_file(github)), "GITHUB_BASE_REF": github.get("base_ref", ""),
            "GITHUB_REPOSITORY": "acme/nets", "GITHUB_SERVER_URL": "https://github.example", "GITHUB_API_URL": os.environ["GITHUB_API_URL"],
            "GITHUB_RUN_ID": str(github["run_id"]), "GITHUB_RUN_ATTEMPT": str(github["run_attempt"]), "GITHUB_JOB": github["job"],
            "GITHUB_WORKFLOW": github["workflow"], "GITHUB_WORKFLOW_REF": github["workflow_ref"], "GITHUB_WORKSPACE": str(self.folder),
            "RUNNER_TEMP": str(self.temp), "TORCHGATE_REMOTE": self.player.remote, "TORCHGATE_PROGRAM": self.player.program,
            **{name: str(file) for name, file in files.items()}, **self.job_environment, **self.environment,
            **{k: shown(self.player.text(v, self.context())) for k, v in (step.get("env") or {}).items()}})
        command = [*self.player.prefix_of(self.name), "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", self.player.text(step["run"], self.context())]
        done = subprocess.run(command, cwd=self.folder / (step.get("working-directory") or ""), env=environment, text=True, errors="replace",
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        for line in done.stdout.splitlines():
            self.note(line)
        self.environment.update(assignments(files["GITHUB_ENV"].read_text()))
        if "secret" in done.stdout:
            raise AssertionError(f"the token is in the output of {step.get('name')}")
        outputs = assignments(files["GITHUB_OUTPUT"].read_text())
        if done.returncode != 0:
            failure = Failed(f"exit code {done.returncode}")
            failure.outputs = outputs
            raise failure
        return outputs

    def event_file(self, github):
        file = self.temp / "_event.json"
        file.write_text(json.dumps(github["event"]))
        return file

    # --- actions of GitHub

    def check_out(self, given):
        subprocess.run(["git", "clone", "-q", self.player.remote, "."], cwd=self.folder, check=True)
        subprocess.run(["git", "fetch", "-q", "origin", self.outer["github"]["sha"]], cwd=self.folder, check=True)
        subprocess.run(["git", "checkout", "-q", "--detach", "FETCH_HEAD"], cwd=self.folder, check=True)

    def cache_save(self, given):
        folder, key = self.folder / given["path"], given["key"]
        if key in self.player.cache or not folder.exists():
            self.note(f"cache {key}: not saved")
            return
        size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
        if size > self.player.cache_limit_bytes:
            raise Failed(f"cache {key}: {size} bytes are too many")
        kept = self.player.work / "cache" / str(len(self.player.cache))
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(folder, kept)
        self.player.cache[key] = (given["path"], kept)
        self.note(f"cache {key}: saved, {size} bytes")

    def cache_restore(self, given):
        prefixes = [given["key"], *filter(None, str(given.get("restore-keys", "")).split("\n"))]
        for at, prefix in enumerate(prefixes):
            for key in reversed(self.player.cache):
                path, kept = self.player.cache[key]
                if path != given["path"] or not (key == prefix or (at > 0 and key.startswith(prefix))):
                    continue
                if str(given.get("lookup-only", "")).lower() != "true":
                    shutil.copytree(kept, self.folder / path, dirs_exist_ok=True)
                self.note(f"cache {key}: restored")
                return {"cache-hit": "true" if key == given["key"] else "false", "cache-matched-key": key}
        return {}

    def upload(self, given):
        source = Path(given["path"])
        files = sorted(file for file in source.rglob("*") if file.is_file()) if source.is_dir() else [source] if source.exists() else []
        if not files:
            if given.get("if-no-files-found") == "error":
                raise Failed(f"artifact {given['name']}: no files")
            return {}
        if given["name"] in self.artifacts:
            raise Failed(f"artifact {given['name']}: 409 Conflict: an artifact with this name already exists on the workflow run")
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:  # the default takes two fifths of flow_test
            for file in files:
                archive.write(file, str(file.relative_to(source if source.is_dir() else source.parent)))
        self.artifacts[given["name"]] = packed.getvalue()
        return {"artifact-id": str(self.player.stub.add_artifact(given["name"], self.outer["github"], packed.getvalue()))}

    def download(self, given):
        pattern = given.get("pattern") or given.get("name")
        found = [name for name in self.artifacts if fnmatch.fnmatch(name, pattern)]
        if not found and "name" in given:
            raise Failed(f"artifact {given['name']}: not found")
        for name in found:
            into = Path(given.get("path") or self.folder)
            into = into if given.get("merge-multiple") or "name" in given else into / name
            into.mkdir(parents=True, exist_ok=True)
            zipfile.ZipFile(io.BytesIO(self.artifacts[name])).extractall(into)


def assignments(text):
    """NAME=value and NAME<<END lines of a step's output file."""
    values, lines = {}, iter(text.splitlines())
    for line in lines:
        if "<<" in line and "=" not in line.split("<<")[0]:
            name, end = line.split("<<", 1)
            values[name] = "\n".join(itertools.takewhile(lambda each, end=end: each != end, lines))
        elif "=" in line:
            name, value = line.split("=", 1)
            values[name] = value
    return values
