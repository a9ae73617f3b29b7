// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/program/suite_options.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace torchgate::bench {
namespace {

base::Result<SuiteOptions> parse(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "suite");
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  return parse_suite_options(static_cast<int>(argv.size()), argv.data());
}

TEST(SuiteOptions, AreWhatWasGiven) {
  const auto options =
      parse({"--torchgate_group=s/g", "--torchgate_out=/tmp/x", "--torchgate_profile=quick", "--torchgate_filter=a=b",
             "--torchgate_seed=18446744073709551615", "--torchgate_threads=4"});
  ASSERT_TRUE(options.ok()) << options.error().message;
  EXPECT_EQ(options->group, "s/g");
  EXPECT_EQ(options->out_file, "/tmp/x");
  EXPECT_EQ(options->profile, "quick");
  EXPECT_EQ(options->filter, "a=b");
  EXPECT_EQ(options->seed, 18446744073709551615ULL);
  EXPECT_EQ(options->threads, 4);
  EXPECT_EQ(options->rest, std::vector<std::string>{"suite"});
}

TEST(SuiteOptions, TheRestIsGoogleBenchmarks) {
  const auto options = parse({"--benchmark_filter=x", "--torchgate_filter=y", "--benchmark_min_time=0.5s"});
  EXPECT_EQ(options->rest, (std::vector<std::string>{"suite", "--benchmark_filter=x"}));
  EXPECT_EQ(options->min_time_s, 0.5);
}

TEST(SuiteOptions, MinTimeIsTheBudgetOfACase) {
  const SamplerSettings longer = parse({"--benchmark_min_time=10"})->sampler();
  EXPECT_EQ(longer.budget_ns, 10'000'000'000);
  EXPECT_EQ(longer.budget_most_ns, 10'000'000'000);
  EXPECT_EQ(longer.samples_most, 500'000) << "the time has to be spent on the fastest calls too";
  const SamplerSettings shorter = parse({"--benchmark_min_time=0"})->sampler();
  EXPECT_EQ(shorter.budget_ns, 0);
  EXPECT_EQ(shorter.samples_most, SamplerSettings{}.samples_most);
}

TEST(SuiteOptions, ProfilesAreSettings) {
  EXPECT_EQ(parse({})->sampler().samples_least, SamplerSettings{}.samples_least);
  EXPECT_EQ(parse({"--torchgate_profile=quick"})->sampler().samples_least, quick_settings().samples_least);
}

TEST(SuiteOptions, AskedNumbersOfCallsHoldForEveryCase) {
  const auto options = parse({"--torchgate_warmup=10", "--torchgate_samples=100", "--torchgate_profile=quick"});
  ASSERT_TRUE(options.ok()) << options.error().message;
  constexpr std::int64_t second_ns = 1'000'000'000;
  for (const SamplerSettings& settings : {options->sampler(), with_samples(options->sampler(), 5)}) {
    EXPECT_EQ(number_of_samples(settings, 1), 100);
    EXPECT_EQ(number_of_samples(settings, 10 * second_ns), 100) << "however long they take";
    EXPECT_EQ(settings.warmup_least_calls, 10);
    EXPECT_EQ(settings.warmup_least_ns, 0);
  }
  const auto flags = options->of_own_process();
  EXPECT_NE(std::find(flags.begin(), flags.end(), "--torchgate_warmup=10"), flags.end());
  EXPECT_NE(std::find(flags.begin(), flags.end(), "--torchgate_samples=100"), flags.end());
}

TEST(SuiteOptions, ErrorsNameTheFlagAndWhatItTakes) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes{
      {{"--torchgate_profile=fast"}, "--torchgate_profile takes default, quick, full or series, not \"fast\""},
      {{"--torchgate_seed=-1"}, "--torchgate_seed takes an integer of at least 0"},
      {{"--torchgate_seed="}, "--torchgate_seed takes"},
      {{"--torchgate_seed=1x"}, "--torchgate_seed takes"},
      {{"--torchgate_threads=0"}, "--torchgate_threads takes an integer from 1 to"},
      {{"--torchgate_warmup=0"}, "--torchgate_warmup takes an integer from 1 to 1000000"},
      {{"--torchgate_samples=many"}, "--torchgate_samples takes an integer from 1 to 1000000"},
      {{"--torchgate_threads=99999"}, "--torchgate_threads takes"},
      {{"--benchmark_min_time=-1"}, "--benchmark_min_time takes a number of seconds from 0 to 3600"},
      {{"--benchmark_min_time=nan"}, "--benchmark_min_time takes a number of seconds from 0 to 3600"},
      {{"--benchmark_min_time=inf"}, "--benchmark_min_time takes a number of seconds from 0 to 3600"},
      {{"--benchmark_min_time=100x"}, "--benchmark_min_time takes a number of seconds from 0 to 3600"},
      {{"--torchgate_fliter=x"}, "--torchgate_fliter=x is unknown or has no value"},
      {{"--torchgate_list"}, "--torchgate_list is unknown or has no value"},
      {{"--torchgate_group=s/g"}, "must be given together"},
      {{"--torchgate_out=f"}, "must be given together"},
      {{"--torchgate_list=f", "--torchgate_group=s/g", "--torchgate_out=f"}, "--torchgate_list measures nothing"},
      {{"--torchgate_group=s/g", "--torchgate_out=f", "--torchgate_outputs=o"},
       "--torchgate_outputs needs --torchgate_case"},
      {{"--torchgate_group=s/g", "--torchgate_out=f", "--torchgate_reference=o"},
       "--torchgate_reference needs --torchgate_case"},
      {{"--torchgate_list=f", "--benchmark_filter=x"}, "--benchmark_filter=x has no effect with"},
      {{"--torchgate_group=s/g", "--torchgate_out=f", "fliter"}, "fliter has no effect with"}};
  for (const auto& [arguments, said] : mistakes) {
    const auto options = parse(arguments);
    ASSERT_FALSE(options.ok()) << said;
    EXPECT_EQ(options.error().code, base::ErrorCode::bad_input);
    EXPECT_NE(options.error().message.find(said), std::string::npos) << options.error().message;
  }
}

}  // namespace
}  // namespace torchgate::bench
