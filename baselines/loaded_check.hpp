// SPDX-License-Identifier: Apache-2.0
// Did the process load what the baseline had loaded? The dynamic loader has many ways to find another library than the
// one that was meant (DT_RPATH, absolute paths, dlopen), so a confirmation checks what ran instead of trusting the
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
  std::string path;  ///< where it was when it was recorded; for messages
  bool executable = false;
  bool system = false;
  bool always = false;  ///< every process of the suite had loaded it; the others came with some groups only (dlopen)

  bool operator==(const ExpectedObject&) const = default;
};

/// The objects that the processes of SUITE loaded in RUN: each once, the executable first.
/// not_found when the run has no objects of that suite; bad_input when it has two executables, or two libraries of one
/// name, for it: nobody can say then which of them was "the" baseline.
base::Result<std::vector<ExpectedObject>> expected_objects(const record::Run& run, const std::string& suite);

/// Compares what a process LOADED with what is EXPECTED, by content. bad_input, naming the object and both hashes, when
/// the executable or a non-system library differs, was not expected at all, was not hashed, or should have been there
/// and was not. System libraries follow the machine, not the commit: a difference there is a sentence in the value.
base::Result<std::vector<std::string>> check_loaded(const std::vector<ExpectedObject>& expected,
                                                    const std::vector<record::LoadedObject>& loaded);

}  // namespace torchgate::baselines
