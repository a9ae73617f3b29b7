// SPDX-License-Identifier: Apache-2.0
// JSON as text, written as it comes: of a report with 10,000 findings a tree takes more time and memory than all the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace torchgate::reports {

/// Indented by two, except for what is deeper than the members of an object in a list of the document, which is on one line: of a large
/// report, white space was a third. ASCII only: what a terminal or a log would interpret stays an escape, malformed UTF-8 becomes U+FFFD.
class JsonText {
 public:
  /// compact: all of it on one line, without spaces.
  enum class Layout { indented, compact };
  explicit JsonText(Layout layout = Layout::indented) : compact_(layout == Layout::compact) {}

  /// Room for so many bytes: of a large document, growing costs as much as writing.
  void reserve(std::size_t bytes) { text_.reserve(bytes); }

  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }
  /// Of the member whose value comes next. REQUIRES: no character that JSON escapes; keys are ours.
  void key(std::string_view name);

  void value(std::string_view text);
  void value(bool flag);
  void value(std::int64_t number);
  /// Digits that read back as the same double, with ".0" where it is whole; null where it is not finite.
  void value(double number);
  void null();

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void open(char bracket);
  void close(char bracket);
  void new_line();
  void begin_value();
  void quote(std::string_view text);

  [[nodiscard]] bool on_one_line() const { return compact_ || depth_ > deepest_indented; }

  /// The document, its list, an object in that.
  static constexpr std::size_t deepest_indented = 3;

  bool compact_;
  std::string text_;
  std::size_t depth_ = 0;
  bool first_ = true;  // in the innermost object or array
  bool after_key_ = false;
};

}  // namespace torchgate::reports
