// SPDX-License-Identifier: Apache-2.0
// What the tests of a store in PostgreSQL share: a schema for each test, in the server of the program.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "baselines/postgresql/postgresql_store.hpp"
#include "harness/base/content_hash.hpp"
#include "tests/baselines/postgresql_server.hpp"
#include "tests/harness/base/temporary_folder.hpp"

namespace torchgate::baselines::testing {

/// The schema of a test, from the name of its folder.
inline std::string schema_of(const std::filesystem::path& scratch) {
  return "s_" + base::sha256(scratch.string()).substr(0, 16);
}

inline ::testing::AssertionResult has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos ? ::testing::AssertionSuccess()
                                              : ::testing::AssertionFailure() << "no '" << part << "' in: " << text;
}

class PostgresqlStoreTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::string schema() const { return schema_of(scratch_.path()); }
  [[nodiscard]] std::string url(const std::string& user = "postgres", const std::string& parameters = "") const {
    return server().url(schema(), user, parameters);
  }
  [[nodiscard]] std::unique_ptr<Store> open(const std::string& location) const {
    auto store = open_postgresql_store(location, OpenMode::create);
    EXPECT_TRUE(store) << store.error().message;
    return std::move(store).value();
  }
  [[nodiscard]] std::string sql(const std::string& text, const std::string& user = "postgres") const {
    return server().sql(schema(), text, user);
  }
  void change(const std::string& text) const { EXPECT_FALSE(has(sql(text), "ERROR")) << text; }
  static PostgresqlServer& server() { return *PostgresqlServer::get(); }

  base::testing::TemporaryFolder scratch_;
};

}  // namespace torchgate::baselines::testing
