// SPDX-License-Identifier: Apache-2.0
// Options in the terms of CLI11, and the parsing of all commands with it.
#include "ci/cli/arguments.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <system_error>
#include <type_traits>
#include <utility>

#include "ci/cli/help_columns.hpp"
#include "ci/cli/help_page.hpp"
#include "ci/cli/options.hpp"
#include "ci/cli/usage_error.hpp"
#include "ci/workflow/version.hpp"
#include "harness/base/pattern.hpp"

namespace torchgate::cli {
namespace {

// "--save NAME": the names, and what help shows as the value.
std::pair<std::string, std::string> names_and_value(const std::string& text) {
  const std::size_t space = text.find(' ');
  if (space == std::string::npos) return {text, ""};
  return {text.substr(0, space), text.substr(space + 1)};
}

std::string capitals(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

// "--output,-o FILE" and "files FILE..." as help shows them.
OptionPage page_of(const std::string& names, const std::string& help) {
  constexpr std::string_view repeated = "...";
  OptionPage page;
  auto [name, value] = names_and_value(names);
  page.help = help;
  page.is_argument = !name.starts_with('-');
  page.repeats = value.ends_with(repeated);
  if (page.repeats) value.resize(value.size() - repeated.size());
  if (page.is_argument) {
    page.names.push_back(value.empty() ? capitals(name) : value);
    return page;
  }
  page.value = value;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t comma = std::min(name.find(',', begin), name.size());
    page.names.push_back(name.substr(begin, comma - begin));
    begin = comma + 1;
  }
  return page;
}

// The command of a row, below the one that its name begins with: "baseline add".
CLI::App& add_command(CLI::App& app, const CommandRow& row) {
  const std::string name = row.name;
  const std::size_t space = name.find(' ');
  CLI::App& above = space == std::string::npos ? app : *app.get_subcommand(name.substr(0, space));
  return *above.add_subcommand(space == std::string::npos ? name : name.substr(space + 1), row.help);
}

struct Defined {
  const CommandRow* row;
  CLI::App* app;
  Invocation invocation;
  std::function<base::Result<void>()> beginning;
};

// Everything that may be typed: the commands with their options, as the parser and as the help know them.
struct Definition {
  CLI::App app{"", "torchgate"};
  CommandPages pages;
  std::vector<Defined> commands;
};

void add_common_options(Definition& all, workflow::PolicyChoice& policy, std::string& color) {
  Options options(all.app, policy, all.pages.common);
  options.add("--config FILE", &policy.file, "Policy file (default: torchgate.toml in this or a parent directory)");
  options
      .add("--color WHEN", &color,
           "Colours on standard output: auto (default: on a terminal, unless NO_COLOR is set or TERM is dumb), always "
           "or "
           "never")
      .one_of({"auto", "always", "never"});
  // These two are the parser's.
  all.pages.common.options.push_back(page_of("--help,-h", "Print this help"));
  all.pages.common.options.push_back(page_of("--version", "Print the version"));
}

void define_all(Definition& all, workflow::PolicyChoice& policy, std::string& color) {
  all.app.set_help_flag("-h,--help");
  all.app.set_version_flag("--version", std::string("torchgate ") + workflow::version);
  all.app.require_subcommand(1);
  all.app.fallthrough();
  add_common_options(all, policy, color);
  for (const CommandRow& row : command_rows()) {
    CommandPage& page = all.pages.commands.emplace_back();
    page.row = &row;
    CLI::App& command = add_command(all.app, row);
    if (row.define == nullptr) {
      command.require_subcommand(1);
      continue;
    }
    Options options(command, policy, page);
    Invocation invocation = row.define(options);
    all.commands.push_back({&row, &command, std::move(invocation), options.beginning()});
  }
}

// The command that was recognised before the parser stopped.
const CLI::App& innermost(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  return parsed.empty() ? app : innermost(*parsed.front());
}

std::string full_name(const CLI::App& command) {
  if (command.get_parent() == nullptr) return "";
  const std::string above = full_name(*command.get_parent());
  return above.empty() ? command.get_name() : above + ' ' + command.get_name();
}

// What a command needs and did not get, as its page shows it.
std::vector<std::string> missing_of(const CLI::App& command, const CommandPage* page) {
  std::vector<std::string> missing;
  if (page == nullptr) return missing;
  for (const OptionPage& row : page->options) {
    if (!row.required) continue;
    const CLI::Option* const option = command.get_option_no_throw(row.parsed_as);
    if (option != nullptr && option->count() == 0) missing.push_back(shown_name(row));
  }
  return missing;
}

ColorChoice color_of(const std::string& word) {
  if (word == "always") return ColorChoice::always;
  return word == "never" ? ColorChoice::never : ColorChoice::automatic;
}

Message help_message(const Definition& all, std::size_t width) {
  const CommandPage* const page = find_page(all.pages, full_name(innermost(all.app)));
  return {page == nullptr ? help_page(all.pages, width) : command_help(*page, all.pages, width), false};
}

Message usage_complaint(const Definition& all, const CLI::ParseError& error, bool no_arguments, std::size_t width) {
  if (no_arguments) return {help_page(all.pages, width), true};
  const CLI::App& command = innermost(all.app);
  UsageError usage{full_name(command), error.what(), {}, {}};
  // Another error is about an argument that was understood. The name of an ExtrasError is that of the program.
  const auto code = static_cast<CLI::ExitCodes>(error.get_exit_code());
  const bool lacks = code == CLI::ExitCodes::RequiredError || code == CLI::ExitCodes::ExtrasError;
  if (lacks) usage.missing = missing_of(command, find_page(all.pages, usage.command));
  // The value of an unknown option may be what excludes another one.
  if (lacks || code == CLI::ExitCodes::ExcludesError) usage.left_over = all.app.remaining(true);
  return {usage_message(usage, all.pages), true};
}

// `torchgate chek --help`: its help would be that of all commands.
std::optional<Message> unknown_command(const Definition& all) {
  const std::string command = full_name(innermost(all.app));
  const CommandPage* const page = find_page(all.pages, command);
  std::vector<std::string> left = all.app.remaining(true);
  if (left.empty() || left.front().starts_with('-') || (page != nullptr && page->row->define != nullptr)) return {};
  return Message{usage_message({command, "", std::move(left), {}}, all.pages), true};
}

// The parser makes another number of a negative or a too large one. Empty: it is in range.
std::string out_of_range(const std::string& value) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error == std::errc() && end == value.data() + value.size()) return "";
  return fmt::format("takes a whole number from 0 to {}, not \"{}\"", std::numeric_limits<std::uint64_t>::max(), value);
}

