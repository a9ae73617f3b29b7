// SPDX-License-Identifier: Apache-2.0
// Objects, arrays, and failing; the values are in json_values.cpp.
#include "harness/json/json_reader.hpp"

#include <string.h>

#include <algorithm>
#include <span>

#include "harness/base/shown_text.hpp"
#include "harness/json/json_characters.hpp"

namespace torchgate::json {
namespace {

// Up to here, comparing a key with all before it beats a hash set.
constexpr std::size_t few_keys = 24;

// The top-level object and an array in it: a caller at this depth holds no text that a move of the window would invalidate.
constexpr int most_outer_depth = 2;

}  // namespace

JsonReader::JsonReader(std::string_view text, std::string where) : text_(text), where_(std::move(where)) {}

JsonReader::JsonReader(base::TextSource source, std::string where)
    : source_(std::move(source)), where_(std::move(where)) {
  window_.reset(new char[json_window_bytes]);  // not filled with zeros: a small file never touches most of it
  move_window();
}

void JsonReader::move_window() {
  if (source_ended_ || text_.size() - position_ >= max_json_element_bytes) return;
  std::size_t filled = text_.size() - position_;
  std::copy(text_.begin() + static_cast<std::ptrdiff_t>(position_), text_.end(), window_.get());
  before_text_ += position_;
  position_ = 0;
  while (filled < json_window_bytes && !source_ended_) {
    const auto read = source_({window_.get() + filled, json_window_bytes - filled});
    if (!read && !failed_) {
      failed_ = true;
      error_ = read.error();
    }
    source_ended_ = !read || *read == 0;
    if (read) filled += *read;
  }
  text_ = std::string_view(window_.get(), filled);
}

// --- failing -------------------------------------------------------------------------------------------------------

std::string JsonReader::place() const {
  std::string pointer;
  for (const PathSegment& segment : path_) {
    pointer += '/';
    if (segment.index >= 0) {
      pointer += std::to_string(segment.index);
    } else {
      pointer += base::shown_pointer_token(segment.key);
    }
  }
  return pointer;
}

void JsonReader::fail(const std::string& what) {
  if (failed_) return;
  failed_ = true;
  const std::string pointer = place();
  error_ = {base::ErrorCode::bad_input, where_ + ": " + (pointer.empty() ? "top level" : pointer) + ": " + what};
}

void JsonReader::fail_at(std::string_view child, const std::string& what) {
  path_.push_back({child, -1});
  fail(what);
  path_.pop_back();
}

void JsonReader::syntax(std::string_view expected) {
  if (position_ >= text_.size()) {
    if (has_window() && !source_ended_) {
      return fail("the element at byte " + std::to_string(before_text_) + " is longer than " +
                  std::to_string(max_json_element_bytes) + " bytes");
    }
    if (!failed_) truncated_ = true;
    fail("truncated after " + std::to_string(before_text_ + text_.size()) + " bytes: expected " +
         std::string(expected));
  } else {
    if (!failed_) wrong_byte_ = before_text_ + position_;
    fail("not JSON at byte " + std::to_string(before_text_ + position_) + ": expected " + std::string(expected) +
         ", found " + base::in_quotes(text_.substr(position_, 1)));
  }
}

void JsonReader::mismatch(std::string_view expected) {
  if (failed_) return;
  if (peek() == Kind::nothing) {
    syntax(expected);
  } else {
    fail("expected " + std::string(expected) + ", found " + found());
  }
}

std::string JsonReader::found() const {
  switch (text_[position_]) {
    case '{':
      return "an object";
    case '[':
      return "an array";
    case '"': {
      std::size_t last = position_ + 1;
      while (last < text_.size() && is_plain(text_[last])) ++last;
      return "the string " + base::in_quotes(text_.substr(position_ + 1, last - position_ - 1));
    }
    default: {
      const std::size_t last = text_.find_first_of(",]}\" \t\r\n", position_);
      return base::shown(text_.substr(position_, last - position_));
    }
  }
}

// --- structure -----------------------------------------------------------------------------------------------------

void JsonReader::skip_space() {
  while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\n' || text_[position_] == '\r' ||
                                      text_[position_] == '\t')) {
    ++position_;
  }
}

bool JsonReader::take(char c) {
  if (position_ >= text_.size() || text_[position_] != c) return false;
  ++position_;
  return true;
}

bool JsonReader::take_word(std::string_view word) {
  const std::string_view rest = text_.substr(position_, word.size());
  if (rest.size() < word.size() && word.starts_with(rest)) position_ = text_.size();  // cut short, not wrong
  if (rest != word) return false;
  position_ += word.size();
  return true;
}

JsonReader::Kind JsonReader::peek() {
  skip_space();
  if (failed_ || position_ >= text_.size()) return Kind::nothing;
  switch (text_[position_]) {
    case '{':
      return Kind::object;
    case '[':
      return Kind::array;
    case '"':
      return Kind::string;
    case 't':
    case 'f':
      return Kind::boolean;
    case 'n':
      return Kind::null;
    default:
      if (accepts_non_finite_ && (text_[position_] == 'N' || text_[position_] == 'I')) return Kind::number;
      return is_digit(text_[position_]) || text_[position_] == '-' ? Kind::number : Kind::nothing;
  }
}

