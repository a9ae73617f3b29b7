// SPDX-License-Identifier: Apache-2.0
// Private to baselines: the versions of the schema, in schema/*.sql, and the steps from each to the next.
#pragma once

#include "baselines/postgresql/database.hpp"
#include "harness/base/result.hpp"

namespace torchgate::baselines::postgresql {

/// The version that this torchgate reads and writes.
int newest_version();

/// The version that the database has; 0: no store.
base::Result<int> version_of(Session& session);

/// no_verdict: there is no store; bad_input: its version is older or newer than this torchgate's. The message says what to do.
base::Result<void> check_version(int version, const std::string& shown_url);

/// Brings the database to the newest version, from none or an older one: all steps or none of them. Others who do the same at once wait, and
/// then find it done. Returns the version that it had. bad_input: it has a newer one.
base::Result<int> migrate(Database& database);

}  // namespace torchgate::baselines::postgresql
