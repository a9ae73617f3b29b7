// SPDX-License-Identifier: Apache-2.0
// Progress, notes and warnings of a use case while it runs. The caller decides where and how they are shown.
#pragma once

#include <memory>
#include <string>

#include "harness/launch/launcher.hpp"

namespace torchgate::workflow {

/// Texts may contain output of suites, files and compilers: an implementation escapes them for its own output.
class Narrator {
 public:
  virtual ~Narrator() = default;

  /// One line about a step that begins or has ended.
  virtual void note(const std::string& line) = 0;

  /// A problem that makes the result less reliable, or a fact that is needed to repeat it.
  virtual void warning(const std::string& sentence) = 0;

  /// An observer of one measurement, from its plan to its last process.
  [[nodiscard]] virtual std::unique_ptr<launch::Observer> progress() = 0;
};

}  // namespace torchgate::workflow
