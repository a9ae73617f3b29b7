// SPDX-License-Identifier: Apache-2.0
#include "harness/import/json_keys.hpp"

#include "harness/json/json_reader.hpp"

namespace torchgate::import {

std::set<std::string, std::less<>> outer_keys(std::string_view head) {
  std::set<std::string, std::less<>> keys;
  json::JsonReader reader(head, "head");
  reader.accept_non_finite();
  reader.object({}, [&](std::string_view key) {
    keys.emplace(key);
    reader.skip();  // fails where the head ends
  });
  return keys;
}

bool mentions(std::string_view head, std::string_view key) {
  return head.find('"' + std::string(key) + '"') != std::string_view::npos;
}

}  // namespace torchgate::import
