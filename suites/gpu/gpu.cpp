// SPDX-License-Identifier: Apache-2.0
// GPU: what only a CUDA device does: streams, copies, graphs, its allocator, its libraries. Every group has the one device
// `cuda`, so without a device every case is skipped. None of it has been measured: there are no claims yet.
#include "harness/bench/torch/suite.hpp"

TORCHGATE_TORCH_SUITE("gpu")
