// SPDX-License-Identifier: Apache-2.0
// Counts dispatched operators during its lifetime, in all threads.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace torchgate::bench {

/// At most one exists at a time. Counts include operators that other operators call (linear: transpose, addmm, ...).
class OperatorCounter {
 public:
  OperatorCounter();
  ~OperatorCounter();
  OperatorCounter(const OperatorCounter&) = delete;
  OperatorCounter& operator=(const OperatorCounter&) = delete;

  /// By name, and by name and element type of the first tensor argument ("aten::addmm:BFloat16").
  [[nodiscard]] std::map<std::string, std::int64_t> by_name() const;
  [[nodiscard]] std::int64_t total() const;
  /// Operators of c10d (allreduce_, broadcast_, barrier ...), and the bytes of the tensors in their first argument: of
  /// sparse tensors those of indices and values.
  [[nodiscard]] std::int64_t collectives() const;
  [[nodiscard]] std::int64_t collective_bytes() const;

 private:
  std::uint64_t handle_;
};

}  // namespace torchgate::bench
