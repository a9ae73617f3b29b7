// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/read_files.hpp"

#include <chrono>
#include <system_error>
#include <vector>

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

}  // namespace

base::Result<std::string> content_now(const std::string& path, ObjectHashes& hashes) {
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

base::Result<std::int64_t> ReadFiles::add(const std::string& path) {
  auto content = content_now(path, hashes_);
  if (!content) return content.error();
  record::ReadFile file{path, *std::move(content)};
  const auto [known, added] =
      positions_.emplace(std::pair(file.path, file.sha256), static_cast<std::int64_t>(run_.files.size()));
  if (added) run_.files.push_back(std::move(file));
  return known->second;
}

void ReadFiles::take(const SuiteAnswer& answer, record::Process& process) {
  const record::ProcessReport& report = *answer.report;
  process.files_unknown = report.files_unknown;
  if (!report.files_read) return;
  std::vector<std::int64_t> positions;
  for (const std::string& path : *report.files_read) {
    if (changed_since(path, answer.outcome.started)) {
      process.files_unknown = path + " was changed while the process ran";
      return;
    }
    const auto position = add(path);
    if (!position) {
      process.files_unknown = position.error().message;
      return;
    }
    positions.push_back(*position);
  }
  process.files = std::move(positions);
}

}  // namespace torchgate::launch
