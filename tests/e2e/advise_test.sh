#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# torchgate advise: a suite that leaves out one practice in each group, and a run with more threads than CPUs; formats, --fail-under and errors.
source "$(dirname "${BASH_SOURCE[0]}")/shared.sh"
torchgate=$1 advised=$2
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
new_repository
export TORCHGATE_GATE_ALLOW_NOISY=true
exits_with 2 "$torchgate" advise
says "no run"
exits_with 2 "$torchgate" advise nothing
exits_with 0 "$torchgate" run --suite "$advised" --quick --threads 1 --save advised
exits_with 0 "$torchgate" advise advised --write json=advice.json --write markdown=advice.md
says "score"
python3 - "$root" <<'PYTHON' || complain "the advice"
import json, sys
import jsonschema
advice = json.load(open("advice.json"))
schema = json.load(open(sys.argv[1] + "/reports/schemas/advice.schema.json"))
jsonschema.Draft202012Validator.check_schema(schema)
jsonschema.validate(advice, schema)
answers = {row["id"]: row for row in advice["practices"]}
planted = ["released", "in_place", "contiguous_inputs", "gradients_to_none", "bias_in_product", "batch_norm_folded", "chains_fused",
           "attention_fused", "update_fused", "products_batched", "activations_cheap", "layers_wide", "initialised_once", "batch_large_enough",
           "calls_amortised", "loader_keeps_up", "ranks_balanced", "messages_bundled"]
# What this machine has to have: without it the case is skipped, the practice does not apply, and unit tests have the rule.
run = json.load(open(".torchgate/runs/advised.json"))
def lowest_ns(case):
    number = [each["name"] for each in run["cases"]].index(case)
    minimum = 3  # of what a measurement sums up
    return min(result["measurements"]["time"][minimum] for process in run["processes"] for result in process["cases"] if result["case"] == number)
skipped = {case["name"]: case["skipped"] for case in run["cases"] if case.get("skipped")}
for name, case in {"fast_element_types": "good", "launches_amortised": "bad/device:cuda", "not_host_bound": "bad/device:cuda",
                   "stays_on_device": "bad/device:cuda", "convolutions_in_cudnn": "bad/device:cuda"}.items():
    reason = skipped.get(f"advised/{name}/{case}")
    if reason is None:
        planted.append(name)
        continue
    print(f"{name}: not shown here, {reason}")
    assert answers[name]["answer"] == "n/a", f"{name}: {answers[name]['answer']}"
# A CPU may have BF16 products that are no faster than FP32: then FP32 is right.
if "fast_element_types" in planted:
    ratio = lowest_ns("advised/fast_element_types/good") / lowest_ns("advised/fast_element_types/bad")
    if ratio > 0.7:
        planted.remove("fast_element_types")
        print(f"fast_element_types: not shown here, BF16 takes {ratio:.2f} of FP32's time")
        assert ratio < 0.9 or answers["fast_element_types"]["answer"] == "yes", answers["fast_element_types"]
for name in planted:
    row = answers[name]
    cases = [each["case"] for each in row["evidence"]]
    assert row["answer"] == "no", f"{name}: {row['answer']}"
    assert any(case.startswith(f"advised/{name}/bad") for case in cases), f"{name}: {cases}"
    assert not any(case.startswith(f"advised/{name}/good") for case in cases), f"{name}: its good variant: {cases}"
assert answers["threads_fit"]["answer"] == "yes"
# A step of training with a small peak, and what no record can answer.
assert answers["activations_dropped"]["answer"] == "yes", answers["activations_dropped"]
for name in ["cudnn_autotuned", "batches_pinned"]:
    assert answers[name]["answer"] == "n/a" and "compare a variant" in answers[name]["missing"], answers[name]
# What saves most comes first.
saves = [row["saves"] or 0 for row in advice["practices"] if row["answer"] == "no"]
assert saves == sorted(saves, reverse=True), saves
assert [row["answer"] for row in advice["practices"]][:len(saves)] == ["no"] * len(saves)
PYTHON
exits_with 1 "$torchgate" advise advised --fail-under 50 --quiet
exits_with 0 "$torchgate" advise advised --fail-under 1 --quiet
exits_with 2 "$torchgate" advise advised --fail-under 101
# More threads than CPUs.
exits_with 0 "$torchgate" run --suite "$advised" --quick --threads 64 --filter advised/chains --save threads
exits_with 0 "$torchgate" advise threads
says "64 intra-operator threads on"
finish
