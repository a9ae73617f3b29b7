// SPDX-License-Identifier: Apache-2.0
// Turns what suite processes report into the processes, objects and facts of a run.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/launch/object_hashes.hpp"
#include "harness/launch/read_files.hpp"
#include "harness/launch/selection.hpp"
#include "harness/launch/suite_process.hpp"
#include "harness/record/run.hpp"

namespace torchgate::launch {

class Collector {
 public:
  /// RUN has its sides and cases (and the objects of processes to take over). Both must outlive the collector.
  /// UNSET: variables that the suite processes do not have.
  /// RESTORED: SideRequest::restored of each side; empty: none.
  Collector(record::Run& run, ObjectHashes& hashes, std::vector<std::string> unset = {},
            std::vector<std::map<std::string, std::string>> restored = {});

  /// Adds PROCESS (as the launcher knows it) with the content of ANSWER. A requested case that is missing in the report
  /// has failed; one that was not requested is ignored with a warning. Returns the process as it is in the run.
  const record::Process& add(record::Process process, const GroupOnSide& asked, SuiteAnswer answer);

  /// Adds a process as recorded earlier, with the facts that its suite reported then.
  void take_over(record::Process process, const std::vector<record::Parameter>& facts);

  /// Adds the facts that the suites reported (LibTorch version, build type) to the machine's facts, as class warn: one
  /// fact if all sides agree, otherwise "name (before)" and "name (after)". Names the device of CUDA cases
  /// where NVML did not.
  void finish();

 private:
  void take_results(record::ProcessReport& report, const GroupOnSide& asked, record::Process& process);
  void take_metrics(const record::Case& reported, record::CaseResult& result);
  void take_objects(SuiteAnswer& answer, record::Process& process);
  void warn_of_object(const std::string& problem);
  std::int64_t position_of(const record::LoadedObject& object);
  void note_object(std::int64_t side, std::int64_t index);
  void take_facts(const std::vector<record::Parameter>& facts, std::size_t side);
  void name_device();
  void warn_once(const std::string& sentence);

  record::Run& run_;
  std::map<std::string, record::Case*> cases_;
  ObjectHashes& hashes_;
  ReadFiles files_;
  std::vector<std::string> unset_;
  std::vector<std::map<std::string, std::string>> restored_;
  std::map<std::string, std::int64_t> object_index_;
  std::map<std::pair<std::int64_t, std::string>, std::int64_t> object_of_side_;  // (side, path): its index
  std::map<std::string, std::vector<std::set<std::string>>> facts_;              // name: values of each side
  std::set<std::string> object_problems_;
};

}  // namespace torchgate::launch
