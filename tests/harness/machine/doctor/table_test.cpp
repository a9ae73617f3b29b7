// SPDX-License-Identifier: Apache-2.0
// The table as a whole: no row without a test of each of its answers, and no undocumented row.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "tests/harness/machine/doctor/answers.hpp"

namespace torchgate::machine::doctor {
namespace {

TEST(DoctorTable, EveryRowWasForcedToEveryAnswer) {
  testing::Forced forced = testing::force_settings();
  forced.merge(testing::force_what_happens());
  forced.merge(testing::force_gpu_rows());
  for (const CheckKind& kind : check_kinds()) {
    for (const CheckAnswer answer : {CheckAnswer::ok, CheckAnswer::bad, CheckAnswer::unknown})
      EXPECT_TRUE(forced.contains({kind.name, answer})) << kind.name << " was never " << testing::word(answer);
  }
}

TEST(DoctorTable, NamesAreUniqueAndEachRowSaysWhyAndHow) {
  std::set<std::string> names;
  for (const CheckKind& kind : check_kinds()) {
    EXPECT_TRUE(names.insert(kind.name).second) << kind.name;
    EXPECT_NE(std::string(kind.why), "") << kind.name;
    EXPECT_NE(std::string(kind.fix), "") << kind.name;
  }
}

TEST(DoctorTable, IsTheOneOfTheReadme) {
  std::ifstream file(std::string(TORCHGATE_TESTS_DIR) + "/../harness/machine/README.md");
  const std::string readme(std::istreambuf_iterator<char>(file), {});
  for (const CheckKind& kind : check_kinds())
    EXPECT_NE(readme.find(std::string("| `") + kind.name + "` |"), std::string::npos)
        << kind.name << " is not documented";
}

}  // namespace
}  // namespace torchgate::machine::doctor
