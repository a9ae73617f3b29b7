// SPDX-License-Identifier: Apache-2.0
// The cases of a cause as an expression for a command line.
#include <fmt/format.h>

#include <set>

#include "ci/github/triage/triage_text.hpp"
#include "harness/base/pattern.hpp"
#include "reports/safe_text.hpp"

namespace torchgate::github {
namespace {

// Letters, digits and what needs no quoting anywhere; the rest in hexadecimal. A character of several bytes is its code point, since RE2 matches
// characters.
std::string escaped_for_filter(std::string_view name) {
  constexpr std::string_view plain = "/_-:=,%";
  std::string escaped;
  for (std::size_t at = 0; at < name.size();) {
    const reports::CodePoint point = reports::decode_utf8(name, at);
    const char c = name[at];
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || plain.find(c) != std::string_view::npos) {
      escaped += c;
    } else if (c == '.') {
      escaped += "[.]";
    } else {
      escaped += fmt::format("\\x{{{:X}}}", static_cast<std::uint32_t>(point.value));
    }
    at += point.bytes;
  }
  return escaped;
}

// The first PARTS parts of a name: "suite/group/".
std::string beginning_of(const std::string& name, int parts) {
  std::size_t end = 0;
  for (int i = 0; i < parts; ++i) {
    end = name.find('/', end);
    if (end == std::string::npos) return name;
    ++end;
  }
  return name.substr(0, end);
}

std::string any_of_these(const std::set<std::string>& names, const char* end) {
  std::string expression;
  for (const std::string& name : names) expression += (expression.empty() ? "^(?:" : "|") + escaped_for_filter(name);
  return expression + ")" + end;
}

}  // namespace

std::string case_filter(const Cause& cause) {
  if (cause.cases.empty() || cause.unlisted > 0) return ".";
  std::set<std::string> names;
  for (const CauseCase& one : cause.cases) names.insert(one.name);
  if (std::string exact = any_of_these(names, "$"); exact.size() <= base::max_pattern_bytes) return exact;
  for (const int parts : {2, 1}) {
    std::set<std::string> beginnings;
    for (const std::string& name : names) beginnings.insert(beginning_of(name, parts));
    if (std::string wide = any_of_these(beginnings, ""); wide.size() <= base::max_pattern_bytes) return wide;
  }
  return ".";
}

}  // namespace torchgate::github
