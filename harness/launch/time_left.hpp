// SPDX-License-Identifier: Apache-2.0
// How long the rest of a run will take.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace torchgate::launch {

/// Starts with the suites' estimates and improves them with every process that ends.
class TimeLeft {
 public:
  /// ESTIMATES: seconds of one process of each group, where its suite gave any.
  explicit TimeLeft(const std::vector<std::optional<double>>& estimates);

  void finished(std::size_t group, double seconds);

  /// Seconds for the remaining processes of each group; absent without an estimate or a finished process.
  [[nodiscard]] std::optional<double> left(const std::vector<std::size_t>& remaining) const;

 private:
  struct Known {
    std::optional<double> estimate;
    double seconds = 0;
    std::size_t processes = 0;
  };
  std::vector<Known> groups_;
};

}  // namespace torchgate::launch
