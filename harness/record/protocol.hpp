// SPDX-License-Identifier: Apache-2.0
// The names of protocols (Case::protocol) that more than one folder writes or reads.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace torchgate::record {

/// The elapsed time of calls on the CPU.
inline constexpr std::string_view wall_protocol = "cpu-wall/1";

inline constexpr std::string_view before_nodes = " on ";

/// PROTOCOL of a case whose ranks are on several nodes: comparable only with its like.
inline std::string on_nodes(std::string_view protocol, std::int64_t nodes) {
  return std::string(protocol) + std::string(before_nodes) + std::to_string(nodes) + " nodes";
}

/// PROTOCOL, wherever its ranks are.
inline std::string_view without_nodes(std::string_view protocol) {
  return protocol.substr(0, protocol.find(before_nodes));
}

}  // namespace torchgate::record
