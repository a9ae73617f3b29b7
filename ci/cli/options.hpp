// SPDX-License-Identifier: Apache-2.0
// What a command declares its options with. arguments.cpp is the one file that includes CLI11, which is slow to compile.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ci/workflow/workspace/policy_source.hpp"
#include "harness/base/result.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the name is CLI11's
class App;
class Option;
}  // namespace CLI

namespace torchgate::cli {

struct CommandPage;
struct OptionPage;

/// What an option sets. Without the option it keeps its value; a list takes the option several times.
using Member = std::variant<bool*, std::string*, std::optional<std::string>*, std::vector<std::string>*, std::int64_t*,
                            std::optional<std::int64_t>*, std::uint64_t*, std::optional<std::uint64_t>*, double*,
                            std::optional<double>*>;

/// An option that was declared. OTHER is the name of an option that was declared before it.
class Option {
 public:
  Option(CLI::Option& option, OptionPage& page) : option_(&option), page_(&page) {}

  Option& required();
  Option& value_may_be_absent();         ///< it is "true" then
  Option& repeated();                    ///< help shows that it may stand several times
  Option& hidden();                      ///< understood, and not shown
  Option& one_value_each();              ///< of a list: `--vary A --vary B`, not `--vary A B`
  Option& not_empty();                   ///< the name of a file
  Option& positive();                    ///< a number above 0
  Option& from_to(int least, int most);  ///< a whole number
  Option& between(double least, double most);
  Option& one_of(std::vector<std::string> words);
  Option& pattern();  ///< a regular expression: wrong ones are told before anything else
  Option& suggested(std::vector<std::string> words);  ///< what a shell completes; the command checks the value itself
  Option& needs(const std::string& other);
  Option& excludes(const std::string& other);

 private:
  CLI::Option* option_;
  OptionPage* page_;
};

/// The options of one command. NAMES is what the help shows: "--save NAME", "--output,-o FILE", or "case" where the option is its place
/// (shown as CASE, "files FILE..." as FILE...).
class Options {
 public:
  /// PAGE gets what is declared, and has to outlive the options.
  Options(CLI::App& app, workflow::PolicyChoice& policy, CommandPage& page)
      : app_(&app), policy_(&policy), page_(&page) {}

  Option add(const std::string& names, Member member, const std::string& help);
  /// An option whose value is TAKEN, or of which TAKEN is told that it is there.
  Option on(const std::string& names, const std::function<void(const std::string&)>& taken, const std::string& help);
  Option on_flag(const std::string& names, std::function<void()> taken, const std::string& help);

  /// An option that sets a key of the policy: it wins over environment and file. The key may depend on options that were declared before.
  Option key(const std::string& names, const char* key, const std::string& help);
  Option key(const std::string& names, std::function<const char*()> key, const std::string& help);
  /// The same for a key that takes several values, one an option.
  Option repeated_key(const std::string& names, const char* key, const std::string& help);

  /// 0.1.0 is unreleased: an old name is an error that names the new one, not an alias.
  void renamed(const std::string& old_name, const std::string& new_name);

  /// What a command does before the policy is read, which may already fail. An error ends the program.
  void begin_with(std::function<base::Result<void>()> step);

  /// What help prints below the options, in the place of the exit codes of every command.
  void footer(const std::string& text);

  /// Where the policy comes from.
  [[nodiscard]] workflow::PolicyChoice& policy() const { return *policy_; }
  /// What begin_with() was given; empty: nothing.
  [[nodiscard]] const std::function<base::Result<void>()>& beginning() const { return beginning_; }

 private:
  Option shown(CLI::Option& option, const std::string& names, const std::string& help);

  CLI::App* app_;
  workflow::PolicyChoice* policy_;
  CommandPage* page_;
  std::function<base::Result<void>()> beginning_;
};

}  // namespace torchgate::cli
