// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/read_files.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <system_error>

#include "harness/base/content_hash.hpp"
#include "harness/launch/rank_processes.hpp"
#include "harness/process/file_identity.hpp"

namespace torchgate::launch {
namespace {

/// File times advance in ticks of the kernel's clock, 10 ms at most.
constexpr std::chrono::milliseconds tick_of_file_times{10};

bool changed_since(const std::string& path, std::chrono::steady_clock::time_point started) {
  const auto identity = process::identity_of(std::filesystem::path(path));
  if (!identity) return false;
  const auto ago = std::chrono::steady_clock::now() - started + tick_of_file_times;
  const auto then = std::chrono::system_clock::now().time_since_epoch() - ago;
  return std::chrono::nanoseconds(identity->ctime_ns) >= then;
}

std::optional<std::string> value_of(const std::string& name, const ProcessEnvironment& environment) {
  for (const record::Parameter& variable : environment.set)
    if (variable.name == name) return variable.value;
  const char* const inherited = std::getenv(name.c_str());
  const bool removed = std::find(environment.unset.begin(), environment.unset.end(), name) != environment.unset.end();
  if (inherited == nullptr || removed) return std::nullopt;
  return inherited;
}

/// Each launch gives its ranks another port, and each rank another number.
bool is_set_for_ranks(const std::string& path) {
  static const std::vector<process::Command> example = rank_commands({}, 1, 0, 0);
  const auto& set = example.front().environment;
  const auto& unset = example.front().unset;
  const auto is_it = [&](const std::string& name) { return path == '$' + name; };
  return std::any_of(set.begin(), set.end(), [&](const auto& variable) { return is_it(variable.name); }) ||
         std::any_of(unset.begin(), unset.end(), is_it);
}

}  // namespace

base::Result<std::string> content_now(const std::string& path, const ProcessEnvironment& environment,
                                      ObjectHashes& hashes) {
  if (path.starts_with('$')) {
    const auto value = value_of(path.substr(1), environment);
    return value ? base::sha256(*value) : std::string();
  }
  std::error_code error;
  if (!std::filesystem::exists(path, error) && !error) return std::string();
  auto hash = hashes.sha256_of(std::filesystem::path(path));
  if (!hash) return base::Error{base::ErrorCode::bad_input, hash.error().message};
  return hash;
}

ReadFiles::ReadFiles(record::Run& run, ObjectHashes& hashes) : run_(run), hashes_(hashes) {
  for (const record::ReadFile& file : run.files)
    positions_.emplace(std::pair(file.path, file.sha256), static_cast<std::int64_t>(positions_.size()));
}

std::int64_t ReadFiles::add(record::ReadFile file) {
  const auto [known, added] =
      positions_.emplace(std::pair(file.path, file.sha256), static_cast<std::int64_t>(run_.files.size()));
  if (added) run_.files.push_back(std::move(file));
  return known->second;
}

base::Result<std::vector<std::int64_t>> ReadFiles::positions_of(const std::vector<std::string>& paths,
                                                                std::chrono::steady_clock::time_point started,
                                                                const ProcessEnvironment& environment,
                                                                const std::map<std::string, std::string>& restored) {
  std::vector<std::int64_t> positions;
  for (const std::string& path : paths) {
    if (const auto instead = restored.find(path); instead != restored.end()) {
      positions.push_back(add({path, instead->second}));
      continue;
    }
    if (changed_since(path, started))
      return base::Error{base::ErrorCode::bad_input, path + " was changed while the process ran"};
    auto content = content_now(path, environment, hashes_);
    if (!content) return content.error();
    positions.push_back(add({path, *std::move(content)}));
  }
  return positions;
}

void ReadFiles::take(const SuiteAnswer& answer, std::int64_t ranks, const std::vector<std::string>& unset,
                     const std::map<std::string, std::string>& restored, record::Process& process) {
  const record::ProcessReport& report = *answer.report;
  process.files_unknown = report.files_unknown;
  if (!report.files_read) return;
  std::vector<std::string> paths = *report.files_read;
  if (ranks > 1) std::erase_if(paths, is_set_for_ranks);
  // A suite of an older version does not know of restored files: it read those on disk.
  static const std::map<std::string, std::string> none;
  auto positions = positions_of(paths, answer.outcome.started, {process.environment, unset},
                                report.files_restored ? restored : none);
  if (positions) {
    process.files = *std::move(positions);
  } else {
    process.files_unknown = positions.error().message;
  }
}

}  // namespace torchgate::launch
