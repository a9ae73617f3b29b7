// SPDX-License-Identifier: Apache-2.0
#include "baselines/postgresql/database_url.hpp"

#include <gtest/gtest.h>

#include "baselines/open_store.hpp"

namespace torchgate::baselines::postgresql::testing {
namespace {

TEST(DatabaseUrl, IsShownWithoutPasswordAndParameters) {
  for (const auto& [location, shown] :
       {std::pair{"postgresql://ci:hunter2@db.example.org:5433/perf?sslmode=require",
                  "postgresql://ci@db.example.org:5433/perf"},
        std::pair{"postgres://db/perf?user=ci&password=hunter2", "postgres://db/perf"},
        std::pair{"postgresql://ci:hunter2%40x%2Fy@a:1,b:2/perf", "postgresql://ci@a:1,b:2/perf"},
        std::pair{"postgresql://[::1]:5432/perf", "postgresql://[::1]:5432/perf"},
        std::pair{"postgresql://", "postgresql://"}}) {
    const auto url = parse_database_url(location);
    ASSERT_TRUE(url) << location;
    EXPECT_EQ(url->shown, shown);
    EXPECT_EQ(url->for_libpq, location);
    EXPECT_EQ(shown_location(location), shown);
  }
}

TEST(DatabaseUrl, APasswordInTheWrongPlaceIsNotShown) {
  for (const char* location :
       {"postgresql://ci:hun@ter2@db/perf", "postgresql://ci:hun/ter2@db/perf", "postgresql://ci:hun?ter2@db/perf",
        "postgresql://ci:hunter2", "postgresql://ci:hunter2/perf", "postgresql://db/perf?password=hun@ter2",
        "postgresql://ci:hunter2 @db/perf", "postgresql://a:1,ci:hunter2/perf"}) {
    const auto url = parse_database_url(location);
    ASSERT_FALSE(url) << location;
    EXPECT_EQ(url.error().code, base::ErrorCode::bad_input);
    for (const std::string& message : {url.error().message, shown_location(location)}) {
      EXPECT_EQ(message.find("hun"), std::string::npos) << message;
      EXPECT_EQ(message.find("ter2"), std::string::npos) << message;
    }
  }
}

TEST(DatabaseUrl, OurOwnParameterIsNotLibpqs) {
  const auto url =
      parse_database_url("postgresql://db/perf?sslmode=require&torchgate_objects=%2Fmnt%2Fa%20b&connect_timeout=3");
  ASSERT_TRUE(url);
  EXPECT_EQ(url->for_libpq, "postgresql://db/perf?sslmode=require&connect_timeout=3");
  EXPECT_EQ(url->objects, "/mnt/a b");
  for (const char* folder : {"", "=", "=relative", "=%2", "=%00", "=/a%zz"})
    EXPECT_FALSE(parse_database_url(std::string("postgresql://db/perf?torchgate_objects") + folder)) << folder;
}

}  // namespace
}  // namespace torchgate::baselines::postgresql::testing
