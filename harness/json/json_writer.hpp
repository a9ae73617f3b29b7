// SPDX-License-Identifier: Apache-2.0
// JSON text, member by member, in the order of the calls: same calls, same bytes. Of a report with 10,000 findings a tree takes more time and
// memory than all the rest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/base/limits.hpp"
#include "harness/json/json_characters.hpp"

namespace torchgate::json {

/// What JSON leaves open: white space, and how characters and numbers are spelt.
struct Layout {
  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

  std::size_t indent = 0;                    ///< spaces per level; 0: all on one line, without spaces
  std::size_t deepest_indented = unlimited;  ///< what is in a deeper object or array is on one line
  bool ascii = false;                        ///< everything else is an escape: what a terminal or a log would interpret
  bool readable = false;                     ///< numbers as people write them (0.0001, 2.0), \b and \f as letters
  std::size_t longest_text = unlimited;      ///< in bytes; longer ones are cut
};

/// Of records: doubles as the shortest text that reads back as the same, and no text that the reader refuses.
inline constexpr Layout record_layout{.longest_text = base::max_text_bytes};
/// Of small files that people read too: plans, calibrations.
inline constexpr Layout file_layout{.indent = 1, .readable = true};
/// One line of a log.
inline constexpr Layout line_layout{.readable = true};
/// Of reports. The members of an object in a list of the document have lines of their own, and nothing deeper: of a large report, white
/// space was a third.
inline constexpr Layout report_layout{.indent = 2, .deepest_indented = 3, .ascii = true, .readable = true};
/// Of data in a page.
inline constexpr Layout page_layout{.ascii = true, .readable = true};

/// The name of a member as it stands in the code. The compiler finds that nothing in it is escaped, so that it is written as it is.
struct Key {
  std::string_view text;
  template <std::size_t N>
  // NOLINTNEXTLINE(google-explicit-constructor,modernize-avoid-c-arrays): a literal is one
  consteval Key(const char (&literal)[N]) : text(literal, N - 1) {
    for (const char c : text) {
      if (!is_plain(c)) throw "a key that has to be escaped: key_of() writes it";
    }
  }
};

class JsonWriter {
 public:
  explicit JsonWriter(const Layout& layout = record_layout) : layout_(layout) {}

  /// Room for so many bytes: of a large document, growing costs as much as writing.
  void reserve(std::size_t bytes) { text_.reserve(bytes); }

  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }

  /// Of the member whose value comes next.
  void key(Key name);
  /// The same of a name that came from outside.
  void key_of(std::string_view name);
  /// Bytes that are not UTF-8 become U+FFFD: the text stays valid whatever a path or a crashed process contains.
  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(const std::string& text) { value(std::string_view(text)); }
  void value(bool flag);
  void value(std::int64_t number);
  void value(std::uint64_t number);
  /// Digits that read back as the same double; null for NaN and infinity, which JSON does not have and the reader refuses.
  void value(double number);
  /// Null where it is absent.
  template <class T>
  void value(const std::optional<T>& content) {
    content ? value(*content) : null();
  }
  template <class T>
  void value(const std::vector<T>& list) {
    begin_array();
    for (const T& element : list) value(element);
    end_array();
  }
  void null();
  /// Text that is JSON already.
  void raw(std::string_view json);

  template <class T>
  void member(Key name, const T& content) {
    key(name);
    value(content);
  }
  /// Writes nothing if the content is absent: in a record that means "unknown".
  template <class T>
  void member_if(Key name, const std::optional<T>& content) {
    if (content) member(name, *content);
  }

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void open(char bracket);
  void close(char bracket);
  void new_line();
  void begin_value();
  void quote(std::string_view text);
  void escape(char32_t c);
  [[nodiscard]] bool is_escaped(char32_t c) const;
  [[nodiscard]] bool on_one_line() const { return layout_.indent == 0 || depth_ > layout_.deepest_indented; }

  Layout layout_;
  std::string text_;
  std::size_t depth_ = 0;
  bool first_ = true;  // in the innermost object or array
  bool after_key_ = false;
};

}  // namespace torchgate::json
