// SPDX-License-Identifier: Apache-2.0
// The report that `torchgate accept` reads back.
#include "ci/github/comment/last_report.hpp"

#include "tests/fuzz/file_set.hpp"
#include "tests/fuzz/target.hpp"

using namespace torchgate;

TORCHGATE_FUZZ_TARGET(last_report) {
  static const fuzz::ScratchFolder folder;
  const auto report = github::load_report(folder.write("report.json", input).string());
  if (!report) return fuzz::require(!report.error().message.empty(), "an error has a message");
  fuzz::accepted();
}
