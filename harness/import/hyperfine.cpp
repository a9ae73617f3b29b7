// SPDX-License-Identifier: Apache-2.0
#include "harness/import/hyperfine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "harness/base/limits.hpp"
#include "harness/import/bounds.hpp"
#include "harness/import/case_list.hpp"
#include "harness/import/imported_case.hpp"
#include "harness/import/json_keys.hpp"
#include "harness/import/same_names.hpp"
#include "harness/json/json_reader.hpp"

namespace torchgate::import {
namespace {

using json::JsonReader;

constexpr const char* no_times =
    "hyperfine's file has no times of the launches, so each command has one value and no spread; export them with "
    "--export-json of version 1.6 or later";

// One element of "results".
struct HyperfineCommand {
  std::string command;
  std::vector<record::Parameter> parameters;
  bool has_median = false;  // however invalid it is: then the mean does not stand for it
  std::optional<double> median_s;
  std::optional<double> mean_s;
  std::vector<std::optional<double>> times_s;
  std::vector<std::optional<std::int64_t>> exit_codes;  // absent: ended by a signal
  std::vector<std::int64_t> peak_bytes;
};

void read_hyperfine_parameters(JsonReader& reader, HyperfineCommand& command) {
  reader.object({}, [&](std::string_view key) {
    if (std::ssize(command.parameters) == base::max_parameters) return reader.fail("too many parameters");
    std::string value = reader.peek() == JsonReader::Kind::string ? reader.name() : std::string(reader.skip());
    command.parameters.push_back({std::string(key), std::move(value)});
  });
}

HyperfineCommand read_hyperfine_command(JsonReader& reader) {
  HyperfineCommand command;
  reader.object({"command"}, [&](std::string_view key) {
    if (key == "command")
      command.command = reader.name();
    else if (key == "parameters")
      read_hyperfine_parameters(reader, command);
    else if (key == "median") {
      command.has_median = true;
      command.median_s = reader.finite_number();
    } else if (key == "mean")
      command.mean_s = reader.finite_number();
    else if (key == "times") {
      if (!reader.null())
        reader.array(base::max_processes, [&](std::int64_t) { command.times_s.push_back(reader.finite_number()); });
    } else if (key == "exit_codes") {
      reader.array(base::max_processes, [&](std::int64_t) {
        command.exit_codes.push_back(reader.null() ? std::nullopt : std::optional(reader.integer()));
      });
    } else if (key == "memory_usage_byte") {
      if (!reader.null())
        reader.array(base::max_processes,
                     [&](std::int64_t) { command.peak_bytes.push_back(reader.integer(0, base::max_bytes)); });
    } else {
      reader.skip();  // user and system are means; the rest follows from the times
    }
  });
  return command;
}

std::string failure_of_launch(const HyperfineCommand& command, std::size_t launch) {
  if (launch < command.exit_codes.size()) {
    if (!command.exit_codes[launch]) return "the command was ended by a signal";
    if (*command.exit_codes[launch] != 0) return fmt::format("exit code {}", *command.exit_codes[launch]);
  }
  const auto& seconds = command.times_s[launch];
  return invalid_time(seconds ? std::optional(*seconds * ns_per_s) : std::nullopt);
}

// Listed, and judged where a [[case]] table says so: what the system counts also depends on what else is in its memory.
ImportedMetric peak_memory(std::int64_t bytes) {
  return {{"peak_memory", "bytes", record::Direction::lower_is_better, record::MetricKind::timed, false},
          {static_cast<double>(bytes)},
          std::nullopt};
}

class HyperfineLaunches {
 public:
  explicit HyperfineLaunches(std::string where) : where_(std::move(where)) {}

