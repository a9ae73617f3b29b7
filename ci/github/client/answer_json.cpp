// SPDX-License-Identifier: Apache-2.0
#include "ci/github/client/answer_json.hpp"

namespace torchgate::github {
namespace {

const Json* member_at(const Json& json, std::initializer_list<const char*> keys) {
  const Json* at = &json;
  for (const char* key : keys) {
    if (!at->is_object()) return nullptr;
    const auto found = at->find(key);
    if (found == at->end()) return nullptr;
    at = &*found;
  }
  return at;
}

}  // namespace

base::Result<Json> parsed(const std::string& text, const std::string& doing) {
  Json document = Json::parse(text, nullptr, false);
  if (document.is_discarded())
    return base::Error{base::ErrorCode::bad_input, "GitHub: " + doing + ": the answer is not JSON"};
  return document;
}

base::Result<std::vector<Json>> elements(Api& api, const std::string& path, const std::string& member) {
  const auto pages = api.pages(path);
  if (!pages) return pages.error();
  std::vector<Json> all;
  for (const std::string& text : *pages) {
    auto page = parsed(text, "reading " + path);
    if (!page) return page.error();
    Json* list = &*page;
    if (!member.empty()) list = page->is_object() && page->contains(member) ? &(*page)[member] : nullptr;
    if (list == nullptr || !list->is_array())
      return base::Error{base::ErrorCode::bad_input, "GitHub: reading " + path + ": the answer is not a list"};
    for (Json& each : *list) all.push_back(std::move(each));
  }
  return all;
}

std::string text_at(const Json& json, std::initializer_list<const char*> keys) {
  const Json* at = member_at(json, keys);
  return at != nullptr && at->is_string() ? at->get<std::string>() : "";
}

std::int64_t number_at(const Json& json, std::initializer_list<const char*> keys) {
  const Json* at = member_at(json, keys);
  return at != nullptr && at->is_number_integer() ? at->get<std::int64_t>() : 0;
}

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace torchgate::github
