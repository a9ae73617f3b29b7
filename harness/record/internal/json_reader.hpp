// SPDX-License-Identifier: Apache-2.0
// Strict, bounded, typed reading of JSON text (RFC 8259), front to back, without building a tree.
//
// Why not nlohmann_json here: a run of 10,000 cases x 5 processes is some 30 MB of JSON, mostly numbers. Building its tree
// alone takes three times as long as reading the whole run here (record_bench), its SAX events not much less, and neither
// knows the place of a value, which is what an error message needs. The tests hold the two to accepting the same texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "harness/record/internal/shown_text.hpp"
#include "harness/record/result.hpp"

namespace torchgate::record::internal {

/// Deeper nesting is refused: the records need 8 levels, the rest is room for keys this version does not know.
inline constexpr int max_json_depth = 64;
/// More members or elements in one object or array are refused, so that a small file cannot become a huge structure.
inline constexpr std::int64_t max_json_elements = 1'000'000;

/// The first failure sticks: what is read after it is a default value, loops end, and error() tells the first one. A
/// decoder therefore reads straight on and asks once, at its end.
class JsonReader {
 public:
  enum class Kind { object, array, string, number, boolean, null, nothing };

  /// `where` names the source in messages. TEXT must outlive the reader.
  JsonReader(std::string_view text, std::string where);

  [[nodiscard]] bool failed() const { return failed_; }
  /// REQUIRES: failed().
  [[nodiscard]] const Error& error() const { return error_; }
  /// "source: /processes/3/wall_ns: WHAT", unless something failed before.
  void fail(const std::string& what);
  /// The same for a member or element of the value that is being read.
  void fail_at(std::string_view child, const std::string& what);

  /// What kind of value comes next.
  [[nodiscard]] Kind peek();

  /// Calls on_member(key) for each member; it must read the value. Duplicate and missing keys are errors.
  template <class OnMember>
  void object(std::initializer_list<std::string_view> required, OnMember&& on_member) {
    ObjectFrame frame;
    begin_object(frame);
    while (next_member(frame)) on_member(frame.key);
    end_object(frame, required);
  }

  /// Calls on_element(index) for each element; it must read the value.
  template <class OnElement>
  void array(OnElement&& on_element) {
    std::int64_t index = -1;
    begin_array();
    while (next_element(index)) on_element(index);
  }

  std::string string();
  /// A finite number.
  double number();
  std::int64_t integer(std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                       std::int64_t most = std::numeric_limits<std::int64_t>::max());
  std::uint64_t unsigned_integer();
  bool boolean();
  /// Consumes a null; false and nothing consumed when something else comes next.
  bool null();

  /// Checks and passes over one value of any kind; its text.
  std::string_view skip();
  /// Nothing but white space may follow.
  void end();

  /// Where the next value starts, to come back to it with `again`.
  [[nodiscard]] std::size_t position() const { return position_; }
  /// Reads member KEY of the object just read, which was passed over at that position.
  template <class Read>
  void again(std::size_t position, std::string_view key, Read&& read) {
    if (failed_) return;
    const std::size_t after = std::exchange(position_, position);
    path_.push_back({key, -1});
    read();
    path_.pop_back();
    position_ = after;
  }

 private:
  struct PathSegment {
    std::string_view key;
    std::int64_t index;  // of an array element; -1: `key` counts
  };
  struct ObjectFrame {
    std::string_view key;
    std::size_t first_key = 0;  // of this object in keys_
    std::unordered_set<std::string_view> many_keys;
    bool started = false;
  };
  struct Number {
    std::string_view text;
    bool integral = true;
  };

  void begin_object(ObjectFrame& frame);
  bool next_member(ObjectFrame& frame);
  void end_object(const ObjectFrame& frame, std::initializer_list<std::string_view> required);
  void begin_array();
  bool next_element(std::int64_t& index);
  bool is_new_key(ObjectFrame& frame);
  bool descend();

  void skip_space();
  bool take(char c);
  bool take_word(std::string_view word);
  Number number_token(std::string_view expected);
  // A view of the text, or of `unescaped` where the string has escapes.
  std::string_view string_token(std::string& unescaped);
  void unescape(std::string& out);
  bool escaped_unit(std::uint32_t& unit);
  void syntax(std::string_view expected);
  void mismatch(std::string_view expected);
  [[nodiscard]] std::string found() const;
  [[nodiscard]] std::string place() const;

  std::string_view text_;
  std::string where_;
  std::size_t position_ = 0;
  int depth_ = 0;
  std::vector<PathSegment> path_;
  std::vector<std::string_view> keys_;      // of all objects that are open, innermost last
  std::deque<std::string> unescaped_keys_;  // what keys_ and path_ point to where the text has escapes
  std::string scratch_;
  bool failed_ = false;
  Error error_;
};

}  // namespace torchgate::record::internal
