// SPDX-License-Identifier: Apache-2.0
#include "baselines/store_checks.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "baselines/safe_name.hpp"
#include "harness/base/hexadecimal.hpp"
#include "harness/base/timestamp.hpp"
#include "harness/record/codec.hpp"

namespace torchgate::baselines {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;

constexpr std::size_t shortest_prefix = 4;
constexpr std::size_t sha256_hex_digits = 64;

template <class Visit>
void for_each_samples(record::Run& run, Visit visit) {
  for (auto& process : run.processes) {
    for (auto& result : process.cases) {
      for (auto& measurement : result.measurements) visit(measurement.samples);
    }
  }
}

/// RUN as its record says it, whether or not its samples are in memory or were ever written.
std::string record_text(record::Run run) {
  run.samples.reset();
  for_each_samples(run, [](std::vector<double>& samples) { samples.clear(); });
  return record::to_json(run);
}

std::vector<std::vector<double>> all_samples(record::Run run) {
  std::vector<std::vector<double>> all;
  for_each_samples(run, [&](std::vector<double>& samples) { all.push_back(std::move(samples)); });
  return all;
}

bool holds_samples(const record::Run& run) {
  const auto all = all_samples(run);
  return std::any_of(all.begin(), all.end(), [](const auto& samples) { return !samples.empty(); });
}

}  // namespace

Result<void> check_object_hash(const std::string& sha256) {
  if (sha256.size() == sha256_hex_digits && base::is_lower_hex(sha256)) return {};
  return Error{ErrorCode::bad_input, "invalid SHA-256 hash '" + sha256 + "'; expected 64 hexadecimal digits"};
}

Result<void> check_run_prefix(const std::string& id_or_prefix) {
  if (id_or_prefix.size() >= shortest_prefix && base::is_lower_hex(id_or_prefix)) return {};
  return Error{ErrorCode::bad_input, "invalid run id '" + id_or_prefix + "'; give at least " +
                                         std::to_string(shortest_prefix) + " of its 16 hexadecimal digits"};
}

Result<void> check_only_one(const std::string& prefix, const std::vector<std::string>& ids,
                            const std::string& location) {
  if (ids.empty()) return Error{ErrorCode::not_found, "unknown run " + prefix + " in " + location};
  if (ids.size() == 1) return {};
  std::string candidates;
  for (const std::string& id : ids) candidates += " " + id;
  return Error{ErrorCode::bad_input, "ambiguous run id " + prefix + "; it matches" + candidates};
}

bool is_utc_time(std::string_view time) {
  constexpr std::string_view pattern = "dddd-dd-ddTdd:dd:dd.dddZ";  // d: a digit
  const bool fits = std::equal(time.begin(), time.end(), pattern.begin(), pattern.end(),
                               [](char c, char p) { return p == 'd' ? c >= '0' && c <= '9' : c == p; });
  const auto seconds = fits ? base::utc_seconds(time) : std::nullopt;
  // PostgreSQL has no year 0. An hour 24 or a second 60 comes back as another time.
  constexpr std::size_t up_to_seconds = 19;
  return seconds && !time.starts_with("0000") &&
         base::utc_timestamp(std::chrono::time_point_cast<std::chrono::milliseconds>(*seconds))
             .starts_with(time.substr(0, up_to_seconds));
}

std::string time_digits(const std::string& time) {
  std::string digits = time;
  std::erase_if(digits, [](char c) { return c < '0' || c > '9'; });
  return digits;
}

Result<void> check_calibration(const record::Calibration& calibration) {
  if (!is_safe_folder_name(calibration.host_key) || time_digits(calibration.created).empty()) {
    return Error{ErrorCode::bad_input, "invalid calibration of host key '" + calibration.host_key + "' at '" +
                                           calibration.created + "': neither may be empty or a path"};
  }
  if (const auto problem = record::problem_of(calibration))
    return Error{ErrorCode::bad_input, "invalid calibration of " + calibration.host_key + ": " + *problem};
  return {};
}

std::string calibration_ignored(const std::string& where, const std::string& repair) {
  return where +
         ": its time is later than now, so this calibration is ignored; check the clocks of both machines, and " +
         repair;
}

Result<bool> is_same_run(const record::Run& run, record::Run stored, const LoadSamples& load_samples) {
  if (record_text(stored) != record_text(run)) return false;
  if (run.samples && stored.samples && *run.samples != *stored.samples) return false;
  if (!holds_samples(run)) return true;
  if (auto loaded = load_samples(stored); !loaded) {
    if (loaded.error().code == ErrorCode::not_found) return true;
    return loaded.error();
  }
  return all_samples(stored) == all_samples(run);
}

}  // namespace torchgate::baselines
