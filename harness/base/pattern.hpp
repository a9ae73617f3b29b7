// SPDX-License-Identifier: Apache-2.0
// Regular expressions in RE2's syntax (https://github.com/google/re2/wiki/Syntax). Time and memory grow linearly with the
// text: std::regex recurses, so a filter or a name out of a file could crash the program or never return.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "harness/base/result.hpp"

namespace torchgate::base {

/// The longest expression that is accepted from a file or a person: ten times the longest in use. Expressions that
/// torchgate makes from a list of names may be longer.
inline constexpr std::size_t max_pattern_bytes = 1024;

class Pattern {
 public:
  /// bad_input: "invalid regular expression "TEXT": what is wrong"; an unsupported construct is named.
  static Result<Pattern> compile(std::string_view text);

  /// compile(), and bad_input for more than max_pattern_bytes.
  static Result<Pattern> compile_short(std::string_view text);

  /// Whether it matches anywhere in TEXT.
  [[nodiscard]] bool found_in(std::string_view text) const;

 private:
  struct Compiled;
  explicit Pattern(std::shared_ptr<const Compiled> compiled);

  std::shared_ptr<const Compiled> compiled_;  // immutable: copies share it, in any thread
};

}  // namespace torchgate::base
