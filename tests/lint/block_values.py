# SPDX-License-Identifier: Apache-2.0
"""The values that a run block sees in run_blocks.py: what replaces ${{ }}, and which variables others can choose."""
import re

expression = re.compile(r"\$\{\{(.*?)\}\}", re.S)
# A context whose values come from a pull request, a comment, a caller, an earlier step or another job.
chosen_by_others = re.compile(r"\b(github\.(event\b|head_ref|ref_name|ref\b|actor)|inputs\.|steps\.|needs\.|matrix\.|fromJSON)")
secret = re.compile(r"\b(secrets\.|github\.token)")
# Set by the CI system without an env: entry, with text that the author of a change chooses.
chosen_in_environment = {
    "workflow": ["GITHUB_HEAD_REF", "GITHUB_REF_NAME"],
    "action": ["GITHUB_HEAD_REF", "GITHUB_REF_NAME"],
    "gitlab": ["CI_MERGE_REQUEST_TITLE", "CI_MERGE_REQUEST_DESCRIPTION", "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "CI_COMMIT_MESSAGE", "CI_COMMIT_TITLE",
               "CI_COMMIT_REF_NAME", "CI_COMMIT_BRANCH", "CI_COMMIT_AUTHOR"],
    "jenkins": ["CHANGE_TITLE", "CHANGE_BRANCH", "CHANGE_AUTHOR", "BRANCH_NAME", "GIT_BRANCH"],
}
commit = "0123456789abcdef0123456789abcdef01234567"


def hostile_variables(block, text):
    """Names of the variables that others can choose, as far as the block's text (and its scripts') mentions them."""
    names = [name for name, value in block.environment.items() if any(chosen_by_others.search(each) for each in expression.findall(str(value)))]
    names += [name for name in chosen_in_environment[block.file.kind] if name not in block.environment]
    return [name for name in names if re.search(rf"\b{re.escape(name)}\b", text)]


def action_path(folder, block):
    """The folder of an action, in a copy of ci/action beside which the scripts of ci/scripts are stubs."""
    return str(folder / "action" / block.file.shown.rpartition("/")[0])


def ambient(folder, block):
    """What the CI system sets for every step."""
    files = {"GITHUB_OUTPUT": "github_output", "GITHUB_ENV": "github_env", "GITHUB_PATH": "github_path", "GITHUB_STEP_SUMMARY": "summary.md",
             "GITHUB_STATE": "github_state", "GITHUB_EVENT_PATH": "event.json"}
    for name in files.values():
        (folder / name).write_text("{}" if name.endswith(".json") else "", encoding="utf-8")
    for name in ("home", "temp", "tools"):
        (folder / name).mkdir()
    environment = {
        "PATH": f"{folder}/bin:/usr/bin:/bin", "HOME": f"{folder}/home", "LANG": "C.UTF-8", "CI": "true", "TMPDIR": f"{folder}/temp", "STUB_CALLS": f"{folder}/calls",
        "GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org",
    }
    # What a change's author chooses is there with an ordinary text; the variables below that are set anyway replace some of it.
    environment |= {name: "topic" for name in chosen_in_environment[block.file.kind]}
    if block.file.kind in ("workflow", "action"):
        environment |= {name: f"{folder}/{file}" for name, file in files.items()} | {
            "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": f"{folder}/checkout", "GITHUB_REPOSITORY": "owner/name", "GITHUB_REPOSITORY_OWNER": "owner",
            "GITHUB_SHA": commit, "GITHUB_REF": "refs/heads/main", "GITHUB_REF_NAME": "main", "GITHUB_REF_TYPE": "branch", "GITHUB_EVENT_NAME": "push",
            "GITHUB_RUN_ID": "1", "GITHUB_RUN_NUMBER": "1", "GITHUB_RUN_ATTEMPT": "1", "GITHUB_JOB": "job", "GITHUB_ACTOR": "someone", "GITHUB_HEAD_REF": "",
            "GITHUB_BASE_REF": "", "GITHUB_SERVER_URL": "https://github.invalid", "GITHUB_API_URL": "http://127.0.0.1:9", "GITHUB_WORKFLOW": "workflow",
            "RUNNER_TEMP": f"{folder}/temp", "RUNNER_TOOL_CACHE": f"{folder}/tools", "RUNNER_OS": "Linux", "RUNNER_ARCH": "X64", "RUNNER_NAME": "runner"}
        if block.file.kind == "action":
            environment["GITHUB_ACTION_PATH"] = action_path(folder, block)
    elif block.file.kind == "gitlab":
        environment |= {"GITLAB_CI": "true", "CI_PROJECT_DIR": f"{folder}/checkout", "CI_COMMIT_SHA": commit, "CI_DEFAULT_BRANCH": "main", "CI_COMMIT_BRANCH": "main",
                        "CI_COMMIT_REF_NAME": "main", "CI_JOB_TOKEN": Values.token, "CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "2", "CI_MERGE_REQUEST_IID": "7", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
                        "CI_PROJECT_PATH": "owner/name", "CI_PROJECT_URL": "https://gitlab.invalid/owner/name"}
    else:
        environment |= {"JENKINS_URL": "https://jenkins.invalid/", "WORKSPACE": f"{folder}/checkout", "WORKSPACE_TMP": f"{folder}/temp", "CHANGE_TARGET": "main", "BUILD_NUMBER": "1", "BRANCH_NAME": "main", "GIT_COMMIT": commit}
    return environment


