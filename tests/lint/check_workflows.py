# SPDX-License-Identifier: Apache-2.0
"""check_workflows.py ROOT: the structure of workflows, actions and CI templates: what is pinned, who may write, what runs with
which rights. One line for each fault: FILE:LINE: where: problem; fix. Exit code 1 if there is any."""
import pathlib
import re
import sys
import tempfile

import workflow_jobs as jobs
from workflow_files import blocks_of, default_shell, extended, find_files, line_of, step_name, steps_of

pinned = re.compile(r"[\w.-]+/[\w.-]+(/[\w./-]+)?@[0-9a-f]{40}")
version_comment = re.compile(r"\s#\s*v?\d+(\.\d+)*")
# What is the change's own: its commits, its branch, its repository, the merge commit.
head = re.compile(r"github\.(event\.pull_request\.(head|merge_commit_sha|number)|head_ref|event\.number|event\.issue"
                  r"|event\.workflow_run\.(head_|pull_requests))|refs/pull|\bpull/")
head_commit = re.compile(r"\.head\.|head_ref|head_sha|head_branch|head_commit|merge_commit_sha|refs/pull")
base = re.compile(r"\s*\$\{\{\s*github\.(event\.pull_request\.base\.(sha|ref)|base_ref|event\.repository\.default_branch)\s*\}\}\s*")
fetches_pull = re.compile(r"refs/pull/|\bpull/[^\s]*(head|merge)|\bgh\s+pr\s+checkout\b")
git_takes = re.compile(r"\bgit\s+(-\S+\s+(\S+\s+)?)*(fetch|pull|clone|checkout|switch|worktree|reset|merge|archive)\b")
reads_artifacts = re.compile(r"\btorchgate\s+unpack\b|\bgh\s+run\s+download\b|actions/(runs/[^\s]*/)?artifacts")


