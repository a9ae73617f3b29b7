// SPDX-License-Identifier: Apache-2.0
// How long the rest of a run will take.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace torchgate::launch {

/// Starts from what suites say of themselves and learns from every process that ends.
class TimeLeft {
 public:
  /// ESTIMATES: seconds of one process of each group, where its suite gave any.
  explicit TimeLeft(const std::vector<std::optional<double>>& estimates);

  void finished(std::size_t group, double seconds);

  /// Seconds for so many more processes of each group; nothing while neither an estimate nor a finished process tells.
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
