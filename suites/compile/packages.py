# SPDX-License-Identifier: Apache-2.0
"""Compiles the models of the suite `compile` into packages: TorchScript, an exported program (nativert) and AOTInductor.

    python3 packages.py FOLDER [NAME...]

Writes every package of the table below into FOLDER, or those named. The weights are seeded, and packages of one model have the same:
their outputs can be compared. What the compiler did is in a package's metadata, which AOTIModelPackageLoader::get_metadata() returns,
each key with the prefix torchgate_:

    export_s, compile_s, compile_cpu_s   seconds; the last are CPU seconds of this process and of the C++ compilers that it starts
    exported_nodes                       operators of the exported program
    graph_nodes                          operators after the passes over the graph
    nodes, fused_nodes                   of the scheduler, before and after fusion
    kernels                              loops over data, also those that end up in one C++ function
    tuned, choices, templates            operators whose candidates were timed; the candidates; C++ templates that were used
    symbolic_sizes                       sizes that may differ from call to call
    code, code_lines                     a digest of the kernels in C++, and their number of lines
    graph_breaks, graph_breaks_of_branch (gated_dynamic.pt2) where torch.compile would end a graph
"""

import atexit
import concurrent.futures
import hashlib
import json
import multiprocessing
import os
import resource
import shutil
import sys
import tempfile
import time
import warnings
import zipfile

warnings.filterwarnings("ignore")

# Inductor keeps headers, probes and kernels in the temporary folder, where a later build would find them. Its headers follow TMPDIR only.
CACHE = tempfile.mkdtemp(prefix="torchgate-inductor-")
atexit.register(shutil.rmtree, CACHE, ignore_errors=True)
os.environ["TMPDIR"] = tempfile.tempdir = CACHE
os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", os.path.join(CACHE, "cache"))

import torch  # noqa: E402
import torch._dynamo  # noqa: E402
import torch._dynamo.utils  # noqa: E402
import torch._inductor.config  # noqa: E402
import torch._inductor.metrics  # noqa: E402
import torch._inductor.select_algorithm  # noqa: E402

sys.dont_write_bytecode = True  # models.py is in a source folder
from models import Branching, Convolutions, Feedforward, Gated, Towers, Twice, model, rows  # noqa: E402

