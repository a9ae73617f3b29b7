// SPDX-License-Identifier: Apache-2.0
// Whatever happens to a record on disk, reading it gives a run or an error that names the place; nothing else.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "harness/record/codec.hpp"
#include "tests/harness/record/example_record.hpp"

namespace torchgate::record {
namespace {

// A run that was read can be written and read again; an error names the source, then a place in it.
template <class Document>
void expect_read_or_refused(const base::Result<Document>& read,
                            base::Result<Document> (*decode)(std::string_view, const std::string&)) {
  if (read) {
    const base::Result<Document> again = decode(to_json(*read), "x.json");
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(*again, *read);
    return;
  }
  EXPECT_EQ(read.error().code, base::ErrorCode::bad_input);
  const std::string& message = read.error().message;
  EXPECT_TRUE(message.starts_with("x.json: top level: ") || message.starts_with("x.json: /")) << message;
}

TEST(CutShort, IsAlwaysAnError) {
  const std::string run = to_json(testing::example_run());
  for (std::size_t length = 0; length < run.size(); ++length) {
    const auto read = run_from_json(run.substr(0, length), "x.json");
    ASSERT_FALSE(read.ok()) << length;
    // Inside a number or a character, what is left of it may be wrong in itself before the end is seen.
    const char next = run[length];
    const bool inside =
        next == '.' || (next >= '0' && next <= '9') || (static_cast<unsigned char>(next) & 0xC0U) == 0x80U;
    const std::string expected = "truncated after " + std::to_string(length) + " bytes";
    EXPECT_TRUE(inside || read.error().message.find(expected) != std::string::npos) << read.error().message;
  }
}

TEST(OneByteChanged, IsReadOrRefused) {
  const std::string run = to_json(testing::example_run());
  const std::string report = to_json(testing::example_report());
  for (const char byte : {'0', '-', '"', '{', ']', '\x80'}) {
    for (std::size_t position = 0; position < run.size(); ++position) {
      std::string changed = run;
      changed[position] = byte;
      expect_read_or_refused(run_from_json(changed, "x.json"), &run_from_json);
    }
    for (std::size_t position = 0; position < report.size(); ++position) {
      std::string changed = report;
      changed[position] = byte;
      expect_read_or_refused(process_report_from_json(changed, "x.json"), &process_report_from_json);
    }
  }
}

// Pieces moved, doubled and dropped: shapes that no single byte makes.
TEST(PiecesChanged, IsReadOrRefused) {
  const std::string whole = to_json(testing::example_run());
  EXPECT_TRUE(rc::check([&] {
    std::string text = whole;
    for (int change = *rc::gen::inRange(1, 4); change > 0; --change) {
      const auto from = *rc::gen::inRange<std::size_t>(0, text.size());
      const auto length = *rc::gen::inRange<std::size_t>(0, 80);
      const auto to = *rc::gen::inRange<std::size_t>(0, text.size());
      const std::string piece = text.substr(from, length);
      if (*rc::gen::arbitrary<bool>()) text.erase(from, length);
      text.insert(std::min(to, text.size()), piece);
    }
    expect_read_or_refused(run_from_json(text, "x.json"), &run_from_json);
    RC_ASSERT(!::testing::Test::HasFailure());
  }));
}

}  // namespace
}  // namespace torchgate::record
