# SPDX-License-Identifier: Apache-2.0
"""schemas_test.py ROOT FOLDER: golden files and what the program wrote in FOLDER against the published schemas and those of receivers."""
import copy
import glob
import json
import os
import sys
import xml.etree.ElementTree

import jsonschema

root, folder = sys.argv[1:]
failures = 0


def fail(sentence):
    global failures
    failures += 1
    print("FAILED:", sentence, file=sys.stderr)


def load(path):
    def no_constant(name):
        raise ValueError(f"{name} is not JSON")

    with open(path, encoding="utf-8") as file:
        return json.load(file, parse_constant=no_constant)


def errors(schema, document):
    return [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}" for error in jsonschema.Draft202012Validator(schema).iter_errors(document)]


def schema_of(name, where="reports/schemas"):
    schema = load(os.path.join(root, where, f"{name}.schema.json"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return schema


# Our own: every golden JSON file, and what the program has just written.
schemas = {name: schema_of(name) for name in ("report", "history", "explanation", "calibration", "doctor", "advice", "matrix")}
counts = dict.fromkeys(schemas, 0)
for path in [*glob.glob(os.path.join(root, "tests/golden/**/*.json"), recursive=True), *glob.glob(os.path.join(folder, "own-*.json"))]:
    document = load(path)
    name = str(document.get("schema", "")).removeprefix("torchgate.").removesuffix("/1") if isinstance(document, dict) else ""
    if name not in schemas:
        continue
    counts[name] += 1
    for error in errors(schemas[name], document):
        fail(f"{os.path.relpath(path, root)}: {error}")
print("documents:", counts)
for name, count in counts.items():
    if count == 0:
        fail(f"no document of {name} was looked at")

# The schemas find what they are for: a key that is not documented, one that is missing, a wrong type; at every depth.
report = load(os.path.join(root, "tests/golden/reports/confirmed_regression.json"))
for what, change in {
    "an undocumented key": lambda r: r["findings"][0].update(planted=1),
    "an undocumented key of a side": lambda r: r["before"].update(planted=1),
    "a missing key": lambda r: r["findings"][0].pop("causes"),
    "a wrong type": lambda r: r["findings"][0].update(p="0.01"),
    "an unknown verdict": lambda r: r["findings"][0].update(verdict="slow"),
    "another schema": lambda r: r.update(schema="torchgate.report/2"),
}.items():
    changed = copy.deepcopy(report)
    change(changed)
    if not errors(schemas["report"], changed):
        fail(f"the schema does not find {what}")

# Receivers: golden files of every situation, and the program's.
for name, pattern in {"bencher": "*.bencher.json", "github-action-benchmark": "*.smaller.json", "github-action-benchmark-bigger": "*.bigger.json", "nyrkio": "*.nyrkio.jsonl", "pytorch": "*.pytorch.json"}.items():
    schema = schema_of(name.removesuffix("-bigger"), "tests/fixtures/receivers")  # one for both of its files
    paths = glob.glob(os.path.join(root, "tests/golden/reports", pattern)) + glob.glob(os.path.join(folder, "out" + pattern[1:]))
    for path in paths:
        lines = open(path, encoding="utf-8").read().splitlines() if pattern.endswith("jsonl") else [None]
        for line in lines:
            document = json.loads(line) if line is not None else load(path)
            # The golden file without any header has no time, and a line without one is nothing for a tracker.
            if name == "nyrkio" and "unknown_everywhere" in path:
                continue
            for error in errors(schema, document):
                fail(f"{os.path.basename(path)}: {error}")
    print(f"{name}: {len(paths)} files")
    if len(paths) < 10:
        fail(f"{name}: {len(paths)} files")

# JUnit: well formed, counts that are those of its elements, only elements that Ant's task writes.
for path in glob.glob(os.path.join(root, "tests/golden/reports/*.junit.xml")) + glob.glob(os.path.join(folder, "out.junit.xml")):
    suites = xml.etree.ElementTree.parse(path).getroot()
    name = os.path.basename(path)
    if suites.tag != "testsuites":
        fail(f"{name}: <{suites.tag}>")
    for element in [suites, *suites]:
        tests = list(element.iter("testcase"))
        for attribute, tag in {"failures": "failure", "errors": "error", "skipped": "skipped"}.items():
            if int(element.get(attribute)) != sum(case.find(tag) is not None for case in tests):
                fail(f"{name}: {element.tag} {element.get('name')}: {attribute} {element.get(attribute)}")
        if int(element.get("tests")) != len(tests):
            fail(f"{name}: tests {element.get('tests')}, {len(tests)} are there")
    unknown = {element.tag for element in suites.iter()} - {"testsuites", "testsuite", "testcase", "failure", "error", "skipped", "system-out"}
    if unknown:
        fail(f"{name}: {unknown}")

print(json.dumps({"failures": failures}))
sys.exit(1 if failures else 0)
