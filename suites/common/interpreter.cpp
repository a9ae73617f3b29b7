// SPDX-License-Identifier: Apache-2.0
#include "suites/common/interpreter.hpp"

#include <torch/csrc/jit/ir/ir.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

namespace torchgate::suites {
namespace {

// Operators that were rewritten for the shapes of a run are in a block of their own.
std::int64_t nodes_in(const torch::jit::Block& block, std::string_view kind) {
  std::int64_t count = 0;
  for (const torch::jit::Node* node : block.nodes()) {
    if (kind.empty() || node->kind().toQualString() == kind) ++count;
    for (const torch::jit::Block* inner : node->blocks()) count += nodes_in(*inner, kind);
  }
  return count;
}

}  // namespace

std::int64_t rewritten_nodes(std::string_view kind) {
  const auto graph = torch::jit::lastExecutedOptimizedGraph();
  return graph == nullptr ? 0 : nodes_in(*graph->block(), kind);
}

}  // namespace torchgate::suites
