// SPDX-License-Identifier: Apache-2.0
// A pin of a store: read, written back.
#include "baselines/pin.hpp"

#include "harness/base/hexadecimal.hpp"
#include "tests/fuzz/target.hpp"

using namespace torchgate;

TORCHGATE_FUZZ_TARGET(pin) {
  const auto pin = baselines::pin_from_json(input, "input");
  if (!pin) return fuzz::require(!pin.error().message.empty(), "an error has a message");
  fuzz::accepted();
  const auto again = baselines::pin_from_json(baselines::to_json(*pin), "written back");
  fuzz::require(again.ok(), "what was read can be read again: " + (again ? "" : again.error().message));
  fuzz::require(*again == *pin, "what was read again is what was read");
  fuzz::require(baselines::check_pin_name(pin->name).ok(), "a name is that of a folder");
  fuzz::require(pin->removed() || base::is_lower_hex(pin->commit), "a commit is a hash");
  for (const std::string& id : pin->runs) fuzz::require(base::is_lower_hex(id), "an id is not a path");
}
