// SPDX-License-Identifier: Apache-2.0
#include "baselines/pin.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "baselines/pins.hpp"
#include "harness/base/atomic_file.hpp"
#include "tests/harness/base/temporary_folder.hpp"

namespace torchgate::baselines::testing {
namespace {

namespace fs = std::filesystem;

const std::string pinned_commit(40, 'c');
const std::string first_time = "2026-11-21T01:23:45.678Z";

Pin sample_pin(const std::string& created = first_time) {
  return {"v1.2", created, pinned_commit, {"0123456789abcdef", "fedcba9876543210"}, "0.1.0"};
}

std::string complaint(const std::string& text) {
  const auto pin = pin_from_json(text, "pin.json");
  return pin ? "" : pin.error().message;
}

/// The text of a pin with PART in the place of another.
std::string with(const std::string& part, const std::string& other) {
  std::string text = to_json(sample_pin());
  const std::size_t at = text.find(part);
  EXPECT_NE(at, std::string::npos) << part;
  return text.replace(at, part.size(), other);
}

TEST(Pin, IsReadAsItWasWritten) {
  EXPECT_EQ(pin_from_json(to_json(sample_pin()), "pin.json").value(), sample_pin());
  Pin removed = sample_pin();
  removed.commit.clear();
  removed.runs.clear();
  EXPECT_TRUE(removed.removed());
  EXPECT_EQ(pin_from_json(to_json(removed), "pin.json").value(), removed);
  EXPECT_TRUE(pin_from_json(with("\"name\"", "\"later\": [1], \"name\""), "pin.json")) << "unknown keys are ignored";
}

TEST(Pin, EveryFieldIsChecked) {
  EXPECT_NE(complaint(with("pin/1", "pin/2")).find("expected torchgate.pin/1"), std::string::npos);
  EXPECT_NE(complaint(with("v1.2", "../v")).find("the name of a pin"), std::string::npos);
  EXPECT_NE(complaint(with(first_time, "yesterday")).find("expected a time"), std::string::npos);
  EXPECT_NE(complaint(with(first_time, "2025-02-30T01:23:45.678Z")).find("expected a time"), std::string::npos);
  EXPECT_NE(complaint(with(pinned_commit, "cccc")).find("expected a full commit hash"), std::string::npos);
  EXPECT_NE(complaint(with("fedcba9876543210", "../../../../etc/")).find("expected a run id"), std::string::npos);
  EXPECT_NE(complaint(with("fedcba9876543210", "0123456789abcdef")).find("duplicate run"), std::string::npos);
  EXPECT_NE(complaint(with("\"" + pinned_commit + "\"", "null")).find("a commit and its runs, or neither"),
            std::string::npos);
  EXPECT_NE(complaint("{}").find("pin.json"), std::string::npos);
  std::string many;
  for (int i = 0; i < 1001; ++i) many += "\"" + std::to_string(1000000000000000 + i) + "\",";
  EXPECT_NE(complaint(with("\"0123456789abcdef\"", many + "\"0123456789abcdef\"")).find("more than 1000"),
            std::string::npos);
}

TEST(Pin, ANameIsThatOfAFolder) {
  for (const char* name : {"v1.2", "2026-11", "release_candidate"}) EXPECT_TRUE(check_pin_name(name)) << name;
  for (const char* name : {"", ".", "..", "a/b", "a b", ".hidden", "-\n"}) EXPECT_FALSE(check_pin_name(name)) << name;
}

class PinsOfAStore : public ::testing::Test {
 protected:
  [[nodiscard]] fs::path root() const { return folder_.path(); }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((root() / "pins" / name).parent_path());
    ASSERT_TRUE(base::write_file_atomically(root() / "pins" / name, text, true));
  }

