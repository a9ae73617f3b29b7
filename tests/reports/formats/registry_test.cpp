// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/registry.hpp"

#include <gtest/gtest.h>

#include <set>

#include "reports/formats/json.hpp"
#include "tests/golden/golden.hpp"
#include "tests/reports/models.hpp"

namespace torchgate::reports {
namespace {

TEST(Registry, FindsEachFormatByItsName) {
  std::set<std::string_view> names;
  for (const ReportFormat& format : formats_of<Report>()) {
    EXPECT_TRUE(names.insert(format.name).second) << format.name;
    EXPECT_EQ(find_format<Report>(format.name), &format);
    EXPECT_FALSE(format.description.empty());
    EXPECT_TRUE(format.extension.starts_with('.'));
  }
  EXPECT_EQ(find_format<Report>("Markdown"), nullptr);
  EXPECT_EQ(find_format<Report>(""), nullptr);
}

TEST(Registry, RendersWithTheOptionsOfItsFormat) {
  const Report report = models::five_hundred_rows();
  RenderOptions options;
  options.markdown.limit_bytes = 5000;
  options.terminal.width = 72;
  EXPECT_EQ(find_format<Report>("markdown")->render(report, options), render_markdown(report, options.markdown));
  EXPECT_EQ(find_format<Report>("terminal")->render(report, options), render_terminal(report, options.terminal));
  EXPECT_EQ(find_format<Report>("json")->render(report, options), render_json(report));
}

TEST(Registry, ExportsSayWhichCasesTheyCannotHold) {
  const Report report = models::failed_wrong_missing();
  std::size_t exports = 0;
  for (const ReportFormat& format : formats_of<Report>()) {
    if (format.cases_left_out == nullptr) continue;
    ++exports;
    const std::string sentence = format.cases_left_out(report);
    EXPECT_NE(sentence.find("not in the file, as they have no valid time: "), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("1 wrong"), std::string::npos) << sentence;
    EXPECT_EQ(format.cases_left_out(models::all_pass()), "") << "a skipped case is not lost";
    EXPECT_EQ(format.cases_left_out(models::confirmed_regression()), "") << format.name;
  }
  EXPECT_EQ(exports, 5U) << "bencher, nyrkio, pytorch and both of github-action-benchmark";
}

TEST(Registry, ItsFormatsAreInTheReadme) {
  const auto readme = golden::read_file(std::string(TORCHGATE_TESTS_DIR) + "/../reports/README.md");
  ASSERT_TRUE(readme);
  for (const ReportFormat& format : formats_of<Report>()) {
    EXPECT_NE(readme->find("`" + std::string(format.name) + "`"), std::string::npos) << format.name;
  }
}

}  // namespace
}  // namespace torchgate::reports
