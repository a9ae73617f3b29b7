// SPDX-License-Identifier: Apache-2.0
// Private to ci/github/client: answers of the API as JSON trees. Bounded by the size of an answer; what is missing or of another type is
// an empty value, and each caller checks what it needs.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ci/github/client/api.hpp"
#include "harness/base/result.hpp"

namespace torchgate::github {

using Json = nlohmann::json;

/// bad_input: TEXT is not JSON.
base::Result<Json> parsed(const std::string& text, const std::string& doing);

/// The elements of all pages of a list; with MEMBER, of that array of each page.
base::Result<std::vector<Json>> elements(Api& api, const std::string& path, const std::string& member = "");

/// The member at a path of keys such as {"user", "login"}; "" and 0 if it is missing or of another type.
std::string text_at(const Json& json, std::initializer_list<const char*> keys);
std::int64_t number_at(const Json& json, std::initializer_list<const char*> keys);

/// For a request's body. Malformed UTF-8 is replaced, so it never fails.
std::string dumped(const Json& json);

}  // namespace torchgate::github
