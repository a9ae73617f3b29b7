# SPDX-License-Identifier: Apache-2.0
"""Compiles the models of the suite `compile` into packages: TorchScript, exported programs (nativert) and AOTInductor.

    python3 packages.py FOLDER [NAME...]

Writes every package of the table below into FOLDER, or those named. The weights are seeded, and each package has the same: outputs
can be compared. How long exporting and compiling took, the number of kernels, of graph breaks and of fused operators are in a
package's metadata, which AOTIModelPackageLoader::get_metadata() returns.
"""

import json
import os
import sys
import time
import warnings
import zipfile

warnings.filterwarnings("ignore")

import torch  # noqa: E402
import torch._dynamo  # noqa: E402
import torch._inductor.metrics  # noqa: E402

SEED = 17
BATCHES = (1, 4, 8, 16, 32)
FEATURES = 128


class Gated(torch.nn.Module):
    """Two products with a chain of pointwise operators and a normalisation between them: what Inductor fuses."""

    def __init__(self, features=FEATURES, hidden=512):
        super().__init__()
        self.up = torch.nn.Linear(features, hidden)
        self.down = torch.nn.Linear(hidden, features)

    def forward(self, x):
        h = self.up(x)
        h = torch.nn.functional.gelu(h) * torch.sigmoid(h) * 1.5 + torch.tanh(h) * 0.5
        h = h - h.mean(-1, keepdim=True)
        h = h / ((h * h).mean(-1, keepdim=True) + 1e-5).sqrt()
        return torch.softmax(self.down(h), -1)


class Branching(Gated):
    """The same with a branch on a value, where torch.compile ends a graph and begins another."""

    def forward(self, x):
        if x.sum() > 1e9:
            return x
        return super().forward(x)


class Twice(Gated):
    """The same outputs for twice the work, which nothing can optimise away: what tests plant as a slow-down."""

    def forward(self, x):
        return (super().forward(x) + super().forward(x.flip(0)).flip(0)) / 2


def model(kind=Gated):
    torch.manual_seed(SEED)
    return kind().eval()


def rows(batch):
    generator = torch.Generator().manual_seed(SEED)
    return torch.randn(batch, FEATURES, generator=generator)


def exported(batch=None, kind=Gated):
    """For this batch only, or for 1 to 256 rows."""
    if batch is not None:
        return torch.export.export(model(kind), (rows(batch),))
    dynamic = torch.export.Dim("rows", min=1, max=256)
    return torch.export.export(model(), (rows(8),), dynamic_shapes={"x": {0: dynamic}})


def graph_breaks(kind):
    torch._dynamo.reset()
    return torch._dynamo.explain(model(kind))(rows(8)).graph_break_count


def add_metadata(path, added):
    """The loader returns the package's own metadata file: our keys go into it."""
    changed = path + ".new"
    found = 0
    with zipfile.ZipFile(path) as package, zipfile.ZipFile(changed, "w", zipfile.ZIP_STORED) as target:
        for entry in package.infolist():
            content = package.read(entry)
            if entry.filename.endswith("_metadata.json"):
                found += 1
                content = json.dumps({**json.loads(content), **added}).encode()
            target.writestr(zipfile.ZipInfo(entry.filename), content)
    if found == 0:
        sys.exit(f"{path}: no metadata file in the package; see what this version of PyTorch calls it")
    os.replace(changed, path)


def compiled(path, batch=None, kind=Gated, **options):
    torch._inductor.metrics.reset()
    torch._dynamo.reset()
    start = time.monotonic()
    program = exported(batch, kind)
    export_s = time.monotonic() - start
    start = time.monotonic()
    torch._inductor.aoti_compile_and_package(program, package_path=path, inductor_configs=options)
    add_metadata(path, {
        "torchgate_export_s": f"{export_s:.3f}",
        "torchgate_compile_s": f"{time.monotonic() - start:.3f}",
        "torchgate_kernels": str(torch._inductor.metrics.generated_kernel_count),
        "torchgate_nodes": str(torch._inductor.metrics.ir_nodes_pre_fusion),
    })


def dynamic(path):
    """For any number of rows. Its metadata also says where torch.compile would break the graph of a model with a branch."""
    compiled(path)
    add_metadata(path, {"torchgate_graph_breaks": str(graph_breaks(Gated)),
                        "torchgate_graph_breaks_of_branch": str(graph_breaks(Branching))})


def script(path):
    torch.jit.script(model()).save(path)


def program(path):
    torch.export.save(exported(), path)


def small_program(path):
    """For the group of many sizes, in which loading is what counts."""
    torch.manual_seed(SEED)
    small = Gated(features=16, hidden=32).eval()
    dynamic_rows = torch.export.Dim("rows", min=1, max=256)
    torch.export.save(torch.export.export(small, (torch.randn(8, 16),), dynamic_shapes={"x": {0: dynamic_rows}}), path)


PACKAGES = {
    "gated.pt": script,
    "gated.nativert.pt2": program,
    "small.nativert.pt2": small_program,
    "gated_dynamic.pt2": dynamic,
    "gated_8.pt2": lambda path: compiled(path, 8),
    "gated_32.pt2": lambda path: compiled(path, 32),
    "planted_slower_32.pt2": lambda path: compiled(path, 32, Twice),
    "gated_autotune.pt2": lambda path: compiled(path, 32, max_autotune=True, freezing=True),
    "gated_no_epilogue.pt2": lambda path: compiled(path, 32, epilogue_fusion=False),
    "gated_aggressive.pt2": lambda path: compiled(path, 32, aggressive_fusion=True),
    "gated_freezing.pt2": lambda path: compiled(path, 32, freezing=True),
    "gated_padding.pt2": lambda path: compiled(path, 32, shape_padding=True),
    "gated_bare_8.pt2": lambda path: compiled(path, 8, **{"aot_inductor.package_constants_in_so": False}),
    "gated_bare_32.pt2": lambda path: compiled(path, 32, **{"aot_inductor.package_constants_in_so": False}),
}


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder, names = sys.argv[1], sys.argv[2:] or [name for name in PACKAGES if not name.startswith("planted")]
    torch.set_num_threads(1)
    os.makedirs(folder, exist_ok=True)
    for name in names:
        if name not in PACKAGES:
            sys.exit(f"{name}: unknown package; there are {', '.join(PACKAGES)}")
        start = time.monotonic()
        path = os.path.join(folder, name)
        # AOTInductor wants the name to end in .pt2; the final name exists only when the package is complete.
        part = os.path.join(folder, "part-" + name)
        PACKAGES[name](part)
        os.replace(part, path)
        print(f"{name}: {time.monotonic() - start:.1f} s", flush=True)


if __name__ == "__main__":
    main()
