// SPDX-License-Identifier: Apache-2.0
#include "harness/import/directions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <unordered_map>
#include <utility>

#include "harness/base/for_a_shell.hpp"
#include "harness/base/lower_case.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/base/some_of.hpp"
#include "harness/base/toml_text.hpp"
#include "harness/import/case_list.hpp"
#include "harness/import/imported_case.hpp"
#include "harness/import/units.hpp"

namespace torchgate::import {
namespace {

using record::Direction;

constexpr std::string_view every_name = "*";
constexpr std::size_t most_named = 5;     // in one warning
constexpr std::size_t most_known = 1000;  // units kept: a hostile file has another one in each row
constexpr std::string_view not_judged = "not judged; set it with";  // of the metrics that a warning names

const char* word_of(Direction direction) {
  return direction == Direction::lower_is_better ? "lower" : "higher";
}

// What a metric is called in messages and by the user. A list of values (github-action-benchmark) has one metric, and names in front
// of it.
std::string called(const ImportedCase& one, const ImportedMetric& each) {
  return each.metric.name == value_metric ? one.run_name : each.metric.name;
}

// What the metrics are called here: a program may call one of its own as something else is called.
std::vector<std::string> names_here(const ImportedCase& one) {
  constexpr std::array<std::string_view, 6> taken{"time",        "cpu_time",           "peak_bytes",
                                                  "allocations", "peak_bytes_sampled", "allocations_sampled"};
  std::vector<std::string> names;
  for (const ImportedMetric& each : one.metrics) names.push_back(each.metric.name);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (one.metrics[i].told != Told::by_nobody) continue;
    const auto is_taken = [&] {
      return std::find(taken.begin(), taken.end(), names[i]) != taken.end() ||
             std::count(names.begin(), names.end(), names[i]) > 1;
    };
    while (is_taken()) names[i].insert(0, "own ");
  }
  return names;
}

struct Unsaid {
  std::set<std::string> names;  // as the file has them
  // Names and units: the tool says one thing, the unit excludes it.
  std::set<std::pair<std::string, std::string>> contradicted;
  std::set<std::string> doubted;  // the file's word counts, the unit says the opposite
};

// Letters and digits, in lower case.
std::string bare(std::string_view name) {
  std::string bare = base::lower_case(name);
  std::erase_if(bare, [](char each) { return std::isalnum(static_cast<unsigned char>(each)) == 0; });
  return bare;
}

// Other case, spaces or signs; or one letter too many, too few or wrong. Names that differ in a digit are of two things.
bool is_misspelt(std::string_view said, std::string_view is) {
  constexpr std::size_t shortest = 4;  // "ms" and "us" are two units
  const std::string a = bare(said);
  const std::string b = bare(is);
  if (a == b) return !a.empty();
  const std::string& longer = a.size() < b.size() ? b : a;
  const std::string& shorter = a.size() < b.size() ? a : b;
  if (shorter.size() < shortest || longer.size() > shorter.size() + 1) return false;
  const auto at =
      static_cast<std::size_t>(std::mismatch(shorter.begin(), shorter.end(), longer.begin()).first - shorter.begin());
  const std::size_t rest = at + (longer.size() == shorter.size() ? 1 : 0);
  const bool digit = std::isdigit(static_cast<unsigned char>(longer[at])) != 0;
  return !digit && longer.substr(at + 1) == shorter.substr(rest);
}

class Settling {
 public:
  explicit Settling(const Directions& said) : said_(said), named_(said.names()) {}

  void settle(ImportedCase& one) {
    settle_time(one);
    if (one.metrics.empty()) return;
    std::vector<std::string> names = names_here(one);
    for (std::size_t i = 0; i < names.size(); ++i) one.metrics[i].metric.name = std::move(names[i]);
    std::string first;
    std::erase_if(one.metrics, [&](ImportedMetric& each) {
      const auto direction = direction_of(one, each);
      if (direction) {
        each.metric.direction = *direction;
        return false;
      }
      if (first.empty()) first = called(one, each);
      note_values(one, each);
      return true;
    });
    if (first.empty() || !one.metrics.empty() || !one.time_ns.empty() || !one.failure.empty() || !one.skipped.empty())
      return;
    one.skipped =
        fmt::format("not judged: nothing says whether lower or higher values of {} are better", base::in_quotes(first));
  }

  void warn(ImportedProcess& process) const {
    for (const std::string_view name : named_) warn_of_misspelt(name, process);
    if (!unsaid_.names.empty()) {
      std::vector<std::string> names;
      for (const std::string& name : unsaid_.names) names.push_back(base::shown(name));
      add_warning(process.warnings,
                  fmt::format("{}: direction unknown, {} {}{}", base::some_of(names, most_named), not_judged,
                              how_to_say_better(*unsaid_.names.begin()),
                              process.how_to_declare.empty() ? "" : ", or " + process.how_to_declare));
    }
    if (!unsaid_.contradicted.empty()) {
      std::vector<std::string> names;
      for (const auto& [name, unit] : unsaid_.contradicted)
        names.push_back(fmt::format("{} ({})", base::shown(name), base::shown(unit)));
      add_warning(process.warnings,
                  fmt::format("{}: declared \"higher is better\" for a time, {} {}", base::some_of(names, most_named),
                              not_judged, how_to_say_better(unsaid_.contradicted.begin()->first)));
    }
    for (const std::string& one : unsaid_.doubted) add_warning(process.warnings, one);
  }

