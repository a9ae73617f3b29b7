# SPDX-License-Identifier: Apache-2.0
"""What the checks of workflows look at: the files, their YAML with line numbers, and their run blocks."""
import pathlib
import re

import yaml

marker = "<!-- workflow -->"


class Text(str):
    """A scalar that knows its line (from 1) in the file it was read from."""
    line = 0


class _Loader(yaml.BaseLoader):
    """Every scalar is text: `on` stays a word, and a version such as 3.10 is not a number."""

    def construct_scalar(self, node):
        text = Text(super().construct_scalar(node))
        text.line = node.start_mark.line + 1
        return text


_Loader.add_constructor("tag:yaml.org,2002:str", _Loader.construct_scalar)
# GitLab's own tag: !reference [job, script]
_Loader.add_constructor("!reference", lambda loader, node: loader.construct_sequence(node))


class File:
    """A file to check. `path` is what is read, `shown` is how messages name it, `first_line` is where a block of a page begins."""

    def __init__(self, path, shown, first_line=0):
        self.path, self.shown, self.first_line = pathlib.Path(path), str(shown), first_line
        self.text = self.path.read_text(encoding="utf-8")
        self.lines = self.text.splitlines()
        try:
            self.document = None if self.path.name.startswith("Jenkinsfile") else yaml.load(self.text, Loader=_Loader)
        except yaml.YAMLError as problem:
            raise ValueError(f"{self.shown}: not YAML: {problem}") from problem
        self.kind = self._kind()
        self._require_form()

    def _kind(self):
        """workflow, action, gitlab or jenkins: by what is in it, because templates of all kinds lie in one folder."""
        if self.document is None:
            return "jenkins"
        if isinstance(self.document, dict) and "jobs" in self.document:
            return "workflow"
        return "action" if isinstance(self.document, dict) and "runs" in self.document else "gitlab"

    def _require_form(self):
        """The schema check names what is wrong in full; this is what the other checks rely on."""
        def require(is_so, what):
            if not is_so:
                raise ValueError(f"{self.shown}: {what}; correct it as its schema describes")
        if self.kind == "jenkins":
            return
        require(isinstance(self.document, dict), "not a mapping")
        owners = {"workflow": ["jobs"], "action": ["runs"]}.get(self.kind, [])
        require(all(isinstance(self.document[key], dict) for key in owners), f"{', '.join(owners)} is not a mapping")
        jobs = self.document["jobs"] if self.kind == "workflow" else {"runs": self.document.get("runs", {})}
        for name, job in jobs.items():
            require(isinstance(job, dict), f'job "{name}" is not a mapping')
            steps = job.get("steps") or []
            require(isinstance(steps, list) and all(isinstance(step, dict) for step in steps), f'job "{name}": steps is not a list of mappings')
            for owner, key in [(step, key) for step in steps for key in ("with", "env")] + [(job, "env"), (job, "defaults"), (job, "strategy")]:
                require(isinstance(owner.get(key) or {}, dict) or "${{" in owner[key], f'job "{name}": {key} is not a mapping')

    def at(self, thing):
        """"file:line" of a value that was read from it (of the file where the value has no line)."""
        line = line_of(thing)
        return f"{self.shown}:{line + self.first_line}" if line else self.shown


def line_of(thing):
    """The first line of a value: its own, or that of the first key or element below it; 0 if it has none."""
    if isinstance(thing, Text):
        return thing.line
    if isinstance(thing, dict):
        return next((line_of(key) for key in thing), 0)
    return next((line_of(each) for each in thing), 0) if isinstance(thing, list) else 0


def blocks_of_page(shown, text):
    """(line of the fence, text) of each fenced block whose fence follows the marker."""
    lines = text.splitlines()
    for i, line in enumerate(lines):
        if line.strip() != marker:
            continue
        if i + 1 >= len(lines) or not re.fullmatch(r"```ya?ml", lines[i + 1].strip()):
            raise ValueError(f"{shown}:{i + 1}: {marker} is not followed by ```yaml; put the fence on the next line")
        end = next((j for j in range(i + 2, len(lines)) if lines[j].strip() == "```"), None)
        if end is None:
            raise ValueError(f"{shown}:{i + 2}: the block has no end; close it with ```")
        yield i + 2, "\n".join(lines[i + 2:end]) + "\n"


