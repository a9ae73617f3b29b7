// SPDX-License-Identifier: Apache-2.0
// Text of unknown origin on its way to a terminal, a log, Markdown or JSON: valid, without effect, on one line.
#include "harness/base/shown_text.hpp"

#include <string>
#include <string_view>

#include "ci/policy/toml_document.hpp"
#include "harness/base/toml_text.hpp"
#include "harness/json/json_writer.hpp"
#include "harness/launch/foreign/benchmark_listing.hpp"
#include "harness/launch/last_words.hpp"
#include "reports/fit.hpp"
#include "reports/formats/markdown_escape.hpp"
#include "reports/safe_text.hpp"
#include "tests/fuzz/target.hpp"

using namespace torchgate;

namespace {

constexpr char32_t replacement = 0xFFFD;

bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0);
}

// Also what turns the direction of the text.
bool turns_direction(char32_t c) {
  return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0x200E || c == 0x200F;
}

// `allowed`: of the control characters.
void require_inert(const std::string& text, const char* what, std::u32string_view allowed = {}) {
  for (std::size_t at = 0; at < text.size();) {
    const auto character = reports::decode_utf8(text, at);
    const bool replaced = character.value == replacement && text.substr(at, character.bytes) != "\xEF\xBF\xBD";
    fuzz::require(!replaced, std::string(what) + " is valid UTF-8");
    fuzz::require(!is_control(character.value) || allowed.find(character.value) != std::u32string_view::npos,
                  std::string(what) + " has no control characters");
    at += character.bytes;
  }
}

void require_no_direction(const std::string& text, const char* what) {
  for (std::size_t at = 0; at < text.size();) {
    const auto character = reports::decode_utf8(text, at);
    fuzz::require(!turns_direction(character.value), std::string(what) + " does not turn the text");
    at += character.bytes;
  }
}

}  // namespace

TORCHGATE_FUZZ_TARGET(shown_text) {
  constexpr std::size_t most_shown = 80;
  const std::string shown = base::shown(input);
  fuzz::require(shown.size() <= most_shown, "what is shown is short");
  require_inert(shown, "shown()");
  require_inert(base::shown_pointer_token(input), "shown_pointer_token()");

  const std::string words = launch::last_words(input);
  fuzz::require(words.size() <= launch::last_words_bytes, "last words are short");
  require_inert(words, "last_words()", U"\n\t");
  fuzz::require(launch::last_words(words) == words, "last words of last words are the same");

  const std::string line = reports::one_line(input);
  require_inert(line, "one_line()");
  require_no_direction(line, "one_line()");
  fuzz::require(reports::one_line(line) == line, "one_line() of one line is the same");
  for (const char c : reports::one_ascii_line(input))
    fuzz::require(c >= ' ' && c < '\x7f', "one_ascii_line() is ASCII");

  for (const bool in_table : {false, true}) {
    const std::string name = reports::markdown_name(input, in_table);
    require_inert(name, "markdown_name()");
    require_no_direction(name, "markdown_name()");
  }
  for (const std::string& text :
       {reports::markdown_text(input), reports::markdown_text(input, {std::string(input.substr(0, 5))}),
        reports::markdown_cell(input), reports::html_text(input)}) {
    require_inert(text, "Markdown");
    require_no_direction(text, "Markdown");
  }
  fuzz::require(reports::html_text(input).find('<') == std::string::npos, "HTML has no tag of its own");

  json::JsonWriter json(json::report_layout);
  json.begin_object();
  json.key("input");
  json.value(input);
  json.end_object();
  for (const char c : json.take()) fuzz::require((c >= ' ' && c < '\x7f') || c == '\n', "JSON text is ASCII");

  const std::string suite = launch::suite_name_of(input);
  fuzz::require(!suite.empty() && suite.front() != '.' && suite.find('/') == std::string::npos,
                "a suite's name is not a path");
  fuzz::accepted();
  const auto toml = policy::parse_toml("key = " + base::toml_text(line), "input");
  fuzz::require(toml.ok() && toml->find("key") != nullptr && toml->find("key")->text == line, "a TOML text reads back");
}
