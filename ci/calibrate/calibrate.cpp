// SPDX-License-Identifier: Apache-2.0
#include "ci/calibrate/calibrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "ci/calibrate/repetitions.hpp"
#include "ci/gate/evidence/evidence.hpp"
#include "ci/gate/judge.hpp"
#include "ci/policy/since_pin.hpp"
#include "harness/record/cuda_cases.hpp"
#include "stats/budget.hpp"
#include "stats/interleaved.hpp"
#include "stats/moderated_variance.hpp"
#include "stats/quantile.hpp"
#include "stats/rules.hpp"
#include "stats/screen.hpp"
#include "stats/variance_components.hpp"

namespace torchgate::calibrate {
namespace {

// A run-to-run SD below a thousandth is luck: no shared or desktop machine repeats a run that well.
constexpr double smallest_run_sd = 0.001;

constexpr std::size_t many_stored_runs = 10;  // what a store keeps as baseline
constexpr double ns_per_s = 1e9;

// What one case left behind in all runs.
struct CaseRecord {
  std::vector<stats::ProcessNumbers> processes;
  double sampling_ns = 0;  // of one process
  double sample_ns = 0;
  std::size_t samples = 0;  // per process
};

std::optional<double> at_least(std::optional<double> found, double smallest) {
  if (found) found = std::max(*found, smallest);
  return found;
}

const record::SampleSummary* summary_of(const record::CaseResult& result, const std::string& metric) {
  for (const record::Measurement& m : result.measurements) {
    if (m.metric == metric && m.summary) return &*m.summary;
  }
  return nullptr;
}

std::optional<CaseRecord> gather(const std::vector<gate::SideEvidence>& runs, const record::Case& definition) {
  const record::Metric* metric = record::primary_metric(definition);
  if (metric == nullptr) return std::nullopt;
  CaseRecord gathered;
  std::vector<double> sample_ns;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const gate::CaseEvidence* evidence = runs[r].find(definition.name);
    if (evidence == nullptr) continue;
    for (const gate::CaseProcess& one : evidence->measured) {
      const record::SampleSummary* s = summary_of(*one.result, metric->name);
      if (s == nullptr) continue;
      const auto n = static_cast<std::size_t>(s->n);
      if (const auto numbers = stats::process_by_median(s->p25, s->median, s->p75, n, r)) {
        gathered.processes.push_back(*numbers);
        gathered.samples = n;
        sample_ns.push_back(s->median * static_cast<double>(one.result->calls_per_sample));
      }
    }
  }
  if (gathered.processes.empty()) return std::nullopt;
  gathered.sample_ns = *stats::median(sample_ns);
  gathered.sampling_ns = gathered.sample_ns * static_cast<double>(gathered.samples);
  return gathered;
}

// What a process costs besides its samples: starting, building models, warming up; shared by the cases of its group.
double process_cost_ns(const record::Run& run, const std::string& group, double sampling_ns, std::size_t cases) {
  std::vector<double> walls;
  for (const record::Process& process : run.processes) {
    if (process.group == group && process.status == record::ProcessStatus::ok)
      walls.push_back(static_cast<double>(process.wall_ns));
  }
  const double wall = stats::median(walls).value_or(0);
  return std::max(0.0, wall - sampling_ns) / static_cast<double>(std::max<std::size_t>(1, cases));
}

std::optional<std::int64_t> count_of(const stats::Repetitions& repetitions) {
  if (!repetitions.count) return std::nullopt;
  return static_cast<std::int64_t>(*repetitions.count);
}

class Calibrator {
 public:
  Calibrator(const CalibrationRequest& request, const policy::Policy& policy) : request_(request), policy_(policy) {
    for (const record::Run* run : request.runs) sides_.emplace_back(*run, 0);
    result_.host_key = request.runs.front()->machine.host_key;
    if (record::has_cuda_cases(*request.runs.front())) result_.device_key = request.runs.front()->machine.device_key;
    result_.created = request.created;
    result_.tool_version = request.tool_version;
    result_.profile = request.runs.front()->plan.profile;
    result_.processes = request.runs.front()->plan.processes;
    result_.pairs = policy.pairs;
    for (const record::Run* run : request.runs) result_.runs.push_back(run->id);
    gather_counts();
  }

