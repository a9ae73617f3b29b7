// SPDX-License-Identifier: Apache-2.0
// A text that is nearly always empty, and costs only a pointer then: a quarter of a std::string. A run has 100,000 results.
#pragma once

#include <ostream>
#include <string>
#include <utility>

#include "harness/base/boxed.hpp"

namespace torchgate::base {

/// Reads as a std::string.
class RareText {
 public:
  RareText() = default;
  RareText(std::string text) {  // NOLINT(google-explicit-constructor): it is a text
    if (!text.empty()) text_ = std::move(text);
  }
  RareText(const char* text) : RareText(std::string(text)) {}  // NOLINT(google-explicit-constructor): the same

  [[nodiscard]] bool empty() const { return !text_; }
  [[nodiscard]] const std::string& text() const { return text_ ? *text_ : none; }
  operator const std::string&() const { return text(); }  // NOLINT(google-explicit-constructor): the same

  bool operator==(const RareText&) const = default;
  friend std::ostream& operator<<(std::ostream& out, const RareText& text) { return out << text.text(); }

 private:
  static const inline std::string none;
  Boxed<std::string> text_;
};

}  // namespace torchgate::base
