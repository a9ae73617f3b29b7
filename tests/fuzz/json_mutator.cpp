// SPDX-License-Identifier: Apache-2.0
// Changes JSON inputs value by value, so that most of them stay JSON and reach what stands behind the parser: libFuzzer's own
// changes are of bytes, and a quote that is gone ends in the same syntax error every time. Linked into targets that read JSON.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Numbers where arithmetic gives way, texts that mean something elsewhere, and values of another kind.
constexpr std::array<std::string_view, 34> interesting{"0",
                                                       "-0.0",
                                                       "1",
                                                       "-1",
                                                       "2",
                                                       "3",
                                                       "5",
                                                       "0.5",
                                                       "1e-9",
                                                       "1e9",
                                                       "5e-324",
                                                       "2.2250738585072014e-308",
                                                       "1e154",
                                                       "1e300",
                                                       "1.7976931348623157e308",
                                                       "-1e308",
                                                       "1e999",
                                                       "4294967296",
                                                       "9007199254740993",
                                                       "9223372036854775807",
                                                       "-9223372036854775808",
                                                       "18446744073709551615",
                                                       "null",
                                                       "true",
                                                       "false",
                                                       "\"\"",
                                                       "\"time\"",
                                                       "\"\\u0000\"",
                                                       "\"\\ud800\"",
                                                       "\"a/b\"",
                                                       "\"\\u202e\\u001b[31m\"",
                                                       "[]",
                                                       "{}",
                                                       "[[],[null]]"};

bool ends_scalar(char c) {
  return c == ',' || c == ']' || c == '}' || c == ':' || std::isspace(static_cast<unsigned char>(c)) != 0;
}

std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

// Every value, containers too, in whatever order they end. Text that is not JSON gives meaningless spans, which is harmless.
std::vector<Span> values_in(std::string_view text) {
  std::vector<Span> values;
  std::vector<std::size_t> open;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '{' || c == '[') {
      open.push_back(at++);
    } else if (c == '}' || c == ']') {
      ++at;
      if (open.empty()) continue;
      values.push_back({open.back(), at});
      open.pop_back();
    } else if (c == '"') {
      const std::size_t end = end_of_string(text, at);
      values.push_back({at, end});
      at = end;
    } else if (ends_scalar(c)) {
      ++at;
    } else {
      const std::size_t begin = at;
      while (at < text.size() && !ends_scalar(text[at])) ++at;
      values.push_back({begin, at});
    }
  }
  return values;
}

class JsonChange {
 public:
  JsonChange(std::string_view text, unsigned seed) : text_(text), random_(seed), values_(values_in(text_)) {}

  // Empty: nothing to change.
  std::string one() {
    if (values_.empty()) return {};
    const Span at = any();
    switch (below(6)) {
      case 0:
        return with(at, std::string(interesting.at(below(interesting.size()))));
      case 1:
        return with(at, copy_of(any()));
      case 2:
        return without(at);
      case 3:
        return with(at, copy_of(at) + "," + copy_of(at));
      case 4:
        return exchanged(at, any());
      default:
        return with(at, changed_bytes(copy_of(at)));
    }
  }

 private:
  std::size_t below(std::size_t limit) { return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_); }
  Span any() { return values_[below(values_.size())]; }
  [[nodiscard]] std::string copy_of(Span span) const {
    return std::string(text_.substr(span.begin, span.end - span.begin));
  }
  [[nodiscard]] std::string with(Span span, const std::string& value) const {
    return std::string(text_.substr(0, span.begin)) + value + std::string(text_.substr(span.end));
  }

  // The comma beside it goes too, and with the value of a member its key.
  [[nodiscard]] std::string without(Span span) const {
    std::size_t begin = span.begin;
    if (begin > 0 && text_[begin - 1] == ':') {
      const auto key = std::find_if(values_.begin(), values_.end(), [&](Span each) { return each.end == begin - 1; });
      if (key != values_.end()) begin = key->begin;
    }
    std::size_t end = span.end;
    if (end < text_.size() && text_[end] == ',')
      ++end;
    else if (begin > 0 && text_[begin - 1] == ',')
      --begin;
    return with({begin, end}, "");
  }

  [[nodiscard]] std::string exchanged(Span a, Span b) const {
    if (b.begin < a.begin) std::swap(a, b);
    if (b.begin < a.end) return with(a, copy_of(b));
    return std::string(text_.substr(0, a.begin)) + copy_of(b) + std::string(text_.substr(a.end, b.begin - a.end)) +
           copy_of(a) + std::string(text_.substr(b.end));
  }

  std::string changed_bytes(std::string value) {
    constexpr std::size_t room = 16;
    const std::size_t size = value.size();
    value.resize(size + room);
    value.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(value.data()), size, value.size()));
    return value;
  }

  std::string_view text_;
  std::minstd_rand random_;
  std::vector<Span> values_;
};

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  constexpr unsigned one_in = 8;  // the rest of the time the syntax is left alone
  if (seed % one_in == 0) return LLVMFuzzerMutate(data, size, most);
  const std::string before(reinterpret_cast<const char*>(data), size);
  const std::string after = JsonChange(before, seed).one();
  if (after.empty() || after.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data, after.data(), after.size());
  return after.size();
}
