// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "ci/advise/practices.hpp"

namespace torchgate::advise {
namespace {

/// A fifth of a call: another worker, or another batch ahead, pays for itself.
constexpr double waiting_matters = 0.20;
constexpr double spread_matters = 0.20;
/// Ranks that share a CPU take turns: with equal work they finish a time slice of the scheduler apart (Linux: 3 to 4 ms).
constexpr double time_slice_ns = 4e6;
/// Below 64 KiB a message costs its latency, whatever it holds; a few small ones do not matter.
constexpr double small_message_bytes = 65536;
constexpr double many_messages = 4;

std::optional<CaseAnswer> loader_keeps_up(const CaseFacts& facts, const RunFacts&) {
  auto wait = facts.value("wait_time");
  if (!wait) wait = facts.value("wait");
  const auto time = facts.value("time");
  if (!wait || !time || facts.value("collective_calls") || !(*time > 0)) return std::nullopt;
  const double share = *wait / *time;
  return CaseAnswer{share <= waiting_matters, fmt::format("it waits for its data {:.0f} % of the time", share * 100),
                    share};
}

// "0-3,6" has five; absent for anything else.
std::optional<int> cpus_in(const std::string& list) {
  int count = 0;
  const char* at = list.c_str();
  while (*at != '\0') {
    char* end = nullptr;
    const long first = std::strtol(at, &end, 10);
    if (end == at) return std::nullopt;
    long last = first;
    if (*end == '-') {
      at = end + 1;
      last = std::strtol(at, &end, 10);
      if (end == at) return std::nullopt;
    }
    count += static_cast<int>(last - first + 1);
    if (*end != ',' && *end != '\0') return std::nullopt;
    at = *end == ',' ? end + 1 : end;
  }
  return count > 0 ? std::optional(count) : std::nullopt;
}

std::optional<CaseAnswer> threads_fit(const CaseFacts&, const RunFacts& run) {
  const auto threads = run.fact("intra_op_threads");
  const auto affinity = run.fact("cpu_affinity");
  if (!threads || !affinity) return std::nullopt;
  const auto cpus = cpus_in(*affinity);
  const int count = std::atoi(threads->c_str());
  if (!cpus || count < 1) return std::nullopt;
  return CaseAnswer{count <= *cpus, fmt::format("{} intra-operator threads on {} CPUs", count, *cpus),
                    static_cast<double>(count)};
}

std::optional<CaseAnswer> ranks_balanced(const CaseFacts& facts, const RunFacts&) {
  const auto spread = facts.value("rank_spread");
  const auto time = facts.value("time");
  if (!spread || !time || !(*time > 0)) return std::nullopt;
  const double share = *spread / *time;
  return CaseAnswer{share <= spread_matters || *spread <= time_slice_ns,
                    fmt::format("the slowest rank needs {:.0f} % of a call longer than the fastest", share * 100),
                    share};
}

std::optional<CaseAnswer> messages_bundled(const CaseFacts& facts, const RunFacts&) {
  const auto calls = facts.value("collective_calls");
  const auto bytes = facts.value("collective_bytes");
  if (!calls || !bytes || *calls == 0) return std::nullopt;
  const double each = *bytes / *calls;
  const bool small = *calls >= many_messages && each < small_message_bytes;
  return CaseAnswer{!small, fmt::format("{:.0f} collectives of {:.0f} bytes", *calls, each), *calls};
}

constexpr std::array data_rows{
    Practice{"loader_keeps_up", "data and distribution", "The model does not wait for its data",
             "load ahead, use workers, or do less for each item", "data_loading/prefetch", loader_keeps_up},
    Practice{"threads_fit", "data and distribution", "There are not more threads than CPUs",
             "set run.threads to the CPUs of the job", "operators/threads", threads_fit},
    Practice{"ranks_balanced", "data and distribution", "All ranks take the same time", "give each rank the same work",
             "distributed/step", ranks_balanced},
    Practice{"messages_bundled", "data and distribution", "Few large messages instead of many small ones",
             "use larger buckets", "distributed/buckets", messages_bundled},
};

}  // namespace

std::span<const Practice> data_practices() {
  return data_rows;
}

}  // namespace torchgate::advise
