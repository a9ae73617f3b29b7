// SPDX-License-Identifier: Apache-2.0
#include "harness/record/internal/json_reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "harness/record/internal/utf8.hpp"

namespace torchgate::record::internal {
namespace {

constexpr std::size_t shown_bytes = 60;
// Up to here, comparing a key with all before it beats a hash set.
constexpr std::size_t few_keys = 24;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Bytes that stand for themselves inside a JSON string and need no further look.
constexpr std::array<bool, 256> plain_bytes = [] {
  std::array<bool, 256> plain{};
  for (std::size_t byte = 0x20; byte < 0x80; ++byte) plain[byte] = byte != '"' && byte != '\\';
  return plain;
}();

bool is_plain(char c) {
  return plain_bytes[static_cast<unsigned char>(c)];
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto put = [&](std::uint32_t byte) { out.push_back(static_cast<char>(static_cast<unsigned char>(byte))); };
  if (code < 0x80U) {
    put(code);
  } else if (code < 0x800U) {
    put(0xC0U | (code >> 6U));
    put(0x80U | (code & 0x3FU));
  } else if (code < 0x10000U) {
    put(0xE0U | (code >> 12U));
    put(0x80U | ((code >> 6U) & 0x3FU));
    put(0x80U | (code & 0x3FU));
  } else {
    put(0xF0U | (code >> 18U));
    put(0x80U | ((code >> 12U) & 0x3FU));
    put(0x80U | ((code >> 6U) & 0x3FU));
    put(0x80U | (code & 0x3FU));
  }
}

// A key as a token of a JSON pointer (RFC 6901), fit for a message.
void append_pointer_token(std::string& out, std::string_view key) {
  for (const char c : key.substr(0, shown_bytes)) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += static_cast<unsigned char>(c) < 0x20U || c == 0x7F ? '?' : c;
    }
  }
  if (key.size() > shown_bytes) out += "...";
}

}  // namespace

