// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/renamed_cases.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "ci/gate/evidence/go_cpus.hpp"
#include "ci/gate/evidence/identity.hpp"
#include "reports/facts/about_runs.hpp"
#include "reports/facts/about_states.hpp"

namespace torchgate::gate {
namespace {

using Values = std::vector<std::string_view>;  // of arguments, in the order of the name

// A name without its arguments, and those.
struct ParsedName {
  std::string base;
  Values values;
};

constexpr std::size_t nowhere = std::string_view::npos;
// An argument may have a unit or a type ("8k", "1.5", "-1", "64MiB"): it begins with a digit.
constexpr std::string_view decimal_digits = "0123456789";

bool is_number(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  return !text.empty() && decimal_digits.find(text.front()) != nowhere;
}

// Where the value of "n:8" or "n=8" begins; `nowhere` if the part is another one. "a::b" is a name of C++ or of pytest.
std::size_t place_of_value(std::string_view part) {
  const std::size_t at = part.find_first_of(":=");
  if (at == 0 || at == nowhere || at + 1 == part.size() || part[at + 1] == ':') return nowhere;
  return at + 1;
}

// How Google Benchmark ran it: no argument of the benchmark.
bool is_run_setting(std::string_view part) {
  constexpr std::array<std::string_view, 3> clocks{"process_time", "real_time", "manual_time"};
  constexpr std::array<std::string_view, 4> settings{"min_time:", "min_warmup_time:", "iterations:", "repeats:"};
  return std::find(clocks.begin(), clocks.end(), part) != clocks.end() ||
         std::any_of(settings.begin(), settings.end(), [&](std::string_view one) { return part.starts_with(one); });
}

// Numbers on another kind of device are those of another case, not of another argument.
bool names_device(std::string_view part) {
  return part.starts_with("device:");
}

template <class Take>
void each_part(std::string_view text, char separator, Take&& take) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    take(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

// "Device=0 N=1": all words have a value.
bool is_list_of_axes(std::string_view part) {
  if (part.find(' ') == nowhere) return false;
  bool all = true;
  each_part(part, ' ', [&](std::string_view word) { all = all && place_of_value(word) != nowhere; });
  return all;
}

// Criterion's last part, "sort/quick/large", may be any word.
bool is_parameter(std::string_view part, const record::Case& definition) {
  return std::any_of(definition.parameters.begin(), definition.parameters.end(),
                     [&](const record::Parameter& each) { return each.value == part; });
}

void take_part(std::string_view part, bool first, const record::Case& definition, ParsedName& name) {
  if (!first && is_run_setting(part)) return;
  if (!first && is_list_of_axes(part)) {
    each_part(part, ' ', [&](std::string_view word) { name.values.push_back(word.substr(place_of_value(word))); });
    return;
  }
  const std::size_t value = first || names_device(part) ? nowhere : place_of_value(part);
  if (value != nowhere) {
    name.values.push_back(part.substr(value));
  } else if (!first && (is_number(part) || is_parameter(part, definition))) {
    name.values.push_back(part);
  } else {
    name.base += first ? "" : "/";
    name.base += part;
  }
}

// "t.py::f[x-fast]": pytest joins the values of the parameters by hyphens.
std::string_view take_brackets(std::string_view text, ParsedName& name) {
  const std::size_t open = text.find('[');
  if (open == 0 || open == nowhere || !text.ends_with(']') || text.find("::") == nowhere) return text;
  each_part(text.substr(open + 1, text.size() - open - 2), '-',
            [&](std::string_view value) { name.values.push_back(value); });
  return text.substr(0, open);
}

ParsedName parse(const record::Case& definition) {
  ParsedName name;
  std::string_view text = take_brackets(definition.name, name);
  bool first = true;
  each_part(text, '/', [&](std::string_view part) { take_part(part, std::exchange(first, false), definition, name); });
  return name;
}

std::vector<const record::Case*> joined_lists(std::vector<const record::Case*> all,
                                              const std::vector<const record::Case*>& others) {
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

// The cases that have a key, on each side.
struct Places {
  std::vector<std::size_t> before;
  std::vector<std::size_t> after;
};

class Renaming {
 public:
  Renaming(const std::vector<const record::Case*>& vanished, const std::vector<const record::Case*>& appeared,
           const std::vector<const record::Case*>& both)
      : before_(vanished.size()), after_(appeared.size()) {
    pair_by_cpus(vanished, appeared, both);
    parse_open(vanished, before_);
    parse_open(appeared, after_);
  }

  std::vector<RenamedCase> pairs() {
    pair_by_arguments();
    strip_common_values();
    pair_by_arguments();
    std::sort(found_.begin(), found_.end(), [](const auto& a, const auto& b) { return a.before < b.before; });
    return std::move(found_);
  }

 private:
  struct Open {
    ParsedName name;
    bool paired = false;
  };

  static Values sorted(Values values) {
    std::sort(values.begin(), values.end());
    return values;
  }
  static std::string key_of(const Open& one) {
    return fmt::format("{}\n{}", one.name.base, fmt::join(sorted(one.name.values), "\n"));
  }

  void pair_by_cpus(const std::vector<const record::Case*>& vanished, const std::vector<const record::Case*>& appeared,
                    const std::vector<const record::Case*>& both) {
    const GoCpus cpus_before(joined_lists(vanished, both));
    const GoCpus cpus_after(joined_lists(appeared, both));
    std::unordered_map<std::string_view, std::size_t> first;
    std::unordered_map<std::string_view, std::vector<std::size_t>> all;
    for (std::size_t i = 0; i < appeared.size(); ++i) {
      const std::string_view base = cpus_after.without_cpus(*appeared[i]);
      if (base.empty()) continue;
      first.emplace(base, i);
      all[base].push_back(i);
    }
    for (std::size_t i = 0; i < vanished.size(); ++i) {
      const auto found = first.find(cpus_before.without_cpus(*vanished[i]));
      if (found == first.end()) continue;
      const bool known = cpus_before.knows(*vanished[i]) && cpus_after.knows(*appeared[found->second]);
      found_.push_back({i, found->second, known});
      before_[i].paired = true;
      auto& others = all[found->first];
      for (const std::size_t other : others) after_[other].paired = true;
      others.clear();
    }
  }

  static void parse_open(const std::vector<const record::Case*>& cases, std::vector<Open>& open) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (open[i].paired) continue;
      open[i].name = parse(*cases[i]);
      open[i].name.base.insert(0, cases[i]->suite + "\n");
    }
  }

  void pair_by_arguments() {
    std::unordered_map<std::string, Places> places;
    const auto add = [&](const std::vector<Open>& side, std::vector<std::size_t> Places::*list) {
      for (std::size_t i = 0; i < side.size(); ++i)
        if (!side[i].paired) (places[key_of(side[i])].*list).push_back(i);
    };
    add(before_, &Places::before);
    add(after_, &Places::after);
    for (const auto& [text, place] : places) {
      if (place.before.size() != 1 || place.after.size() != 1) continue;
      found_.push_back({place.before.front(), place.after.front(), false});
      before_[place.before.front()].paired = after_[place.after.front()].paired = true;
    }
  }

  // A value that all cases of one name have on a side does not tell them apart: an argument that was added, or left out.
  void strip_common_values() {
    for (auto* const side : {&before_, &after_}) {
      std::unordered_map<std::string_view, std::vector<Open*>> families;
      for (Open& one : *side)
        if (!one.paired) families[one.name.base].push_back(&one);
      for (const auto& [base, family] : families) strip_common_values_of(family);
    }
  }

  static void strip_common_values_of(const std::vector<Open*>& family) {
    std::unordered_map<std::string_view, std::size_t> having;
    for (const Open* one : family) {
      Values values = sorted(one->name.values);
      values.erase(std::unique(values.begin(), values.end()), values.end());
      for (const std::string_view value : values) ++having[value];
    }
    for (Open* one : family)
      std::erase_if(one->name.values, [&](std::string_view value) { return having[value] == family.size(); });
  }

  std::vector<Open> before_;
  std::vector<Open> after_;
  std::vector<RenamedCase> found_;
};

}  // namespace

std::vector<RenamedCase> renamed_cases(const std::vector<const record::Case*>& vanished,
                                       const std::vector<const record::Case*>& appeared,
                                       const std::vector<const record::Case*>& both) {
  if (vanished.empty() || appeared.empty()) return {};
  return Renaming(vanished, appeared, both).pairs();
}

facts::Fact renamed(const record::Case& before, const record::Case& after, bool other_cpus) {
  if (other_cpus) return facts::other_cpus(before.name, after.name);
  auto differs = identity_differs(before, after);
  return differs ? facts::two_names_differ(before.name, after.name, *std::move(differs))
                 : facts::two_names(before.name, after.name);
}

namespace {

void settle_renamed(Judged& state, const record::Case& after, bool other_cpus) {
  replace_decision(state, reports::Verdict::not_comparable, ReasonKind::state,
                   renamed(*state.definition, after, other_cpus));
  if (other_cpus && state.action_rule == ActionRule::verdict) state.action_rule = ActionRule::no_numbers_before;
}

}  // namespace

std::size_t join_renamed(std::vector<Judged>& states, const std::vector<std::size_t>& vanished,
                         const std::vector<std::size_t>& appeared, const std::vector<const record::Case*>& both) {
  if (vanished.empty() || appeared.empty()) return 0;
  const auto definitions_at = [&](const std::vector<std::size_t>& places) {
    std::vector<const record::Case*> definitions;
    definitions.reserve(places.size());
    for (const std::size_t place : places) definitions.push_back(states[place].definition);
    return definitions;
  };
  std::vector<bool> joined(states.size());
  const std::vector<RenamedCase> pairs = renamed_cases(definitions_at(vanished), definitions_at(appeared), both);
  for (const RenamedCase& pair : pairs) {
    const std::size_t other = appeared[pair.after];
    settle_renamed(states[vanished[pair.before]], *states[other].definition, pair.other_cpus);
    joined[other] = true;
  }
  std::size_t place = 0;
  std::erase_if(states, [&](const Judged&) { return joined[place++]; });
  return pairs.size();
}

std::int64_t take_renamed(LeftOut& left_out, const std::vector<const record::Case*>& both,
                          std::vector<Judged>& states) {
  const std::vector<RenamedCase> pairs = renamed_cases(left_out.before, left_out.after, both);
  for (const RenamedCase& pair : pairs) {
    const record::Case*& before = left_out.before[pair.before];
    const record::Case*& after = left_out.after[pair.after];
    states.push_back(judged_state(*before, reports::Verdict::missing, {}));
    settle_renamed(states.back(), *after, pair.other_cpus);
    before = after = nullptr;
  }
  std::erase(left_out.before, nullptr);
  std::erase(left_out.after, nullptr);
  return static_cast<std::int64_t>(pairs.size());
}

facts::Fact no_part_of_the_other(const LeftOut& left_out, policy::CasePolicies& policies) {
  const auto fails = [&](const record::Case* one) { return policies.of(one->name).missing == policy::Action::fail; };
  if (left_out.after.empty() || std::none_of(left_out.before.begin(), left_out.before.end(), fails)) return {};
  const auto names_of = [](const std::vector<const record::Case*>& cases) {
    facts::Names names;
    for (const record::Case* one : cases) names.push_back(one->name);
    return names;
  };
  return facts::no_part_of_the_other(names_of(left_out.before), names_of(left_out.after));
}

}  // namespace torchgate::gate
