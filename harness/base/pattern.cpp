// SPDX-License-Identifier: Apache-2.0
#include "harness/base/pattern.hpp"

#include <re2/re2.h>

#include <utility>

#include "harness/base/shown_text.hpp"

namespace torchgate::base {

struct Pattern::Compiled {
  Compiled(std::string_view text, const RE2::Options& options)
      : expression(re2::StringPiece(text.data(), text.size()), options) {}
  RE2 expression;
};

namespace {

// Instructions for a filter written by hand, and for a list of names. Counted
// repetitions need the most: (a|b)*a(a|b){900} is 22 bytes and 3,600 instructions, each of which in the worst case reads
// each byte of a text.
constexpr int program_size = 1000;
constexpr int program_size_per_byte = 2;

// Enough for that many instructions. While it compiles, RE2 needs 64 bytes for one.
constexpr std::int64_t memory_bytes = 1024 * 1024;
constexpr std::int64_t memory_bytes_per_byte = 256;

constexpr std::string_view too_large = "too large; use fewer or smaller repetitions";

RE2::Options options_for(std::string_view text) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(memory_bytes + memory_bytes_per_byte * static_cast<std::int64_t>(text.size()));
  return options;
}

bool is_backreference(std::string_view escape) {
  return escape.size() == 2 && escape[1] >= '1' && escape[1] <= '9';
}

// Constructs that std::regex (ECMAScript) supports and RE2 does not.
std::string what_is_wrong(const RE2& expression) {
  const std::string& piece = expression.error_arg();
  if (expression.error_code() == RE2::ErrorBadEscape && is_backreference(piece)) {
    return "backreferences such as " + shown(piece) + " are not supported";
  }
  if (expression.error_code() == RE2::ErrorBadPerlOp) {
    if (piece == "(?=" || piece == "(?!") return "lookahead, " + piece + "...), is not supported";
    if (piece.starts_with("(?<")) return "lookbehind, (?<=...) or (?<!...), and (?<name>...) are not supported";
  }
  if (expression.error_code() == RE2::ErrorPatternTooLarge) return std::string(too_large);
  return shown(expression.error());
}

}  // namespace

Pattern::Pattern(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}

Result<Pattern> Pattern::compile(std::string_view text) {
  auto compiled = std::make_shared<const Compiled>(text, options_for(text));
  if (compiled->expression.error_code() == RE2::ErrorBadUTF8) {  // a name of other bytes is matched byte by byte
    RE2::Options options = options_for(text);
    options.set_encoding(RE2::Options::EncodingLatin1);
    compiled = std::make_shared<const Compiled>(text, options);
  }
  const RE2& expression = compiled->expression;
  const auto invalid = [&](const std::string& what) {
    return Error{ErrorCode::bad_input, "invalid regular expression " + in_quotes(text) + ": " + what};
  };
  if (!expression.ok()) return invalid(what_is_wrong(expression));
  const std::size_t most = program_size + program_size_per_byte * text.size();
  if (static_cast<std::size_t>(expression.ProgramSize()) > most) return invalid(std::string(too_large));
  return Pattern(std::move(compiled));
}

Result<Pattern> Pattern::compile_short(std::string_view text) {
  if (text.size() <= max_pattern_bytes) return compile(text);
  return Error{ErrorCode::bad_input, "invalid regular expression " + in_quotes(text) + ": " +
                                         std::to_string(text.size()) + " bytes long; use at most " +
                                         std::to_string(max_pattern_bytes)};
}

bool Pattern::found_in(std::string_view text) const {
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), compiled_->expression);
}

}  // namespace torchgate::base
