// SPDX-License-Identifier: Apache-2.0
// What TorchScript's interpreter made of a program.
#pragma once

#include <cstdint>
#include <string_view>

namespace torchgate::suites {

/// The interpreter profiles its first run and rewrites the program in the second: both belong to the building.
constexpr int runs_until_rewritten = 3;

/// Nodes of the program that the interpreter ran last in this process, as it rewrote it: all, or those of one kind ("prim::TensorExprGroup"). 0: it has run
/// none.
std::int64_t rewritten_nodes(std::string_view kind = {});

}  // namespace torchgate::suites
