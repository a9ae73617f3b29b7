// SPDX-License-Identifier: Apache-2.0
// The whole program but main() in a folder of its own: what the tests of the commands share.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "harness/record/run.hpp"
#include "tests/ci/workflow/working_folder.hpp"

namespace torchgate::cli::testing {

using workflow::testing::read_text;
using workflow::testing::write_text;

struct Ran {
  int code = 0;
  std::string out;
  std::string err;
};

class ProgramFolder : public workflow::testing::WorkingFolder {
 public:
  /// `torchgate ARGUMENTS...` in this process.
  [[nodiscard]] Ran torchgate(const std::vector<std::string>& arguments) const;
};

/// TEXT has PART in it; else says what it has.
::testing::AssertionResult has(const std::string& text, const std::string& part);

/// Presses Ctrl-C once a run of this folder has measured a process.
std::thread interrupting_user();

/// One case, "g/one/v/case", measured by five processes around TIME_NS.
record::Run made_run(const std::string& id, double time_ns);
inline constexpr const char* made_case = "g/one/v/case";

/// RUN as pairs of a side BEFORE and a side AFTER, both of which measured what RUN did.
record::Run pairs_of(record::Run run, const std::string& before, const std::string& after);

/// A case of the fake suite's group "ok".
inline constexpr const char* fake_case = "fake/ok/eager/device:cpu";

}  // namespace torchgate::cli::testing
