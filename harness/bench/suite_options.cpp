// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/suite_options.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace torchgate::bench {
namespace {

constexpr int most_threads = 1024;

record::Error bad(std::string_view flag, const std::string& what) {
  return {record::ErrorCode::bad_input, "--" + std::string(flag) + " " + what};
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

}  // namespace

SamplerSettings SuiteOptions::sampler() const {
  SamplerSettings settings = profile == "quick" ? quick_settings() : SamplerSettings{};
  if (min_time_s) {
    constexpr double ns_per_s = 1e9;
    settings.budget_ns = static_cast<std::int64_t>(*min_time_s * ns_per_s);
    settings.budget_most_ns = std::max(settings.budget_most_ns, settings.budget_ns);
  }
  return settings;
}

record::Result<SuiteOptions> parse_suite_options(int argc, char** argv) {
  SuiteOptions options;
  options.rest.emplace_back(argc > 0 ? argv[0] : "suite");
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (auto v = value_of(argument, "torchgate_list")) {
      options.list_file = *v;
    } else if ((v = value_of(argument, "torchgate_group"))) {
      options.group = *v;
    } else if ((v = value_of(argument, "torchgate_out"))) {
      options.out_file = *v;
    } else if ((v = value_of(argument, "torchgate_profile"))) {
      if (*v != "default" && *v != "quick")
        return bad("torchgate_profile", "takes default or quick, not \"" + std::string(*v) + "\"");
      options.profile = *v;
    } else if ((v = value_of(argument, "torchgate_filter"))) {
      options.filter = *v;
    } else if ((v = value_of(argument, "torchgate_seed"))) {
      if (!parse_number(*v, options.seed)) return bad("torchgate_seed", "takes a whole number");
    } else if ((v = value_of(argument, "torchgate_threads"))) {
      if (!parse_number(*v, options.threads) || options.threads < 1 || options.threads > most_threads) {
        return bad("torchgate_threads", "takes a number from 1 to " + std::to_string(most_threads));
      }
    } else if ((v = value_of(argument, "benchmark_min_time"))) {
      std::string_view seconds = *v;
      if (!seconds.empty() && seconds.back() == 's') seconds.remove_suffix(1);  // newer Google Benchmarks write "0.5s"
      double value = 0;
      if (!parse_number(seconds, value) || !(value >= 0)) return bad("benchmark_min_time", "takes seconds");
      options.min_time_s = value;
    } else if (argument.substr(0, 12) == "--torchgate_") {
      return bad(argument.substr(2),
                 "is no flag of a suite; there are torchgate_list, _group, _out, _profile, _filter, _seed, _threads");
    } else {
      options.rest.emplace_back(argument);
    }
  }
  if (options.group.has_value() != options.out_file.has_value())
    return bad("torchgate_group", "and --torchgate_out go together");
  return options;
}

}  // namespace torchgate::bench
