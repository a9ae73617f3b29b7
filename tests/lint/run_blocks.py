# SPDX-License-Identifier: Apache-2.0
"""run_blocks.py ROOT [FILE]: runs every run block of the workflows, actions and CI templates (or of one FILE of them) under bash, with
stubs for the programs that it calls: once with harmless values, then with a hostile value in each variable that others can choose.

A block passes if it exits with 0 (harmless values), starts no command out of a value, hands a value on as one argument, and shows a
token neither as an argument nor in its output. What a block needs beyond the defaults stands in tests/lint/run_blocks_cases.yml."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

from block_values import Values, ambient, hostile_variables
from stub_programs import calls_in, make_checkout, make_stubs, write_program
from workflow_files import blocks_of, find_files

limit_s = 60  # stubs take milliseconds: a block that needs this long waits for something that is not there
shown_lines = 12


class Case:
    """What is particular about a block: `exit` (its code with harmless values), `environment`, `stubs` (program: bash text),
    `programs` (paths that an earlier step makes), `setup` (bash text that is run before, in the same folder), `commands` (variable:
    why its value may be run as a command), `pieces` (variable: why its value may arrive in parts)."""
    keys = {"file", "step", "exit", "environment", "stubs", "programs", "setup", "commands", "pieces"}

    def __init__(self, text):
        self.used, self.file, self.step = False, text["file"], text.get("step", "")
        self.exit, self.environment = int(text.get("exit", 0)), text.get("environment", {})
        self.stubs, self.programs, self.setup = text.get("stubs", {}), text.get("programs", []), text.get("setup", "")
        self.commands, self.pieces = text.get("commands", {}), text.get("pieces", {})
        unknown = set(text) - self.keys
        if unknown:
            raise ValueError(f"unknown key {', '.join(sorted(unknown))}; known: {', '.join(sorted(self.keys))}")

    def is_of(self, block):
        return block.file.shown == self.file and self.step in block.where


class Runner:
    def __init__(self, root, work, cases):
        self.root, self.work, self.cases, self.faults, self.runs = pathlib.Path(root), pathlib.Path(work), cases, [], 0
        self.template = self.work / "template"
        make_stubs(self.template / "bin")
        make_checkout(self.root, self.template)

    def case_of(self, block):
        together = {"file": block.file.shown, "step": block.where}
        for case in self.cases:
            if case.is_of(block):
                case.used = True
                for key in ("environment", "stubs", "commands", "pieces"):
                    together[key] = {**together.get(key, {}), **getattr(case, key)}
                together["programs"] = [*together.get("programs", []), *case.programs]
                together["setup"] = together.get("setup", "") + case.setup + "\n"
                together["exit"] = case.exit or together.get("exit", 0)
        return Case(together)

    def check(self, block):
        case = self.case_of(block)
        self.run(block, case, "harmless values", None, "")
        text = block.text + "".join(path.read_text(encoding="utf-8") for path in self.scripts_of(block))
        for name in hostile_variables(block, text):
            if name not in case.commands:
                self.run(block, case, f"a hostile {name}", name, "command")
                if "GITHUB_OUTPUT" in text or "GITHUB_ENV" in text:
                    self.run(block, case, f"lines in {name}", name, "lines")

    def scripts_of(self, block):
        return [path for name in set(re.findall(r"[\w.-]+\.sh\b", block.text)) for path in self.root.glob(f"ci/action/**/{name}")]

    def run(self, block, case, what, hostile_name, kind):
        self.runs += 1
        folder = self.work / "run"
        shutil.copytree(self.template, folder, symlinks=True)
        try:
            self.run_in(folder, block, case, what, hostile_name, kind)
        finally:
            shutil.rmtree(folder)

    def run_in(self, folder, block, case, what, hostile_name, kind):
        values = Values(folder, block, kind)
        environment = {**ambient(folder, block), **values.environment(block.environment, hostile_name), **case.environment}
        if hostile_name:
            environment[hostile_name] = values.hostile_in(block.environment.get(hostile_name))
        for program, body in case.stubs.items():
            write_program(folder / "bin" / program, body)
        for program in case.programs:
            write_program(folder / "checkout" / program)
        where = folder / "checkout" / values.replaced(block.step.get("working-directory", "."))
        where.mkdir(parents=True, exist_ok=True)
        if case.setup.strip():
            subprocess.run(["bash", "-euc", case.setup], cwd=where, env=environment, check=True, stdout=subprocess.DEVNULL)
        try:
            done = subprocess.run(["bash", "--noprofile", "--norc", "-euo", "pipefail", "-c", block.text], cwd=where, env=environment, check=False,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=limit_s)
        except subprocess.TimeoutExpired:
            self.fault(block, what, f"is not done after {limit_s} s", "")
            return
        output = done.stdout.decode("utf-8", "replace")
        if hostile_name is None and done.returncode != case.exit:
            self.fault(block, what, f"exit code {done.returncode}, expected {case.exit}", output)
        self.look_at(folder, block, case, what, hostile_name, values, output)

    def look_at(self, folder, block, case, what, hostile_name, values, output):
        """What a run left: files, arguments, outputs."""
        if any(folder.rglob("pwned*")):
            self.fault(block, what, "a value was run as a command; quote the variable, and never give it to eval, bash -c or another interpreter", output)
        outputs = {name: (folder / name).read_text(encoding="utf-8", errors="replace") for name in ("github_output", "github_env", "github_path", "summary.md")}
        for name in ("github_output", "github_env"):
            if re.search(r"^injected=", without_blocks(outputs[name]), re.M):
                self.fault(block, what, f"a value with line breaks sets another variable in {name}; write NAME<<DELIMITER with a random delimiter, or refuse it", output)
        for program, arguments in calls_in(folder / "calls"):
            for argument in arguments:
                if values.token in argument:
                    self.fault(block, what, f"the token is an argument of {program}, which every process can read; pass it in the environment", output)
                elif hostile_name and hostile_name not in case.pieces and values.is_piece(argument):
                    self.fault(block, what, f"the value arrives in pieces at {program}: {argument!r}; quote the variable", output)
        if values.token in output.replace(f"::add-mask::{values.token}", "") or any(values.token in text for text in outputs.values()):
            self.fault(block, what, "the token is in the output", "")

    def fault(self, block, what, problem, output):
        said = [f"    {line}" for line in output.strip().splitlines()[-shown_lines:]]
        text = "\n".join([f"{block.title}: with {what}: {problem}", *said])
        if text not in self.faults:
            self.faults.append(text)


def without_blocks(text):
    """The lines of an output file that are not inside of NAME<<DELIMITER ... DELIMITER."""
    return re.sub(r"^[^\n=]+<<(\S+)\n.*?^\1$", "", text, flags=re.S | re.M)


def scripts_without_block(root, blocks):
    """Scripts of ci/action that neither a block nor a script that a block calls names."""
    scripts = {path.name: path for path in pathlib.Path(root).glob("ci/action/**/*.sh")}
    reached, texts = set(), [block.text for block in blocks]
    while texts:
        text = texts.pop()
        for name in set(re.findall(r"[\w.-]+\.sh\b", text)) & set(scripts) - reached:
            reached.add(name)
            texts.append(scripts[name].read_text(encoding="utf-8"))
    return [f"{scripts[name].relative_to(root)}: no run block calls it, so that it was not run; call it, or delete it" for name in sorted(set(scripts) - reached)]


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    only = sys.argv[2] if len(sys.argv) > 2 else None
    table = root / "tests/lint/run_blocks_cases.yml"
    cases = [Case(each) for each in (yaml.safe_load(table.read_text(encoding="utf-8")) or [])] if table.is_file() else []
    with tempfile.TemporaryDirectory(prefix="run_blocks.") as work:
        try:
            files = find_files(root, pathlib.Path(work) / "pages")
        except ValueError as problem:
            print(problem)
            return 1
        blocks = [block for file in files if only in (None, file.shown) for block in blocks_of(file)]
        runner = Runner(root, pathlib.Path(work).resolve(), cases)
        for block in blocks:
            runner.check(block)
        faults = runner.faults
    if only is None:
        faults += scripts_without_block(root, blocks)
    faults += [f"{table.relative_to(root)}: the case of {case.file}, \"{case.step}\" matches no run block; correct or delete it" for case in cases
               if not case.used and only in (None, case.file) and (root / case.file).is_file()]
    print("\n".join(faults) if faults else f"{len(blocks)} run blocks passed {runner.runs} runs")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
