# SPDX-License-Identifier: Apache-2.0
"""What a job of a workflow may do: which events start it, what it may write, which secrets it sees, what its steps run."""
import pathlib
import re

from workflow_files import File, steps_of

untrusted_events = {"pull_request", "pull_request_review", "pull_request_review_comment"}
# They run with the rights of the default branch, on behalf of anybody.
privileged_events = {"workflow_run", "issue_comment"}
hosted_label = re.compile(r"(ubuntu|windows|macos)-[\w.-]+")


def events_of(file, files, seen=()):
    """What starts a workflow. A reusable workflow is started by what starts its callers among `files`; without any it may be
    called from a pull request, the worst that its caller can be."""
    on = file.document.get("on", {})
    events = {on} if isinstance(on, str) else set(on)
    if "workflow_call" not in events or file.shown in seen:
        return events
    name = pathlib.PurePath(file.shown).name
    callers = [(other, job) for other in files if other.kind == "workflow" for job in other.document["jobs"].values()
               if re.search(rf"\.github/workflows/{re.escape(name)}(@|$)", job.get("uses", ""))]
    events.remove("workflow_call")
    for other, job in callers:
        events |= events_of_job(other, job, files, (*seen, file.shown))
    return events if callers else events | {"pull_request"}


def events_of_job(file, job, files, seen=()):
    """The events that a job runs on: those of its workflow without those that its `if:` excludes."""
    events = events_of(file, files, seen)
    condition = re.sub(r"^\s*\$\{\{|\}\}\s*$", "", job.get("if", ""))
    if "||" in condition:
        return events  # any part may let it run
    for part in condition.split("&&"):
        match = re.fullmatch(r"\(?\s*github\.event_name\s*(==|!=)\s*'(\w+)'\s*\)?", part.strip())
        if match:
            events = {event for event in events if (event == match[2]) == (match[1] == "==")}
    return events


def permissions_of(file, job):
    """The job's own, or the workflow's."""
    return job.get("permissions", file.document.get("permissions", "write-all"))


def writes(permissions):
    """Which permissions are more than reading."""
    if isinstance(permissions, str):
        return [permissions] if permissions == "write-all" else []
    return [name for name, value in (permissions or {}).items() if value == "write"]


def scalars(thing):
    """Every scalar in a value, keys too."""
    if isinstance(thing, str):
        yield thing
    elif isinstance(thing, dict):
        for key, value in thing.items():
            yield key
            yield from scalars(value)
    elif isinstance(thing, list):
        for value in thing:
            yield from scalars(value)


def secrets_of(file, job):
    """Secrets other than the job's own token that a job sees."""
    if job.get("secrets") == "inherit":
        return ["all (secrets: inherit)"]
    texts = [*scalars(job), *scalars(file.document.get("env", {}))]
    # toJSON(secrets) and secrets[name] are all of them.
    names = {name or "all" for text in texts for name in re.findall(r"\$\{\{[^}]*?\bsecrets\b(?:\.(\w+))?", text)}
    return sorted(names - {"GITHUB_TOKEN"})


def may_be_self_hosted(job):
    """The labels that are not a hosted runner's; an expression whose values are not in the job's own matrix may be anything."""
    wanted = job.get("runs-on", [])
    if isinstance(wanted, dict):
        return [*scalars(wanted.get("labels", [])), *scalars(wanted.get("group", []))]
    labels = []
    for label in [wanted] if isinstance(wanted, str) else wanted:
        # Which machines judge is the caller's choice; ci/action/README.md says that they must not be those that measure.
        if re.fullmatch(r"\$\{\{[^{}]*\}\}", label) and set(re.findall(r"\binputs\.[\w-]+", label)) == {"inputs.judge-runs-on"}:
            continue
        match = re.fullmatch(r"\$\{\{\s*matrix\.(\w+)\s*\}\}", label)
        matrix = job.get("strategy", {}).get("matrix", {})
        values = matrix.get(match[1]) if match and isinstance(matrix, dict) else None
        labels += values if isinstance(values, list) else [label]
    return [label for label in labels if not (isinstance(label, str) and hosted_label.fullmatch(label))]


def local_action(root, uses):
    """The file of an action of this repository, also where it is named by owner and hash, as others name it."""
    match = re.fullmatch(r"[.$]/(?P<own>.+?)/?|[\w.-]+/[\w.-]+/(?P<pinned>ci/action(/[\w./-]+)?)@.*", uses)
    if not match:
        return None
    folder = pathlib.Path(root) / (match["own"] or match["pinned"])
    for name in ("action.yml", "action.yaml"):
        if (folder / name).is_file():
            return File(folder / name, (folder / name).relative_to(root))
    return None


def expanded_steps(root, steps, depth=0):
    """The steps, and after a step that uses an action of this repository the steps of that one."""
    for step in steps or []:
        yield step
        action = local_action(root, step.get("uses", "")) if depth < 5 else None
        if action:
            yield from expanded_steps(root, [inner for *_, inner in steps_of(action)], depth + 1)


def with_scripts(root, text, seen=None):
    """A block's text and that of every script of ci/action that it names, directly or through another one."""
    seen = set() if seen is None else seen
    together = [text]
    for name in re.findall(r"[\w.-]+\.sh\b", text):
        for path in pathlib.Path(root).glob(f"ci/action/**/{name}"):
            if path not in seen:
                seen.add(path)
                together.append(with_scripts(root, path.read_text(encoding="utf-8"), seen))
    return "\n".join(together)
