// SPDX-License-Identifier: Apache-2.0
// Compact JSON text, member by member, in the order of the calls: same calls, same bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace torchgate::json {

class JsonWriter {
 public:
  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }

  void key(std::string_view name);
  /// Bytes that are not UTF-8 become U+FFFD: the text stays valid whatever a path or a crashed process contains.
  /// A text longer than max_text_bytes is cut: the reader refuses it.
  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(bool flag);
  void value(std::int64_t number);
  void value(std::uint64_t number);
  /// Shortest text that reads back as the same double; null for NaN and infinity, which JSON does not have and which
  /// the reader refuses.
  void value(double number);
  void null();
  /// Text that is JSON already.
  void raw(std::string_view json);

  template <class T>
  void member(std::string_view name, const T& content) {
    key(name);
    value(content);
  }
  /// Writes nothing if the content is absent: in a record that means "unknown".
  template <class T>
  void member(std::string_view name, const std::optional<T>& content) {
    if (content) member(name, *content);
  }
  /// Writes nothing if the content equals the default.
  template <class T>
  void member_unless(const T& absent, std::string_view name, const T& content) {
    if (content != absent) member(name, content);
  }
  template <class List>
  void member_list(std::string_view name, const List& list) {
    key(name);
    begin_array();
    for (const auto& element : list) value(element);
    end_array();
  }

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  void open(char bracket);
  void close(char bracket);
  void separate();
  void quote(std::string_view text);

  std::string text_;
  bool needs_comma_ = false;
};

}  // namespace torchgate::json
