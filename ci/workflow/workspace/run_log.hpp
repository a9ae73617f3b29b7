// SPDX-License-Identifier: Apache-2.0
// A log of a run while it is measured: JSON lines, one per process and case (reports/schemas/log.schema.json).
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/json/json_writer.hpp"
#include "harness/launch/launcher.hpp"
#include "harness/process/descriptor.hpp"

namespace torchgate::workflow {

/// Passes everything on to another observer and writes lines to a file. Each line is one write at the file's end, so that whole
/// lines are left when torchgate is killed, and several runs may share a file. When it cannot be written any more, a note
/// says so once, and the run continues.
class RunLog final : public launch::Observer {
 public:
  /// Opens FILE for appending, and creates it if it is missing. io: it cannot be opened.
  static base::Result<std::unique_ptr<RunLog>> open(const std::filesystem::path& file, const launch::Request& request);

  /// What is told of the run; must outlive this.
  void pass_on_to(launch::Observer& next) { next_ = &next; }

  void on_plan(const launch::Forecast& forecast) override;
  void on_process_started(const record::Process& process, const launch::Progress& progress) override;
  void on_process_finished(const record::Process& process, const launch::Progress& progress) override;
  void on_note(const std::string& note) override;

  /// The last line.
  void end(const base::Result<record::Run>& run);

 private:
  RunLog(process::Descriptor file, std::filesystem::path path, const launch::Request& request);
  /// An object without its end.
  void write(json::JsonWriter& open_line);

  process::Descriptor file_;
  std::filesystem::path path_;
  std::vector<std::string> sides_;
  std::vector<std::string> commits_;
  std::string profile_;
  std::uint64_t seed_ = 0;
  std::map<std::string, record::Case> cases_;
  launch::Observer* next_ = nullptr;
  bool works_ = true;
};

}  // namespace torchgate::workflow
