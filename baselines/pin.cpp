// SPDX-License-Identifier: Apache-2.0
#include "baselines/pin.hpp"

#include <chrono>
#include <set>
#include <utility>

#include "baselines/safe_name.hpp"
#include "baselines/store_checks.hpp"
#include "harness/base/hexadecimal.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/base/timestamp.hpp"
#include "harness/json/fields.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::baselines {
namespace {

using base::Error;
using base::ErrorCode;

constexpr std::size_t run_id_digits = 16;

/// UTC, as is_utc_time() says.
std::string one_ms_after(const std::string& utc) {
  constexpr std::size_t at = std::string_view("YYYY-MM-DDThh:mm:ss.").size();
  const std::chrono::milliseconds ms(std::stoi(utc.substr(at, 3)) + 1);
  return base::utc_timestamp(std::chrono::sys_time<std::chrono::milliseconds>(*base::utc_seconds(utc)) + ms);
}

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

base::Result<void> check_pinned_run(const Pin& pin, const std::string& id, const std::optional<std::string>& commit) {
  if (commit == record::short_commit(pin.commit)) return {};
  return Error{ErrorCode::bad_input, "run " + id + " is not stored as a baseline of commit " +
                                         record::short_commit(pin.commit) + "; pin runs of one commit"};
}

base::Result<void> check_pin_before(const std::string& name, const std::optional<Pin>& newest, PinBefore before) {
  const bool in_force = newest && !newest->removed();
  if (before == PinBefore::none && in_force)
    return Error{ErrorCode::bad_input, "pin " + name + " already names commit " + record::short_commit(newest->commit) +
                                           "; move it with --move, or choose another name"};
  if (before == PinBefore::one && !in_force)
    return Error{ErrorCode::not_found,
                 "pin " + name + ": unknown, or already removed; `torchgate baseline list` names the pins"};
  return {};
}

base::Result<Pin> next_pin(Pin pin, const std::optional<Pin>& newest, PinBefore before) {
  if (auto checked = check_pin_before(pin.name, newest, before); !checked) return checked.error();
  if (newest && newest->created >= pin.created) pin.created = one_ms_after(newest->created);
  return pin;
}

std::string to_json(const Pin& pin) {
  return json::write_document<pin_fields>(pin);
}

base::Result<Pin> pin_from_json(std::string_view text, const std::string& where) {
  return json::read_document<pin_fields>(text, where);
}

}  // namespace torchgate::baselines
