// SPDX-License-Identifier: Apache-2.0
#include "ci/policy/toml_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "harness/base/limits.hpp"

namespace torchgate::policy {
namespace {

// Written by hand, or by `torchgate accept` at 300 bytes a waiver.
constexpr std::size_t most_bytes = std::size_t{1} << 20U;
// [[case]] metrics.cpu_time is three parts, and { cpu_time = "fail" } two levels.
constexpr std::size_t most_parts_of_key = 16;
constexpr std::size_t most_levels = 16;
// Keys, and elements of lists: a node of the tree takes some 500 bytes.
constexpr std::size_t most_values = 100'000;

// Passes over the text as far as needed to tell keys, brackets, strings and comments apart. Invalid TOML is refused by the parser: here it only must not hide depth, so an unclosed string ends with its line.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  // The limit that is exceeded, if any; line() is where.
  std::optional<std::string> scan() {
    if (text_.size() > most_bytes) return fmt::format("file larger than the limit of {} bytes", most_bytes);
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
        continue;
      }
      const bool quoted = c == '"' || c == '\'';
      const std::size_t length = quoted ? pass_string(c) : 1;
      if (length > base::max_text_bytes)
        return fmt::format("string longer than the limit of {} bytes", base::max_text_bytes);
      if (!quoted) {
        if (auto wrong = take(c)) return wrong;
        ++at_;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::size_t line() const { return line_; }

 private:
  std::optional<std::string> take(char c) {
    bare_ = c > ' ' && std::string_view("=,[]{}.").find(c) == std::string_view::npos ? bare_ + 1 : 0;
    if (bare_ > base::max_name_bytes)
      return fmt::format("word longer than the limit of {} bytes", base::max_name_bytes);
    if (c == '.' && ++dots_ >= most_parts_of_key) return fmt::format("key with more than {} parts", most_parts_of_key);
    if (c == '\n' || c == '=' || c == ',' || c == '[' || c == '{') dots_ = 0;
    if (c == '=' || c == ',') ++values_;
    if (values_ > most_values) return fmt::format("more than {} values", most_values);
    if ((c == '[' || c == '{') && ++level_ > most_levels)
      return fmt::format("more than {} levels of nesting", most_levels);
    if ((c == ']' || c == '}') && level_ > 0) --level_;
    if (c == '\n') ++line_;
    return std::nullopt;
  }

  // Its length.
  std::size_t pass_string(char quote) {
    const std::size_t begin = at_;
    const std::string_view three = quote == '"' ? "\"\"\"" : "'''";
    const bool many_lines = text_.substr(at_).starts_with(three);
    at_ += many_lines ? three.size() : 1;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\n') {
        if (!many_lines) break;
        ++line_;
      }
      if (text_[at_] == '\\' && quote == '"') {
        if (++at_ < text_.size() && text_[at_] == '\n') ++line_;
      } else if (text_.substr(at_).starts_with(many_lines ? three : three.substr(0, 1))) {
        at_ += many_lines ? three.size() : 1;
        break;
      }
    }
    at_ = std::min(at_, text_.size());
    bare_ = 0;
    return at_ - begin;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t bare_ = 0;  // characters of a word so far
  std::size_t dots_ = 0;  // of a key so far; a number has one, too
  std::size_t level_ = 0;
  std::size_t values_ = 0;
};

}  // namespace

std::optional<base::Error> too_much_toml(std::string_view text, const std::string& where) {
  Scanner scanner(text);
  const auto wrong = scanner.scan();
  if (!wrong) return std::nullopt;
  return base::Error{base::ErrorCode::bad_input, fmt::format("{}:{}: {}", where, scanner.line(), *wrong)};
}

}  // namespace torchgate::policy
