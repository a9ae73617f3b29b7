// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/recorded_evidence.hpp"

#include "stats/effect_size.hpp"
#include "stats/welch.hpp"

namespace torchgate::simulations {

using stats::Moments;

std::vector<double> values_of(const std::vector<RecordedProcess>& processes, Value value) {
  std::vector<double> values;
  for (const RecordedProcess& process : processes) values.push_back(process.*value);
  return values;
}

std::vector<double> pair_differences(const RecordedSequence& sequence, Value value) {
  std::vector<double> differences;
  for (std::size_t k = 0; k + 1 < sequence.processes.size(); k += 2) {
    const double d = sequence.processes[k + 1].*value - sequence.processes[k].*value;
    differences.push_back(sequence.is_candidate[k] ? -d : d);
  }
  return differences;
}

Moments pooled(const std::vector<RecordedProcess>& processes) {
  Moments all;
  double sum = 0.0;
  for (const RecordedProcess& process : processes) {
    all.n += process.samples.n;
    sum += process.samples.mean * static_cast<double>(process.samples.n);
  }
  all.mean = sum / static_cast<double>(all.n);
  for (const RecordedProcess& process : processes) {
    const double distance = process.samples.mean - all.mean;
    all.sum_of_squares += process.samples.sum_of_squares + distance * distance * static_cast<double>(process.samples.n);
  }
  return all;
}

bool textbook(const Moments& before, const Moments& after) {
  const auto welch = stats::welch(before, after);
  const auto d = stats::cohen_d(before, after);
  return welch && d && welch->p < 0.05 && *d > 0.2;
}

Moments moments_of(const std::vector<RecordedProcess>& processes, Value value) {
  return stats::moments(values_of(processes, value)).value_or(Moments{});
}

}  // namespace torchgate::simulations
