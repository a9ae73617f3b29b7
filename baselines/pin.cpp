// SPDX-License-Identifier: Apache-2.0
#include "baselines/pin.hpp"

#include <set>

#include "baselines/safe_name.hpp"
#include "baselines/store_checks.hpp"
#include "harness/base/hexadecimal.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/json/fields.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::baselines {
namespace {

using base::Error;
using base::ErrorCode;

constexpr std::size_t run_id_digits = 16;

std::string read_name(json::JsonReader& reader) {
  std::string name = reader.name();
  if (!is_safe_folder_name(name)) reader.fail("expected the name of a pin");
  return name;
}

std::string read_time(json::JsonReader& reader) {
  std::string time = reader.name();
  if (!is_utc_time(time)) reader.fail("expected a time (YYYY-MM-DDThh:mm:ss.mmmZ)");
  return time;
}

std::string read_commit(json::JsonReader& reader) {
  if (reader.null()) return {};  // removed
  std::string commit = reader.name();
  if (!record::is_full_commit(commit)) reader.fail("expected a full commit hash, or null");
  return commit;
}

void write_commit(json::JsonWriter& json, const std::string& commit) {
  commit.empty() ? json.null() : json.value(commit);
}

std::vector<std::string> read_runs(json::JsonReader& reader) {
  std::vector<std::string> runs;
  std::set<std::string> known;
  reader.array(most_pinned_runs, [&](std::int64_t) {
    std::string id = reader.name();
    if (reader.failed()) return;
    if (id.size() != run_id_digits || !base::is_lower_hex(id))
      return reader.fail("expected a run id (16 hexadecimal digits)");
    if (!known.insert(id).second) return reader.fail("duplicate run " + id);
    runs.push_back(std::move(id));
  });
  return runs;
}

void check_pin(json::JsonReader& reader, const Pin& pin) {
  if (pin.commit.empty() != pin.runs.empty()) reader.fail("expected a commit and its runs, or neither (a removed pin)");
}

constexpr json::Table pin_fields{
    json::checked<Pin>(check_pin),
    json::schema("torchgate.pin/1"),
    json::required("name", &Pin::name, read_name),
    json::required("created", &Pin::created, read_time),
    json::required("commit", &Pin::commit, json::form(read_commit, write_commit)),
    json::required("runs", &Pin::runs, read_runs),
    json::required("tool_version", &Pin::tool_version, json::name),
};

}  // namespace

base::Result<void> check_pin_name(std::string_view name) {
  if (is_safe_folder_name(name)) return {};
  return Error{ErrorCode::bad_input,
               "invalid name of a pin " + base::in_quotes(std::string(name)) +
                   "; use up to 128 letters, digits and ._- that do not begin with a dot, such as v1.2"};
}

std::string to_json(const Pin& pin) {
  return json::write_document<pin_fields>(pin);
}

base::Result<Pin> pin_from_json(std::string_view text, const std::string& where) {
  return json::read_document<pin_fields>(text, where);
}

}  // namespace torchgate::baselines
