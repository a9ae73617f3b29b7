// SPDX-License-Identifier: Apache-2.0
#include "harness/import/import.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <system_error>
#include <utility>

#include "harness/base/content_hash.hpp"
#include "harness/base/significant_digits.hpp"
#include "harness/base/timestamp.hpp"
#include "harness/import/case_list.hpp"
#include "harness/import/criterion.hpp"
#include "harness/import/directions.hpp"
#include "harness/import/formats.hpp"
#include "harness/import/impossible_values.hpp"
#include "harness/import/input_text.hpp"
#include "harness/import/run_of_processes.hpp"
#include "harness/import/units.hpp"
#include "harness/import/unknown_file.hpp"

namespace torchgate::import {
namespace {

using base::Error;
using base::ErrorCode;
namespace fs = std::filesystem;

base::Result<std::vector<ImportedProcess>> read(const fs::path& path) {
  std::error_code ignored;
  if (is_criterion_folder(path)) return read_criterion(path);
  if (fs::is_directory(path, ignored)) return unknown_folder(path);
  const auto head = head_of(path);
  if (!head) return head.error();
  const Format* const format = format_of(*head);
  if (format == nullptr) return unknown_file(path, *head);
  auto processes = format->read(path);
  if (!processes && !format->options.empty()) return with_stray_line(processes.error(), path, format->options);
  return processes;
}

// Digits of VALUE that noise fills: of measurements that differ in nothing but noise the first three agree.
double noisy_digits(double value) {
  constexpr double common_digits = 3;
  return std::max(0.0, static_cast<double>(base::significant_digits(value)) - common_digits);
}

// A count repeats: the size of a program, a number of allocations. A rate is a time in another form.
bool is_counted(const ImportedMetric& metric, double value) {
  return std::floor(value) == value && meaning_of_unit(metric.metric.unit).kind != UnitKind::rate;
}

struct Distinct {
  bool any = false;      // values that are not exact
  bool repeats = false;  // an unchanged program has the same ones again
  double digits = 0;     // that tell it from another measurement
};

Distinct distinct_in(const ImportedProcess& process) {
  Distinct found;
  bool noisy = false;
  for (const ImportedCase& each : process.cases) {
    for (const double ns : each.time_ns) {
      found.digits += noisy_digits(ns);
      noisy = noisy || ns > 0;
    }
    found.any = found.any || !each.time_ns.empty();
    for (const ImportedMetric& other : each.metrics) {
      found.any = found.any || !other.samples.empty();
      for (const double value : other.samples) {
        if (is_counted(other, value)) continue;
        found.digits += noisy_digits(value);
        noisy = true;
      }
    }
  }
  found.repeats = found.any && !noisy;
  return found;
}

// The date of a measurement and times of many digits are never the same twice, so they tell it from another one. Where there is neither, only
// the bytes of the file do: a command that failed, metrics that are not imported. Of values that repeat (an unchanged size) or have few digits
// (Go's "0.2500 ns/op") not even they: only the place of the file does.
base::Result<void> add_content(std::vector<ImportedProcess>& processes, const fs::path& file) {
  constexpr double enough_digits = 9;
  std::vector<Distinct> found;
  found.reserve(processes.size());
  for (const ImportedProcess& process : processes) found.push_back(distinct_in(process));
  double digits = 0;
  for (const Distinct& each : found) digits += each.digits;
  std::string content;
  for (std::size_t i = 0; i < processes.size(); ++i) {
    ImportedProcess& process = processes[i];
    if (found[i].any && !found[i].repeats && (digits >= enough_digits || !process.started.empty())) continue;
    std::error_code ignored;
    if (content.empty() && fs::is_regular_file(file, ignored)) {
      auto hash = base::sha256_of_file(file);
      if (!hash) return hash.error();
      content = *std::move(hash);
    }
    process.content = content;
    if (!found[i].any) continue;
    const std::string place = fs::weakly_canonical(file, ignored).string();
    if (found[i].repeats)
      process.content += place;
    else
      process.place = place;
  }
  return {};
}

// The nearest known time for files without the time of their measurement.
std::string time_of_last_change(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) status.st_mtim.tv_sec = 0;
  return base::utc_timestamp(
      std::chrono::sys_time<std::chrono::milliseconds>(std::chrono::seconds(status.st_mtim.tv_sec)));
}

}  // namespace

base::Result<record::Run> import_run(const std::vector<fs::path>& files, const std::string& tool_version,
                                     const Directions& directions) {
  if (files.empty()) return Error{ErrorCode::bad_input, "no files to import"};
  std::vector<std::vector<ImportedProcess>> all;
  for (const fs::path& file : files) {
    auto processes = read(file);
    if (!processes) return processes.error();
    if (const std::string wrong = against_definition(*processes, directions); !wrong.empty())
      return bad_file(file.string(), wrong);
    for (ImportedProcess& process : *processes) {
      process.file_changed = time_of_last_change(file);
      settle_directions(process, directions);
      remove_impossible_values(process);
    }
    if (auto added = add_content(*processes, file); !added) return added.error();
    if (const std::string nothing = nothing_to_judge(*processes); !nothing.empty())
      return bad_file(file.string(), nothing);
    all.push_back(*std::move(processes));
  }
  return run_of_processes(std::move(all), tool_version);
}

}  // namespace torchgate::import
