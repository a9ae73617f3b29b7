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

/// The newest record of NAME, also one that removed it; absent: none.
Result<std::optional<Pin>> newest_record(Session& session, const std::string& name) {
  const auto rows = session.query(
      "SELECT name, created, record FROM torchgate_pin WHERE name = $1 ORDER BY created DESC LIMIT 1", {text(name)});
  if (!rows) return rows.error();
  if (rows->size() == 0) return std::optional<Pin>();
  auto pin = pin_of(*rows, 0, session.url().shown);
  if (!pin) return pin.error();
  return std::optional(std::move(pin).value());
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

Result<NewestCalibration> newest_calibration(Session& session, const std::string& host_key) {
  const std::string latest = base::latest_creation_time();
  const auto later = session.query(
      "SELECT created FROM torchgate_calibration WHERE host_key = $1 AND created > $2 ORDER BY created DESC LIMIT 1",
      {text(host_key), text(latest)});
  if (!later) return later.error();
  const auto rows = session.query(
      "SELECT created, record FROM torchgate_calibration WHERE host_key = $1 AND created <= $2"
      " ORDER BY created DESC LIMIT 1",
      {text(host_key), text(latest)});
  if (!rows) return rows.error();
  const auto shown = [&](const std::string& created) {
    return session.url().shown + ": calibration of " + host_key + " at " + base::shown(created);
  };
  NewestCalibration found;
  if (later->size() > 0)
    found.warning = calibration_ignored(shown(std::string(later->at(0, 0))), "delete its row of torchgate_calibration");
  if (rows->size() == 0) return found;
  const std::string created(rows->at(0, 0));
  const std::string repair = "; delete its row of torchgate_calibration, or run `torchgate calibrate` again";
  auto calibration = record::calibration_from_json(rows->at(0, 1), shown(created));
  if (!calibration) return Error{calibration.error().code, calibration.error().message + repair};
  if (calibration->created != created || calibration->host_key != host_key)
    return Error{ErrorCode::bad_input, shown(created) + ": its content is of another host or time" + repair};
  found.calibration = std::move(calibration).value();
  return found;
}

Result<std::vector<std::string>> hosts_with_calibration(Session& session) {
  const auto rows = session.query("SELECT DISTINCT host_key FROM torchgate_calibration ORDER BY host_key");
  if (!rows) return rows.error();
  std::vector<std::string> hosts;
  hosts.reserve(static_cast<std::size_t>(rows->size()));
  for (int row = 0; row < rows->size(); ++row) hosts.emplace_back(rows->at(row, 0));
  return hosts;
}

Result<void> insert_pin(Session& session, Pin& pin, std::optional<PinBefore> before, bool& inserted) {
  if (const auto valid = check_pin_name(pin.name); !valid) return valid.error();
  const auto locked =
      session.query("SELECT pg_advisory_xact_lock(hashtextextended('torchgate pin ' || $1, 0))", {text(pin.name)});
  if (!locked) return locked.error();
  if (inserted) {
    const auto own = session.query("SELECT 'x' FROM torchgate_pin WHERE name = $1 AND created = $2 AND record = $3",
                                   {text(pin.name), text(pin.created), bytes(to_json(pin))});
    if (!own) return own.error();
    if (own->size() == 1) return {};
  }
  const auto newest = newest_record(session, pin.name);
  if (!newest) return newest.error();
  if (before) {
    auto next = next_pin(pin, *newest, *before);
    if (!next) return next.error();
    pin = *std::move(next);
  } else if (*newest && (*newest)->created >= pin.created) {
    return Error{ErrorCode::bad_input, "pin " + pin.name + ": its newest record is of " + (*newest)->created +
                                           ", not before " + pin.created + "; check the clock"};
  }
  const std::string record = to_json(pin);
  if (const auto readable = pin_from_json(record, "pin " + pin.name); !readable) return readable.error();
  const auto commit = pin.removed() ? std::nullopt : std::optional(record::short_commit(pin.commit));
  const auto added =
      session.query("INSERT INTO torchgate_pin (name, created, commit_digits, record) VALUES ($1, $2, $3, $4)",
                    {text(pin.name), text(pin.created), text(commit), bytes(record)});
  if (!added) return added.error();
  inserted = true;
  return {};
}

Result<std::optional<Pin>> newest_pin(Session& session, const std::string& name) {
  auto pin = newest_record(session, name);
  if (pin && *pin && (*pin)->removed()) return std::optional<Pin>();
  return pin;
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
