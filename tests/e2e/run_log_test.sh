#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run --log: JSON lines that its schema describes, whole after a kill -9, appended to; a file that cannot be opened or written.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 fake_suite=$2
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
new_repository
export FAKE_GROUPS=slow,ok TORCHGATE_GATE_ALLOW_NOISY=true

exits_with 0 "$torchgate" run --suite "$fake_suite" --processes 5 --save first --log log.jsonl
# lines FILE EVENT: how many there are, each as its schema says
cat >lines.py <<'PYTHON'
import json, sys
import jsonschema
schema = json.load(open(sys.argv[1] + "/reports/schemas/log.schema.json"))
jsonschema.Draft202012Validator.check_schema(schema)
text = open(sys.argv[2]).read()
assert text.endswith("\n"), "the last line is not whole"
lines = [json.loads(line) for line in text.splitlines()]
for line in lines:
    jsonschema.validate(line, schema)
try:
    jsonschema.validate({**lines[0], "planted": 1}, schema)
    sys.exit("the schema allows an unknown key")
except jsonschema.ValidationError:
    pass
for event in ("run_started", "process_ended", "case", "run_ended"):
    print(event, sum(line["event"] == event for line in lines))
print(*{line["status"] for line in lines if line["event"] == "case"})
PYTHON
lines() { out=$(python3 lines.py "$root" log.jsonl 2>&1) || complain "log.jsonl: $out"; }
lines
says "run_started 1"
says "process_ended 10"
says "case 20"
says "run_ended 1"

# A second run appends; kill -9 leaves whole lines.
"$torchgate" run --suite "$fake_suite" --processes 8 --log log.jsonl >killed.log 2>&1 &
child=$!
for ((i = 0; i < 600; ++i)); do
  (($(grep -c process_ended log.jsonl) >= 13)) && break
  sleep 0.05
done
kill -KILL "$child" || complain "it ended before it could be killed: $(cat killed.log)"
wait "$child" 2>/dev/null || true
lines
says "run_started 2"
says "run_ended 1"

exits_with 2 "$torchgate" run --suite "$fake_suite" --log /no/such/folder/log.jsonl
says "--log /no/such/folder/log.jsonl: cannot be opened"
# A full disk: measuring goes on, and it is said once.
FAKE_GROUPS=ok exits_with 0 "$torchgate" run --suite "$fake_suite" --processes 5 --log /dev/full
says "--log /dev/full could not be written"
[[ $(grep -c "could not be written" <<<"$out") == 1 ]] || complain "said more than once: $out"
finish
