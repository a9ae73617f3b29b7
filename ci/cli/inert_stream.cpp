// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/inert_stream.hpp"

#include <cstddef>
#include <optional>

#include "reports/safe_text.hpp"

namespace torchgate::cli {
namespace {

constexpr char32_t replacement = 0xFFFD;

// Longer words after "##" are not commands of any CI system.
constexpr std::size_t longest_word = 32;

// How many bytes a character that begins with BYTE has; 1 where none does.
std::size_t length_by(char byte) {
  const auto first = static_cast<unsigned char>(byte);
  return first >= 0xF0U && first < 0xF8U   ? 4
         : first >= 0xE0U && first < 0xF0U ? 3
         : first >= 0xC0U && first < 0xE0U ? 2
                                           : 1;
}

// The code at the beginning of TEXT that this program writes itself; empty when there is none.
std::string_view own_code(std::string_view text) {
  if (text.starts_with('\r')) return text.substr(0, 1);
  if (!text.starts_with("\033[")) return {};
  const std::size_t last = text.find_first_not_of("0123456789;", 2);
  return last != std::string_view::npos && (text[last] == 'm' || text[last] == 'K') ? text.substr(0, last + 1)
                                                                                    : std::string_view();
}

// What a CI system may pass over before it looks for a command: Unicode's white space, too.
bool is_space(char32_t value) {
  return value == ' ' || value == '\t' || value == 0xA0 || value == 0x1680 || (value >= 0x2000 && value <= 0x200A) ||
         value == 0x202F || value == 0x205F || value == 0x3000;
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

void InertBuffer::add(std::string& inert, std::string_view character, char32_t value) {
  const char c = character.front();
  if (c == '\n') {
    line_begins_ = true;
  } else if (c == ':' && colon_) {
    inert += ' ';
    line_begins_ = false;
  } else if (!is_space(value) && c != ':') {
    line_begins_ = false;
  }
  colon_ = line_begins_ && c == ':';
  if (c == ':' && !colon_) line_begins_ = false;

  const bool is_word = word_.starts_with("##");
  if (c == '[' && is_word) inert += ' ';
  if (c == '#') {
    word_ = word_ == "#" || word_ == "##" ? "##" : "#";
  } else if (is_word && is_letter(c) && word_.size() < longest_word) {
    word_ += c;
  } else {
    word_.clear();
  }
  inert += character;
}

bool InertBuffer::write(std::string_view text, Codes codes) {
  std::string joined;
  if (!unfinished_.empty()) {
    joined = unfinished_ + std::string(text);
    unfinished_.clear();
    text = joined;
  }
  std::string inert;
  inert.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (const std::string_view code = codes == Codes::ours ? own_code(text.substr(at)) : std::string_view();
        !code.empty()) {
      inert += code;
      at += code.size();
      continue;
    }
    if (text.size() - at < length_by(text[at])) {
      unfinished_ = text.substr(at);
      break;
    }
    const reports::CodePoint point = reports::decode_utf8(text, at);
    const bool is_text = text[at] == '\n' || text[at] == '\t' || reports::is_inert(point.value);
    std::string character;
    reports::append_utf8(character, is_text ? point.value : replacement);
    add(inert, character, point.value);
    at += point.bytes;
  }
  return target_.sputn(inert.data(), static_cast<std::streamsize>(inert.size())) ==
         static_cast<std::streamsize>(inert.size());
}

bool InertBuffer::write_rendered(std::string_view text) {
  return write(text, Codes::ours);
}

bool InertBuffer::write_verbatim(std::string_view text) {
  line_begins_ = true;
  colon_ = false;
  word_.clear();
  return target_.sputn(text.data(), static_cast<std::streamsize>(text.size())) ==
         static_cast<std::streamsize>(text.size());
}

InertBuffer::int_type InertBuffer::overflow(int_type c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char one = traits_type::to_char_type(c);
  return write({&one, 1}, Codes::none) ? c : traits_type::eof();
}

std::streamsize InertBuffer::xsputn(const char* text, std::streamsize count) {
  return write({text, static_cast<std::size_t>(count)}, Codes::none) ? count : 0;
}

int InertBuffer::sync() {
  return target_.pubsync();
}

void write_verbatim(std::ostream& out, std::string_view text) {
  auto* const inert = dynamic_cast<InertBuffer*>(out.rdbuf());
  if (inert == nullptr) {
    out << text;
  } else if (!inert->write_verbatim(text)) {
    out.setstate(std::ios::badbit);
  }
}

void write_rendered(std::ostream& out, std::string_view text) {
  auto* const inert = dynamic_cast<InertBuffer*>(out.rdbuf());
  if (inert == nullptr) {
    out << text;
  } else if (!inert->write_rendered(text)) {
    out.setstate(std::ios::badbit);
  }
}

}  // namespace torchgate::cli