  [[nodiscard]] std::string values() && { return std::move(values_); }

 private:
  std::optional<Direction> said_of(std::initializer_list<std::string_view> names) {
    if (named_.empty()) return std::nullopt;
    for (const std::string_view name : names)
      if (asked_.size() < most_known) asked_.emplace(name);
    return said_.of(names);
  }

  // A name that nothing in this file has, but for a typing error: what it was said of has another direction.
  void warn_of_misspelt(std::string_view name, ImportedProcess& process) const {
    if (asked_.contains(name) || asked_.size() == most_known) return;
    const auto near =
        std::find_if(asked_.begin(), asked_.end(), [&](const std::string& each) { return is_misspelt(name, each); });
    if (near == asked_.end()) return;
    add_warning(process.warnings, fmt::format("import.better or --better: nothing is called {}; did you mean {}?",
                                              base::in_quotes(name), base::in_quotes(*near)));
  }

  // Of a list of values the unit alone makes one a time, and the user comes before the unit.
  void settle_time(ImportedCase& one) {
    if (!one.value_of_time) return;
    const record::Metric& metric = one.value_of_time->metric;
    const auto direction = said_of({one.run_name, one.name, metric.name, metric.unit});
    if (direction != Direction::higher_is_better) return;
    one.time_ns.clear();
    one.failure.clear();
    one.metrics.push_back(*std::move(one.value_of_time));
  }

  void note_values(const ImportedCase& one, const ImportedMetric& each) {
    values_ += one.name + '\n' + each.metric.name + '\n';
    for (const double value : each.samples) {
      const auto bytes = std::bit_cast<std::array<char, sizeof value>>(value);
      values_.append(bytes.data(), bytes.size());
    }
  }

  const UnitMeaning& meaning_of(const std::string& unit) {
    const auto known = meanings_.find(unit);
    if (known != meanings_.end()) return known->second;
    if (meanings_.size() == most_known) meanings_.clear();
    return meanings_.emplace(unit, meaning_of_unit(unit)).first->second;
  }

  std::optional<Direction> direction_of(const ImportedCase& one, const ImportedMetric& each) {
    if (each.told == Told::by_definition) return each.metric.direction;
    const record::Metric& metric = each.metric;
    const std::string name = called(one, each);
    if (const auto direction = said_of({name, one.name, metric.name, metric.unit})) return direction;
    const UnitMeaning& meaning = meaning_of(metric.unit);
    if (each.told == Told::by_nobody) {
      const auto direction = meaning.better ? meaning.better : said_.otherwise();
      if (!direction && unsaid_.names.size() < most_known) unsaid_.names.insert(name);
      return direction;
    }
    if (!meaning.better || *meaning.better == metric.direction) return metric.direction;
    if (each.told == Told::by_file && meaning.is_time()) {
      if (unsaid_.contradicted.size() < most_known) unsaid_.contradicted.emplace(name, metric.unit);
      return std::nullopt;
    }
    doubt(each, *meaning.better);
    return metric.direction;
  }

  void doubt(const ImportedMetric& each, Direction by_unit) {
    if (unsaid_.doubted.size() == most_known) return;
    unsaid_.doubted.insert(fmt::format("{}: declared {} is better, but the unit {} suggests {}; using {}", each.told_as,
                                       word_of(each.metric.direction), base::in_quotes(each.metric.unit),
                                       word_of(by_unit), word_of(each.metric.direction)));
  }

  const Directions& said_;
  std::vector<std::string_view> named_;
  std::unordered_map<std::string, UnitMeaning> meanings_;
  std::set<std::string, std::less<>> asked_;  // benchmarks, metrics and units, where the user named any
  Unsaid unsaid_;
  std::string values_;
};

// Whether what the user says of NAME decides anything in ONE.
bool decides(std::string_view name, const ImportedCase& one) {
  const auto is_named = [&](const ImportedMetric& each, const std::string& here) {
    return name == here || name == one.name || name == each.metric.unit ||
           (each.metric.name == value_metric && name == one.run_name);
  };
  if (one.value_of_time && (name == one.run_name || is_named(*one.value_of_time, one.value_of_time->metric.name)))
    return true;
  const std::vector<std::string> names = names_here(one);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (one.metrics[i].told != Told::by_definition && is_named(one.metrics[i], names[i])) return true;
  return false;
}

// What a metric of the program is called here that the program itself calls NAME; empty: the same, or there is none.
std::string own_name(std::string_view name, std::span<const ImportedProcess> processes) {
  for (const ImportedProcess& process : processes) {
    for (const ImportedCase& one : process.cases) {
      const std::vector<std::string> names = names_here(one);
      for (std::size_t i = 0; i < names.size(); ++i)
        if (one.metrics[i].metric.name == name && names[i] != name) return names[i];
    }
  }
  return "";
}

// Of the metric NAME of ONE, or of its primary one where NAME is that of the benchmark.
std::optional<Direction> defined_of(std::string_view name, const ImportedCase& one) {
  if (!one.failure.empty() || !one.skipped.empty()) return std::nullopt;
  const bool benchmark = name == one.name || name == one.run_name;
  const std::vector<record::Metric> metrics = metrics_of(one);
  const std::size_t first = one.time_ns.empty() ? 0 : 1;  // of those of the program, behind the time
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const bool own = i >= first && i - first < one.metrics.size() && one.metrics[i - first].told != Told::by_definition;
    if ((metrics[i].name == name && !own) || (benchmark && metrics[i].primary)) return metrics[i].direction;
  }
  return std::nullopt;
}

