// SPDX-License-Identifier: Apache-2.0
// The top level of a document, whose members refer to each other, in whatever order the text has them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/json/json_reader.hpp"

namespace torchgate::record::internal {

struct Section {
  std::string_view key;
  int stage = 1;  ///< read when all required sections of lower stages have been; "schema" alone is stage 0
  bool required = true;
  std::function<void()> read;
  bool referred_to = false;  ///< optional, and higher stages wait for it where the text has it at all
};

/// Reads the whole text: each section once, as early as its stage allows. The sections stand in ascending order of stage.
/// Returns all other members as a JSON object.
std::string read_sections(json::JsonReader& reader, const std::vector<Section>& sections);

/// Checks the name and version of the format, e.g. "torchgate.run/1".
void read_schema(json::JsonReader& reader, std::string_view expected);

}  // namespace torchgate::record::internal
