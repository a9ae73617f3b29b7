// SPDX-License-Identifier: Apache-2.0
#include "baselines/postgresql/records.hpp"

#include <utility>

#include "baselines/store_checks.hpp"
#include "harness/base/creation_time.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::baselines::postgresql {
namespace {

using base::Error;
using base::ErrorCode;
using base::Result;

/// The pin in a row of name, created, record. Damaged or from the future: bad_input.
Result<Pin> pin_of(const Rows& rows, int row, const std::string& shown_url) {
  const std::string name(rows.at(row, 0));
  const std::string created(rows.at(row, 1));
  const std::string where = shown_url + ": pin " + base::shown(name) + " of " + base::shown(created);
  const std::string repair = "; delete its row of torchgate_pin, or restore the database";
  auto pin = pin_from_json(rows.at(row, 2), where);
  if (!pin) return Error{pin.error().code, pin.error().message + repair};
  if (pin->name != name || pin->created != created)
    return Error{ErrorCode::bad_input, where + ": its content is of another pin or time" + repair};
  if (base::is_from_the_future(pin->created))
    return Error{ErrorCode::bad_input, where + ": its time is later than now; check the clocks, or delete its row"};
  return pin;
}

}  // namespace

Result<void> insert_calibration(Session& session, const record::Calibration& calibration, bool& inserted) {
  const std::string record = record::to_json(calibration);
  const std::string run_sd = std::to_string(calibration.run_sd);
  const auto rows = session.query(
      "INSERT INTO torchgate_calibration (host_key, created, run_sd, record) VALUES ($1, $2, $3::double precision, $4)"
      " ON CONFLICT DO NOTHING",
      {text(calibration.host_key), text(calibration.created), text(run_sd), bytes(record)});
  if (!rows) return rows.error();
  if (rows->affected() == 1) {
    inserted = true;
    return {};
  }
  if (inserted) {
    const auto own =
        session.query("SELECT 'x' FROM torchgate_calibration WHERE host_key = $1 AND created = $2 AND record = $3",
                      {text(calibration.host_key), text(calibration.created), bytes(record)});
    if (!own) return own.error();
    if (own->size() == 1) return {};
  }
  return Error{ErrorCode::bad_input, "calibration of " + calibration.host_key + " at " + calibration.created +
                                         ": already stored; stored calibrations never change"};
}

Result<std::optional<record::Calibration>> newest_calibration(Session& session, const std::string& host_key) {
  const auto rows = session.query(
      "SELECT created, record FROM torchgate_calibration WHERE host_key = $1 ORDER BY created DESC LIMIT 1",
      {text(host_key)});
  if (!rows) return rows.error();
  if (rows->size() == 0) return std::optional<record::Calibration>();
  const std::string created(rows->at(0, 0));
  const std::string where = session.url().shown + ": calibration of " + host_key + " at " + base::shown(created);
  const std::string repair = "; delete its row of torchgate_calibration, or run `torchgate calibrate` again";
  auto calibration = record::calibration_from_json(rows->at(0, 1), where);
  if (!calibration) return Error{calibration.error().code, calibration.error().message + repair};
  if (calibration->created != created || calibration->host_key != host_key || base::is_from_the_future(created))
    return Error{ErrorCode::bad_input, where +
                                           ": its time is later than now, or its content is of another host or time" +
                                           repair + " after correcting the clock"};
  return std::optional(std::move(calibration).value());
}

Result<std::vector<std::string>> hosts_with_calibration(Session& session) {
  const auto rows = session.query("SELECT DISTINCT host_key FROM torchgate_calibration ORDER BY host_key");
  if (!rows) return rows.error();
  std::vector<std::string> hosts;
  for (int row = 0; row < rows->size(); ++row) hosts.emplace_back(rows->at(row, 0));
  return hosts;
}

Result<void> insert_pin(Session& session, const Pin& pin, bool& inserted) {
  const std::string record = to_json(pin);
  if (const auto readable = pin_from_json(record, "pin " + pin.name); !readable) return readable.error();
  const auto locked =
      session.query("SELECT pg_advisory_xact_lock(hashtextextended('torchgate pin ' || $1, 0))", {text(pin.name)});
  if (!locked) return locked.error();
  if (inserted) {
    const auto own = session.query("SELECT 'x' FROM torchgate_pin WHERE name = $1 AND created = $2 AND record = $3",
                                   {text(pin.name), text(pin.created), bytes(record)});
    if (!own) return own.error();
    if (own->size() == 1) return {};
  }
  const auto newest = session.query("SELECT max(created) FROM torchgate_pin WHERE name = $1", {text(pin.name)});
  if (!newest) return newest.error();
  if (const auto before = newest->optional_at(0, 0); before && *before >= pin.created)
    return Error{ErrorCode::bad_input, "pin " + pin.name + ": its newest record is of " + *before + ", not before " +
                                           pin.created + "; check the clock"};
  const auto commit = pin.removed() ? std::nullopt : std::optional(record::short_commit(pin.commit));
  const auto added =
      session.query("INSERT INTO torchgate_pin (name, created, commit_digits, record) VALUES ($1, $2, $3, $4)",
                    {text(pin.name), text(pin.created), text(commit), bytes(record)});
  if (!added) return added.error();
  inserted = true;
  return {};
}

Result<std::optional<Pin>> newest_pin(Session& session, const std::string& name) {
  const auto rows = session.query(
      "SELECT name, created, record FROM torchgate_pin WHERE name = $1 ORDER BY created DESC LIMIT 1", {text(name)});
  if (!rows) return rows.error();
  if (rows->size() == 0) return std::optional<Pin>();
  auto pin = pin_of(*rows, 0, session.url().shown);
  if (!pin) return pin.error();
  if (pin->removed()) return std::optional<Pin>();
  return std::optional(std::move(pin).value());
}

Result<PinList> newest_pins(Session& session) {
  const auto rows =
      session.query("SELECT DISTINCT ON (name) name, created, record FROM torchgate_pin ORDER BY name, created DESC");
  if (!rows) return rows.error();
  PinList list;
  for (int row = 0; row < rows->size(); ++row) {
    auto pin = pin_of(*rows, row, session.url().shown);
    if (!pin) {
      list.damaged.push_back(pin.error().message);
    } else {
      (pin->removed() ? list.removed : list.pins).push_back(std::move(pin).value());
    }
  }
  return list;
}

}  // namespace torchgate::baselines::postgresql