bool decides_any(std::string_view name, std::span<const ImportedProcess> processes) {
  return std::any_of(processes.begin(), processes.end(), [&](const ImportedProcess& process) {
    return std::any_of(process.cases.begin(), process.cases.end(),
                       [&](const ImportedCase& one) { return decides(name, one); });
  });
}

// The direction that the tool of PROCESSES defines for NAME.
std::optional<Direction> defined_of(std::string_view name, std::span<const ImportedProcess> processes) {
  for (const ImportedProcess& process : processes)
    for (const ImportedCase& one : process.cases)
      if (const auto defined = defined_of(name, one)) return defined;
  return std::nullopt;
}

}  // namespace

base::Result<Directions> Directions::parse(const std::vector<std::string>& words) {
  Directions directions;
  for (const std::string& word : words) {
    const std::size_t equals = word.rfind('=');
    const std::string_view value = equals == std::string::npos ? "" : std::string_view(word).substr(equals + 1);
    if (equals == 0 || (value != "lower" && value != "higher")) {
      return base::Error{
          base::ErrorCode::bad_input,
          fmt::format("{}: not the direction of a metric; use NAME=higher or NAME=lower", base::in_quotes(word))};
    }
    const Direction direction = value == "lower" ? Direction::lower_is_better : Direction::higher_is_better;
    const std::string name = word.substr(0, equals);
    if (name == every_name)
      directions.otherwise_ = direction;
    else
      directions.named_[name] = direction;
  }
  return directions;
}

std::optional<Direction> Directions::of(std::initializer_list<std::string_view> names) const {
  if (named_.empty()) return std::nullopt;
  for (const std::string_view name : names) {
    const auto found = named_.find(name);
    if (found != named_.end()) return found->second;
  }
  return std::nullopt;
}

std::vector<std::string_view> Directions::names() const {
  std::vector<std::string_view> names;
  for (const auto& [name, direction] : named_) names.emplace_back(name);
  return names;
}

std::string how_to_say_better(std::string_view name) {
  constexpr std::size_t longest = 200;
  const auto is_control = [](char c) { return std::iscntrl(static_cast<unsigned char>(c)) != 0; };
  const bool fits = name.size() <= longest && std::none_of(name.begin(), name.end(), is_control);
  const std::string said = std::string(fits ? name : "NAME") + "=higher";
  return fmt::format("`{}` (or lower), or import.better = [{}] in torchgate.toml",
                     base::option_for_a_shell("--better", said), base::toml_text(said));
}

void settle_directions(ImportedProcess& process, const Directions& said) {
  Settling settling(said);
  for (ImportedCase& one : process.cases) settling.settle(one);
  settling.warn(process);
  process.not_judged = std::move(settling).values();
}

std::string against_definition(std::span<const ImportedProcess> processes, const Directions& said) {
  for (const std::string_view name : said.names()) {
    if (decides_any(name, processes)) continue;
    const Direction direction = *said.of({name});
    const auto defined = defined_of(name, processes);
    const std::string own = own_name(name, processes);
    if (defined ? *defined == direction : own.empty()) continue;
    const char* const word = word_of(direction);
    const std::string why =
        defined ? fmt::format("cannot be set, {} defines that {} is better", processes.front().tool, word_of(*defined))
                : "nothing is called so";
    const std::string fix =
        own.empty() ? "remove it"
                    : fmt::format("the program's own {} is \"{}={}\"", base::in_quotes(name), base::shown(own), word);
    return fmt::format("--better (or import.better) \"{}={}\": {}; {}", base::shown(name), word, why, fix);
  }
  return "";
}

std::string nothing_to_judge(const std::vector<ImportedProcess>& processes) {
  constexpr std::string_view unsaid = "not judged: ";  // of a case
  const ImportedProcess* first = nullptr;
  for (const ImportedProcess& process : processes) {
    for (const ImportedCase& one : process.cases) {
      if (!one.skipped.starts_with(unsaid)) return "";
      if (first == nullptr) first = &process;
    }
  }
  if (first == nullptr) return "";
  const auto why = std::find_if(first->warnings.begin(), first->warnings.end(),
                                [](const std::string& one) { return one.find(not_judged) != std::string::npos; });
  return why == first->warnings.end() ? "" : "no value can be judged: " + *why;
}

}  // namespace torchgate::import
