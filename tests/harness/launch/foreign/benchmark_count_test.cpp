// SPDX-License-Identifier: Apache-2.0
// The instructions of a Google Benchmark program's loop: what Callgrind left, and what cannot be counted.
#include "harness/launch/foreign/benchmark_count.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <optional>

#include "harness/process/temporary_folder.hpp"

namespace torchgate::launch {
namespace {

constexpr const char* begins = "--dump-before=_ZN9benchmark5State16StartKeepRunningEv";
constexpr const char* ended = "--dump-before=_ZN9benchmark5State17FinishKeepRunningEv";

class BenchmarkCount : public ::testing::Test {
 protected:
  BenchmarkCount() {
    auto made = process::TemporaryFolder::create();
    folder_.emplace(std::move(made).value());
  }

  void part(const char* trigger, int instructions, const std::string& function = "work") {
    std::ofstream(folder_->path() / ("part.7." + std::to_string(++parts_)))
        << "desc: Trigger: " << trigger << "\nevents: Ir\nfn=" << function << "\n0 " << instructions << "\n";
  }
  void report(const std::string& runs) const {
    std::ofstream(folder_->path() / "report.json") << R"({"benchmarks":[)" << runs << "]}";
  }
  ProcessCount read(std::int64_t calls = 2) const { return read_benchmark_count(folder_->path(), calls); }

  std::optional<process::TemporaryFolder> folder_;
  int parts_ = 0;
};

const std::string one_iteration = R"({"name":"BM_x","run_type":"iteration","iterations":1})";

// --collect-atstart has to come last: each --toggle-collect sets it to "no", and then everything but the loop is counted.
TEST(BenchmarkCountFlags, CollectionBeginsAtTheStart) {
  EXPECT_EQ(benchmark_count_flags(false).back(), "--collect-atstart=yes");
}

TEST_F(BenchmarkCount, TheLastRepetitionsCountAndTheFirstIsWarmUp) {
  for (const int instructions : {900, 100, 102}) {
    part(begins, 5000);
    part(ended, instructions);
  }
  report(one_iteration + "," + one_iteration + "," + one_iteration +
         R"(,{"name":"BM_x_mean","run_type":"aggregate","iterations":3})");
  const ProcessCount count = read();
  EXPECT_EQ(count.per_call, 101.0) << count.unknown;
  EXPECT_EQ(count.functions.at({"", "work"}), 101.0);
  EXPECT_EQ(count.set_up.at({"", "work"}), 15900U);  // with the repetition that is left out
}

TEST_F(BenchmarkCount, IterationsOfTheProgramsOwnChoiceAreDividedBy) {
  part(begins, 5000);
  part(ended, 10);  // the search for a number of iterations
  for (int i = 0; i < 3; ++i) {
    part(begins, 10);
    part(ended, 700);
  }
  const std::string seven = R"({"name":"BM_x/iterations:7","iterations":7})";
  report(seven + "," + seven + "," + seven);
  EXPECT_EQ(read().per_call, 100.0);
}

TEST_F(BenchmarkCount, CountersThatAreNotFiniteDoNotMatter) {
  for (const int instructions : {900, 100, 102}) {
    part(begins, 5000);
    part(ended, instructions);
  }
  const auto row = [](const std::string& value) {
    return R"({"name":"BM_x","run_type":"iteration","iterations":1,"rate":)" + value + "}";
  };
  report(row("NaN") + "," + row("Infinity") + "," + row("-Infinity"));
  const ProcessCount count = read();
  EXPECT_EQ(count.per_call, 101.0) << count.unknown;
}

TEST_F(BenchmarkCount, SaysWhatCannotBeCounted) {
  EXPECT_NE(read().unknown.find("wrote no report"), std::string::npos);
  report(one_iteration + "," + one_iteration);
  EXPECT_NE(read().unknown.find("was it stripped?"), std::string::npos);
  part(begins, 1);
  part(ended, 100);
  EXPECT_NE(read().unknown.find("repetitions could not be told apart"), std::string::npos);
  part(begins, 1);
  part(ended, 100, "_ZN9benchmark5State11PauseTimingEv");
  EXPECT_NE(read().unknown.find("pauses its timer"), std::string::npos);
  report(R"({"name":"BM_x/threads:2","iterations":1,"threads":2},)" + one_iteration);
  EXPECT_NE(read().unknown.find("several threads"), std::string::npos);
  report(R"({"name":"BM_x/manual_time","iterations":1},)" + one_iteration);
  EXPECT_NE(read().unknown.find("manual_time"), std::string::npos);
  report(R"({"name":"BM_x","error_occurred":true,"error_message":"no such file"})");
  EXPECT_EQ(read().unknown, "it reported an error: no such file");
}

TEST_F(BenchmarkCount, AReportOfAnotherKindGivesNoCount) {
  part(begins, 1);
  part(ended, 100);
  part(begins, 1);
  part(ended, 100);
  for (const char* text : {"{", "[]", R"({"benchmarks":3})", R"({"benchmarks":[1,2]})",
                           R"({"benchmarks":[{"name":7,"threads":"many","iterations":"x"},{}]})"}) {
    std::ofstream(folder_->path() / "report.json") << text;
    EXPECT_FALSE(read().per_call) << text;
    EXPECT_FALSE(read().unknown.empty()) << text;
  }
}

}  // namespace
}  // namespace torchgate::launch