 private:
  base::testing::TemporaryFolder folder_;
};

TEST_F(PinsOfAStore, TheNewestRecordIsWhatANameMeans) {
  EXPECT_FALSE(read_pin(root(), "v1.2").value().has_value());
  EXPECT_TRUE(read_pins(root())->pins.empty());
  ASSERT_TRUE(write_pin(root(), sample_pin()));
  Pin moved = sample_pin("2026-11-22T01:23:45.678Z");
  moved.commit = std::string(64, 'd');
  ASSERT_TRUE(write_pin(root(), moved));
  EXPECT_EQ(read_pin(root(), "v1.2").value(), moved);
  Pin other = sample_pin();
  other.name = "v1.1";
  ASSERT_TRUE(write_pin(root(), other));
  EXPECT_EQ(read_pins(root())->pins, (std::vector{other, moved}));

  Pin removed{"v1.2", "2026-11-23T01:23:45.678Z", "", {}, "0.1.0"};
  ASSERT_TRUE(write_pin(root(), removed));
  EXPECT_FALSE(read_pin(root(), "v1.2").value().has_value());
  EXPECT_EQ(read_pins(root())->pins, std::vector{other});
  EXPECT_TRUE(fs::exists(root() / "pins/v1.2/20261121012345678.json")) << "nothing in a store changes";
}

TEST_F(PinsOfAStore, AnOlderRecordIsRefused) {
  ASSERT_TRUE(write_pin(root(), sample_pin()));
  const auto again = write_pin(root(), sample_pin());
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().message.find("check the clock"), std::string::npos);
  EXPECT_FALSE(write_pin(root(), sample_pin("2026-11-20T01:23:45.678Z")));
  Pin bad = sample_pin();
  bad.name = "../v1.2";
  EXPECT_FALSE(write_pin(root(), bad));
}

TEST_F(PinsOfAStore, RefusesDamagedAndMisplacedFiles) {
  write("v1.2/20261121012345678.json", "{");
  EXPECT_FALSE(read_pin(root(), "v1.2"));
  EXPECT_TRUE(read_pins(root())->pins.empty());
  write("v1.2/20261121012345678.json", to_json(sample_pin("2026-11-22T01:23:45.678Z")));
  EXPECT_NE(read_pin(root(), "v1.2").error().message.find("of another pin or time"), std::string::npos);
  fs::remove_all(root() / "pins/v1.2");
  write("v1.3/20261121012345678.json", to_json(sample_pin()));
  EXPECT_NE(read_pin(root(), "v1.3").error().message.find("of another pin or time"), std::string::npos);
  const Pin future = sample_pin("2199-11-21T01:23:45.678Z");
  write("v1.2/21991121012345678.json", to_json(future));
  EXPECT_NE(read_pin(root(), "v1.2").error().message.find("later than now"), std::string::npos);
  fs::remove_all(root() / "pins");
  fs::create_directories(root() / "pins/v1.2");
  fs::create_symlink("/etc/passwd", root() / "pins/v1.2/20261121012345678.json");
  EXPECT_FALSE(read_pin(root(), "v1.2").value().has_value()) << "links are not followed";
  EXPECT_FALSE(read_pin(root(), "../runs").value().has_value());
}

TEST_F(PinsOfAStore, ADamagedRecordCostsItsOwnNameOnly) {
  ASSERT_TRUE(write_pin(root(), sample_pin()));
  Pin other = sample_pin();
  other.name = "v1.1";
  ASSERT_TRUE(write_pin(root(), other));
  for (const std::string& text : {std::string("{ "), std::string(pin_limit_bytes + 1, ' ')}) {
    write("v1.2/20261122012345678.json", text);
    const auto list = read_pins(root());
    ASSERT_TRUE(list) << list.error().message;
    EXPECT_EQ(list->pins, std::vector{other}) << "the earlier record of v1.2 is not used instead";
    ASSERT_EQ(list->damaged.size(), 1U);
    const std::string& what = list->damaged.front();
    EXPECT_EQ(what.find("pin v1.2: "), 0U) << what;
    EXPECT_NE(what.find("pins/v1.2/20261122012345678.json: "), std::string::npos) << what;
    EXPECT_TRUE(what.ends_with("; restore the file, or remove it")) << what;
    EXPECT_EQ(read_pin(root(), "v1.2").error().message, what);
    EXPECT_EQ(write_pin(root(), sample_pin("2026-11-23T01:23:45.678Z")).error().message, what);
    EXPECT_EQ(read_pin(root(), "v1.1").value(), other);
  }
}

}  // namespace
}  // namespace torchgate::baselines::testing
