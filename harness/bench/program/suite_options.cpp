// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/program/suite_options.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace torchgate::bench {
namespace {

constexpr int most_threads = 1024;
constexpr double longest_min_time_s = 3600;
constexpr std::int64_t most_counted_calls = 1'000'000;
constexpr std::int64_t most_asked_calls = 1'000'000;  // of warm-up, or samples
constexpr std::string_view with_set_up = "+setup";

base::Error bad(std::string_view flag, const std::string& what) {
  return {base::ErrorCode::bad_input, "--" + std::string(flag) + " " + what};
}

template <class T>
bool parse_number(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

// "--name=value" -> value, when `argument` is that flag.
std::optional<std::string_view> value_of(std::string_view argument, std::string_view name) {
  if (argument.substr(0, 2) != "--") return std::nullopt;
  argument.remove_prefix(2);
  if (argument.substr(0, name.size()) != name) return std::nullopt;
  argument.remove_prefix(name.size());
  if (argument.empty() || argument.front() != '=') return std::nullopt;
  return argument.substr(1);
}

base::Result<std::int64_t> parse_from_1(const char* flag, std::string_view text, std::int64_t most) {
  std::int64_t value = 0;
  if (!parse_number(text, value) || value < 1 || value > most)
    return bad(flag, "takes an integer from 1 to " + std::to_string(most));
  return value;
}

base::Result<CountOptions> parse_count(std::string_view text) {
  CountOptions count;
  if (text.ends_with(with_set_up)) {
    count.set_up = true;
    text.remove_suffix(with_set_up.size());
  }
  if (!parse_number(text, count.calls) || count.calls < 1 || count.calls > most_counted_calls)
    return bad("torchgate_count", "takes a number of calls from 1 to 1000000, and may end with +setup");
  return count;
}

}  // namespace

const char* const suite_usage =
    "Flags of a suite, in addition to Google Benchmark's:\n"
    "  --torchgate_list=FILE            write the list of cases, measure nothing\n"
    "  --torchgate_group=NAME           measure one group and write the report to ...\n"
    "  --torchgate_out=FILE             ... this file\n"
    "  --torchgate_case=NAME            only this case of the group, in this process, whatever process it asks for\n"
    "  --torchgate_outputs=FILE         write the outputs of that case to this file; time nothing\n"
    "  --torchgate_reference=FILE       compare that case with these outputs, not with those of its reference\n"
    "  --torchgate_count=N[+setup]      count the instructions of N calls of each case, and of building it; time "
    "nothing\n"
    "  --torchgate_turns=N              take turns with another process, as told through this descriptor\n"
    "  --torchgate_profile=default|quick|full|series   (full: with the cases that are too long for every run;\n"
    "                                   series: long and without warm-up, to study the steady state)\n"
    "  --torchgate_filter=REGEX         only these cases (RE2 syntax, searched in their names)\n"
    "  --torchgate_seed=N               seed of the order of the cases of a group\n"
    "  --torchgate_threads=N            intra-operator threads (default 1)\n"
    "  --torchgate_warmup=N             at least so many calls before the first sample of a case\n"
    "  --torchgate_samples=N            so many samples of each case\n";

SamplerSettings SuiteOptions::sampler() const {
  SamplerSettings settings = profile == "quick"    ? quick_settings()
                             : profile == "series" ? series_settings()
                                                   : SamplerSettings{};
  if (min_time_s) {
    constexpr double ns_per_s = 1e9;
    settings.budget_ns = static_cast<std::int64_t>(*min_time_s * ns_per_s);
    settings.budget_most_ns = std::max(settings.budget_most_ns, settings.budget_ns);
    settings.samples_most = std::max(settings.samples_most, settings.budget_ns / settings.sample_least_ns);
  }
  if (warmup_calls) settings = with_asked_warmup(settings, *warmup_calls);
  if (samples) settings = with_asked_samples(settings, *samples);
  return settings;
}

std::vector<std::string> SuiteOptions::of_own_process() const {
  std::vector<std::string> flags{"--torchgate_profile=" + profile, "--torchgate_seed=" + std::to_string(seed)};
  if (count)
    flags.push_back("--torchgate_count=" + std::to_string(count->calls) +
                    std::string(count->set_up ? with_set_up : std::string_view()));
  if (min_time_s) flags.push_back("--benchmark_min_time=" + std::to_string(*min_time_s));
  if (warmup_calls) flags.push_back("--torchgate_warmup=" + std::to_string(*warmup_calls));
  if (samples) flags.push_back("--torchgate_samples=" + std::to_string(*samples));
  return flags;
}

base::Result<SuiteOptions> parse_suite_options(int argc, char** argv) {
  SuiteOptions options;
  // torchgate sets it for every suite process; it works the same when set in a shell.
  if (const char* threads = std::getenv("OMP_NUM_THREADS")) {
    if (!parse_number(std::string_view(threads), options.threads) || options.threads < 1 ||
        options.threads > most_threads)
      options.threads = 1;
  }
  options.rest.emplace_back(argc > 0 ? argv[0] : "suite");
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (auto v = value_of(argument, "torchgate_list")) {
      options.list_file = *v;
    } else if ((v = value_of(argument, "torchgate_group"))) {
      options.group = *v;
    } else if ((v = value_of(argument, "torchgate_out"))) {
      options.out_file = *v;
    } else if ((v = value_of(argument, "torchgate_case"))) {
      options.only_case = *v;
    } else if ((v = value_of(argument, "torchgate_outputs"))) {
      options.outputs_file = *v;
    } else if ((v = value_of(argument, "torchgate_reference"))) {
      options.reference_file = *v;
    } else if ((v = value_of(argument, "torchgate_count"))) {
      const auto count = parse_count(*v);
      if (!count) return count.error();
      options.count = *count;
    } else if ((v = value_of(argument, "torchgate_turns"))) {
      int descriptor = 0;
      if (!parse_number(*v, descriptor) || descriptor <= STDERR_FILENO)
        return bad("torchgate_turns", "takes the number of an open descriptor above 2");
      options.turns = descriptor;
    } else if ((v = value_of(argument, "torchgate_profile"))) {
      if (*v != "default" && *v != "quick" && *v != "full" && *v != "series")
        return bad("torchgate_profile", "takes default, quick, full or series, not \"" + std::string(*v) + "\"");
      options.profile = *v;
    } else if ((v = value_of(argument, "torchgate_filter"))) {
      options.filter = *v;
    } else if ((v = value_of(argument, "torchgate_seed"))) {
      if (!parse_number(*v, options.seed)) return bad("torchgate_seed", "takes an integer of at least 0");
    } else if ((v = value_of(argument, "torchgate_threads"))) {
      const auto threads = parse_from_1("torchgate_threads", *v, most_threads);
      if (!threads) return threads.error();
      options.threads = static_cast<int>(*threads);
    } else if ((v = value_of(argument, "torchgate_warmup"))) {
      const auto calls = parse_from_1("torchgate_warmup", *v, most_asked_calls);
      if (!calls) return calls.error();
      options.warmup_calls = *calls;
    } else if ((v = value_of(argument, "torchgate_samples"))) {
      const auto samples = parse_from_1("torchgate_samples", *v, most_asked_calls);
      if (!samples) return samples.error();
      options.samples = *samples;
    } else if ((v = value_of(argument, "benchmark_min_time"))) {
      std::string_view seconds = *v;
      if (!seconds.empty() && seconds.back() == 's') seconds.remove_suffix(1);  // newer Google Benchmarks write "0.5s"
      double value = 0;
      if (!parse_number(seconds, value) || !(value >= 0) || value > longest_min_time_s)
        return bad("benchmark_min_time", "takes a number of seconds from 0 to 3600");
      options.min_time_s = value;
    } else if (argument.substr(0, 12) == "--torchgate_") {
      return bad(argument.substr(2), std::string("is unknown or has no value. ") + suite_usage);
    } else {
      options.rest.emplace_back(argument);
    }
  }
  if (options.group.has_value() != options.out_file.has_value())
    return bad("torchgate_group", "and --torchgate_out must be given together");
  if (options.only_case && !options.group) return bad("torchgate_case", "needs --torchgate_group");
  if (options.outputs_file && (!options.only_case || options.count || options.reference_file))
    return bad("torchgate_outputs", "needs --torchgate_case, without --torchgate_count and --torchgate_reference");
  if (options.reference_file && (!options.only_case || options.count))
    return bad("torchgate_reference", "needs --torchgate_case, without --torchgate_count");
  if (options.turns && (!options.group || options.count || options.only_case))
    return bad("torchgate_turns", "needs --torchgate_group, without --torchgate_count and --torchgate_case");
  if (options.count && !options.group) return bad("torchgate_count", "needs --torchgate_group");
  if (options.list_file && options.group) return bad("torchgate_list", "measures nothing; omit --torchgate_group");
  if ((options.list_file || options.group) && options.rest.size() > 1) {
    return base::Error{base::ErrorCode::bad_input,
                       options.rest[1] + " has no effect with --torchgate_list and --torchgate_group; omit it"};
  }
  return options;
}

}  // namespace torchgate::bench
