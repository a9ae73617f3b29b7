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
    Fault("the compiled package is not used", "suites/compile/modes.cpp",
          "return calls_of(Package(args.artefact(\"gated_dynamic.pt2\")), rows(args, args.number(\"batch\")));", "return eager(args);",
          "compile/modes/aoti/batch:8", "claim_broken"),
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
    Fault("half of the gradients are sent", "suites/distributed/hooks.cpp",
          "constexpr double sent_share = 0.01;", "constexpr double sent_share = 0.5;",
          "distributed/sparsified/largest", "claim_broken"),
    Fault("a copy of each activation", "suites/fusion/fusion.cpp",
          "y = convolution->forward(y).relu_();", "y = convolution->forward(y).clone().relu_();",
          "fusion/conv_bn/folded/batch:4/layout:nhwc/device:cpu", "changed"),
    Fault("a tensor is kept by every call", "suites/memory/ring.cpp",
          "      ring.clear();", "      static std::vector<Tensor> leak;\n      leak.push_back(decision);\n      ring.clear();",
          "memory/ring/detached", "wrong"),
    Fault("gradients are kept", "suites/memory/training_state.cpp",
          "optimizer->zero_grad(set_to_none);", "optimizer->zero_grad(set_to_none && false);",
          "memory/training_state/to_none/state:gradients/device:cpu", "wrong"),
    Fault("INT8 falls back to FP32", "suites/models/layers.cpp",
          "packed.isNone() ? at::linear(x, weight, bias) : linear_dynamic(x, packed)", "at::linear(x, weight, bias)",
          "models/gpt2_block/int8/tokens:1", "wrong"),
    Fault("weights are no longer shared", "suites/operators/replace.cpp",
          "  if (!replaced) {\n", "  if (!replaced || !args.values().empty()) {\n",
          "operators/replace/replaced/op:shared/device:cpu", "changed"),
    Fault("INT8 falls back to FP32", "suites/precision/precision.cpp",
          "    return [first = pack(mlp.layers[0]), second", "    return in_fp32(mlp, linear_inputs(args));\n    return [first = pack(mlp.layers[0]), second",
          "precision/linear/int8_dynamic", "wrong"),
    Fault("the lite model never answers", "suites/serving/simulated.cpp",
          "if (degrades) server.degradation.emplace();", "if (degrades && requests == 0) server.degradation.emplace();",
          "serving/overload/degrading", "claim_broken"),
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
