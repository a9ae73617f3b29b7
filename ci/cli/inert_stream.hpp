// SPDX-License-Identifier: Apache-2.0
// Everything the program prints goes through here. Names and messages come from suites, files and compilers that are not
// trusted: a terminal obeys control characters in them, and a CI system runs lines that begin with its commands.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace torchgate::cli {

/// Hands text on to another buffer, made inert:
/// - control characters but line breaks and tabs, and what turns the direction of text or is invisible, become U+FFFD, as
///   bytes that are not UTF-8 do;
/// - "::" at the beginning of a line (GitHub Actions) becomes ": :", and "##[", "##vso[", "##teamcity[" (GitHub, Azure,
///   TeamCity) anywhere get a space before the bracket.
class InertBuffer : public std::streambuf {
 public:
  /// TARGET must outlive it.
  explicit InertBuffer(std::streambuf& target) : target_(target) {}

  /// The same but for colours (ESC [ ... m) and the progress line's carriage return and ESC [ K, which stay: text that this
  /// program has rendered, with all that came from elsewhere on one line and without control characters already.
  bool write_rendered(std::string_view text);
  /// As it is: lines that are meant for the CI system that reads the log, made inert by the format that wrote them.
  bool write_verbatim(std::string_view text);

 protected:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* text, std::streamsize count) override;
  int sync() override;

 private:
  enum class Codes { ours, none };

  bool write(std::string_view text, Codes codes);
  void add(std::string& inert, std::string_view character, char32_t value);

  std::streambuf& target_;
  std::string unfinished_;   // the first bytes of a character
  bool line_begins_ = true;  // nothing but white space in this line so far
  bool colon_ = false;       // ... and then one colon
  std::string word_;         // '##' and the letters after it
};

/// TEXT to OUT, whose buffer may be an InertBuffer, with the colours and the carriage return that are in it.
void write_rendered(std::ostream& out, std::string_view text);

/// TEXT to OUT without any change, on lines of its own.
void write_verbatim(std::ostream& out, std::string_view text);

}  // namespace torchgate::cli
