// SPDX-License-Identifier: Apache-2.0
// The text of an issue, in which `torchgate triage` finds the cause again.
#include "ci/github/triage/triage_cause.hpp"

#include <algorithm>

#include "ci/github/triage/triage_text.hpp"
#include "harness/record/short_commit.hpp"
#include "tests/fuzz/target.hpp"

using namespace torchgate;

TORCHGATE_FUZZ_TARGET(triage_cause) {
  const auto cause = github::cause_in(std::string(input));
  if (!cause) return fuzz::require(!cause.error().message.empty(), "an error has a message");
  fuzz::accepted();
  fuzz::require(record::is_full_commit(cause->commit), "a commit is a full hash");
  const std::string line = github::cause_line(*cause);
  const auto again = github::cause_in('\n' + line);
  fuzz::require(again.ok(), "what was read can be read again: " + (again ? "" : again.error().message));
  fuzz::require(github::cause_line(*again) == line, "what was read again is what was read");
  const std::string filter = github::case_filter(*cause);
  fuzz::require(std::all_of(filter.begin(), filter.end(), [](char c) { return c > ' ' && c < '\x7f' && c != '\''; }),
                "a filter is printable");
}
