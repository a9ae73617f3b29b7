// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/one_clock.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <string_view>
#include <unordered_map>

#include "ci/gate/evidence/identity.hpp"
#include "ci/gate/evidence/numbers.hpp"
#include "harness/record/sample_summary.hpp"
#include "stats/quantile.hpp"

namespace torchgate::gate {
namespace {

using record::Clock;

// Those that the library computes: a program may compute the others itself.
constexpr std::array rates_of_library{std::string_view("items_per_second"), std::string_view("bytes_per_second")};

bool is_of_cpu(Clock clock) {
  return clock == Clock::cpu || clock == Clock::process_cpu;
}

record::Measurement* find_measurement(record::CaseResult& result, std::string_view name) {
  const auto found = std::find_if(result.measurements.begin(), result.measurements.end(),
                                  [&](const record::Measurement& each) { return each.metric == name; });
  return found == result.measurements.end() ? nullptr : &*found;
}

// The same number of positive samples of each, or their medians where samples were not kept.
struct Parts {
  record::Measurement* rate = nullptr;
  const record::Measurement* cpu = nullptr;
  const record::Measurement* time = nullptr;

  [[nodiscard]] bool known() const {
    const auto usable = [](const record::Measurement* each) {
      return each != nullptr && each->summary && each->summary->min > 0;
    };
    return usable(rate) && usable(cpu) && usable(time);
  }
  [[nodiscard]] bool have_samples() const {
    const std::size_t n = rate->samples.size();
    return n > 0 && cpu->samples.size() == n && time->samples.size() == n;
  }
};

Parts parts_of(record::CaseResult& result, const std::string& rate, const std::string& time) {
  return {find_measurement(result, rate), find_measurement(result, "cpu_time"), find_measurement(result, time)};
}

void scale(record::SampleSummary& summary, double factor) {
  for (double* const each : {&summary.mean, &summary.min, &summary.p25, &summary.median, &summary.p75, &summary.max})
    *each *= factor;
  for (auto* const each : {&summary.sd, &summary.p95, &summary.p99})
    if (*each) **each *= factor;
}

void convert(const Parts& parts) {
  record::Measurement& rate = *parts.rate;
  if (!parts.have_samples()) {
    scale(*rate.summary, parts.cpu->summary->median / parts.time->summary->median);
    return;
  }
  for (std::size_t i = 0; i < rate.samples.size(); ++i)
    rate.samples[i] *= parts.cpu->samples[i] / parts.time->samples[i];
  rate.summary = record::summarize_samples(rate.samples);
}

// A rate of a case, and the time of the case.
struct Wanted {
  std::string rate;
  std::string time;
  std::size_t case_index = 0;
  std::size_t metric_index = 0;
  bool possible = true;  // every result that has the rate has both times
};

using WantedByCase = std::unordered_map<std::string_view, std::vector<Wanted>>;

WantedByCase wanted_in(const record::Run& run, const RatesOfCases& rates) {
  WantedByCase wanted;
  for (std::size_t i = 0; i < run.cases.size(); ++i) {
    const record::Case& definition = run.cases[i];
    const record::Metric* const time = primary_metric(definition);
    if (time == nullptr || time->direction != record::Direction::lower_is_better) continue;
    for (std::size_t m = 0; m < definition.metrics.size(); ++m) {
      const record::Metric& rate = definition.metrics[m];
      if (is_of_cpu(rate.clock) && rates.contains({definition.name, rate.name}))
        wanted[definition.name].push_back({rate.name, time->name, i, m});
    }
  }
  return wanted;
}

void for_each_rate(record::Run& run, WantedByCase& wanted,
                   const std::function<void(Wanted&, record::CaseResult&, const Parts&)>& use) {
  for (record::Process& process : run.processes) {
    for (record::CaseResult& result : process.cases) {
      const auto of_case = wanted.find(result.name);
      if (of_case == wanted.end()) continue;
      for (Wanted& each : of_case->second)
        if (const Parts parts = parts_of(result, each.rate, each.time); parts.rate != nullptr) use(each, result, parts);
    }
  }
}

// Of the processes of a side that have both times and the rate.
struct OfProcesses {
  std::vector<double> work;   // per call
  std::vector<double> share;  // of the time that is CPU time
};

using ByRate = std::map<std::pair<std::string, std::string>, OfProcesses>;

// Library rates per CPU time.
WantedByCase rates_of_cpu(const record::Run& run) {
  RatesOfCases all;
  for (const record::Case& definition : run.cases)
    for (const record::Metric& metric : definition.metrics)
      if (is_of_cpu(metric.clock) && is_rate_of_library(metric.name)) all.emplace(definition.name, metric.name);
  return wanted_in(run, all);
}

void add_processes(const MeasuredSide& side, ByRate& by_rate) {
  const WantedByCase wanted = rates_of_cpu(*side.run);
  for (const record::Process& process : side.run->processes) {
    if (process.side != side.side) continue;
    for (const record::CaseResult& result : process.cases) {
      const auto of_case = wanted.find(result.name);
      if (of_case == wanted.end()) continue;
      for (const Wanted& each : of_case->second) {
        const auto median = [&](const std::string& metric) {
          const record::Measurement* const found = measurement_of(result, metric);
          return found == nullptr || !found->summary ? 0 : found->summary->median;
        };
        const double cpu = median("cpu_time");
        const double time = median(each.time);
        const double work = median(each.rate) * cpu;
        if (!(work > 0) || !(time > 0)) continue;
        OfProcesses& of = by_rate[{result.name, each.rate}];
        of.work.push_back(work);
        of.share.push_back(cpu / time);
      }
    }
  }
}

// Other work, and CPU time is a smaller share of the real time.
bool has_less_cpu(const OfProcesses& then, const OfProcesses& now) {
  const auto grew = [](const std::vector<double>& from, const std::vector<double>& to) {
    return std::log(stats::median(to).value_or(1) / stats::median(from).value_or(1));
  };
  return std::abs(grew(then.work, now.work)) > same_work && grew(then.share, now.share) < -same_work;
}

}  // namespace

bool is_rate_of_library(std::string_view metric) {
  return std::find(rates_of_library.begin(), rates_of_library.end(), metric) != rates_of_library.end();
}

RatesOfCases rates_of_less_cpu(const std::vector<MeasuredSide>& newest_first, const MeasuredSide& after) {
  std::vector<ByRate> stored(newest_first.size());
  for (std::size_t i = 0; i < stored.size(); ++i) add_processes(newest_first[i], stored[i]);
  ByRate is;
  add_processes(after, is);
  RatesOfCases rates;
  for (const auto& each : is) {
    const auto newest =
        std::find_if(stored.begin(), stored.end(), [&](const ByRate& run) { return run.contains(each.first); });
    if (newest != stored.end() && has_less_cpu(newest->at(each.first), each.second)) rates.insert(each.first);
  }
  return rates;
}

RatesOfCases rates_of_two_clocks(const std::vector<const record::Run*>& runs) {
  std::map<std::pair<std::string, std::string>, Clock> known;
  RatesOfCases rates;
  for (const record::Run* const run : runs) {
    for (const record::Case& definition : run->cases) {
      for (const record::Metric& metric : definition.metrics) {
        if (metric.clock == Clock::unknown) continue;
        if (!is_rate_of_library(metric.name)) continue;
        const std::pair rate(definition.name, metric.name);
        if (known.try_emplace(rate, metric.clock).first->second != metric.clock) rates.insert(rate);
      }
    }
  }
  return rates;
}

std::optional<record::Run> in_real_time(const record::Run& run, const RatesOfCases& rates,
                                        const facts::Sentence<std::string>& why) {
  if (wanted_in(run, rates).empty()) return std::nullopt;
  std::optional<record::Run> converted = run;
  WantedByCase wanted = wanted_in(*converted, rates);
  for_each_rate(*converted, wanted, [](Wanted& each, const record::CaseResult&, const Parts& parts) {
    each.possible = each.possible && parts.known();
  });
  for_each_rate(*converted, wanted, [&](const Wanted& each, record::CaseResult& result, const Parts& parts) {
    if (!each.possible) return;
    convert(parts);
    const std::string remark = why(each.rate).words();
    result.message = result.message.text().empty() ? remark : result.message.text() + "; " + remark;
  });
  for (const auto& [name, all] : wanted)
    for (const Wanted& each : all)
      if (each.possible) converted->cases[each.case_index].metrics[each.metric_index].clock = Clock::real;
  return converted;
}

std::optional<record::Run> pairs_in_real_time(const record::Run& pairs) {
  const RatesOfCases rates = rates_of_less_cpu({MeasuredSide{&pairs, 0}}, MeasuredSide{&pairs, 1});
  return rates.empty() ? std::nullopt : in_real_time(pairs, rates, facts::recomputed_as_less_cpu);
}

Comparison in_one_clock(Comparison comparison, std::vector<record::Run>& converted) {
  std::vector<const record::Run**> runs{&comparison.current};
  for (const record::Run*& stored : comparison.baseline) runs.push_back(&stored);
  std::vector<const record::Run*> all;
  all.reserve(runs.size());
  for (const record::Run* const* const run : runs) all.push_back(*run);
  if (comparison.pairs != nullptr) runs.push_back(&comparison.pairs);  // they answer what the stored rates ask
  converted.reserve(2 * runs.size());                                  // they are pointed to
  const auto convert = [&](const RatesOfCases& rates, const facts::Sentence<std::string>& why) {
    if (rates.empty()) return;
    for (const record::Run** const run : runs) {
      auto same_clock = in_real_time(**run, rates, why);
      if (!same_clock) continue;
      converted.push_back(*std::move(same_clock));
      *run = &converted.back();
    }
  };
  convert(rates_of_two_clocks(all), facts::recomputed_per_real_time);
  std::vector<MeasuredSide> newest_first;
  for (const record::Run* const stored : comparison.baseline) newest_first.push_back({stored, 0});
  convert(rates_of_less_cpu(newest_first, MeasuredSide{comparison.current, 0}), facts::recomputed_as_less_cpu);
  return comparison;
}

}  // namespace torchgate::gate
