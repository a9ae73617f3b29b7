#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants a fault in each suite and checks that torchgate reports it.

A copy of this commit is built with all faults of FAULTS, its suites are measured and compared with the unchanged ones. Each fault
names the case and the expected verdict: `wrong`, `failed`, `changed` or `claim_broken`. Exit code 1 if one is not reported.

    tests/studies/planted_faults.py [--build build/release] [--preset release] [--only SUITE]
"""
import argparse
import json
import pathlib
import subprocess
import sys
from typing import NamedTuple


class Fault(NamedTuple):
    what: str
    file: str
    old: str
    new: str
    case: str  # a part of its name is enough
    said: str


FAULTS = [
    Fault("outputs of a batch in another order", "suites/batching/batching.cpp",
          "{model(x), alone}", "{model(x.flip(0)), alone}", "batching/mlp/mlp/batch:8/device:cpu", "wrong"),
    Fault("every sequence is read from the first row", "suites/batching/varlen.cpp",
          "projected.narrow(0, start, length)", "projected.narrow(0, start * 0, length)",
          "batching/varlen/packed/layer:attention/device:cpu", "wrong"),
    Fault("the compiled package is not used", "suites/compile/modes.cpp",
          "return calls_of(Package(args.artefact(\"gated_dynamic.pt2\")), rows(args, args.number(\"batch\")));", "return eager(args);",
          "compile/modes/aoti/batch:8", "claim_broken"),
    Fault("the adapter is not merged", "suites/compression/lora.cpp",
          "layer.weight = layer.weight_with(layer.adapters.front());", "layer.weight = layer.weight.clone();",
          "compression/lora/merged/tasks:8/device:cpu", "wrong"),
    Fault("the model is not rewritten", "suites/compression/mobile.cpp",
          "torch::jit::optimizeForMobile(script_of(inputs))", "script_of(inputs)",
          "compression/mobile/for_mobile/rows:32", "wrong"),
    Fault("a check that no longer runs", "suites/compression/pruning.cpp",
          "group.variant(\"removed\", removed)\n      .within(1e-6)",
          "group.variant(\"removed\", removed)\n      .checks([](const Output&, const Output&) { return std::optional<std::string>(); })",
          "compression/pruning/removed/kind:structured_30", "changed"),
    Fault("the number of workers is ignored", "suites/data_loading/loading.cpp",
          ".workers(workers);\n  if (workers > 0) options.max_jobs(batches_ahead);", ".workers(workers * 0);\n  if (workers > 1000) options.max_jobs(batches_ahead);",
          "data_loading/workers/two", "wrong"),
    Fault("ordering is enforced", "suites/data_loading/epochs.cpp",
          "two_workers().enforce_ordering(false)", "two_workers().enforce_ordering(true)",
          "data_loading/epoch/unordered/op:loader", "wrong"),
    Fault("a message is waited for within the backward pass", "suites/distributed/manual_step.cpp",
          "          part.send(group);\n          ++early", "          part.send(group);\n          part.work->wait();\n          ++early",
          "distributed/step/overlapped/op:overlap", "claim_broken"),
    Fault("the surplus of a rank is not sent", "suites/distributed/ddp.cpp",
          "options.rows_of_ranks == Rows::balanced ? balanced_rows() : rows", "rows",
          "distributed/step/balanced/op:rows", "claim_broken"),
    Fault("the parts of a block are not summed", "suites/distributed/tensor_parallel.cpp",
          "group->allreduce(summand)->wait();", "static_cast<void>(group);",
          "distributed/tensor_parallel/split/rows:16", "wrong"),
    Fault("the momentum of a shard is a view of a whole one", "suites/distributed/sharded.cpp",
          "torch::zeros_like(mine)", "torch::zeros_like(weight).narrow(0, 0, mine.size(0))",
          "distributed/sharded/sharded", "claim_broken"),
    Fault("half of the gradients are sent", "suites/distributed/hooks.cpp",
          "constexpr double sent_share = 0.01;", "constexpr double sent_share = 0.5;",
          "distributed/sparsified/largest", "claim_broken"),
    Fault("a copy of each activation", "suites/fusion/fusion.cpp",
          "y = convolution->forward(y).relu_();", "y = convolution->forward(y).clone().relu_();",
          "fusion/conv_bn/folded/batch:4/layout:nhwc/device:cpu", "changed"),
    Fault("ReLU is left out", "suites/fusion/fusion.cpp",
          "l.bias, \"relu\", no_arguments", "l.bias, \"none\", no_arguments",
          "fusion/linear_relu/pointwise/rows:128/device:cpu", "wrong"),
    Fault("a tensor is kept by every call", "suites/memory/ring.cpp",
          "      ring.clear();", "      static std::vector<Tensor> leak;\n      leak.push_back(decision);\n      ring.clear();",
          "memory/ring/detached", "wrong"),
    Fault("gradients are kept", "suites/memory/training_state.cpp",
          "optimizer->zero_grad(set_to_none);", "optimizer->zero_grad(set_to_none && false);",
          "memory/training_state/to_none/state:gradients/device:cpu", "wrong"),
    Fault("INT8 falls back to FP32", "suites/models/layers.cpp",
          "packed.isNone() ? at::linear(x, weight, bias) : linear_dynamic(x, packed)", "at::linear(x, weight, bias)",
          "models/gpt2_block/int8/tokens:1", "wrong"),
    Fault("results are left in the order of the experts", "suites/operators/experts.cpp",
          "index_copy_(0, sorted.order, y)", "index_copy_(0, std::get<0>(sorted.order.sort()), y)",
          "operators/experts/routed/tokens:256/device:cpu", "wrong"),
    Fault("keys and values of each head of queries are cached", "suites/models/decode.cpp",
          "generating<Contiguous>(args, grouped_heads)", "generating<Contiguous>(args, heads)",
          "models/decode/grouped_query/context:512/device:cpu", "claim_broken"),
    Fault("the draft is unlike the target", "suites/models/speculative.cpp",
          "constexpr double added_share = 0.1;", "constexpr double added_share = 10.0;",
          "models/speculative/drafted/ahead:4/device:cpu", "claim_broken"),
    Fault("the operator copies its result", "suites/operators/custom_op.cpp",
          "at::empty(x.sizes(), x.options());", "at::empty(x.sizes(), x.options()).clone();",
          "operators/custom_op/typed/size:200000", "wrong"),
    Fault("weights are no longer shared", "suites/operators/replace.cpp",
          "  if (!replaced) {\n", "  if (!replaced || !args.values().empty()) {\n",
          "operators/replace/replaced/op:shared/device:cpu", "changed"),
    Fault("the weights are stored in 32 bits", "suites/precision/fp8.cpp",
          "numbers.nbytes() + scale.nbytes()", "numbers.to(torch::kFloat).nbytes() + scale.nbytes()",
          "precision/fp8/storage/rows:16", "claim_broken"),
    Fault("INT8 falls back to FP32", "suites/precision/precision.cpp",
          "    return [first = pack(mlp.layers[0]), second", "    return in_fp32(mlp, linear_inputs(args));\n    return [first = pack(mlp.layers[0]), second",
          "precision/linear/int8_dynamic", "wrong"),
    Fault("the lite model never answers", "suites/serving/simulated.cpp",
          "if (degrades) server.degradation.emplace();", "if (degrades && requests == 0) server.degradation.emplace();",
          "serving/overload/degrading", "claim_broken"),
    Fault("the loss is not scaled", "suites/training/amp_step.cpp",
          "(scaler ? scaler->scaled(loss) : loss).backward();", "loss.backward();",
          "training/amp_step/fp16_scaled/device:cpu", "wrong"),
    Fault("weights are drawn as Xavier's", "suites/training/initialisation.cpp",
          "torch::nn::init::kaiming_normal_(std::move(weight), /*a=*/0, torch::kFanIn, torch::kReLU);",
          "torch::nn::init::xavier_normal_(std::move(weight));",
          "training/initialisation/twenty_steps/kind:kaiming", "claim_broken"),
    Fault("an infinite gradient is not noticed", "suites/training/update.cpp",
          "if (found_inf.item<float>() == 0) step.update();", "step.update();",
          "training/update/overflow/op:scaler/device:cpu", "wrong"),
]


def run(command, **options):
    print("+", *command, file=sys.stderr)
    return subprocess.run(command, **options)


def plant(fault, tree):
    path = tree / fault.file
    text = path.read_text()
    if fault.old not in text:
        raise SystemExit(f"{fault.file}: the place of the fault \"{fault.what}\" is missing; adapt FAULTS")
    path.write_text(text.replace(fault.old, fault.new, 1))


def build_planted(faults, tree, preset):
    for fault in faults:
        plant(fault, tree)
    run(["cmake", "--preset", preset, "-DTORCHGATE_TESTS=OFF"], cwd=tree, check=True, stdout=subprocess.DEVNULL)
    targets = sorted({"suite_" + fault.file.split("/")[1] for fault in faults})
    run(["cmake", "--build", "--preset", preset, "--target", *targets], cwd=tree, check=True, stdout=sys.stderr)


def groups_of(faults):
    return "^(" + "|".join(sorted({"/".join(fault.case.split("/")[:2]) + "/" for fault in faults})) + ")"


def report_of(faults, good, planted, torchgate, report):
    for name, suites in (("planted-good", good), ("planted-bad", planted)):
        # The exit code says that cases are wrong; what is said of each is in the report.
        run([torchgate, "run", "--processes", "2", "--allow-noisy", "--suite", suites, "--filter", groups_of(faults),
             "--save", name], stdout=sys.stderr)
    run([torchgate, "compare", "planted-good", "planted-bad", "--rule", "exact", "--quiet", "--json", report],
        stdout=sys.stderr)
    return json.loads(pathlib.Path(report).read_text())


def verdicts_of(report, case):
    said = {finding["verdict"] for finding in report["findings"] if finding["case"].startswith(case)}
    broken = {"claim_broken" for claim in report["claims"] if claim["case"].startswith(case) and claim["state"] == "broken"}
    return said | broken


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/release", help="folder of the unchanged build")
    parser.add_argument("--preset", default="release", help="preset that the copy is built with")
    parser.add_argument("--only", metavar="SUITE", help="plant in this suite only")
    options = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parents[2]
    build = (root / options.build).resolve()
    faults = [fault for fault in FAULTS if options.only in (None, fault.file.split("/")[1])]
    if not faults:
        raise SystemExit(f"no fault for the suite {options.only}")
    tree = root / ".torchgate" / "planted-faults"
    run(["git", "worktree", "remove", "--force", tree], cwd=root, stderr=subprocess.DEVNULL)
    run(["git", "worktree", "add", "--quiet", "--detach", tree, "HEAD"], cwd=root, check=True)
    try:
        if (root / ".deps").exists() and not (tree / ".deps").exists():
            (tree / ".deps").symlink_to(root / ".deps")
        build_planted(faults, tree, options.preset)
        planted = tree / "build" / options.preset / "suites" / "bin"
        report = report_of(faults, build / "suites" / "bin", planted, build / "ci" / "cli" / "torchgate",
                           tree / "report.json")
    finally:
        run(["git", "worktree", "remove", "--force", tree], cwd=root)
    missed = 0
    for fault in faults:
        said = verdicts_of(report, fault.case)
        seen = fault.said in said
        missed += not seen
        print(f"{'ok    ' if seen else 'MISSED'} {fault.case}: {fault.what}: expected {fault.said}, reported "
              f"{', '.join(sorted(said)) or 'nothing'}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