// The option that a name stands for in COMMAND, also one that it shares with all; nullptr: none.
const CLI::Option* option_named(const CLI::App& command, const std::string& name) {
  if (const CLI::Option* const own = command.get_option_no_throw(name)) return own;
  return command.get_parent() == nullptr ? nullptr : option_named(*command.get_parent(), name);
}

// The parser takes any next argument as the value: of `--save $NAME --quick` with an empty NAME, "--quick". Empty: no option stands in the place
// of a value.
std::string option_without_value(const CLI::App& command, const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i + 1 < arguments.size() && arguments[i] != "--"; ++i) {
    const std::string& name = arguments[i];
    const CLI::Option* const option = name.starts_with('-') ? option_named(command, name) : nullptr;
    if (option == nullptr || option->get_items_expected_min() == 0) continue;
    const std::string& value = arguments[++i];
    if (value.starts_with('-') && option_named(command, value) != nullptr) return name;
  }
  return "";
}

std::optional<Message> complaint_of_values(const Definition& all, const std::vector<std::string>& arguments) {
  const CLI::App& command = innermost(all.app);
  const std::string option = option_without_value(command, arguments);
  if (option.empty()) return std::nullopt;
  return Message{usage_message({full_name(command), option + ": its value is missing", {}, {}}, all.pages), true};
}

}  // namespace

Option& Option::required() {
  option_->required();
  page_->required = true;
  return *this;
}

Option& Option::value_may_be_absent() {
  option_->expected(0, 1);
  return *this;
}

Option& Option::one_value_each() {
  option_->allow_extra_args(false);
  return *this;
}

Option& Option::repeated() {
  page_->repeats = true;
  return *this;
}

Option& Option::hidden() {
  option_->group("");
  page_->hidden = true;
  return *this;
}

Option& Option::not_empty() {
  option_->check([](const std::string& value) { return value.empty() ? "its value is empty; name a file" : ""; });
  return *this;
}

Option& Option::positive() {
  option_->check(CLI::PositiveNumber);
  return *this;
}