def find_files(root, work):
    """Every file to check below root; blocks of pages are written to files below work, as workflows."""
    root, work = pathlib.Path(root), pathlib.Path(work)
    found = [path for pattern in (".github/workflows/*.yml", ".github/workflows/*.yaml", "ci/action/**/action.yml",
                                  "ci/action/**/action.yaml", "ci/templates/*.yml", "ci/templates/*.yaml", "ci/templates/Jenkinsfile*")
             for path in sorted(root.glob(pattern))]
    files = [File(path, path.relative_to(root)) for path in found]
    for page in [root / "README.md", *sorted(root.glob("ci/**/README.md"))]:
        if not page.is_file():
            continue
        for first_line, text in blocks_of_page(page.relative_to(root), page.read_text(encoding="utf-8")):
            name = str(page.relative_to(root)).replace("/", "-")[:-len(".md")]
            path = work / ".github" / "workflows" / f"{name}-{first_line}.yml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            files.append(File(path, page.relative_to(root), first_line))
    return files


class Block:
    """A run block: its text, its environment as it is written (outermost first), and where it stands."""

    def __init__(self, file, where, text, environment, step=None, job=None, shell=None):
        self.file, self.where, self.text, self.environment = file, where, text, environment
        self.step, self.job, self.shell = step or {}, job or {}, shell

    @property
    def title(self):
        return f"{self.file.at(self.text)}: {self.where}"


def step_name(step, number):
    return step.get("name") or step.get("id") or step.get("uses") or f"{number}"


def merged(*environments):
    together = {}
    for each in environments:
        if isinstance(each, dict):
            together.update(each)
    return together


def default_shell(*owners):
    """`defaults.run.shell` of the innermost that has one."""
    for owner in owners:
        run = (owner.get("defaults") or {}).get("run") if isinstance(owner.get("defaults"), dict) else None
        if isinstance(run, dict) and "shell" in run:
            return run["shell"]
    return None


def steps_of(file):
    """(job name, job, step number, step) of each step; an action is its own job."""
    if file.kind == "workflow":
        for name, job in file.document["jobs"].items():
            for number, step in enumerate(job.get("steps") or [], 1):
                yield name, job, number, step
    elif file.kind == "action":
        for number, step in enumerate(file.document["runs"].get("steps") or [], 1):
            yield None, file.document["runs"], number, step


def blocks_of(file):
    """Every run block of a file."""
    if file.kind in ("workflow", "action"):
        for name, job, number, step in steps_of(file):
            if "run" in step:
                where = (f'job "{name}", ' if name else "") + f'step "{step_name(step, number)}"'
                shell = step.get("shell") or default_shell(job, file.document)
                yield Block(file, where, step["run"], merged(file.document.get("env"), job.get("env"), step.get("env")), step, job, shell)
    elif file.kind == "gitlab":
        yield from _blocks_of_gitlab(file)
    else:
        yield from _blocks_of_jenkins(file)


def extended(document, job, depth=0):
    """A job of GitLab with what it inherits by `extends`, the last parent first; its own keys win, those of mappings one by one."""
    parents = job.get("extends") or []
    together = {}
    for parent in [parents] if isinstance(parents, str) else parents:
        inherited = extended(document, document.get(parent) or {}, depth + 1) if depth < 10 else {}
        together = _joined(together, inherited)
    return _joined(together, {key: value for key, value in job.items() if key != "extends"})


def _joined(below, above):
    return {**below, **{key: _joined(below[key], value) if isinstance(value, dict) and isinstance(below.get(key), dict) else value
                        for key, value in above.items()}}


def _blocks_of_gitlab(file):
    """before_script and script of each job in one, as GitLab runs them, and after_script. Hidden jobs run as part of others."""
    document = file.document
    for name, job in document.items():
        if not isinstance(job, dict) or name in ("default", "variables", "workflow", "spec") or name.startswith("."):
            continue
        job = {**(document.get("default") or {}), **extended(document, job)}
        environment = merged(document.get("variables"), job.get("variables"))
        for where, parts in (("script", [job.get("before_script"), job.get("script")]), ("after_script", [job.get("after_script")])):
            lines = [line for part in parts if part for line in ([part] if isinstance(part, str) else part)]
            if lines:
                text = Text("\n".join(lines) + "\n")
                text.line = line_of(job.get(where) or lines)
                yield Block(file, f'job "{name}", {where}', text, environment, {}, job, "bash")


def _blocks_of_jenkins(file):
    """sh '''...''' and sh(script: '''...''', ...): three single quotes, in which Groovy replaces nothing. The environment {}
    block is read as NAME = 'text'."""
    environment = dict(re.findall(r"^\s*([A-Z][A-Z0-9_]*)\s*=\s*'([^']*)'\s*$", file.text, re.M))
    for match in re.finditer(r"\bsh\b(\s*\([^'\n]*('[^'\n]*'[^'\n]*)*?)?\s*'''(.*?)'''", file.text, re.S):
        text = Text(match.group(3).replace("\\\\", "\\"))
        text.line = file.text.count("\n", 0, match.start(3)) + 1
        yield Block(file, "sh", text, environment, {}, {}, "bash")
