// SPDX-License-Identifier: Apache-2.0
// A copy of one of the machines of tests/fixtures/machine, to be edited.
#pragma once

#include <filesystem>
#include <string>

#include "harness/machine/facts.hpp"
#include "tests/harness/base/temporary_folder.hpp"

namespace torchgate::machine::testing {

class CapturedMachine {
 public:
  explicit CapturedMachine(const std::string& name);

  void write(const std::string& path, const std::string& text);
  void replace(const std::string& path, const std::string& from, const std::string& to);
  void remove(const std::string& path);

  /// Edit freely: CPUs, architecture, environment.
  FactSources sources;

 private:
  base::testing::TemporaryFolder folder_;

  [[nodiscard]] std::filesystem::path file(const std::string& path) const;
};

/// The value of a fact, or "unknown: " and its reason, or "absent".
std::string value_of(const record::Machine& machine, const std::string& name);

}  // namespace torchgate::machine::testing
