// SPDX-License-Identifier: Apache-2.0
// A narrator that keeps what it was told.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ci/workflow/workspace/narrator.hpp"

namespace torchgate::workflow::testing {

class Told final : public Narrator {
 public:
  void note(const std::string& line) override { notes.push_back(line); }
  void warning(const std::string& sentence) override { warnings.push_back(sentence); }
  [[nodiscard]] std::unique_ptr<launch::Observer> progress() override { return std::make_unique<launch::Observer>(); }

  std::vector<std::string> notes;
  std::vector<std::string> warnings;
};

}  // namespace torchgate::workflow::testing
