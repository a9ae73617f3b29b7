#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""action_assumptions.py ROOT: compares the section "What the workflows assume" of ci/action/README.md with what it is about: the programs that the
scripts of ci/action call, the packages that setup.sh --program installs, the jobs of the workflows with their permissions and time limits, their
inputs, and the actions that they use. And every step that reaches a verdict gets `no-verdict`: without it, a missing verdict would not block. Each
difference is one line; exit code 1 if there is one."""
import pathlib
import re
import shutil
import subprocess
import sys

import yaml

PAGE = "ci/action/README.md"
WORKFLOWS = ("performance", "performance-forks", "performance-commands")
# Words at the place of a command that are none: keywords, and what `compgen -b` lists.
KEYWORDS = set("if then elif else fi for while until do done case esac in select function time coproc { } ! [[ ]]".split())


def section(text, title):
    found = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text, re.S | re.M)
    if not found:
        raise SystemExit(f"{PAGE}: no section \"{title}\"")
    return found[1]


def listed(text, label):
    """The names in backquotes of the table row that begins with LABEL."""
    row = re.search(rf"^\| {re.escape(label)} \|(.*)$", text, re.M)
    return set(re.findall(r"`([^`]+)`", row[1])) if row else set()


def rows(text, *heading):
    """The cells of the table with this heading, without backquotes."""
    lines = iter(text.splitlines())
    for line in lines:
        if [cell.strip() for cell in line.strip("| ").split("|")] == list(heading):
            next(lines)
            break
    found = []
    for line in lines:
        if not line.startswith("|"):
            break
        found.append([cell.strip().replace("`", "") for cell in line.strip().strip("|").split(" | ")])
    return found


def without_text(script):
    """Without comments, here-documents and the content of quotes, but with what "$(...)" calls."""
    script = re.sub(r"<<'?(\w+)'?\n.*?^\1$", "", script, flags=re.S | re.M)
    script = re.sub(r"(^|\s)#.*$", "", script, flags=re.M)
    script = re.sub(r"\\\n", " ", script)
    script = re.sub(r"'[^']*'", "_", script)
    script = re.sub(r"=\((?=[^(])", "=_ _ ", script)  # lists
    calls = "".join(f"\n{call}\n" for call in re.findall(r"\$\(([^(].*)", script.replace('"', "")))
    script = re.sub(r"\(\(.*?\)\)", "_", script)  # arithmetic
    return re.sub(r'"(?:[^"\\]|\\.)*"', "_", script) + calls


def programs_of(scripts):
    builtins = set(subprocess.run(["bash", "-c", "compgen -b"], capture_output=True, text=True, check=True).stdout.split())
    texts = [script.read_text(encoding="utf-8") for script in scripts]
    functions = {name for text in texts for name in re.findall(r"^([a-z_]+)\(\)", text, re.M)}
    begin = r"(?:^|[;|&(]|\$\(|\b(?:then|do|else|if|elif|while|until)\s|!\s)\s*(?:[A-Za-z_]+=(?:_|[^\s;|&()]*)\s+)*"
    programs = set()
    for text in map(without_text, texts):
        for word in re.findall(begin + r"([a-z][a-z0-9_-]*)(?=[\s;|&)]|$)", text, re.M):
            programs.add(word)
        # Those that these start.
        for word in re.findall(r"\b(?:untrusted|said|env(?: -\S+)*|command -v)\s+(?:[A-Za-z_]+=\S*\s+)*([a-z][a-z0-9-]*)\b", text):
            programs.add(word)
    variables = {name for text in texts for name in re.findall(r"\b([a-z_]+)=", text)}
    # `head` is a program, although a script has a variable of that name.
    return {word for word in programs - builtins - functions - KEYWORDS if word not in variables or shutil.which(word)}


def steps_that_lack_something(where, steps):
    """The steps of a job that call the action judge for a verdict and do not hand on what it needs."""
    for step in steps:
        given = step.get("with") or {}
        if re.match(r"[^@]*/ci/action/judge(@|$)", step.get("uses", "")) and given.get("step") in ("judge", "accept"):
            if given.get("no-verdict") != "${{ inputs.no-verdict }}":
                yield f"{where}: step {given['step']}: no-verdict is not handed on"
            # Of results of the same run: another call of the file may have uploaded the artifact.
            if given["step"] == "judge" and "run-id" not in given and "needs.measure.outputs.results" not in given.get("uploaded", ""):
                yield f"{where}: step judge: whether the measuring jobs uploaded results is not handed on"


def main():
    root = pathlib.Path(sys.argv[1])
    page = (root / PAGE).read_text(encoding="utf-8")
    text = section(page, "What the workflows assume")
    faults = []

    def same(what, on_page, there):
        faults.extend(f"{PAGE}: {what}: {name} is missing" for name in sorted(there - on_page))
        faults.extend(f"{PAGE}: {what}: {name} is not used; remove it" for name in sorted(on_page - there))

    same("programs", listed(text, "programs"), programs_of(sorted(root.glob("ci/action/*.sh"))))
    table = (root / "cmake/torchgate_dependencies.cmake").read_text(encoding="utf-8")
    packages = {name for row in re.findall(r"^# \|(.*)$", table, re.M) for cells in [row.split("|")] if cells[3].strip() == "program"
                for name in re.findall(r"(?:^|\s)deb:(\S+)", cells[2])}
    base = re.search(r"^base_packages=\((.*)\)$", (root / "ci/scripts/setup.sh").read_text(encoding="utf-8"), re.M)
    same("packages", listed(text, "packages"), packages | set(base[1].split()))

    jobs, inputs, actions = {}, {}, set()
    for name in WORKFLOWS:
        source = (root / f".github/workflows/{name}.yml").read_text(encoding="utf-8")
        workflow = yaml.safe_load(source)
        actions |= set(re.findall(r"uses: (actions/[\w/-]+)@", source))
        for job, body in workflow["jobs"].items():
            rights = ", ".join(f"{right}: {value}" for right, value in sorted((body.get("permissions") or {}).items())) or "none"
            jobs[f"{name}: {job}"] = (rights, str(body["timeout-minutes"]))
            faults.extend(steps_that_lack_something(f".github/workflows/{name}.yml: {job}", body["steps"]))
        called = workflow.get("on", workflow.get(True))["workflow_call"]["inputs"]
        for key, value in called.items():
            inputs.setdefault(key, {})[name] = "required" if value.get("required") else str(value.get("default")).lower() or "empty"
    judge = yaml.safe_load((root / "ci/action/judge/action.yml").read_text(encoding="utf-8"))
    faults.extend(f"ci/action/judge/action.yml: {step['name']}: no-verdict is not handed on" for step in judge["runs"]["steps"]
                  if step.get("name") in ("Judge", "Accept") and (step.get("env") or {}).get("NO_VERDICT") != "${{ inputs.no-verdict }}")
    faults.extend(f"ci/action/judge/action.yml: {step['name']}: uploaded is not handed on" for step in judge["runs"]["steps"]
                  if step.get("name") == "Judge" and (step.get("env") or {}).get("UPLOADED") != "${{ inputs.uploaded }}")
    for action in root.glob("ci/action/*/action.yml"):
        actions |= set(re.findall(r"uses: (actions/[\w/-]+)@", action.read_text(encoding="utf-8")))
    same("actions", listed(text, "actions"), actions)
    on_page = {job: (rights, minutes) for job, rights, minutes, *_ in rows(text, "job", "permissions", "minutes", "runs the change's code")}
    same("jobs", {f"{job} ({rights}, {minutes} min)" for job, (rights, minutes) in on_page.items()},
         {f"{job} ({rights}, {minutes} min)" for job, (rights, minutes) in jobs.items()})
    given = {name: default for name, default, *_ in rows(section(page, "Inputs"), "input", "default", "what it is")}
    same("inputs", {f"{name} ({default})" for name, default in given.items()},
         {f"{name} ({default})" for name, where in inputs.items() for default in where.values()})
    print("\n".join(faults) if faults else f"{PAGE} lists what {len(jobs)} jobs assume")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
