// SPDX-License-Identifier: Apache-2.0
// Strict, bounded, typed reading of JSON text (RFC 8259), front to back, without building a tree.
//
// Why not nlohmann_json here: a run of 10,000 cases x 5 processes is about 30 MB of JSON, mostly numbers. Building
// its tree alone takes three times as long as reading the whole run here (record_bench), its SAX events not much
// less, and neither provides the place of a value, which an error message needs. The tests check that both accept the
// same texts.
//
// A file that is too large to hold (Google Benchmark writes 86 MB for 10,000 cases x 30 repetitions) is read through a window:
// text behind the reader is dropped, as it moves from one element of an outer array to the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "harness/base/limits.hpp"
#include "harness/base/result.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/base/text_source.hpp"

namespace torchgate::json {

/// Deeper nesting is refused: records need 8 levels, the rest is for keys that this version does not know.
inline constexpr int max_json_depth = 64;
/// More members or elements in one object or array are refused, so that a small file cannot become a huge structure.
inline constexpr std::int64_t max_json_elements = 1'000'000;
/// Size of the window in memory: a shorter text is in memory completely.
inline constexpr std::size_t json_window_bytes = std::size_t{4} << 20U;
/// ... and the longest element, thousands of times the size of one benchmark.
inline constexpr std::size_t max_json_element_bytes = std::size_t{1} << 20U;

/// The first failure is kept: later reads return default values, loops end, and error() returns the first failure. A
/// decoder therefore checks only once, at its end.
class JsonReader {
 public:
  enum class Kind { object, array, string, number, boolean, null, nothing };

  /// `where` names the source in messages. TEXT must outlive the reader.
  JsonReader(std::string_view text, std::string where);
  /// Reads through a window. An element of an array at the top level, or of one that is a member of the object there, may
  /// take max_json_element_bytes. The text returned by `skip`, and keys below the top level, are invalid after the
  /// element.
  JsonReader(base::TextSource source, std::string where);

  JsonReader(const JsonReader&) = delete;  // it points into itself
  JsonReader& operator=(const JsonReader&) = delete;

  /// Accepts NaN, Infinity and -Infinity as numbers: they are not JSON, but Google Benchmark writes them.
  void accept_non_finite() { accepts_non_finite_ = true; }

  [[nodiscard]] bool failed() const { return failed_; }
  /// REQUIRES: failed().
  [[nodiscard]] const base::Error& error() const { return error_; }
  /// Where the text stopped being JSON, in bytes from its beginning. Absent: it did not, or it only ended too early, or something else failed before.
  [[nodiscard]] std::optional<std::size_t> wrong_byte() const { return wrong_byte_; }
  /// The text was JSON and ended too early, and nothing failed before.
  [[nodiscard]] bool is_truncated() const { return truncated_; }
  /// "source: /processes/3/wall_ns: WHAT", unless something failed before.
  void fail(const std::string& what);
  /// The same for a member or element of the value that is being read.
  void fail_at(std::string_view child, const std::string& what);

  /// The kind of the next value.
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
  /// The same for an array that may have at most MOST elements.
  template <class OnElement>
  void array(std::int64_t most, OnElement&& on_element) {
    array([&](std::int64_t index) {
      if (index >= most)
        return fail("more than " + std::to_string(most) + " elements, which is the limit of this list");
      on_element(index);
    });
  }

  /// At most LONGEST bytes.
  std::string string(std::size_t longest = base::max_text_bytes);
  /// At most max_name_bytes.
  std::string name() { return string(base::max_name_bytes); }
  /// A finite number.
  double number();
  double number(double least, double most);
  /// Absent for a non-finite number that `accept_non_finite` allows.
  std::optional<double> finite_number();
  std::int64_t integer(std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                       std::int64_t most = std::numeric_limits<std::int64_t>::max());
  std::uint64_t unsigned_integer();
  bool boolean();
  /// Consumes a null; returns false and consumes nothing if the next value is not null.
  bool null();

  /// Checks and skips one value of any kind; returns its text.
  std::string_view skip();
  /// Nothing but white space may follow.
  void end();

  /// Whether TEXT, such as a key in its quotes, occurs anywhere after the reader's position. REQUIRES: not through a
  /// window.
  [[nodiscard]] bool rest_has(std::string_view text) const;

  /// Where the next value starts, to come back to it with `again`. REQUIRES: not through a window.
  [[nodiscard]] std::size_t position() const { return position_; }
  /// Reads member KEY of the object just read, which was skipped at that position.
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
    bool finite = true;
  };

  void begin_object(ObjectFrame& frame);
  bool next_member(ObjectFrame& frame);
  void end_object(const ObjectFrame& frame, std::initializer_list<std::string_view> required);
  void begin_array();
  bool next_element(std::int64_t& index);
  bool is_new_key(ObjectFrame& frame);
  bool descend();

  [[nodiscard]] bool has_window() const { return static_cast<bool>(source_); }
  // Drops the text read so far, so that the longest element fits. Nothing but path_ and keys_ of the top level may
  // point into it.
  void move_window();

  void skip_space();
  bool take(char c);
  bool take_word(std::string_view word);
  Number number_token(std::string_view expected);
  double value_of(const Number& number);
  // A view of the text, or of `unescaped` where the string has escapes.
  std::string_view string_token(std::string& unescaped);
  void unescape(std::string& out);
  bool escaped_unit(std::uint32_t& unit);
  void syntax(std::string_view expected);
  void mismatch(std::string_view expected);
  [[nodiscard]] std::string found() const;
  [[nodiscard]] std::string place() const;

  base::TextSource source_;
  std::unique_ptr<char[]> window_;  // NOLINT(modernize-avoid-c-arrays): of a length known at run time, not initialised
  bool source_ended_ = false;
  std::size_t before_text_ = 0;  // bytes that the window has left behind
  bool accepts_non_finite_ = false;

  std::string_view text_;
  std::string where_;
  std::size_t position_ = 0;
  int depth_ = 0;
  std::vector<PathSegment> path_;
  std::vector<std::string_view> keys_;   // of all objects that are open, innermost last
  std::deque<std::string> copied_keys_;  // what keys_ and path_ point to where the text has escapes or moves on
  std::string scratch_;
  bool failed_ = false;
  bool truncated_ = false;
  base::Error error_;
  std::optional<std::size_t> wrong_byte_;
};

/// Numbers that are not finite, as Google Benchmark writes them (JsonReader::accept_non_finite()).
enum class NonFinite : std::uint8_t { refused, accepted };

/// Whether TEXT is JSON within the limits above. With NonFinite::refused nlohmann_json can parse it into a tree, too.
base::Result<void> check_json(std::string_view text, const std::string& where,
                              NonFinite non_finite = NonFinite::refused);

}  // namespace torchgate::json
