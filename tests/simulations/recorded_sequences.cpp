// SPDX-License-Identifier: Apache-2.0
// Sequences: interleaved pairs.
#include "stats/interleaved.hpp"
#include "tests/simulations/recorded_evidence.hpp"
#include "tests/simulations/recorded_rules.hpp"

namespace torchgate::simulations {

using stats::Call;

constexpr const char* p95_rule = "P95: sequential pairs, alpha 1 %, margin 10 %";
constexpr const char* p99_rule = "P99: sequential pairs, alpha 1 %, margin 20 %";

CountTable judge_sequences(const Recordings& recordings, std::size_t folder) {
  CountTable table;
  for (const RecordedSequence& sequence : recordings.sequences) {
    if (sequence.folder != folder || !is_valid(sequence.workload, sequence.variant)) continue;
    const auto add = [&](const std::string& rule, bool alarm) { table.add(rule, sequence.variant, alarm ? 1 : 0); };
    constexpr std::size_t some = 20;
    std::vector<RecordedProcess> before;
    std::vector<RecordedProcess> after;
    for (std::size_t i = 0; i < sequence.processes.size(); ++i) {
      std::vector<RecordedProcess>& side = sequence.is_candidate[i] ? after : before;
      if (side.size() < some) side.push_back(sequence.processes[i]);
    }
    add("textbook, raw samples, interleaved 20+20", textbook(pooled(before), pooled(after)));
    const std::vector<double> differences = pair_differences(sequence, &RecordedProcess::log_median);
    stats::InterleavedOptions options;
    add(confirmed_rule, stats::judge_interleaved(differences, options).call == Call::regressed);
    options.family = 200;
    add("sequential pairs, alpha 1 %/200", stats::judge_interleaved(differences, options).call == Call::regressed);
    const auto tail = [&](const char* rule, Value value, double margin) {
      stats::InterleavedOptions of_tail;
      of_tail.margin = of_tail.equivalence = of_tail.harm = margin;
      add(rule, stats::judge_interleaved(pair_differences(sequence, value), of_tail).call == Call::regressed);
    };
    tail(p95_rule, &RecordedProcess::log_p95, 0.10);
    tail(p99_rule, &RecordedProcess::log_p99, 0.20);
  }
  return table;
}

}  // namespace torchgate::simulations
