// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cstdlib>

#include "ci/advise/practices.hpp"

namespace torchgate::advise {
namespace {

/// A third of a call, of calls that are long enough to look at.
constexpr double calling_matters = 1.0 / 3;
constexpr double shortest_call_ns = 20'000;
/// A fifth of a call: another worker, or another batch ahead, pays for itself.
constexpr double waiting_matters = 0.20;
constexpr double spread_matters = 0.20;
/// Ranks that share a CPU take turns: with equal work they finish a time slice of the scheduler apart (Linux: 3 to 4 ms).
constexpr double time_slice_ns = 4e6;
/// Below 64 KiB a message costs its latency, whatever it holds; a few small ones do not matter.
constexpr double small_message_bytes = 65536;
constexpr double many_messages = 4;

std::optional<CaseAnswer> calls_amortised(const CaseFacts& facts, const RunFacts&) {
  const auto share = facts.calling_share();
  const auto operators = facts.value("operator_calls");
  const auto time = facts.value("time");
  if (!share || !operators || !time || *time < shortest_call_ns) return std::nullopt;
  return CaseAnswer{
      *share < calling_matters,
      fmt::format("calling its {:.0f} operators takes {:.0f} % of {:.0f} us", *operators, *share * 100, *time / 1e3),
      *share, *share};
}

std::optional<CaseAnswer> loader_keeps_up(const CaseFacts& facts, const RunFacts&) {
  auto wait = facts.value("wait_time");
  if (!wait) wait = facts.value("wait");
  const auto time = facts.value("time");
  if (!wait || !time || facts.value("collective_calls") || !(*time > 0)) return std::nullopt;
  const double share = *wait / *time;
  return CaseAnswer{share <= waiting_matters, fmt::format("it waits for its data {:.0f} % of the time", share * 100),
                    share, share};
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
                    share, share};
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
    Practice{
        "calls_amortised", category::data, "Operators do more work than calling them costs",
        "compile the model with AOTInductor, torch::jit::optimize_for_inference() a TorchScript module, or call each "
        "operator on a whole batch",
        "compile/modes", of_a_call, "no case on a CPU takes 20 us or more and has operator_calls", calls_amortised},
    Practice{
        "loader_keeps_up", category::data, "The model does not wait for its data",
        "torch::data::DataLoaderOptions().workers(n).max_jobs(2 * n), one loader for all epochs, and less work for "
        "each item",
        "data_loading/prefetch", of_a_call,
        "no case has the own metric wait_time: group.measures(ns(\"wait_time\")) and put() the time until the next "
        "batch arrives",
        loader_keeps_up},
    Practice{"batches_pinned", category::data, "Batches for a GPU are pinned, and copied while it computes",
             "pin_memory() in the worker, then to(device, true) on a stream of its own", "gpu/prefetch", of_a_call,
             "no record has whether a tensor is pinned: compare a variant that copies from pin_memory() to a CUDA "
             "device, as gpu/pinned and gpu/prefetch do",
             not_recorded},
    Practice{"threads_fit", category::data, "There are not more threads than CPUs",
             "at::set_num_threads(), or run.threads of the policy, to the CPUs of the job", "operators/threads",
             of_a_call, "the fact intra_op_threads or cpu_affinity is unknown", threads_fit},
    Practice{"ranks_balanced", category::data, "All ranks take the same time",
             "give each rank the same rows, torch::data::samplers::DistributedRandomSampler", "distributed/step",
             of_a_call, "no case is measured by several ranks: group.ranks(2)", ranks_balanced},
    Practice{"messages_bundled", category::data, "Few large messages instead of many small ones",
             "use larger buckets: bucket_bytes_cap of c10d::Reducer, 25 MB for example", "distributed/buckets",
             of_a_call, "no case is measured by several ranks and calls collectives: group.ranks(2)", messages_bundled},
};

}  // namespace

std::span<const Practice> data_practices() {
  return data_rows;
}

}  // namespace torchgate::advise