bool JsonReader::descend() {
  if (depth_ == max_json_depth) {
    fail("nested deeper than the limit of " + std::to_string(max_json_depth) + " levels");
    return false;
  }
  ++depth_;
  return true;
}

void JsonReader::begin_object(ObjectFrame& frame) {
  if (peek() != Kind::object) return mismatch("an object");
  if (!descend()) return;
  ++position_;
  frame.first_key = keys_.size();
}

bool JsonReader::next_member(ObjectFrame& frame) {
  if (failed_) return false;
  if (frame.started) path_.pop_back();
  if (has_window() && depth_ < most_outer_depth) move_window();
  skip_space();
  if (take('}')) return false;
  if (frame.started && !take(',')) return syntax("',' or '}'"), false;
  skip_space();
  if (position_ >= text_.size() || text_[position_] != '"') return syntax("a key in quotes"), false;
  std::string unescaped;
  frame.key = string_token(unescaped);
  if (failed_) return false;
  const bool moves_away = has_window() && depth_ < most_outer_depth;
  if (!unescaped.empty()) {
    frame.key = copied_keys_.emplace_back(std::move(unescaped));
  } else if (moves_away) {
    frame.key = copied_keys_.emplace_back(frame.key);
  }
  frame.started = true;
  path_.push_back({frame.key, -1});
  if (!is_new_key(frame)) return fail("duplicate key; keep one of them"), false;
  skip_space();
  if (!take(':')) return syntax("':'"), false;
  return true;
}

bool JsonReader::is_new_key(ObjectFrame& frame) {
  const std::size_t count = keys_.size() - frame.first_key;
  if (static_cast<std::int64_t>(count) >= max_json_elements) {
    fail("more than " + std::to_string(max_json_elements) + " members in one object");
    return true;
  }
  const auto begin = keys_.begin() + static_cast<std::ptrdiff_t>(frame.first_key);
  if (count < few_keys) {
    if (std::find(begin, keys_.end(), frame.key) != keys_.end()) return false;
  } else {
    if (frame.many_keys.empty()) frame.many_keys.insert(begin, keys_.end());
    if (!frame.many_keys.insert(frame.key).second) return false;
  }
  keys_.push_back(frame.key);
  return true;
}

void JsonReader::end_object(const ObjectFrame& frame, std::initializer_list<std::string_view> required) {
  if (failed_) return;
  --depth_;
  const auto begin = keys_.begin() + static_cast<std::ptrdiff_t>(frame.first_key);
  for (const std::string_view key : required) {
    if (std::find(begin, keys_.end(), key) == keys_.end()) fail("missing key " + base::in_quotes(key));
  }
  keys_.resize(frame.first_key);
}

void JsonReader::begin_array() {
  if (peek() != Kind::array) return mismatch("an array");
  if (!descend()) return;
  ++position_;
}

bool JsonReader::next_element(std::int64_t& index) {
  if (failed_) return false;
  const bool first = index < 0;
  if (!first) path_.pop_back();
  if (has_window() && depth_ <= most_outer_depth) move_window();
  skip_space();
  if (take(']')) return --depth_, false;
  if (!first && !take(',')) return syntax("',' or ']'"), false;
  ++index;
  path_.push_back({{}, index});
  if (index >= max_json_elements) {
    fail("more than " + std::to_string(max_json_elements) + " elements in one array");
    return false;
  }
  return true;
}

std::string_view JsonReader::skip() {
  const Kind kind = peek();
  const std::size_t begin = position_;
  const std::size_t before = before_text_;
  switch (kind) {
    case Kind::object:
      object({}, [this](std::string_view) { skip(); });
      break;
    case Kind::array:
      array([this](std::int64_t) { skip(); });
      break;
    case Kind::string:
      scratch_.clear();
      string_token(scratch_);
      break;
    case Kind::number:
      number_token("a number");
      break;
    case Kind::boolean:
      boolean();
      break;
    case Kind::null:
      null();
      break;
    case Kind::nothing:
      syntax("a value");
      break;
  }
  if (failed_ || before_text_ != before) return {};
  return text_.substr(begin, position_ - begin);
}

bool JsonReader::rest_has(std::string_view text) const {
  // Not string_view::find: a record is full of quotation marks, and it would stop at each of them.
  return memmem(text_.data() + position_, text_.size() - position_, text.data(), text.size()) != nullptr;
}

void JsonReader::end() {
  if (has_window()) move_window();
  skip_space();
  if (!failed_ && position_ < text_.size()) syntax("the end of the text");
}

base::Result<void> check_json(std::string_view text, const std::string& where, NonFinite non_finite) {
  JsonReader reader(text, where);
  if (non_finite == NonFinite::accepted) reader.accept_non_finite();
  reader.skip();
  reader.end();
  if (reader.failed()) return reader.error();
  return {};
}

}  // namespace torchgate::json
