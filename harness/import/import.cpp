// SPDX-License-Identifier: Apache-2.0
#include "harness/import/import.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include "harness/base/content_hash.hpp"
#include "harness/base/timestamp.hpp"
#include "harness/import/case_list.hpp"
#include "harness/import/criterion.hpp"
#include "harness/import/directions.hpp"
#include "harness/import/formats.hpp"
#include "harness/import/input_text.hpp"
#include "harness/import/run_of_processes.hpp"
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

bool is_timed(const ImportedCase& each) {
  return !each.time_ns.empty() || std::any_of(each.metrics.begin(), each.metrics.end(),
                                              [](const auto& other) { return !other.samples.empty(); });
}

// Times are never the same twice, so they tell a measurement from another one. Where there are none, only the bytes do: a command that
// failed, counts, metrics that are not imported.
base::Result<void> add_content(std::vector<ImportedProcess>& processes, const fs::path& file) {
  std::string content;
  for (ImportedProcess& process : processes) {
    if (std::any_of(process.cases.begin(), process.cases.end(), is_timed)) continue;
    std::error_code ignored;
    if (content.empty() && fs::is_regular_file(file, ignored)) {
      auto hash = base::sha256_of_file(file);
      if (!hash) return hash.error();
      content = *std::move(hash);
    }
    process.content = content;
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
    for (ImportedProcess& process : *processes) {
      process.file_changed = time_of_last_change(file);
      settle_directions(process, directions);
    }
    if (auto added = add_content(*processes, file); !added) return added.error();
    if (const std::string nothing = nothing_to_judge(*processes); !nothing.empty())
      return bad_file(file.string(), nothing);
    all.push_back(*std::move(processes));
  }
  return run_of_processes(std::move(all), tool_version);
}

}  // namespace torchgate::import
