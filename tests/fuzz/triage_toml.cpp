// SPDX-License-Identifier: Apache-2.0
// torchgate-triage.toml. Its owners become "@owner" in an issue.
#include "ci/policy/triage_file.hpp"

#include "tests/fuzz/target.hpp"

using namespace torchgate;

TORCHGATE_FUZZ_TARGET(triage_toml) {
  const auto entries = policy::parse_triage(input, "torchgate-triage.toml");
  if (!entries) return fuzz::require(!entries.error().message.empty(), "an error has a message");
  fuzz::accepted();
  for (const policy::TriageEntry& entry : *entries) {
    fuzz::require(entry.commit.size() >= 12 && entry.is_about(entry.commit), "a commit is 12 digits or more");
    fuzz::require(!entry.owner.empty() && entry.owner.find_first_of(" @/\n") == std::string::npos,
                  "an owner is a login");
    fuzz::require(!entry.closes() || !entry.reason.empty(), "what closes has a reason");
  }
}
