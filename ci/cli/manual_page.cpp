// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/manual_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "ci/cli/help_topics.hpp"
#include "ci/workflow/version.hpp"

namespace torchgate::cli {
namespace {

// Of the topics, whose lines are shown as they are: what a terminal of 80 columns has beside the indentation of man(1).
constexpr std::size_t topic_width = 70;

// Text as troff prints it: a backslash and a hyphen are characters, and no line is a request.
std::string escaped(std::string_view text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    line_begins = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\'') {
      out += "\\(aq";
    } else if (c == '`') {
      out += "\\(ga";
    } else if (c == '~') {
      out += "\\(ti";
    } else if (c == '^') {
      out += "\\(ha";
    } else {
      out += c;
    }
  }
  return out;
}

std::string bold(std::string_view text) {
  return fmt::format("\\fB{}\\fP", escaped(text));
}

std::string option_entry(const OptionPage& option) {
  if (option.hidden) return "";
  std::string names;
  for (const std::string& name : option.names) names += (names.empty() ? "" : ", ") + bold(name);
  if (!option.value.empty()) names += " " + escaped(option.value);
  return fmt::format(".TP\n{}\n{}.{}\n", names, escaped(option.help), option.required ? " Required." : "");
}

std::string as_it_is(std::string_view text) {
  return fmt::format(".nf\n{}\n.fi\n", escaped(text));
}

std::string command_section(const CommandPage& page) {
  std::string text = fmt::format(".SS {}\n{}.\n", escaped(usage(page)), escaped(page.row->help));
  text += ".PP\n" + as_it_is(page.row->example);
  for (const OptionPage& option : page.options) text += option_entry(option);
  if (!page.footer.empty()) text += fmt::format(".PP\n{}\n", escaped(page.footer));
  return text;
}

}  // namespace

std::string manual_page(const CommandPages& pages) {
  std::string text = fmt::format(
      ".\\\" Made by `torchgate help --man`.\n.TH TORCHGATE 1 \"\" \"torchgate {}\" \"User Commands\"\n"
      ".SH NAME\ntorchgate \\- performance\\-regression gate for C++ code on LibTorch\n"
      ".SH SYNOPSIS\n.B torchgate\nCOMMAND [OPTION]...\n.SH OPTIONS OF EVERY COMMAND\n",
      escaped(workflow::version));
  for (const OptionPage& option : pages.common.options) text += option_entry(option);
  const char* last = "";
  for (const CommandPage& page : pages.commands) {
    const char* const title = heading(page.row->purpose);
    if (std::string_view(title) != last) {
      std::string capitals = title;
      std::transform(capitals.begin(), capitals.end(), capitals.begin(),
                     [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
      text += fmt::format(".SH COMMANDS: {}\n", capitals);
    }
    last = title;
    text += command_section(page);
  }
  for (const HelpTopic& topic : help_topics()) {
    std::string capitals = topic.name;
    std::transform(capitals.begin(), capitals.end(), capitals.begin(),
                   [](unsigned char c) { return static_cast<char>(c == '-' ? ' ' : std::toupper(c)); });
    std::string lines = topic.text(pages, topic_width);
    if (lines.ends_with('\n')) lines.pop_back();
    text += fmt::format(".SH {}\n", capitals) + as_it_is(lines);
  }
  return text;
}

}  // namespace torchgate::cli
