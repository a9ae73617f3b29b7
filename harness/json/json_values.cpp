// SPDX-License-Identifier: Apache-2.0
// Numbers, strings and words of JSON.
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "harness/base/shown_text.hpp"
#include "harness/base/utf8.hpp"
#include "harness/json/json_characters.hpp"
#include "harness/json/json_reader.hpp"

namespace torchgate::json {

using base::utf8_length;

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
  if (accepts_non_finite_ && (take_word("NaN") || take_word("Infinity"))) {
    number.integral = number.finite = false;
    number.text = text_.substr(begin, position_ - begin);
    return number;
  }
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
  return failed_ ? 0 : value_of(number);
}

double JsonReader::number(double least, double most) {
  const double value = number();
  if (failed_ || (value >= least && value <= most)) return value;
  std::array<char, 128> text{};
  std::snprintf(text.data(), text.size(), "expected a number from %g to %g, found %g", least, most, value);
  fail(text.data());
  return least;
}

std::optional<double> JsonReader::finite_number() {
  const Number number = number_token("a number");
  if (failed_ || !number.finite) return std::nullopt;
  return value_of(number);
}

double JsonReader::value_of(const Number& number) {
  if (!number.finite) return fail("expected a finite number, found " + base::shown(number.text)), 0;
  double value = 0;
  const auto [end, error] = std::from_chars(number.text.data(), number.text.data() + number.text.size(), value);
  if (error != std::errc() || end != number.text.data() + number.text.size() || !std::isfinite(value)) {
    fail("expected a finite number, found " + base::shown(number.text) + ", which is too large for a double");
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
    fail("expected " + describe() + ", found " + base::shown(number.text));
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
    fail("expected " + std::string(expected) + ", found " + base::shown(number.text));
    return 0;
  }
  return value;
}

std::string JsonReader::string(std::size_t longest) {
  if (peek() != Kind::string) return mismatch("a string"), std::string();
  std::string unescaped;
  const std::string_view token = string_token(unescaped);
  if (token.size() > longest) {
    fail("expected at most " + std::to_string(longest) + " bytes, found " + std::to_string(token.size()) + " (" +
         base::in_quotes(token) + ")");
  }
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
    base::append_utf8(out, code);
  }
  syntax("the end of a string");
}

bool JsonReader::escaped_unit(std::uint32_t& unit) {
  if (position_ >= text_.size() || text_[position_] != 'u') return false;
  if (text_.find_first_not_of("0123456789abcdefABCDEF", position_ + 1) == std::string_view::npos) {
    position_ = text_.size();  // cut short, not wrong
    return false;
  }
  if (position_ + 5 > text_.size()) return false;
  const char* const first = text_.data() + position_ + 1;
  const auto [end, error] = std::from_chars(first, first + 4, unit, 16);
  if (error != std::errc() || end != first + 4) return false;
  position_ += 5;
  return true;
}

}  // namespace torchgate::json
