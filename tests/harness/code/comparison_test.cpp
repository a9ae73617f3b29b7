// SPDX-License-Identifier: Apache-2.0
// Builds of fixture.cpp that differ in one place each.
#include "harness/code/comparison.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace torchgate::code {
namespace {

const Decoder& decoder() {
  static const auto loaded = Decoder::get();
  EXPECT_TRUE(loaded) << loaded.error().message;
  return **loaded;
}

ElfImage image(const char* file) {
  auto opened = ElfImage::open(file);
  EXPECT_TRUE(opened) << opened.error().message;
  return *std::move(opened);
}

// Of the fixture's own functions: those of the compiler's start files have other addresses only.
std::vector<std::string> changed(const char* file) {
  const ElfImage before = image(TORCHGATE_CODE_base);
  const ElfImage after = image(file);
  const Changes changes = Comparison(before, after, decoder(), {}).changes();
  EXPECT_EQ(changes.unattributed_variables, std::vector<std::string>{}) << file;
  return changes.functions;
}

using Names = std::vector<std::string>;

TEST(Comparison, TheSameFileIsTheSame) {
  EXPECT_EQ(changed(TORCHGATE_CODE_base), Names{});
}

TEST(Comparison, AddedFunctionsAndDataChangeNoOther) {
  EXPECT_EQ(changed(TORCHGATE_CODE_added), (Names{"added", "added_number"}));
}

TEST(Comparison, AlignmentChangesNothing) {
  EXPECT_EQ(changed(TORCHGATE_CODE_aligned), Names{});
}

TEST(Comparison, AConstantChangesItsFunction) {
  EXPECT_EQ(changed(TORCHGATE_CODE_unused), (Names{"unused"}));
}

TEST(Comparison, AnInitialValueChangesWhatReadsIt) {
  EXPECT_EQ(changed(TORCHGATE_CODE_start), (Names{"reads_variable"}));
}

TEST(Comparison, AThreadLocalInitialValueChangesWhatReadsIt) {
  EXPECT_EQ(changed(TORCHGATE_CODE_per_thread), (Names{"reads_thread_local"}));
}

TEST(Comparison, ATableChangesWhatReadsItFromTheElementBefore) {
  EXPECT_EQ(changed(TORCHGATE_CODE_table), (Names{"reads_table_from_before"}));
}

TEST(Comparison, LiteralsChangeWhatReadsThem) {
  EXPECT_EQ(changed(TORCHGATE_CODE_string), (Names{"reads_string"}));
  EXPECT_EQ(changed(TORCHGATE_CODE_number), (Names{"reads_number"}));
}

// Calls between functions that other files may use are by name: an inlined or cloned one would be changed itself.
TEST(Comparison, AChangedFunctionDoesNotChangeItsCallers) {
  const Names names = changed(TORCHGATE_CODE_leaf);
  EXPECT_TRUE(std::ranges::find(names, "leaf") != names.end());
  EXPECT_TRUE(std::ranges::find(names, "steps_through") == names.end());
}

TEST(Comparison, AnotherCalledFunctionIsAChange) {
  const ElfImage before = image(TORCHGATE_CODE_base);
  const ElfImage after = image(TORCHGATE_CODE_called);
  Comparison comparison(before, after, decoder(), {});
  EXPECT_EQ(comparison.changes().functions, (Names{"calls"}));
}

TEST(Comparison, CasesOfASwitchThatChangedPlacesAreAChange) {
  EXPECT_EQ(changed(TORCHGATE_CODE_switched), (Names{"switches"}));
}

TEST(Comparison, ATableOfFunctionsChangesWhatReadsIt) {
  EXPECT_EQ(changed(TORCHGATE_CODE_step), (Names{"steps_through"}));
}

TEST(Comparison, AnotherCaughtTypeIsAChange) {
  const ElfImage before = image(TORCHGATE_CODE_base);
  const ElfImage after = image(TORCHGATE_CODE_caught);
  Comparison comparison(before, after, decoder(), {});
  EXPECT_EQ(comparison.changes().functions, (Names{"catches"}));
  EXPECT_EQ(comparison.difference("catches")->what, "it catches other types");
}

TEST(Comparison, AFunctionThatNoExceptionLeavesAnyMoreIsAChange) {
  const ElfImage before = image(TORCHGATE_CODE_base);
  const ElfImage after = image(TORCHGATE_CODE_never);
  Comparison comparison(before, after, decoder(), {});
  EXPECT_EQ(comparison.changes().functions, (Names{"never_throws"}));
  EXPECT_EQ(comparison.difference("never_throws")->what, "exceptions in it are handled elsewhere");
}

// What it reads is changed where the instructions do not show it: hidden.cpp.
TEST(Comparison, NoChangeIsHidden) {
  const std::vector<std::pair<std::string, std::string>> names = {
      {"1", "passes_names"},       {"2", "passes_wide_text"},   {"3", "reads_letter"},
      {"4", "passes_end"},         {"5", "reads_thread_local"}, {"6", "reads_sizeless"},
      {"7", "reads_registry"},     {"8", "reads_distance"},     {"9", "waits"},
      {"1_packed", "passes_names"}};
  for (const auto& [number, name] : names) {
    const std::string base = number.ends_with("_packed") ? "0_packed" : "0";
    const ElfImage before = image((TORCHGATE_CODE_HIDDEN + base + ".so").c_str());
    const ElfImage after = image((TORCHGATE_CODE_HIDDEN + number + ".so").c_str());
    Comparison comparison(before, after, decoder(), {});
    const Changes changes = comparison.changes();
    EXPECT_TRUE(std::ranges::find(changes.functions, name) != changes.functions.end()) << number << " " << name;
    // Beside those that share the text with it, what lies next to it may be called different, too.
    EXPECT_LE(changes.functions.size(), 3U) << "others are the same: " << changes.functions.back();
    Comparison same(before, before, decoder(), {});
    EXPECT_EQ(same.changes().functions, Names{});
    EXPECT_EQ(same.changes().unattributed_variables, Names{});
  }
}

TEST(Comparison, SaysWhatDiffersAndWhetherValgrindCanExecuteIt) {
  const ElfImage before = image(TORCHGATE_CODE_base);
  const ElfImage after = image(TORCHGATE_CODE_wide);
  Comparison comparison(before, after, decoder(), {});
  const auto table = comparison.difference("reads_table_from_before");
  ASSERT_TRUE(table);
  EXPECT_TRUE(table->is_beyond_valgrind) << table->what;
  const auto missing = comparison.difference("no such function");
  ASSERT_TRUE(missing);
  EXPECT_EQ(missing->what, "no symbol has this name");
}

TEST(Comparison, AVariableOfAnotherFileThatChangedChangesWhatReadsIt) {
  const ElfImage before = image(TORCHGATE_CODE_base);
  const ElfImage after = image(TORCHGATE_CODE_start);
  EXPECT_EQ(changed_variables(before, after, decoder()), (std::set<std::string, std::less<>>{"start_value"}));
  const ElfImage per_thread = image(TORCHGATE_CODE_per_thread);
  EXPECT_EQ(changed_variables(before, per_thread, decoder()), (std::set<std::string, std::less<>>{"per_thread"}));
  EXPECT_EQ(changed_variables(before, before, decoder()), (std::set<std::string, std::less<>>{}));
  // As a file sees it that has no variable of that name itself.
  EXPECT_EQ(Comparison(before, before, decoder(), {"start_value"}).changes().functions, (Names{"reads_variable"}));
}

}  // namespace
}  // namespace torchgate::code
