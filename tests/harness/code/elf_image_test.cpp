// SPDX-License-Identifier: Apache-2.0
#include "harness/code/elf_image.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>

#include "harness/code/comparison.hpp"

namespace torchgate::code {
namespace {

namespace fs = std::filesystem;

std::string content_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

fs::path written(const std::string& content) {
  const fs::path file = fs::path(testing::TempDir()) / ("image_under_test_" + std::to_string(getpid()));
  std::ofstream(file, std::ios::binary | std::ios::trunc) << content;
  return file;
}

TEST(ElfImage, HasTheFunctionsAndVariablesOfAFile) {
  const auto image = ElfImage::open(TORCHGATE_CODE_base);
  ASSERT_TRUE(image) << image.error().message;
  EXPECT_FALSE(image->is_stripped());
  const auto leaf = image->functions_named("leaf");
  ASSERT_EQ(leaf.size(), 1U);
  EXPECT_GT(leaf.front()->bytes, 0U);
  EXPECT_EQ(image->symbol_at(leaf.front()->address + 1), leaf.front());
  EXPECT_TRUE(image->section_at(leaf.front()->address)->executable);
  const auto variable = image->variables_named("start_value");
  ASSERT_EQ(variable.size(), 1U);
  EXPECT_EQ(image->content_at(variable.front()->address).front(), 17);
  ASSERT_EQ(image->thread_local_sections().size(), 1U);
  EXPECT_EQ(image->thread_local_sections().front().content.front(), 5);
  EXPECT_EQ(image->thread_local_names(), (std::vector<std::string_view>{"per_thread"}));
}

TEST(ElfImage, OtherFilesAreRefused) {
  EXPECT_NE(ElfImage::open("/nonexistent").error().message.find("/nonexistent"), std::string::npos);
  EXPECT_FALSE(ElfImage::open("/proc/self"));
  EXPECT_FALSE(ElfImage::open(written("")));
  const auto text =
      ElfImage::open(written("a text that is long enough to have a header, but does not begin as an ELF file does"));
  ASSERT_FALSE(text);
  EXPECT_NE(text.error().message.find("not an ELF file"), std::string::npos);
  std::string other = content_of(TORCHGATE_CODE_base);
  other[18] = 0x28;  // e_machine: ARM
  EXPECT_NE(ElfImage::open(written(other)).error().message.find("not for 64-bit x86"), std::string::npos);
}

// Nothing is believed of a damaged file: each answer is an error or a comparison, and no read outside of it (sanitizers see that).
TEST(ElfImage, DamagedFilesAreReadWithinTheirBounds) {
  const auto decoder = Decoder::get();
  ASSERT_TRUE(decoder);
  const auto whole = ElfImage::open(TORCHGATE_CODE_base);
  ASSERT_TRUE(whole);
  const std::string content = content_of(TORCHGATE_CODE_base);
  std::mt19937_64 random(7);
  int opened = 0;
  for (int round = 0; round < 300; ++round) {
    std::string damaged = content;
    // Where the headers and tables are, mostly: the first and the last 3 KiB.
    for (int i = 0; i < 6; ++i) {
      const std::size_t part = random() % 3;
      const std::size_t place = part == 0   ? random() % 1024
                                : part == 1 ? damaged.size() - 1 - random() % 3072
                                            : random() % damaged.size();
      damaged[place] = static_cast<char>(random());
    }
    if (round % 10 == 0) damaged.resize(random() % damaged.size());
    const auto image = ElfImage::open(written(damaged));
    if (!image) continue;
    ++opened;
    (void)Comparison(*whole, *image, **decoder, {}).changes().functions;
    (void)changed_variables(*whole, *image, **decoder);
  }
  EXPECT_GT(opened, 30);
}

}  // namespace
}  // namespace torchgate::code