class Values:
    token = "ghs_0stub0token0that0must0not0be0seen0"

    def __init__(self, folder, block, kind):
        self.folder, self.block = folder, block
        mark = f"touch {folder}/pwned"
        # Leaves quotes of each kind, an assignment, a glob and a list; "h0st" and "t5oh" tell its pieces.
        self.hostile = f"h0st a\"; {mark}; \"$({mark}2) '; {mark}3; ' `{mark}4` * -rf ${{IFS}} t5oh"
        if kind == "lines":
            self.hostile = "h0st\ninjected=yes\nEOF\ninjected=yes\nt5oh"

    def is_piece(self, argument):
        """Whether an argument has a part of the hostile value, and not all of it."""
        without = argument.replace(self.hostile, "")
        return any(part in without for part in ("h0st", "t5oh", "pwned"))

    def hostile_in(self, text):
        """The hostile value where the expressions of `text` stand."""
        if text is None or not expression.search(text):
            return self.hostile
        return expression.sub(lambda match: self.hostile if chosen_by_others.search(match[1]) else self.value_of(match[1]), text)

    def environment(self, written, hostile_name):
        """The env: entries as text. Variables of GitLab and Jenkins name each other with $NAME."""
        values = {name: self.replaced(value) for name, value in written.items() if name != hostile_name and isinstance(value, (str, dict))}
        if self.block.file.kind in ("gitlab", "jenkins"):
            for name, value in values.items():
                values[name] = re.sub(r"\$\{?(\w+)\}?", lambda match: values.get(match[1], ""), value)
        return values

    def replaced(self, text):
        if isinstance(text, dict):  # GitLab: value and description
            text = text.get("value", "")
        return expression.sub(lambda match: self.value_of(match[1]), text)

    def value_of(self, inside):
        """A harmless value for what stands in ${{ }}."""
        inside = inside.strip()
        if secret.search(inside):
            return self.token
        chosen = re.search(r"&&\s*'([^']*)'", inside)
        if chosen:
            return chosen[1]
        if re.search(r"[=!<>]=|^!|\b(contains|startsWith|endsWith|success|failure|always|cancelled)\(", inside):
            return "true"
        match = re.search(r"\b(github|inputs|matrix|runner|steps|needs|env|vars|job|hashFiles)\b[.(]?([\w.'*-]*)", inside)
        if not match:
            return inside.strip("'")
        return self.of_context(match[1], match[2])

    def of_context(self, context, name):
        last = name.rpartition(".")[2]
        if context == "inputs":
            return self.of_input(last)
        if context == "matrix":
            values = ((self.block.job.get("strategy") or {}).get("matrix") or {}).get(last)
            return self.replaced(values[0]) if isinstance(values, list) and values and isinstance(values[0], str) else "1"
        if context == "env":
            return self.replaced(self.block.environment.get(last, ""))
        known = {"workspace": f"{self.folder}/checkout", "temp": f"{self.folder}/temp", "repository": "owner/name", "full_name": "owner/name", "action_path":
                 action_path(self.folder, self.block), "event_name": "pull_request", "ref": "refs/heads/main", "head_ref": "topic", "base_ref": "main",
                 "ref_name": "main", "default_branch": "main", "head_branch": "topic", "actor": "someone", "login": "someone", "os": "Linux", "arch": "X64",
                 "outcome": "success", "conclusion": "success", "result": "success", "body": "text", "title": "text", "api_url": "http://127.0.0.1:9", "server_url":
                 "https://github.invalid"}
        return known.get(last) or (commit if re.search(r"sha|commit|hash", last, re.I) else "7")

    def of_input(self, name):
        document = self.block.file.document
        inputs = document.get("inputs") or {}
        if not inputs and isinstance(document.get("on"), dict):
            on = document["on"]
            inputs = {**((on.get("workflow_call") or {}).get("inputs") or {}), **((on.get("workflow_dispatch") or {}).get("inputs") or {})}
        default = (inputs.get(name) or {}).get("default")
        return self.replaced(default) if default is not None else "value"
