// SPDX-License-Identifier: Apache-2.0
// torchgate-waivers.toml. What was accepted is written as `torchgate accept` writes it, and read again.
#include "ci/gate/accept.hpp"
#include "ci/gate/waivers.hpp"
#include "tests/fuzz/target.hpp"

using namespace torchgate;

namespace {

// Where a waiver stands is no part of it.
std::vector<gate::Waiver> without_places(std::vector<gate::Waiver> waivers) {
  for (gate::Waiver& waiver : waivers) waiver.place.clear();
  return waivers;
}

}  // namespace

TORCHGATE_FUZZ_TARGET(waivers_toml) {
  const auto waivers = gate::parse_waivers(input, "torchgate-waivers.toml");
  if (!waivers) return fuzz::require(!waivers.error().message.empty(), "an error has a message");
  fuzz::accepted();
  const auto text = gate::append_waivers("", *waivers, "torchgate-waivers.toml");
  fuzz::require(text.ok(), "what was read can be written: " + (text ? "" : text.error().message));
  const auto again = gate::parse_waivers(*text, "torchgate-waivers.toml");
  fuzz::require(again.ok() && without_places(*again) == without_places(*waivers),
                "what was read again is what was read");
}
