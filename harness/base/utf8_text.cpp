// SPDX-License-Identifier: Apache-2.0
#include "harness/base/utf8_text.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace torchgate::base {
namespace {

constexpr std::string_view utf8_mark = "\xEF\xBB\xBF";
constexpr std::string_view little_mark = "\xFF\xFE";
constexpr std::string_view big_mark = "\xFE\xFF";

enum class Encoding { as_it_is, utf16_little, utf16_big };

struct Beginning {
  Encoding encoding = Encoding::as_it_is;
  std::size_t mark = 0;  // bytes
};

// Of a text that begins with HEAD.
Beginning beginning_of(std::string_view head) {
  if (head.starts_with(utf8_mark)) return {Encoding::as_it_is, utf8_mark.size()};
  if (head.starts_with(little_mark)) return {Encoding::utf16_little, little_mark.size()};
  if (head.starts_with(big_mark)) return {Encoding::utf16_big, big_mark.size()};
  // Of a text: a binary file may have a small number there.
  const auto is_ascii = [](char c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\r' || c == '\t'; };
  if (head.size() < 2) return {};
  if (is_ascii(head[0]) && head[1] == 0) return {Encoding::utf16_little, 0};
  if (head[0] == 0 && is_ascii(head[1])) return {Encoding::utf16_big, 0};
  return {};
}

// Units of UTF-16, one after the other, as UTF-8.
class Utf16 {
 public:
  explicit Utf16(Encoding encoding) : big_(encoding == Encoding::utf16_big) {}

  void add(std::string_view bytes, std::string& out) {
    for (const char byte : bytes) {
      if (!half_) {
        half_ = static_cast<unsigned char>(byte);
        continue;
      }
      const auto second = static_cast<unsigned char>(byte);
      const std::uint32_t first = *std::exchange(half_, std::nullopt);
      add_unit(big_ ? (first << 8U) | second : first | (std::uint32_t{second} << 8U), out);
    }
  }

  void end(std::string& out) {
    if (half_ || high_) add_code(replacement, out);
    half_.reset();
    high_.reset();
  }

 private:
  static constexpr std::uint32_t replacement = 0xFFFD;

  void add_unit(std::uint32_t unit, std::string& out) {
    const bool is_low = unit >= 0xDC00 && unit <= 0xDFFF;
    if (high_) {
      const std::uint32_t high = *std::exchange(high_, std::nullopt);
      if (is_low) return add_code(0x10000 + ((high - 0xD800) << 10U) + (unit - 0xDC00), out);
      add_code(replacement, out);
    }
    if (unit >= 0xD800 && unit <= 0xDBFF)
      high_ = unit;
    else
      add_code(is_low ? replacement : unit, out);
  }

  static void add_code(std::uint32_t code, std::string& out) {
    const auto continued = [&](unsigned shift) { out += static_cast<char>(0x80U | ((code >> shift) & 0x3FU)); };
    if (code < 0x80) {
      out += static_cast<char>(code);
      return;
    }
    if (code < 0x800) {
      out += static_cast<char>(0xC0U | (code >> 6U));
    } else if (code < 0x10000) {
      out += static_cast<char>(0xE0U | (code >> 12U));
      continued(6);
    } else {
      out += static_cast<char>(0xF0U | (code >> 18U));
      continued(12);
      continued(6);
    }
    continued(0);
  }

  bool big_;
  std::optional<std::uint32_t> half_;
  std::optional<std::uint32_t> high_;  // of a pair of units
};

class Utf8Source {
 public:
  explicit Utf8Source(TextSource source) : source_(std::move(source)) {}

  Result<std::size_t> read(std::span<char> space) {
    if (!begun_) {
      if (auto begun = begin(); !begun) return begun.error();
    }
    while (at_ == ready_.size()) {
      if (!units_) return source_(space);
      ready_.clear();
      at_ = 0;
      piece_.resize(piece_bytes);
      const auto count = source_(std::span(piece_));
      if (!count) return count.error();
      if (*count > 0)
        units_->add(std::string_view(piece_).substr(0, *count), ready_);
      else if (std::exchange(ended_, true))
        return std::size_t{0};
      else
        units_->end(ready_);
    }
    const std::size_t taken = std::min(space.size(), ready_.size() - at_);
    std::copy_n(ready_.begin() + static_cast<std::ptrdiff_t>(at_), taken, space.begin());
    at_ += taken;
    return taken;
  }

 private:
  static constexpr std::size_t piece_bytes = std::size_t{64} << 10U;

  Result<void> begin() {
    begun_ = true;
    std::string head(utf8_mark.size(), '\0');
    std::size_t filled = 0;
    while (filled < head.size()) {
      const auto count = source_(std::span(head).subspan(filled));
      if (!count) return count.error();
      if (*count == 0) break;
      filled += *count;
    }
    head.resize(filled);
    const Beginning beginning = beginning_of(head);
    head.erase(0, beginning.mark);
    if (beginning.encoding == Encoding::as_it_is) {
      ready_ = std::move(head);
    } else {
      units_.emplace(beginning.encoding);
      units_->add(head, ready_);
    }
    return {};
  }

  TextSource source_;
  std::optional<Utf16> units_;  // absent: the text passes unchanged
  std::string piece_;
  std::string ready_;
  std::size_t at_ = 0;
  bool begun_ = false;
  bool ended_ = false;
};

}  // namespace

TextSource utf8_of(TextSource source) {
  const auto text = std::make_shared<Utf8Source>(std::move(source));  // shared: a std::function is copyable
  return [text](std::span<char> space) { return text->read(space); };
}

std::string utf8_of(std::string text) {
  const Beginning beginning = beginning_of(text);
  if (beginning.encoding == Encoding::as_it_is) {
    text.erase(0, beginning.mark);
    return text;
  }
  std::string result;
  result.reserve(text.size());
  Utf16 units(beginning.encoding);
  units.add(std::string_view(text).substr(beginning.mark), result);
  units.end(result);
  return result;
}

}  // namespace torchgate::base
