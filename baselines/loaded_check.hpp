// SPDX-License-Identifier: Apache-2.0
// Checks that a process loaded the files of the baseline. The dynamic loader can find other libraries than intended
// (DT_RPATH, absolute paths, dlopen), so a confirmation checks what ran instead of trusting the
// set-up.
#pragma once

#include <string>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/record/process.hpp"
#include "harness/record/run.hpp"

namespace torchgate::baselines {

struct ExpectedObject {
  std::string soname;  ///< "" for the executable
  std::string sha256;
  std::string path;  ///< its recorded path; for messages
  bool executable = false;
  bool system = false;
  bool always = false;  ///< loaded by every process of the suite; false: by some groups only (dlopen)

  bool operator==(const ExpectedObject&) const = default;
};

/// The objects that the processes of SUITE loaded in RUN: each once, the executable first.
/// not_found when the run has no objects of that suite; bad_input if it has two executables, or two libraries with one
/// name, for it: the baseline is ambiguous then.
base::Result<std::vector<ExpectedObject>> expected_objects(const record::Run& run, const std::string& suite);

/// Compares what a process LOADED with what is EXPECTED, by content. bad_input, naming the object and both hashes, when
/// the executable or a non-system library differs, is unexpected, has no hash, or is missing
/// although required. System libraries depend on the machine, not on the commit: a difference is a sentence in the value.
base::Result<std::vector<std::string>> check_loaded(const std::vector<ExpectedObject>& expected,
                                                    const std::vector<record::LoadedObject>& loaded);

}  // namespace torchgate::baselines
