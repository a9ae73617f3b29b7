// SPDX-License-Identifier: Apache-2.0
// What a use case says while it works. Who shows it, where and in which form, is the caller's business.
#pragma once

#include <memory>
#include <string>

#include "harness/launch/launcher.hpp"

namespace torchgate::workflow {

/// Texts may hold what suites, files and compilers wrote: an implementation makes them safe for where it shows them.
class Narrator {
 public:
  virtual ~Narrator() = default;

  /// One line about a step that begins or has ended.
  virtual void note(const std::string& line) = 0;

  /// Something that makes the result worth less, or that a user has to know to repeat it.
  virtual void warning(const std::string& sentence) = 0;

  /// Watches one measurement from its plan to its last process.
  [[nodiscard]] virtual std::unique_ptr<launch::Observer> progress() = 0;
};

}  // namespace torchgate::workflow
