// SPDX-License-Identifier: Apache-2.0
#include "baselines/pin.hpp"

#include <nlohmann/json.hpp>
#include <set>

#include "baselines/safe_name.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/json/json_reader.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::baselines {
namespace {

using base::Error;
using base::ErrorCode;

constexpr std::string_view pin_schema = "torchgate.pin/1";
constexpr std::size_t run_id_digits = 16;
constexpr std::string_view pin_time_pattern = "dddd-dd-ddTdd:dd:dd.dddZ";  // d: a digit

bool is_iso_time(std::string_view text) {
  if (text.size() != pin_time_pattern.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (pin_time_pattern[i] == 'd' ? !digit : text[i] != pin_time_pattern[i]) return false;
  }
  return true;
}

void read_runs(json::JsonReader& reader, Pin& pin) {
  std::set<std::string> known;
  reader.array(most_pinned_runs, [&](std::int64_t) {
    std::string id = reader.name();
    if (reader.failed()) return;
    if (id.size() != run_id_digits || !is_hex(id)) return reader.fail("expected a run id (16 hexadecimal digits)");
    if (!known.insert(id).second) return reader.fail("duplicate run " + id);
    pin.runs.push_back(std::move(id));
  });
}

}  // namespace

base::Result<void> check_pin_name(std::string_view name) {
  if (is_safe_folder_name(name)) return {};
  return Error{ErrorCode::bad_input,
               "invalid name of a pin " + base::in_quotes(std::string(name)) +
                   "; use up to 128 letters, digits and ._- that do not begin with a dot, such as v1.2"};
}

std::string to_json(const Pin& pin) {
  using Json = nlohmann::ordered_json;
  const Json json{{"schema", std::string(pin_schema)},
                  {"name", pin.name},
                  {"created", pin.created},
                  {"commit", pin.removed() ? Json(nullptr) : Json(pin.commit)},
                  {"runs", pin.runs},
                  {"tool_version", pin.tool_version}};
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

base::Result<Pin> pin_from_json(std::string_view text, const std::string& where) {
  json::JsonReader reader(text, where);
  Pin pin;
  reader.object({"schema", "name", "created", "commit", "runs", "tool_version"}, [&](std::string_view key) {
    if (key == "schema") {
      if (const std::string is = reader.string(); !reader.failed() && is != pin_schema)
        reader.fail("expected " + std::string(pin_schema) + ", found " + base::in_quotes(is));
    } else if (key == "name") {
      pin.name = reader.name();
      if (!reader.failed() && !is_safe_folder_name(pin.name)) reader.fail("expected the name of a pin");
    } else if (key == "created") {
      pin.created = reader.name();
      if (!reader.failed() && !is_iso_time(pin.created)) reader.fail("expected a time (YYYY-MM-DDThh:mm:ss.mmmZ)");
    } else if (key == "commit") {
      if (reader.null()) return;
      pin.commit = reader.name();
      if (!reader.failed() && !record::is_full_commit(pin.commit)) reader.fail("expected a full commit hash, or null");
    } else if (key == "runs") {
      read_runs(reader, pin);
    } else if (key == "tool_version") {
      pin.tool_version = reader.name();
    } else {
      reader.skip();
    }
  });
  if (!reader.failed() && pin.commit.empty() != pin.runs.empty())
    reader.fail("expected a commit and its runs, or neither (a removed pin)");
  reader.end();
  if (reader.failed()) return reader.error();
  return pin;
}

}  // namespace torchgate::baselines
