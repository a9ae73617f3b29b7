// SPDX-License-Identifier: Apache-2.0
// The tags of an XML text, front to back: what reading a report of a test program needs. No document types, no entities of
// their own, no name spaces; what stands between tags is skipped unless it is asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace torchgate::import {

/// Deeper nesting is refused: sections of a test can be nested, but not by hundreds.
inline constexpr std::size_t most_open_tags = 200;

struct XmlTag {
  enum class Kind { open, close };
  struct Attribute {
    std::string name;
    std::string value;  ///< with its entities resolved
  };

  Kind kind = Kind::open;
  std::string name;
  std::vector<Attribute> attributes;

  /// Empty: there is none.
  [[nodiscard]] std::string_view attribute(std::string_view wanted) const;
};

/// `<a/>` is an open tag and a close tag.
class XmlTags {
 public:
  explicit XmlTags(std::string_view text) : text_(text) {}

  /// Absent at the end, and after a mistake.
  std::optional<XmlTag> next();

  /// What follows the last tag up to the next one, without blanks at both ends and with its entities resolved; at most TEXT_BYTES.
  [[nodiscard]] std::string text(std::size_t text_bytes) const;

  /// Empty: none so far. Tags that are still open at the end are one.
  [[nodiscard]] const std::string& mistake() const { return mistake_; }
  /// Of what was read last, from 1.
  [[nodiscard]] std::int64_t line() const { return line_; }

 private:
  std::optional<XmlTag> fail(std::string what);
  void skip(std::size_t count);
  bool skip_past(std::string_view end);
  bool skip_blanks();
  std::string take_name();
  bool take_attributes(XmlTag& tag);
  bool take_value(std::string& value);
  bool resolve(std::string_view raw, std::string& value);
  std::optional<XmlTag> close_tag();

  std::string_view text_;
  std::int64_t line_ = 1;
  std::vector<std::string> open_;
  bool closes_itself_ = false;
  std::string mistake_;
};

}  // namespace torchgate::import
