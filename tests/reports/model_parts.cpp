// SPDX-License-Identifier: Apache-2.0
#include "tests/reports/model_parts.hpp"

#include <cmath>
#include <utility>

namespace torchgate::reports::models {
namespace {

SideNumbers count(double value) {
  SideNumbers numbers;
  numbers.value = value;
  numbers.processes = 1;
  numbers.samples = 1;
  return numbers;
}

}  // namespace

SideNumbers side(double value_ns, std::int64_t processes, std::int64_t samples) {
  SideNumbers numbers;
  numbers.value = value_ns;
  numbers.processes = processes;
  numbers.samples = samples;
  numbers.p95 = Tail{value_ns * 1.08, Interval{value_ns * 1.06, value_ns * 1.11, 0.95}};
  numbers.items_per_second = 8 / (value_ns * 1e-9);
  numbers.peak_bytes = 52113408;
  for (std::int64_t i = 0; i < processes; ++i) {
    numbers.process_values.push_back(value_ns * (1 + 0.002 * static_cast<double>(i - processes / 2)));
  }
  Noise noise;
  noise.iteration.sd = 0.0213;
  noise.process.sd = 0.0062;
  noise.effective_samples = 0.41 * static_cast<double>(samples);
  noise.outliers = 3;
  noise.two_modes.of = noise.drift.of = noise.not_steady.of = processes;
  numbers.noise = noise;
  return numbers;
}

TextbookAnswer textbook(double p, double d, std::string word, std::string call) {
  return {p, d, std::move(word), std::move(call), "200 raw samples of 5 processes a side"};
}

Finding timed(std::string name, Verdict verdict, GateAction action, double before_ns, double change,
              double half_width) {
  Finding finding;
  finding.case_name = std::move(name);
  finding.metric = time_metric;
  finding.verdict = verdict;
  finding.action = action;
  finding.before = side(before_ns);
  finding.after = side(before_ns * (1 + change));
  finding.estimator = stats::Estimator::process_mean;
  finding.change = change;
  finding.interval = Interval{change - half_width, change + half_width, 0.99};
  finding.p = std::abs(change) < half_width ? 0.41 : 2.13e-5;
  finding.alpha = 0.05;
  finding.cohens_d = change / 0.03;
  finding.cohens_d_word = std::abs(change) < 0.006 ? "negligible" : std::abs(change) < 0.015 ? "small" : "large";
  finding.smallest_detectable = 0.031;
  finding.textbook = textbook(std::abs(change) < half_width ? 0.07 : 3.3e-9, change / 0.05, "large",
                              std::abs(change) < half_width ? "no change"
                              : change > 0                  ? "regressed"
                                                            : "improved");
  return finding;
}

Finding equivalent(std::string name, double before_ns, double change) {
  Finding finding = timed(std::move(name), Verdict::equivalent, GateAction::pass, before_ns, change);
  return finding;
}

Finding exact(std::string name, const record::Metric& metric, Verdict verdict, GateAction action, double before,
              double after) {
  Finding finding;
  finding.case_name = std::move(name);
  finding.metric = metric;
  finding.verdict = verdict;
  finding.action = action;
  finding.before = count(before);
  finding.after = count(after);
  finding.estimator = stats::Estimator::count;
  if (before > 0) finding.change = after / before - 1;
  return finding;
}

Finding without_numbers(std::string name, Verdict verdict, GateAction action, std::string reason) {
  Finding finding;
  finding.case_name = std::move(name);
  finding.metric = time_metric;
  finding.verdict = verdict;
  finding.action = action;
  finding.reasons = {std::move(reason)};
  return finding;
}

void confirm(Finding& finding, std::int64_t pairs, double half_width, double p, double alpha) {
  Confirmation confirmation;
  confirmation.pairs = pairs;
  confirmation.change = finding.change;
  confirmation.interval = Interval{*finding.change - half_width, *finding.change + half_width, 1 - alpha};
  confirmation.p = p;
  confirmation.alpha = alpha;
  confirmation.confirmed = true;
  finding.estimator = stats::Estimator::pairs;
  finding.interval = confirmation.interval;
  finding.p = p;
  finding.alpha = alpha;
  finding.confirmation = confirmation;
}

Confirmation undecided_after(std::int64_t pairs, double change, double half_width, double p, double alpha) {
  Confirmation confirmation;
  confirmation.pairs = pairs;
  confirmation.change = change;
  confirmation.interval = Interval{change - half_width, change + half_width, 1 - alpha};
  confirmation.p = p;
  confirmation.alpha = alpha;
  return confirmation;
}

void add_quiet_cases(Report& report, int cases) {
  for (int i = 0; i < cases; ++i) {
    const std::string name = "batching/linear/device:cpu/batch:" + std::to_string(1 << (i % 8)) +
                             "/width:" + std::to_string(64 + 64 * (i / 8));
    report.findings.push_back(equivalent(name, 81000.0 * (1 + i), 0.002 * ((i % 5) - 2)));
    report.findings.push_back(exact(name, operator_calls, Verdict::equivalent, GateAction::pass, 40.0 + i, 40.0 + i));
  }
  report.cases_judged += cases;
}

Report base() {
  Report report;
  report.before = {"baseline", {"r-0191", "r-0187", "r-0184"}, "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d",
                   false,      "2026-01-30T04:12:09Z",         "EPYC-7763-4c4t-x86_64"};
  report.after = {"this run",
                  {"r-0192"},
                  "9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c",
                  false,
                  "2026-01-31T09:40:51Z",
                  "EPYC-7763-4c4t-x86_64"};
  report.rule = "default";
  return report;
}

}  // namespace torchgate::reports::models
