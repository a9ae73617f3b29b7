// SPDX-License-Identifier: Apache-2.0
// Sequences: interleaved pairs.
#include <cmath>

#include "stats/hodges_lehmann.hpp"
#include "stats/interleaved.hpp"
#include "stats/signed_rank.hpp"
#include "stats/welch.hpp"
#include "tests/simulations/recorded_evidence.hpp"
#include "tests/simulations/recorded_rules.hpp"

namespace torchgate::simulations {

using stats::Call;

CountTable judge_sequences(const Recordings& recordings, std::size_t folder) {
  CountTable table;
  const double margin = std::log1p(0.01);
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
    const auto welch =
        stats::welch(moments_of(before, &RecordedProcess::mean), moments_of(after, &RecordedProcess::mean));
    add("Welch on process means, interleaved 20+20", welch->p < 0.05 && welch->t > 0.0);

    const std::vector<double> differences = pair_differences(sequence, &RecordedProcess::log_median);
    const auto first = std::span(differences).first(some);
    const double p = stats::signed_rank(first)->p;
    const double effect = *stats::hodges_lehmann(first);
    add("signed rank, 20 pairs, p < 5 %", p < 0.05 && effect > 0.0);
    add("signed rank, 20 pairs, p < 1 % and at least 1 %", p < 0.01 && effect > margin);
    stats::InterleavedOptions options;
    add(confirmed_rule, stats::judge_interleaved(differences, options).call == Call::regressed);
    options.family = 200;
    add("sequential pairs, alpha 1 %/200", stats::judge_interleaved(differences, options).call == Call::regressed);
    const auto tail = [&](const char* rule, Value value) {
      const std::vector<double> of_tail = pair_differences(sequence, value);
      add(rule, stats::signed_rank(of_tail)->p < 0.01 && *stats::hodges_lehmann(of_tail) > margin);
    };
    tail("P95: signed rank, 48 pairs, p < 1 % and at least 1 %", &RecordedProcess::log_p95);
    tail("P99: signed rank, 48 pairs, p < 1 % and at least 1 %", &RecordedProcess::log_p99);
  }
  return table;
}

}  // namespace torchgate::simulations
