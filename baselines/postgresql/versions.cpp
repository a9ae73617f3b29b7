// SPDX-License-Identifier: Apache-2.0
#include "baselines/postgresql/versions.hpp"

#include <charconv>
#include <string>
#include <string_view>
#include <vector>

namespace torchgate::baselines::postgresql {

namespace embedded {
extern const std::string_view schema_001_tables;
extern const std::string_view schema_002_views;
}  // namespace embedded

namespace {

using base::Error;
using base::ErrorCode;
using base::Result;

/// The step to version 1, to version 2, ...
std::vector<std::string_view> steps() {
  return {embedded::schema_001_tables, embedded::schema_002_views};
}

// Any number that other programs of the database hardly use: "torchgat" in ASCII.
constexpr const char* migration_lock = "SELECT pg_advisory_xact_lock(8390891584205971828)";

Error newer(int version, const std::string& shown_url) {
  return {ErrorCode::bad_input, shown_url + ": the store has schema " + std::to_string(version) +
                                    ", which is newer than this torchgate (" + std::to_string(newest_version()) +
                                    "); update torchgate"};
}

}  // namespace

int newest_version() {
  return static_cast<int>(steps().size());
}

Result<int> version_of(Session& session) {
  // Not to_regclass(): in a transaction that waited for another one's migration it may still answer from before.
  const auto there = session.query(
      "SELECT (EXISTS (SELECT FROM pg_class WHERE relname = 'torchgate_schema' AND pg_table_is_visible(oid)))::text");
  if (!there) return there.error();
  if (there->at(0, 0) != "true") return 0;
  const auto rows = session.query("SELECT coalesce(max(version), 0)::text FROM torchgate_schema");
  if (!rows) return rows.error();
  const std::string_view digits = rows->at(0, 0);
  int version = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), version);
  return version;
}

Result<void> check_version(int version, const std::string& shown_url) {
  if (version == newest_version()) return {};
  if (version == 0)
    return Error{ErrorCode::no_verdict, "no baseline store in " + shown_url +
                                            "; create it and add the first run with `torchgate baseline add`, or copy "
                                            "another store with `torchgate store copy`"};
  if (version > newest_version()) return newer(version, shown_url);
  return Error{ErrorCode::bad_input,
               shown_url + ": the store has schema " + std::to_string(version) +
                   ", which is older than this torchgate (" + std::to_string(newest_version()) +
                   "); have its owner run `torchgate store migrate`, after every machine that uses "
                   "it has this version"};
}

Result<int> migrate(Database& database) {
  return database.transact([&](Session& session) -> Result<int> {
    if (auto locked = session.query(migration_lock); !locked) return locked.error();
    const auto version = version_of(session);
    if (!version) return version.error();
    if (*version > newest_version()) return newer(*version, database.url().shown);
    const auto all = steps();
    for (auto step = static_cast<std::size_t>(*version); step < all.size(); ++step) {
      if (auto done = session.batch(std::string(all[step])); !done) return done.error();
      const std::string number = std::to_string(step + 1);
      const auto noted = session.query("INSERT INTO torchgate_schema (version) VALUES ($1::integer)", {text(number)});
      if (!noted) return noted.error();
    }
    return version;
  });
}

}  // namespace torchgate::baselines::postgresql
