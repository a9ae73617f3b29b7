// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/workspace/step_outputs.hpp"

#include <gtest/gtest.h>

#include <set>

#include "tests/ci/workflow/working_folder.hpp"

namespace torchgate::workflow {
namespace {

using testing::read_text;
using testing::write_text;

TEST(StepOutputs, AreDelimited) {
  EXPECT_EQ(step_outputs_text({{"a", "1"}, {"b", "x=y<<EOF"}, {"c", ""}}, "END").value(),
            "a<<END\n1\nEND\nb<<END\nx=y<<EOF\nEND\nc<<END\n\nEND\n");
}

TEST(StepOutputs, RefuseWhatWouldSetAnotherVariable) {
  for (const char* value : {"1\nEND\nb=2", "1\n", "1\r2", "\n", "END"})
    EXPECT_FALSE(step_outputs_text({{"a", value}}, "END")) << value;
}

TEST(StepOutputs, AreAppendedWithADelimiterOfTheirOwn) {
  const testing::WorkingFolder folder;
  write_text("out", "before=1\n");
  std::set<std::string> delimiters;
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(append_step_outputs("out", {{"a", "1"}}));
    const std::string text = read_text("out");
    ASSERT_TRUE(text.starts_with("before=1\n"));
    const std::size_t at = text.rfind("a<<") + 3;
    delimiters.insert(text.substr(at, text.find('\n', at) - at));
  }
  EXPECT_EQ(delimiters.size(), 20U);
  EXPECT_EQ(delimiters.begin()->size(), std::string("torchgate_").size() + 32);
  EXPECT_TRUE(append_step_outputs("new", {}));
  EXPECT_EQ(read_text("new"), "");
  EXPECT_FALSE(append_step_outputs("nowhere/out", {}));
  EXPECT_FALSE(append_step_outputs("out", {{"a", "1\n2"}}));
}

}  // namespace
}  // namespace torchgate::workflow
