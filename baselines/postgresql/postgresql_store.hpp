// SPDX-License-Identifier: Apache-2.0
// A store in a PostgreSQL database. Tables, views and guarantees: baselines/README.md.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "baselines/store.hpp"
#include "harness/base/result.hpp"

namespace torchgate::baselines {

/// How long an operation is repeated while the server cannot be reached, or restarts, after it was reached before: it restarts within seconds.
inline constexpr std::chrono::milliseconds database_patience{15'000};

/// open_store for postgresql://... With OpenMode::create a missing store is made where the role may make tables. An older or a newer schema is
/// bad_input: the message says what to do.
base::Result<std::unique_ptr<Store>> open_postgresql_store(const std::string& location, OpenMode mode,
                                                           std::chrono::milliseconds patience = database_patience);

/// Brings the schema of the store to the version of this torchgate, or makes the store. All steps or none; safe when several do it at once.
/// Returns a sentence: from which version to which.
base::Result<std::string> migrate_postgresql_store(const std::string& location);

}  // namespace torchgate::baselines
