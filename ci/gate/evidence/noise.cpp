// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/noise.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "stats/effective_sample_size.hpp"
#include "stats/modes.hpp"
#include "stats/mser.hpp"
#include "stats/outliers.hpp"
#include "stats/quantile.hpp"
#include "stats/trend.hpp"
#include "stats/variance_components.hpp"

namespace torchgate::gate {
namespace {

reports::NoisePart part(const stats::NoisePart& estimate) {
  return {estimate.sd(), estimate.floored};
}

// Looks at one process after the other with the same two buffers: a report asks about thousands of processes.
class SeriesExaminer {
 public:
  void examine(const record::Case& definition, const record::CaseResult& result, const record::Metric& metric) {
    const record::Measurement* m = measurement_of(result, metric.name);
    if (m == nullptr || !m->summary) return;
    ++processes_;
    const auto n = static_cast<std::size_t>(std::max<std::int64_t>(0, m->summary->n));
    steady_known_ = steady_known_ || result.steady;
    noise_.not_steady.processes += n >= stats::never_steady_from && !result.steady.value_or(true);
    if (n == 0 || m->samples.size() < n || include_stops(definition, result, metric)) return;
    // What was discarded as warm-up stands first.
    if (take_logs(std::span(m->samples).last(n))) look();
  }

  reports::Noise finish() {
    if (steady_known_) noise_.not_steady.of = processes_;
    for (reports::SeriesFlag* flag : {&noise_.two_modes, &noise_.drift, &noise_.not_steady})
      flag->raised = 2 * flag->processes > flag->of;
    if (effective_of_ == processes_ && processes_ > 0) noise_.effective_samples = effective_;
    if (outliers_of_ == processes_ && processes_ > 0) noise_.outliers = outliers_;
    if (noise_.two_modes.raised) {
      noise_.modes = reports::Modes{std::exp(*stats::median(lower_)), std::exp(*stats::median(upper_)),
                                    *stats::median(upper_share_)};
    }
    return noise_;
  }

 private:
  bool take_logs(std::span<const double> samples) {
    logs_.clear();
    for (double sample : samples) {
      if (!(sample > 0.0) || !std::isfinite(sample)) return false;
      logs_.push_back(std::log(sample));
    }
    return true;
  }

  void look() {
    if (const auto effective = stats::effective_sample_size(logs_)) {
      effective_ += *effective;
      ++effective_of_;
    }
    if (logs_.size() < std::min(stats::outliers_from, stats::modes_from)) return;
    sorted_ = logs_;
    std::sort(sorted_.begin(), sorted_.end());
    if (const auto count = stats::outlier_count_of_sorted(sorted_)) {
      outliers_ += static_cast<std::int64_t>(*count);
      ++outliers_of_;
    }
    if (logs_.size() >= stats::modes_from) {
      ++noise_.two_modes.of;
      if (const auto modes = stats::two_modes(logs_, sorted_)) {
        ++noise_.two_modes.processes;
        lower_.push_back(modes->lower);
        upper_.push_back(modes->upper);
        upper_share_.push_back(modes->upper_share);
      }
    }
    if (logs_.size() >= stats::trend_from) {
      ++noise_.drift.of;
      noise_.drift.processes += stats::drifts(logs_);
    }
  }

  reports::Noise noise_;
  std::vector<double> logs_;
  std::vector<double> sorted_;
  std::vector<double> lower_;
  std::vector<double> upper_;
  std::vector<double> upper_share_;
  double effective_ = 0.0;
  std::int64_t outliers_ = 0;
  std::int64_t processes_ = 0;
  std::int64_t effective_of_ = 0;
  std::int64_t outliers_of_ = 0;
  bool steady_known_ = false;
};

}  // namespace

void set_noise_parts(reports::Noise& noise, std::span<const CaseEvidence* const> runs, const record::Metric& metric) {
  std::vector<stats::ProcessNumbers> processes;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    if (runs[run] == nullptr || runs[run]->definition->protocol != runs.front()->definition->protocol) continue;
    for (const CaseProcess& one : runs[run]->measured) {
      const record::Measurement* m = measurement_of(*one.result, metric.name);
      if (m == nullptr || !m->summary || m->summary->n < 1) continue;
      const record::SampleSummary& s = *m->summary;
      // The spread of samples with stops is that of the stops; their median has none.
      const auto process = include_stops(*runs[run]->definition, *one.result, metric)
                               ? stats::process_by_median(s.median, s.median, s.median, 1, run)
                               : stats::process_by_median(s.p25, s.median, s.p75, static_cast<std::size_t>(s.n), run);
      if (process) processes.push_back(*process);
    }
  }
  const stats::VarianceComponents parts = stats::variance_components(processes);
  noise.iteration = part(parts.iteration);
  noise.process = part(parts.process);
  noise.run = part(parts.run);
}

reports::Noise noise_of(std::span<const CaseEvidence* const> runs, const record::Metric& metric) {
  SeriesExaminer examiner;
  for (const CaseProcess& one : runs.front()->measured)
    examiner.examine(*runs.front()->definition, *one.result, metric);
  reports::Noise noise = examiner.finish();
  set_noise_parts(noise, runs, metric);
  return noise;
}

}  // namespace torchgate::gate
