// SPDX-License-Identifier: Apache-2.0
// torchgate-waivers.toml. What was accepted is written as `torchgate accept` writes it, and read again.
#include "ci/policy/waiver_of_finding.hpp"
#include "ci/policy/waivers.hpp"
#include "tests/fuzz/target.hpp"

using namespace torchgate;

namespace {

// The place of a waiver in its file is not part of it.
std::vector<policy::Waiver> without_places(std::vector<policy::Waiver> waivers) {
  for (policy::Waiver& waiver : waivers) waiver.place.clear();
  return waivers;
}

}  // namespace

TORCHGATE_FUZZ_TARGET(waivers_toml) {
  const auto waivers = policy::parse_waivers(input, "torchgate-waivers.toml");
  if (!waivers) return fuzz::require(!waivers.error().message.empty(), "an error has a message");
  fuzz::accepted();
  const auto text = policy::append_waivers("", *waivers, "torchgate-waivers.toml");
  fuzz::require(text.ok(), "what was read can be written: " + (text ? "" : text.error().message));
  const auto again = policy::parse_waivers(*text, "torchgate-waivers.toml");
  fuzz::require(again.ok() && without_places(*again) == without_places(*waivers),
                "what was read again is what was read");
}
