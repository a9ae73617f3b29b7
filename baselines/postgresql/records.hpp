// SPDX-License-Identifier: Apache-2.0
// Private to baselines: pins and calibrations of a store in PostgreSQL: records that are only added, of which the newest is in force.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "baselines/pin.hpp"
#include "baselines/postgresql/database_session.hpp"
#include "baselines/store.hpp"
#include "harness/base/result.hpp"
#include "harness/record/calibration.hpp"

namespace torchgate::baselines::postgresql {

/// As Store::put_calibration. INSERTED: set once the statement succeeded; true before: this call repeats a transaction whose commit may
/// have arrived, so an identical record of that key is its own.
base::Result<void> insert_calibration(Session& session, const record::Calibration& calibration, bool& inserted);
/// As Store::calibration.
base::Result<NewestCalibration> newest_calibration(Session& session, const std::string& host_key);
base::Result<std::vector<std::string>> hosts_with_calibration(Session& session);

/// As Store::put_pin, with BEFORE as Store::add_pin, which gives PIN its time; but for its runs, which the caller has checked. One transaction
/// at a time adds a record of a name. INSERTED: as above.
base::Result<void> insert_pin(Session& session, Pin& pin, std::optional<PinBefore> before, bool& inserted);
/// As Store::pin.
base::Result<std::optional<Pin>> newest_pin(Session& session, const std::string& name);
/// As Store::pins.
base::Result<PinList> newest_pins(Session& session);

}  // namespace torchgate::baselines::postgresql