BATCH = 32
BATCHES = (1, 4, 8, 16, 32)
SMALL = {"features": 16, "hidden": 32}
# Of suites/compile/buckets.cpp: the sizes of its requests, and their buckets.
SIZES = range(100, 199, 14)
BUCKET_WIDTH = 32
BUCKETED_SIZES = {-(-size // BUCKET_WIDTH) * BUCKET_WIDTH for size in SIZES}


def exported(module, *inputs, any_rows=False):
    """For inputs of these sizes only, or for 1 to 256 rows of the only input."""
    if not any_rows:
        return torch.export.export(module, inputs)
    dynamic = torch.export.Dim("rows", min=1, max=256)
    return torch.export.export(module, inputs, dynamic_shapes={"x": {0: dynamic}})


def graph_breaks(kind):
    torch._dynamo.reset()
    return torch._dynamo.explain(model(kind))(rows(8)).graph_break_count


# --- what the compiler did ------------------------------------------------------------------------------------------------

def operators_in(graph):
    return sum(node.op == "call_function" for node in graph.nodes)


def cpu_seconds():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def watched(compile_it):
    """Compiles, and returns what was counted meanwhile. The hooks change nothing; they are set here, not as options of the package,
    because functions cannot be compared or stored. Gradients are off: with them Inductor ignores `freezing`."""
    counted = {"graph_nodes": 0, "fused_nodes": 0, "choices": 0}

    def after_graph_passes(graph):
        counted["graph_nodes"] += operators_in(graph)

    def after_fusion(nodes):
        counted["fused_nodes"] += len(nodes)
        return nodes

    def after_tuning(timings, *_):
        counted["choices"] += len(timings)

    torch._inductor.metrics.reset()
    torch._dynamo.utils.counters.clear()
    torch._inductor.select_algorithm.add_feedback_saver(after_tuning)
    hooks = {"post_grad_custom_post_pass": after_graph_passes, "_post_fusion_custom_pass": after_fusion}
    try:
        with torch._inductor.config.patch(hooks), torch.no_grad():
            compile_it()
    finally:
        torch._inductor.select_algorithm.clear_feedback_savers()
    inductor = torch._dynamo.utils.counters["inductor"]
    return {**counted,
            "nodes": torch._inductor.metrics.ir_nodes_pre_fusion,
            "kernels": torch._inductor.metrics.generated_kernel_count,
            "tuned": inductor["select_algorithm_autotune"],
            "templates": inductor["cpp_templated_kernel_counter"]}


def generated_code(path):
    """The lines of the kernels in C++, without comments and includes, which have paths of this machine."""
    with zipfile.ZipFile(path) as package:
        sources = [package.read(name).decode() for name in package.namelist() if name.endswith("kernel.cpp")]
    if not sources:
        sys.exit(f"{path}: no kernel.cpp in the package; see what this version of PyTorch calls it")
    lines = [line.strip() for source in sources for line in source.splitlines()]
    return [line for line in lines if line and not line.startswith(("//", "#include"))]


def add_metadata(path, **added):
    """The loader returns the package's own metadata file: our keys go into it."""
    changed = path + ".new"
    found = 0
    texts = {f"torchgate_{key}": f"{value:.3f}" if isinstance(value, float) else str(value) for key, value in added.items()}
    with zipfile.ZipFile(path) as package, zipfile.ZipFile(changed, "w", zipfile.ZIP_STORED) as target:
        for entry in package.infolist():
            content = package.read(entry)
            if entry.filename.endswith("_metadata.json"):
                found += 1
                content = json.dumps({**json.loads(content), **texts}).encode()
            target.writestr(zipfile.ZipInfo(entry.filename), content)
    if found == 0:
        sys.exit(f"{path}: no metadata file in the package; see what this version of PyTorch calls it")
    os.replace(changed, path)


def compiled(path, module, *inputs, any_rows=False, **options):
    torch._dynamo.reset()
    start = time.monotonic()
    program = exported(module, *inputs, any_rows=any_rows)
    export_s = time.monotonic() - start
    exported_nodes = operators_in(program.graph)
    symbolic_sizes = len(program.range_constraints)
    start, start_cpu = time.monotonic(), cpu_seconds()
    counted = watched(lambda: torch._inductor.aoti_compile_and_package(program, package_path=path, inductor_configs=dict(options)))
    compile_s, compile_cpu_s = time.monotonic() - start, cpu_seconds() - start_cpu
    code = generated_code(path)
    add_metadata(path, export_s=export_s, compile_s=compile_s, compile_cpu_s=compile_cpu_s, exported_nodes=exported_nodes,
                 symbolic_sizes=symbolic_sizes, code_lines=len(code), code=hashlib.sha256("\n".join(code).encode()).hexdigest(),
                 **counted)


# --- the packages ---------------------------------------------------------------------------------------------------------

# torch.compile's mode without CUDA graphs, which are for GPUs. Timings that an earlier build kept would leave nothing to tune.
MAX_AUTOTUNE = {**torch._inductor.list_mode_options("max-autotune-no-cudagraphs"), "autotune_local_cache": False}
# One candidate alone, which is then not timed: the same code in every build on one kind of machine.
TEMPLATES = {"max_autotune": True, "max_autotune_gemm_backends": "CPP"}
# The weights are not in the library: the program that loads the package gives them.
BARE = {"aot_inductor.package_constants_in_so": False}

# An option, the model and inputs whose code it changes, and what else is set on both sides. Without a threshold of 0 aggressive fusion
# changes nothing: pairs without common data have the score 0.
SWITCHES = {
    "aggressive_fusion": (Towers, lambda: (rows(BATCH, 4096), rows(BATCH, 4096)), {"score_fusion_memory_threshold": 0}),
    "epilogue_fusion": (Feedforward, lambda: (rows(BATCH),), TEMPLATES),
    "freezing": (Convolutions, lambda: (rows(BATCH),), {}),
}


def switched(path, option, on):
    kind, inputs, others = SWITCHES[option]
    compiled(path, model(kind), *inputs(), **others, **{option: on})


def dynamic(path):
    """For any number of rows. Its metadata also says where torch.compile would break the graph of a model with a branch."""
    compiled(path, model(), rows(8), any_rows=True)
    add_metadata(path, graph_breaks=graph_breaks(Gated), graph_breaks_of_branch=graph_breaks(Branching))


def small(path, size):
    """For the group of many sizes, in which loading is what counts."""
    compiled(path, model(**SMALL), rows(size, SMALL["features"]))


def small_any(path):
    compiled(path, model(**SMALL), rows(8, SMALL["features"]), any_rows=True)


def script(path):
    torch.jit.script(model()).save(path)


def program(path):
    torch.export.save(exported(model(), rows(8), any_rows=True), path)


def all_packages():
    packages = {
        "gated.pt": script,
        "gated.nativert.pt2": program,
        "gated_dynamic.pt2": dynamic,
        "gated_templates_32.pt2": lambda path: compiled(path, model(), rows(BATCH), **TEMPLATES),
        "gated_bare_8.pt2": lambda path: compiled(path, model(), rows(8), **BARE),
        "gated_bare_32.pt2": lambda path: compiled(path, model(), rows(32), **BARE),
        "planted_slower_32.pt2": lambda path: compiled(path, model(Twice), rows(32)),
        "small_any.pt2": small_any,
    }
    for batch in BATCHES:
        packages[f"gated_{batch}.pt2"] = lambda path, batch=batch: compiled(path, model(), rows(batch))
        packages[f"gated_autotune_{batch}.pt2"] = lambda path, batch=batch: compiled(path, model(), rows(batch), **MAX_AUTOTUNE)
    for option in SWITCHES:
        packages[f"{option}_off.pt2"] = lambda path, option=option: switched(path, option, False)
        packages[f"{option}_on.pt2"] = lambda path, option=option: switched(path, option, True)
    for size in sorted({*SIZES, *BUCKETED_SIZES}):
        packages[f"small_{size}.pt2"] = lambda path, size=size: small(path, size)
    return packages


def make(folder, name):
    start = time.monotonic()
    # AOTInductor wants the name to end in .pt2; the final name exists only when the package is complete.
    part = os.path.join(folder, "part-" + name)
    all_packages()[name](part)
    os.replace(part, os.path.join(folder, name))
    print(f"{name}: {time.monotonic() - start:.1f} s", flush=True)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    packages = all_packages()
    folder, names = sys.argv[1], sys.argv[2:] or [name for name in packages if not name.startswith("planted")]
    for name in names:
        if name not in packages:
            sys.exit(f"{name}: unknown package; there are {', '.join(packages)}")
    torch.set_num_threads(1)
    os.makedirs(folder, exist_ok=True)
    if len(names) == 1:
        make(folder, names[0])
        return
    # The first compilation also makes the headers: no package has their time. Processes that are forked after it share them.
    compiled(os.path.join(CACHE, "headers.pt2"), model(**SMALL), rows(8, SMALL["features"]))
    with concurrent.futures.ProcessPoolExecutor(min(2, os.cpu_count()), multiprocessing.get_context("fork")) as workers:
        for made in [workers.submit(make, folder, name) for name in names]:
            made.result()


if __name__ == "__main__":
    main()