class Checker:
    def __init__(self, root, files):
        self.root, self.files, self.faults = root, files, []

    def complain(self, file, thing, where, message):
        self.faults.append(f"{file.at(thing)}: {where + ': ' if where else ''}{message}")

    # --- one step -----------------------------------------------------------------------------------------------------

    def check_uses(self, file, uses, where):
        if uses.startswith(("./", "$/")):
            return
        if uses.startswith("docker://"):
            if not re.search(r"@sha256:[0-9a-f]{64}$", uses):
                self.complain(file, uses, where, f"{uses} is not pinned; add @sha256: and the digest")
            return
        if not pinned.fullmatch(uses):
            self.complain(file, uses, where, f"{uses} is not pinned; name the commit's 40-digit hash, and the version in a comment behind it")
            return
        behind = file.lines[line_of(uses) - 1].partition(uses)[2]
        if not version_comment.match(behind.strip("\"'")):
            self.complain(file, uses, where, f"{uses} has no version comment; write # v1.2.3 behind the hash")

    def check_step(self, file, job, step, where):
        uses = step.get("uses", "")
        if uses:
            self.check_uses(file, uses, where)
        inputs = step.get("with") or {}
        if uses.startswith("actions/checkout@") and inputs.get("persist-credentials") != "false":
            self.complain(file, uses, where, "the checkout keeps the token in .git/config; add persist-credentials: false")
        for text, what in ((step.get("run", ""), "the run block"), (inputs.get("script", ""), "the script")):
            for expression in re.findall(r"\$\{\{.*?\}\}", text, re.S):
                self.complain(file, text, where, f"{what} contains {expression}; pass it through env: and use the variable")
        if "run" in step:
            shell = step.get("shell") or default_shell(job, file.document)
            if shell != "bash":
                self.complain(file, step["run"], where, f"the shell is {shell or 'not set'}, so that a failure before | is not noticed; "
                              "write shell: bash, or defaults: run: shell: bash")

    # --- one job ------------------------------------------------------------------------------------------------------

    def check_job(self, file, name, job):
        where = f'job "{name}"'
        if "uses" in job:  # a reusable workflow: its own jobs have the time limits
            self.check_uses(file, job["uses"], where)
        elif "timeout-minutes" not in job:
            self.complain(file, job, where, "no time limit; add timeout-minutes")
        if isinstance(job.get("permissions"), str):
            self.complain(file, job["permissions"], where, f"permissions: {job['permissions']}; name each permission")
        events = jobs.events_of_job(file, job, self.files)
        steps = list(jobs.expanded_steps(self.root, job.get("steps")))
        privileges = self.privileges(file, job, events)
        for number, step in enumerate(steps, 1):
            self.check_origin(file, f'{where}, step "{step_name(step, number)}"', step, job, events, privileges)
        self.check_artifacts(file, where, steps)
        self.check_runner(file, where, job, events)

    @staticmethod
    def privileges(file, job, events):
        """Why a job must not run a change's code; empty if it may."""
        why = [f"{name}: write" for name in jobs.writes(jobs.permissions_of(file, job))]
        why += [f"the secret {name}" for name in jobs.secrets_of(file, job)]
        return why + [f"the event {event}" for event in sorted(events & jobs.privileged_events)]

    def check_origin(self, file, where, step, job, events, privileges):
        """No code of a change in a job that may do more than read."""
        uses, inputs = step.get("uses", ""), step.get("with") or {}
        is_checkout = uses.startswith("actions/checkout@")
        if is_checkout and "workflow_run" in events:
            self.complain(file, uses, where, "a workflow_run job checks something out; use a released torchgate instead")
        elif is_checkout and privileges:
            taken = of_the_change(inputs, events)
            if taken:
                self.complain(file, uses, where, f"a job with {', '.join(privileges)} checks out {taken}; do that in a job that may only read")
        # The program of this run's own job `program`, whose hash is compared before it is started (install.sh).
        is_own_program = str(inputs.get("name", "")).endswith("-program") and step.get("if") == "inputs.program-sha256 != ''"
        if "workflow_run" in events and uses.startswith("actions/download-artifact@") and not is_own_program:
            self.complain(file, uses, where, "a workflow_run job unpacks an artifact without limits; read it with torchgate unpack")
        if privileges and "run" in step:
            text = jobs.with_scripts(self.root, step["run"])
            environment = " ".join(str(value) for owner in (file.document, job, step) for value in (owner.get("env") or {}).values())
            if fetches_pull.search(text) or (git_takes.search(text) and head_commit.search(environment)):
                self.complain(file, step["run"], where, f"a job with {', '.join(privileges)} fetches the pull request's code; do that in a job that may only read")
            if "workflow_run" in events and re.search(r"\bgh\s+run\s+download\b", text):
                self.complain(file, step["run"], where, "a workflow_run job unpacks an artifact without limits; read it with torchgate unpack")

    def check_artifacts(self, file, where, steps):
        """What an artifact says must not become a variable or a program of a later step."""
        texts = [jobs.with_scripts(self.root, step.get("run", "")) for step in steps]
        if not any(step.get("uses", "").startswith("actions/download-artifact@") for step in steps) and \
                not any(reads_artifacts.search(text) for text in texts):
            return
        for step, text in zip(steps, texts):
            found = re.search(r"GITHUB_(ENV|PATH)\b", text)
            if found:
                self.complain(file, step["run"], where, f"a job that reads artifacts writes to {found[0]}; use an output of the step, or the full path")

    def check_runner(self, file, where, job, events):
        labels = jobs.may_be_self_hosted(job)
        if not labels:
            return
        permissions = jobs.permissions_of(file, job)
        more = permissions if isinstance(permissions, str) else [f"{name}: {value}" for name, value in permissions.items()
                                                                if (name, value) != ("contents", "read") and value != "none"]
        secrets = jobs.secrets_of(file, job)
        if more or secrets:
            self.complain(file, job["runs-on"], where, f"a runner that may be self-hosted ({', '.join(map(str, labels))}) sees "
                          f"{', '.join([*([more] if isinstance(more, str) else more), *secrets])}; leave contents: read and no secrets")
        if "self-hosted" in labels and str(file.shown).startswith(".github/") and events & jobs.untrusted_events:
            self.complain(file, job["runs-on"], where, "pull requests start it on this project's own machines; exclude them with "
                          "if: github.event_name != 'pull_request'")

    # --- one file -----------------------------------------------------------------------------------------------------

    def check_workflow(self, file):
        document, events = file.document, set()
        on = document.get("on", {})
        events = {on} if isinstance(on, str) else set(on)
        if "pull_request_target" in events:
            self.complain(file, on, "", "pull_request_target runs with write permission on behalf of anybody; use pull_request, and workflow_run for what writes")
        permissions = document.get("permissions")
        if permissions is None:
            self.complain(file, document, "", "no permissions at the top; write permissions: {}")
        elif isinstance(permissions, str) or any((name, value) != ("contents", "read") for name, value in permissions.items()):
            self.complain(file, permissions if permissions else document, "", "the permissions at the top are more than contents: read; give them to the job that needs them")
        # A reusable workflow sees its caller's name and ref: a group of its own made of them would be the caller's, which it would
        # cancel or wait for. Its caller has the group.
        if "concurrency" not in document and events != {"workflow_call"}:
            self.complain(file, document, "", "no concurrency at the top; add a group")
        for name, job in document["jobs"].items():
            self.check_job(file, name, job)

    def check_gitlab(self, file):
        """Limits of each job, its own or from what it extends or from `default`."""
        document = file.document
        for name, job in document.items():
            if not isinstance(job, dict) or name.startswith(".") or "script" not in job and "trigger" not in job:
                continue  # a hidden job is looked at in those that extend it
            job = extended(document, job)
            for key in ("timeout", "interruptible"):
                if key not in job and key not in document.get("default", {}):
                    self.complain(file, name, f'job "{name}"', f"no {key}; add it to the job or to default")

    def check_jenkins(self, file):
        for block in blocks_of(file):
            if not re.match(r"#!/usr/bin/env bash\n\s*set -euo pipefail\n", block.text):
                self.complain(file, block.text, "sh", "Jenkins runs it with sh -xe; begin it with #!/usr/bin/env bash and set -euo pipefail")
        if not re.search(r"\btimeout\s*\(", file.text):
            self.complain(file, "", "", "no time limit; add options { timeout(time: 60, unit: 'MINUTES') }")
        outside = re.sub(r"'{3}.*?'{3}", "'" * 6, file.text, flags=re.S)
        for match in re.finditer(r"\b(sh\s*\(?|script:)\s*(\"|'(?!''))[^\n]*", outside):
            self.faults.append(f"{file.shown}: {match[0].strip()}: a sh step that Groovy may replace values in; write sh '''...'''")

    def check(self):
        for file in self.files:
            for name, job, number, step in steps_of(file):
                where = (f'job "{name}", ' if name else "") + f'step "{step_name(step, number)}"'
                self.check_step(file, job, step, where)
            if file.kind == "workflow":
                self.check_workflow(file)
            elif file.kind == "action":
                self.check_artifacts(file, "", [step for *_, step in steps_of(file)])
            elif file.kind == "gitlab":
                self.check_gitlab(file)
            else:
                self.check_jenkins(file)
        return self.faults


def of_the_change(inputs, events):
    """What of a pull request a checkout takes, in words; None if nothing."""
    ref, repository = inputs.get("ref", ""), inputs.get("repository", "")
    if head.search(ref) or head.search(repository):
        return "the head of a pull request"
    literal = "${{" not in ref
    if events & jobs.untrusted_events and not repository and not (base.fullmatch(ref) or (ref and literal)):
        return "the merge commit of a pull request"
    if events & (jobs.privileged_events | jobs.untrusted_events) and not (literal or base.fullmatch(ref)):
        return f"what {ref} names"
    return None


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as work:
        try:
            files = find_files(root, work)
        except ValueError as problem:
            print(problem)
            return 1
        faults = Checker(root, files).check()
        blocks = sum(1 for file in files for _ in blocks_of(file))
    print("\n".join(faults) if faults else f"{len(files)} workflows, actions and templates with {blocks} run blocks have the right structure")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