  record::Calibration calibrate() {
    for (const record::Case& definition : request_.runs.front()->cases) {
      if (auto gathered = gather(sides_, definition)) {
        cases_.push_back(&definition);
        records_.push_back(std::move(*gathered));
        noise_.push_back(stats::variance_components(records_.back().processes));
      }
    }
    share_run_variances();
    for (std::size_t i = 0; i < cases_.size(); ++i) result_.cases.push_back(describe(i));
    for (const bool screens : {true, false}) {
      for (const stats::Rule& rule : stats::rules()) {
        if (rule.screens == screens && !rule.needs_pairs()) result_.rules.push_back(try_rule(rule));
      }
    }
    return std::move(result_);
  }

 private:
  // Of all processes of all runs, as far as they were counted in the same way.
  void gather_counts() {
    for (const record::Run* run : request_.runs) {
      for (const record::InstructionCount& count : run->instructions) {
        if (count.per_call.empty()) continue;
        if (result_.instruction_counter.empty()) result_.instruction_counter = count.counter;
        if (count.counter != result_.instruction_counter) continue;
        auto& all = counts_[count.case_name];
        all.insert(all.end(), count.per_call.begin(), count.per_call.end());
      }
    }
  }

  [[nodiscard]] std::optional<double> instructions_spread(const std::string& name) const {
    const auto found = counts_.find(name);
    if (found == counts_.end() || found->second.size() < 2) return std::nullopt;
    const auto [least, most] = std::minmax_element(found->second.begin(), found->second.end());
    return *least > 0 ? std::optional(*most / *least - 1) : std::nullopt;
  }

  // A handful of runs says little about one case's run-to-run spread; the suite says what is usual. From ten cases on
  // the variances are moderated as the screen does it.
  void share_run_variances() {
    const double df = static_cast<double>(request_.runs.size()) - 1;
    const double least = smallest_run_sd * smallest_run_sd;
    std::vector<stats::Variance> variances;
    std::vector<std::size_t> known;
    for (std::size_t i = 0; i < noise_.size(); ++i) {
      if (!noise_[i].run.variance) continue;
      variances.push_back({std::max(*noise_[i].run.variance, least), df});
      known.push_back(i);
    }
    if (variances.empty()) {
      result_.run_sd = policy::assumed_run_sd;
      return;
    }
    std::vector<double> spread;
    spread.reserve(variances.size());
    for (const stats::Variance& v : variances) spread.push_back(v.s2);
    result_.run_sd = std::sqrt(*stats::median(spread));
    if (variances.size() >= stats::moderated_from_cases) variances = stats::moderate(variances).cases;
    for (std::size_t j = 0; j < known.size(); ++j) noise_[known[j]].run.variance = variances[j].s2;
  }

  [[nodiscard]] record::CaseCalibration describe(std::size_t i) const {
    const stats::VarianceComponents& noise = noise_[i];
    const CaseRecord& seen = records_[i];
    record::CaseCalibration one;
    one.name = cases_[i]->name;
    one.device = cases_[i]->device;
    one.instructions_spread = instructions_spread(one.name);
    one.iteration_sd = noise.iteration.sd();
    one.process_sd = noise.process.sd();
    // A case noisier than that (one of two levels, by chance) is not gated by stored runs any better with its own SD.
    if (const auto sd = noise.run.sd()) one.run_sd = std::min(*sd, record::largest_run_sd);
    stats::StoredPlan plan;
    plan.processes_per_run = static_cast<std::size_t>(std::max<std::int64_t>(1, result_.processes));
    plan.iterations_per_process = std::max<std::size_t>(1, seen.samples);
    // Smaller changes are neither suspected nor called, however quiet the case is.
    const double suspected = std::log1p(stats::ScreenOptions().candidate_effect);
    one.found_by_one_run = at_least(stats::detectable_by_screen(noise, plan, policy_.candidate_p), suspected);
    plan.stored_runs = many_stored_runs;
    one.found_by_ten_runs = at_least(stats::detectable_by_screen(noise, plan, policy_.candidate_p), suspected);
    if (const auto pair_sd = stats::expected_pair_sd(noise, plan.iterations_per_process)) {
      stats::InterleavedOptions looks;
      looks.alpha = policy_.alpha;
      looks.last = static_cast<std::size_t>(policy_.pairs);
      one.found_by_pairs =
          at_least(stats::detectable_by_pairs(*pair_sd, looks.last, stats::look_limit(looks.last, looks)),
                   std::log1p(policy::settled_gate(policy_).margin));
    }
    stats::LevelCosts costs;
    costs.iteration = seen.sample_ns / ns_per_s;
    costs.process = process_cost_ns(*request_.runs.front(), cases_[i]->group, sampling_of_group(cases_[i]->group),
                                    cases_of_group(cases_[i]->group)) /
                    ns_per_s;
    costs.run = request_.run_cost_s / static_cast<double>(cases_.size());
    const stats::Plan wanted = stats::recommended_plan(noise, costs);
    one.samples_wanted = count_of(wanted.iterations_per_process);
    one.processes_wanted = count_of(wanted.processes_per_run);
    return one;
  }