Option& Option::from_to(int least, int most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

Option& Option::between(double least, double most) {
  option_->check(CLI::Range(least, most));
  return *this;
}

Option& Option::one_of(std::vector<std::string> words) {
  const auto check = [words](const std::string& value) {
    const bool known = std::find(words.begin(), words.end(), value) != words.end();
    return known ? "" : fmt::format("takes one of {}, not \"{}\"", fmt::join(words, ", "), value);
  };
  option_->check(check);
  return suggested(std::move(words));
}

Option& Option::pattern() {
  option_->check([](const std::string& value) -> std::string {
    const auto compiled = base::Pattern::compile_short(value);
    return compiled ? "" : compiled.error().message + "; special characters need a backslash";
  });
  return *this;
}

Option& Option::suggested(std::vector<std::string> words) {
  page_->words = std::move(words);
  return *this;
}

Option& Option::needs(const std::string& other) {
  option_->needs(other);
  return *this;
}

Option& Option::excludes(const std::string& other) {
  option_->excludes(other);
  return *this;
}

Option Options::shown(CLI::Option& option, const std::string& names, const std::string& help) {
  OptionPage page = page_of(names, help);
  page.parsed_as = option.get_positional() ? option.get_name(true) : page.names.front();
  return {option, page_->options.emplace_back(std::move(page))};
}

Option Options::add(const std::string& names, Member member, const std::string& help) {
  const std::string name = names_and_value(names).first;
  CLI::Option* const option = std::visit(
      [&](auto* target) {
        if constexpr (std::is_same_v<decltype(target), bool*>) {
          return app_->add_flag(name, *target, help);
        } else {
          return app_->add_option(name, *target, help);
        }
      },
      member);
  const bool unsigned_number =
      std::holds_alternative<std::uint64_t*>(member) || std::holds_alternative<std::optional<std::uint64_t>*>(member);
  if (unsigned_number) option->check(out_of_range);
  Option added = shown(*option, names, help);
  return std::holds_alternative<std::vector<std::string>*>(member) ? added.repeated() : added;
}

Option Options::on(const std::string& names, const std::function<void(const std::string&)>& taken,
                   const std::string& help) {
  const std::string name = names_and_value(names).first;
  return shown(*app_->add_option_function<std::string>(name, taken, help), names, help);
}

Option Options::on_flag(const std::string& names, std::function<void()> taken, const std::string& help) {
  return shown(*app_->add_flag_callback(names, std::move(taken), help), names, help);
}

Option Options::key(const std::string& names, const char* key, const std::string& help) {
  return Options::key(
             names, [key] { return key; }, help)
      .suggested(policy::words_of(key));
}

Option Options::key(const std::string& names, std::function<const char*()> key, const std::string& help) {
  const auto set = [policy = policy_, key = std::move(key)](const std::string& value) {
    policy->settings.emplace_back(key(), value);
  };
  return on(names, set, help);
}

Option Options::repeated_key(const std::string& names, const char* key, const std::string& help) {
  const auto set = [policy = policy_, key](const std::vector<std::string>& words) {
    for (const std::string& word : words) policy->settings.emplace_back(key, word);
  };
  const std::string name = names_and_value(names).first;
  CLI::Option& option = *app_->add_option_function<std::vector<std::string>>(name, set, help);
  return shown(option, names, help).repeated().one_value_each();
}

void Options::renamed(const std::string& old_name, const std::string& new_name) {
  const auto refuse = [old_name, new_name](const std::string&) {
    throw CLI::ValidationError(old_name + " was renamed; use " + new_name);
  };
  CLI::Option& option = *app_->add_option_function<std::string>(old_name, refuse);
  shown(option, old_name, "").hidden();
}

void Options::begin_with(std::function<base::Result<void>()> step) {
  beginning_ = std::move(step);
}

void Options::footer(const std::string& text) {
  page_->footer = text;
}

CommandPages command_pages() {
  workflow::PolicyChoice policy;
  std::string color;
  Definition all;
  define_all(all, policy, color);
  return std::move(all.pages);
}

std::variant<Message, Chosen> parse_arguments(const std::vector<std::string>& arguments, std::size_t width) {
  workflow::PolicyChoice policy;
  std::string color = "auto";
  Definition all;
  define_all(all, policy, color);
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // what CLI11's vector overload takes
    all.app.parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    if (auto unknown = unknown_command(all)) return *std::move(unknown);
    return help_message(all, width);
  } catch (const CLI::CallForVersion& version) {
    return Message{std::string(version.what()) + '\n', false};
  } catch (const CLI::ParseError& error) {
    if (auto complaint = complaint_of_values(all, arguments)) return *std::move(complaint);
    return usage_complaint(all, error, arguments.empty(), width);
  }
  if (auto complaint = complaint_of_values(all, arguments)) return *std::move(complaint);
  const auto chosen =
      std::find_if(all.commands.begin(), all.commands.end(), [](const Defined& each) { return each.app->parsed(); });
  const CommandRow& row = *chosen->row;
  policy.judges = row.trust == Trust::measures || row.trust == Trust::verdict;
  policy.measures = row.trust == Trust::measures;
  return Chosen{chosen->beginning, chosen->invocation, &row, std::move(policy), color_of(color)};
}

}  // namespace torchgate::cli