  // Returns what is wrong.
  std::string add(HyperfineCommand command) {
    if (command.command.empty()) return "an empty command";
    const std::size_t uses = ++uses_[command.command];
    if (uses > 1) later_.push_back({processes_.size(), 0});
    // hyperfine's mean is that of all times, outliers and failures included (hyperfine/src/benchmark/mod.rs).
    const std::string unused = not_samples_of(command.times_s, command.mean_s, command.median_s);
    if (!unused.empty() && unused_++ == 0) first_unused_ = unused;
    if (!unused.empty()) command.times_s.clear();
    const bool only_median = command.times_s.empty();
    if (only_median) {
      if (!command.has_median && !command.mean_s) return "neither times nor a median nor a mean";
      command.times_s.push_back(command.has_median ? command.median_s : command.mean_s);
      // Which of the launches it was is not known; one that failed makes the value worthless.
      const auto failed = std::find_if(command.exit_codes.begin(), command.exit_codes.end(),
                                       [](const auto& code) { return !code || *code != 0; });
      if (failed != command.exit_codes.end()) command.exit_codes = {*failed};
    }
    if (processes_.size() + command.times_s.size() > static_cast<std::size_t>(base::max_processes))
      return fmt::format("more than {} launches", base::max_processes);
    if (uses > 1) later_.back().end = processes_.size() + command.times_s.size();
    for (std::size_t launch = 0; launch < command.times_s.size(); ++launch) {
      ImportedProcess& process = processes_.emplace_back();
      process.file = where_;
      process.tool = "hyperfine";
      process.group = command.command;
      process.never_dated = true;
      if (only_median && unused.empty()) process.no_spread = no_times;
      if (launch < command.peak_bytes.size()) process.peak_resident_bytes = command.peak_bytes[launch];
      ImportedCase& one = process.cases.emplace_back();
      one.name = command.command;
      one.run_name = command.command;
      one.parameters = command.parameters;
      one.protocol = "hyperfine/1";
      one.failure = failure_of_launch(command, launch);
      if (!one.failure.empty()) continue;
      one.time_ns = {*command.times_s[launch] * ns_per_s};
      if (process.peak_resident_bytes) one.metrics.push_back(peak_memory(*process.peak_resident_bytes));
      if (only_median)
        mark_single_value(one, command.has_median ? SingleValue::median : SingleValue::mean, "the launches");
    }
    return "";
  }

  base::Result<std::vector<ImportedProcess>> finish() {
    if (processes_.empty()) return bad_file(where_, "no results");
    for (ImportedProcess& process : processes_) {
      ImportedCase& one = process.cases.front();
      if (const std::size_t uses = uses_.at(one.run_name);
          uses > 1 && std::ssize(one.parameters) < base::max_parameters)
        one.parameters.push_back({same_name_parameter, std::to_string(uses)});
    }
    number_later();
    if (unused_ > 0) processes_.front().warnings.push_back(unused_samples_warning(where_, unused_, first_unused_));
    return std::move(processes_);
  }

 private:
  // Launches of a command that an earlier result has, too.
  struct Later {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  void number_later() {
    std::unordered_set<std::string> taken;
    for (const auto& [command, uses] : uses_) taken.insert(command);
    std::unordered_map<std::string, std::int64_t> numbers;
    for (const Later& each : later_) {
      if (each.begin == each.end) continue;
      const std::string& command = processes_[each.begin].group;
      const std::string name = next_free_name(command, numbers.try_emplace(command, 1).first->second, taken);
      for (std::size_t i = each.begin; i < each.end; ++i) processes_[i].group = processes_[i].cases.front().name = name;
    }
  }

  std::string where_;
  std::vector<ImportedProcess> processes_;
  std::unordered_map<std::string, std::size_t> uses_;
  std::vector<Later> later_;
  std::int64_t unused_ = 0;  // commands whose times are not those of its median and mean
  std::string first_unused_;
};

}  // namespace

bool is_hyperfine(std::string_view head) {
  return outer_keys(head).contains("results") && mentions(head, "command") &&
         (mentions(head, "times") || mentions(head, "median") || mentions(head, "mean"));
}

base::Result<std::vector<ImportedProcess>> read_hyperfine(std::string_view text, const std::string& where) {
  JsonReader reader(text, where);
  reader.accept_non_finite();
  HyperfineLaunches launches(where);
  reader.object({"results"}, [&](std::string_view key) {
    if (key != "results") {
      reader.skip();
      return;
    }
    reader.array(base::max_groups, [&](std::int64_t) {
      HyperfineCommand command = read_hyperfine_command(reader);
      if (reader.failed()) return;
      if (const std::string wrong = launches.add(std::move(command)); !wrong.empty()) reader.fail(wrong);
    });
  });
  reader.end();
  if (reader.failed()) return reader.error();
  return launches.finish();
}

}  // namespace torchgate::import