  [[nodiscard]] double sampling_of_group(const std::string& group) const {
    double sum = 0;
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      if (cases_[i]->group == group) sum += records_[i].sampling_ns;
    }
    return sum;
  }
  [[nodiscard]] std::size_t cases_of_group(const std::string& group) const {
    return static_cast<std::size_t>(
        std::count_if(cases_.begin(), cases_.end(), [&](const record::Case* one) { return one->group == group; }));
  }

  // Every run against those before it: nothing changed, so that whatever is flagged as slower is false.
  record::RuleCalibration try_rule(const stats::Rule& rule) {
    record::RuleCalibration tried;
    tried.rule = rule.name;
    policy::Policy policy = policy_;
    policy.rule = rule.name;
    policy.confirm = policy::Confirm::none;
    for (std::size_t r = rule.fewest_stored_runs; r < request_.runs.size(); ++r) {
      gate::Comparison comparison;
      for (std::size_t before = r; before-- > 0;) comparison.baseline.push_back(request_.runs[before]);
      if (rule.for_one_stored_run) comparison.baseline.resize(1);
      comparison.current = request_.runs[r];
      comparison.run_sd_of = [this](const std::string& case_name) { return run_sd_of(case_name); };
      const auto report = gate::judge_stored(comparison, policy);
      if (!report) continue;
      std::int64_t flagged = 0;
      for (const reports::Finding& finding : report->findings) {
        const bool count = finding.metric.kind == record::MetricKind::exact;
        if (count != (rule.reads == stats::Reads::counts) || (!count && !finding.before)) continue;
        ++tried.tests;
        flagged += finding.verdict == reports::Verdict::suspected || finding.verdict == reports::Verdict::regressed ||
                           finding.verdict == reports::Verdict::changed
                       ? 1
                       : 0;
      }
      tried.flagged += flagged;
      ++tried.comparisons;
      tried.comparisons_flagged += flagged > 0 ? 1 : 0;
    }
    return tried;
  }

  [[nodiscard]] std::optional<double> run_sd_of(const std::string& case_name) const {
    for (std::size_t i = 0; i < cases_.size(); ++i) {
      if (cases_[i]->name == case_name) return noise_[i].run.sd();
    }
    return std::nullopt;
  }

  const CalibrationRequest& request_;
  const policy::Policy& policy_;
  std::vector<gate::SideEvidence> sides_;
  std::vector<const record::Case*> cases_;
  std::vector<CaseRecord> records_;
  std::vector<stats::VarianceComponents> noise_;
  std::map<std::string, std::vector<double>> counts_;  // of instructions per call, by case
  record::Calibration result_;
};

}  // namespace

base::Result<record::Calibration> calibrate(const CalibrationRequest& request, const policy::Policy& policy) {
  if (request.runs.size() < fewest_calibration_runs) {
    return base::Error{base::ErrorCode::bad_input,
                       fmt::format("a calibration needs at least {} runs of the same build, there are {}",
                                   fewest_calibration_runs, request.runs.size())};
  }
  if (auto repeated = check_repetitions(request.runs); !repeated) return repeated.error();
  return Calibrator(request, policy).calibrate();
}

}  // namespace torchgate::calibrate