std::string in_quotes(std::string_view text) {
  std::size_t length = std::min(text.size(), shown_bytes);
  // Not in the middle of a character.
  while (length < text.size() && length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;
  std::string shown = "\"";
  for (const char c : text.substr(0, length)) shown += static_cast<unsigned char>(c) < 0x20U || c == 0x7F ? '?' : c;
  return shown + (length < text.size() ? "...\"" : "\"");
}

JsonReader::JsonReader(std::string_view text, std::string where) : text_(text), where_(std::move(where)) {}

// --- failing -------------------------------------------------------------------------------------------------------

std::string JsonReader::place() const {
  std::string pointer;
  for (const PathSegment& segment : path_) {
    pointer += '/';
    if (segment.index >= 0) {
      pointer += std::to_string(segment.index);
    } else {
      append_pointer_token(pointer, segment.key);
    }
  }
  return pointer;
}

void JsonReader::fail(const std::string& what) {
  if (failed_) return;
  failed_ = true;
  const std::string pointer = place();
  error_ = {ErrorCode::bad_input, where_ + ": " + (pointer.empty() ? "top level" : pointer) + ": " + what};
}

void JsonReader::fail_at(std::string_view child, const std::string& what) {
  path_.push_back({child, -1});
  fail(what);
  path_.pop_back();
}

void JsonReader::syntax(std::string_view expected) {
  if (position_ >= text_.size()) {
    fail("the text ends after " + std::to_string(text_.size()) + " bytes where " + std::string(expected) +
         " was expected: it is cut short");
  } else {
    fail("not JSON at byte " + std::to_string(position_) + ": expected " + std::string(expected) + ", found " +
         in_quotes(text_.substr(position_, 1)));
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
      return "the string " + in_quotes(text_.substr(position_ + 1, last - position_ - 1));
    }
    default: {
      std::size_t last = position_;
      while (last < text_.size() && is_plain(text_[last]) && text_.substr(last, 1).find_first_of(",]} \t") != 0) ++last;
      const std::string_view token = text_.substr(position_, last - position_);
      return std::string(token.substr(0, shown_bytes)) + (token.size() > shown_bytes ? "..." : "");
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
  if (text_.substr(position_, word.size()) != word) return false;
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
      return is_digit(text_[position_]) || text_[position_] == '-' ? Kind::number : Kind::nothing;
  }
}

bool JsonReader::descend() {
  if (depth_ == max_json_depth) {
    fail("nested deeper than " + std::to_string(max_json_depth) + " levels, which no record is");
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
  skip_space();
  if (take('}')) return false;
  if (frame.started && !take(',')) return syntax("',' or '}'"), false;
  skip_space();
  if (position_ >= text_.size() || text_[position_] != '"') return syntax("a key in quotes"), false;
  std::string unescaped;
  frame.key = string_token(unescaped);
  if (failed_) return false;
  if (!unescaped.empty()) frame.key = unescaped_keys_.emplace_back(std::move(unescaped));
  frame.started = true;
  path_.push_back({frame.key, -1});
  if (!is_new_key(frame)) return fail("this key is there twice; keep one of them"), false;
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
    if (std::find(begin, keys_.end(), key) == keys_.end()) fail("the key " + in_quotes(key) + " is missing");
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
  return failed_ ? std::string_view() : text_.substr(begin, position_ - begin);
}

void JsonReader::end() {
  skip_space();
  if (!failed_ && position_ < text_.size()) syntax("the end of the text");
}

// --- values --------------------------------------------------------------------------------------------------------

bool JsonReader::null() {
  if (peek() != Kind::null) return false;
  if (!take_word("null")) syntax("null");
  return true;
}

bool JsonReader::boolean() {
  if (peek() != Kind::boolean) return mismatch("true or false"), false;
  if (take_word("true")) return true;
  if (!take_word("false")) syntax("true or false");
  return false;
}

JsonReader::Number JsonReader::number_token(std::string_view expected) {
  if (peek() != Kind::number) return mismatch(expected), Number{};
  const std::size_t begin = position_;
  Number number;
  const auto digits = [this] {
    if (position_ >= text_.size() || !is_digit(text_[position_])) return syntax("a digit");
    while (position_ < text_.size() && is_digit(text_[position_])) ++position_;
  };
  take('-');
  if (!take('0')) digits();  // nothing but '.' or an exponent may follow a leading zero
  if (!failed_ && take('.')) {
    number.integral = false;
    digits();
  }
  if (!failed_ && (take('e') || take('E'))) {
    number.integral = false;
    if (!take('+')) take('-');
    digits();
  }
  number.text = text_.substr(begin, position_ - begin);
  return number;
}

double JsonReader::number() {
  const Number number = number_token("a number");
  if (failed_) return 0;
  double value = 0;
  const auto [end, error] = std::from_chars(number.text.data(), number.text.data() + number.text.size(), value);
  if (error != std::errc() || end != number.text.data() + number.text.size() || !std::isfinite(value)) {
    fail("expected a finite number, and " + std::string(number.text.substr(0, shown_bytes)) + " is beyond a double");
    return 0;
  }
  return value;
}

std::int64_t JsonReader::integer(std::int64_t least, std::int64_t most) {
  const bool bounded = most != std::numeric_limits<std::int64_t>::max();
  const auto describe = [&] {
    std::string expected = "an integer";
    if (bounded) {
      expected += " from " + std::to_string(least) + " to " + std::to_string(most);
    } else if (least != std::numeric_limits<std::int64_t>::min()) {
      expected += " of at least " + std::to_string(least);
    }
    return expected;
  };
  if (peek() != Kind::number) return mismatch(describe()), 0;
  const Number number = number_token("an integer");
  if (failed_) return 0;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(number.text.data(), number.text.data() + number.text.size(), value);
  if (!number.integral || error != std::errc() || end != number.text.data() + number.text.size() || value < least ||
      value > most) {
    fail("expected " + describe() + ", found " + std::string(number.text.substr(0, shown_bytes)));
    return 0;
  }
  return value;
}

std::uint64_t JsonReader::unsigned_integer() {
  constexpr std::string_view expected = "an integer from 0 to 18446744073709551615";
  const Number number = number_token(expected);
  if (failed_) return 0;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(number.text.data(), number.text.data() + number.text.size(), value);
  if (!number.integral || error != std::errc() || end != number.text.data() + number.text.size()) {
    fail("expected " + std::string(expected) + ", found " + std::string(number.text.substr(0, shown_bytes)));
    return 0;
  }
  return value;
}

std::string JsonReader::string() {
  if (peek() != Kind::string) return mismatch("a string"), std::string();
  std::string unescaped;
  const std::string_view token = string_token(unescaped);
  if (failed_) return {};
  return unescaped.empty() ? std::string(token) : std::move(unescaped);
}

std::string_view JsonReader::string_token(std::string& unescaped) {
  ++position_;
  const std::size_t begin = position_;
  for (;;) {
    while (position_ < text_.size() && is_plain(text_[position_])) ++position_;
    if (position_ >= text_.size()) return syntax("the end of a string"), std::string_view();
    const char c = text_[position_];
    if (c == '"') return text_.substr(begin, position_++ - begin);
    if (c == '\\') {
      unescaped.assign(text_.substr(begin, position_ - begin));
      unescape(unescaped);
      return unescaped;
    }
    const std::size_t length = utf8_length(text_, position_);
    if (length < 2) return syntax("a character (UTF-8)"), std::string_view();
    position_ += length;
  }
}

void JsonReader::unescape(std::string& out) {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == '"') {
      ++position_;
      return;
    }
    if (c != '\\') {
      const std::size_t length = static_cast<unsigned char>(c) < 0x20U ? 0 : utf8_length(text_, position_);
      if (length == 0) return syntax("a character (UTF-8)");
      out += text_.substr(position_, length);
      position_ += length;
      continue;
    }
    ++position_;
    constexpr std::string_view letters = "\"\\/bfnrt";
    constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
    const std::size_t letter = position_ < text_.size() ? letters.find(text_[position_]) : std::string_view::npos;
    if (letter != std::string_view::npos) {
      out += meanings[letter];
      ++position_;
      continue;
    }
    std::uint32_t code = 0;
    if (!escaped_unit(code)) return syntax("an escape such as \\n or \\u00e9");
    if (code >= 0xD800U && code <= 0xDBFFU) {
      std::uint32_t low = 0;
      if (!take('\\') || !escaped_unit(low) || low < 0xDC00U || low > 0xDFFFU) {
        return syntax("the second half of a surrogate pair");
      }
      code = 0x10000U + ((code - 0xD800U) << 10U) + (low - 0xDC00U);
    } else if (code >= 0xDC00U && code <= 0xDFFFU) {
      return syntax("the first half of a surrogate pair before its second");
    }
    append_utf8(out, code);
  }
  syntax("the end of a string");
}

bool JsonReader::escaped_unit(std::uint32_t& unit) {
  if (position_ + 5 > text_.size() || text_[position_] != 'u') return false;
  const char* const first = text_.data() + position_ + 1;
  const auto [end, error] = std::from_chars(first, first + 4, unit, 16);
  if (error != std::errc() || end != first + 4) return false;
  position_ += 5;
  return true;
}

}  // namespace torchgate::record::internal
