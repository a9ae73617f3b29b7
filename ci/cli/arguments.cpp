// SPDX-License-Identifier: Apache-2.0
// Options in the terms of CLI11, and the parsing of all commands with it.
#include "ci/cli/arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>
#include <type_traits>
#include <utility>

#include "ci/cli/help_text.hpp"
#include "ci/cli/options.hpp"
#include "ci/workflow/version.hpp"

namespace torchgate::cli {
namespace {

// "--save NAME": the names, and what help shows as the value.
std::pair<std::string, std::string> names_and_value(const std::string& text) {
  const std::size_t space = text.find(' ');
  if (space == std::string::npos) return {text, ""};
  return {text.substr(0, space), text.substr(space + 1)};
}

Option shown_with(CLI::Option& option, const std::string& value) {
  if (!value.empty()) option.option_text(value);
  return Option(option);
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
};

std::vector<Defined> define_commands(CLI::App& app, workflow::PolicyChoice& policy) {
  std::vector<Defined> all;
  for (const CommandRow& row : command_rows()) {
    CLI::App& command = add_command(app, row);
    if (row.define == nullptr) {
      command.require_subcommand(1);
      continue;
    }
    Options options(command, policy);
    all.push_back({&row, &command, row.define(options)});
  }
  return all;
}

}  // namespace

Option& Option::required() {
  option_->required();
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
  option_->check(CLI::IsMember(std::move(words)));
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

Option Options::add(const std::string& names, Member member, const std::string& help) {
  const auto [name, value] = names_and_value(names);
  CLI::Option* const option = std::visit(
      [&, &name = name](auto* target) {
        if constexpr (std::is_same_v<decltype(target), bool*>) {
          return app_->add_flag(name, *target, help);
        } else {
          return app_->add_option(name, *target, help);
        }
      },
      member);
  return shown_with(*option, value);
}

Option Options::on(const std::string& names, std::function<void(const std::string&)> taken, const std::string& help) {
  const auto [name, value] = names_and_value(names);
  return shown_with(*app_->add_option_function<std::string>(name, std::move(taken), help), value);
}

Option Options::on_flag(const std::string& names, std::function<void()> taken, const std::string& help) {
  return Option(*app_->add_flag_callback(names, std::move(taken), help));
}

Option Options::key(const std::string& names, const char* key, const std::string& help) {
  return Options::key(
      names, [key] { return key; }, help);
}

Option Options::key(const std::string& names, std::function<const char*()> key, const std::string& help) {
  const auto set = [policy = policy_, key = std::move(key)](const std::string& value) {
    policy->settings.emplace_back(key(), value);
  };
  return on(names, set, help);
}

Option Options::repeated_key(const std::string& names, const char* key, const std::string& help) {
  const auto [name, value] = names_and_value(names);
  const auto set = [policy = policy_, key](const std::vector<std::string>& words) {
    for (const std::string& word : words) policy->settings.emplace_back(key, word);
  };
  CLI::Option& option = *app_->add_option_function<std::vector<std::string>>(name, set, help);
  return shown_with(option, value).one_value_each();
}

void Options::renamed(const std::string& old_name, const std::string& new_name) {
  const auto refuse = [old_name, new_name](const std::string&) {
    throw CLI::ValidationError(old_name + " was renamed; use " + new_name);
  };
  app_->add_option_function<std::string>(old_name, refuse)->group("");
}

void Options::footer(const std::string& text) {
  app_->footer(text);
}

std::variant<Message, Chosen> parse_arguments(const std::vector<std::string>& arguments) {
  workflow::PolicyChoice policy;
  CLI::App app{help_overview, "torchgate"};
  app.set_version_flag("--version", std::string("torchgate ") + workflow::version);
  app.footer(help_exit_codes);
  app.require_subcommand(1);
  app.fallthrough();
  Options(app, policy)
      .add("--config FILE", &policy.file, "Policy file (default: torchgate.toml in this or a parent directory)");
  const std::vector<Defined> commands = define_commands(app, policy);
  try {
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // what CLI11's vector overload takes
    app.parse(std::move(reversed));
  } catch (const CLI::ParseError& error) {
    std::ostringstream out;
    std::ostringstream err;
    const int code = app.exit(error, out, err);
    return Message{code == 0 ? out.str() : err.str(), code != 0};
  }
  const auto chosen =
      std::find_if(commands.begin(), commands.end(), [](const Defined& each) { return each.app->parsed(); });
  const Trust trust = chosen->row->trust;
  policy.judges = trust == Trust::measures || trust == Trust::verdict;
  policy.measures = trust == Trust::measures;
  return Chosen{chosen->invocation, trust, std::move(policy)};
}

}  // namespace torchgate::cli
