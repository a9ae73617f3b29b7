// SPDX-License-Identifier: Apache-2.0
// Another LibTorch and a matrix of versions in their formats, byte for byte.
#include <gtest/gtest.h>

#include "reports/formats/registry.hpp"
#include "tests/golden/golden.hpp"
#include "tests/reports/golden_page.hpp"
#include "tests/reports/upgrade_models.hpp"

namespace torchgate::reports {
namespace {

// Those that have a place for it; the others show findings alone.
TEST(GoldenUpgrade, InTheFormatsThatAPersonReadsAndInJson) {
  for (const char* const name : {"terminal", "markdown", "html", "json"}) {
    const ReportFormat& format = *find_format<Report>(name);
    const std::string text = golden_page(format.render(models::libtorch_upgrade(), {}));
    EXPECT_TRUE(golden::matches(text, "reports/upgrade/libtorch" + std::string(format.extension)));
  }
}

TEST(GoldenUpgrade, SaysWhatIsNotRecorded) {
  const std::string text = find_format<Report>("terminal")->render(models::upgrade_without_records(), {});
  EXPECT_TRUE(golden::matches(text, "reports/upgrade/without_records.txt"));
}

TEST(GoldenUpgrade, Ascii) {
  RenderOptions options;
  options.terminal = {.width = 80, .unicode = false};
  EXPECT_TRUE(golden::matches(find_format<Report>("terminal")->render(models::libtorch_upgrade(), options),
                              "reports/upgrade/libtorch_ascii.txt"));
}

TEST(GoldenMatrix, InEveryFormat) {
  for (const FormatOf<Matrix>& format : formats_of<Matrix>()) {
    const std::string text = golden_page(format.render(models::two_versions(), {}));
    EXPECT_TRUE(golden::matches(text, "reports/upgrade/matrix" + std::string(format.extension)));
  }
}

}  // namespace
}  // namespace torchgate::reports
