// SPDX-License-Identifier: Apache-2.0
#include "ci/history/case_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ci/policy/nearest_name.hpp"
#include "reports/format.hpp"
#include "stats/change_point.hpp"
#include "stats/level_interval.hpp"
#include "stats/slow_change.hpp"
#include "stats/watch.hpp"

namespace torchgate::history {
namespace {

using base::Error;
using base::ErrorCode;
using reports::History;

constexpr std::size_t suggestions = 3;
constexpr double interval_level = 0.99;  // as that of a finding

std::string sentence(const std::string& reason) {
  std::string text = reason;
  if (!text.empty()) text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text + ".";
}

// Larger is worse in the numbers given to stats; the report is in the metric's unit.
class Judge {
 public:
  Judge(History& history, std::vector<double> worse_logs)
      : history_(history), worse_(std::move(worse_logs)), orientation_(record::orientation(history.metric)) {}

  void search() {
    const auto found = stats::find_change_points(worse_, {history_.alpha, history_.smallest_change});
    history_.judged = found.searched;
    for (const std::string& reason : found.reasons) history_.reasons.push_back(sentence(reason));
    history_.autocorrelation = found.autocorrelation;
    for (const std::size_t outlier : found.outliers) history_.runs[outlier].outlier = true;
    for (std::size_t i = 0; i < found.points.size(); ++i) {
      const stats::ChangePoint& point = found.points[i];
      reports::HistoryChange change;
      change.run = point.index;
      change.before = value_of(point.before);
      change.after = value_of(point.after);
      change.change = change.after / change.before - 1;
      change.worse = point.after > point.before;
      change.p = point.p;
      change.interval = change_interval(stats::level_interval(worse_, found, i, interval_level));
      history_.changes.push_back(change);
    }
    if (const auto slow = stats::slow_change(worse_, found)) history_.slow_change = value_of(*slow) - 1;
  }

  // "No change" would be said of any values.
  void check_length() {
    const auto fewest = stats::fewest_runs_for_a_change(history_.alpha);
    if (!history_.judged || !history_.changes.empty() || !fewest || worse_.size() >= *fewest) return;
    history_.judged = false;
    history_.reasons.push_back(fmt::format(
        "At alpha {} at least {} runs are needed to find a level change of any size.", history_.alpha, *fewest));
  }

  // A new level is a new baseline: what rang against the old one was the change.
  void watch() {
    std::size_t first = 0;
    for (const auto& change : history_.changes) {
      watch_level(first, change.run);
      first = change.run;
    }
    watch_level(first, worse_.size());
  }

 private:
  [[nodiscard]] double value_of(double worse_log) const { return std::exp(orientation_ * worse_log); }

  /// Of the change in the metric's unit: of a rate, the ends change places.
  [[nodiscard]] std::optional<stats::Interval> change_interval(const std::optional<stats::Interval>& worse) const {
    if (!worse) return std::nullopt;
    const double one = value_of(worse->low) - 1;
    const double other = value_of(worse->high) - 1;
    return stats::Interval{std::min(one, other), std::max(one, other), worse->level};
  }

  void watch_level(std::size_t first, std::size_t end) {
    const auto watch = stats::watch_level(std::span(worse_).subspan(first, end - first));
    for (const stats::WatchState& state : watch.states) {
      history_.runs[first + state.index].watch =
          reports::HistoryWatch{state.sds_above, state.three_sigma, state.two_in_a_row, state.ewma};
    }
    if (end == worse_.size() && !watch.reasons.empty()) history_.watch_reason = sentence(watch.reasons.front());
  }

  History& history_;
  std::vector<double> worse_;
  double orientation_;
};

bool is_refused(const HistoryQuestion& question) {
  // What the search refuses in its options, it refuses whatever the values are.
  const std::vector<double> enough(stats::change_point_fewest_runs, 0.0);
  return !stats::find_change_points(enough, {question.alpha, question.smallest_change}).searched;
}

}  // namespace

void judge_values(History& history, std::vector<double> worse_logs) {
  for (std::size_t i = 0; i < worse_logs.size(); ++i)
    history.runs[i].value = std::exp(orientation(history.metric) * worse_logs[i]);
  Judge judge(history, std::move(worse_logs));
  judge.search();
  if (!history.judged) return;
  judge.watch();
  judge.check_length();
}

void HistoryReader::add(const RunPoints& run, bool of_commit) {
  ++runs_;
  for (const CasePoint& point : run.cases) known_cases_.insert(point.series->case_name);
  known_cases_.insert(run.without_value.begin(), run.without_value.end());
  if (!run.is_whole) {
    ++partial_;
    return;
  }
  if (!of_commit && !question_.uncommitted) {
    ++uncommitted_;
    return;
  }
  const auto& lost = run.without_value;
  const bool is_lost = std::find(lost.begin(), lost.end(), question_.case_name) != lost.end();
  if (is_lost) ++without_value_;
  const auto point = std::find_if(run.cases.begin(), run.cases.end(),
                                  [&](const CasePoint& each) { return each.series->case_name == question_.case_name; });
  newest_without_case_ = is_lost || point != run.cases.end() ? 0 : newest_without_case_ + 1;
  if (point == run.cases.end()) return;
  measured_.push_back({{run.run_id, run.created, run.commit, 0, point->processes, false, std::nullopt}, *point});
}

void HistoryReader::add_unreadable(const std::string& run_id, const std::string& why) {
  unreadable_.push_back(fmt::format("run {} cannot be read and is left out: {}", run_id, why));
}

bool HistoryReader::same_as_newest(const Measured& one) const {
  return of_one_series(one.point, measured_.back().point);
}

std::vector<const HistoryReader::Measured*> HistoryReader::comparable() const {
  std::vector<const Measured*> same;
  for (const Measured& one : measured_) {
    if (same_as_newest(one)) same.push_back(&one);
  }
  return same;
}

std::vector<std::string> HistoryReader::run_ids() const {
  std::vector<std::string> ids;
  for (const Measured* one : comparable()) ids.push_back(one->run.run_id);
  return ids;
}

Error HistoryReader::nothing_measured() const {
  if (runs_ == 0 && !unreadable_.empty()) {
    return {ErrorCode::no_verdict,
            fmt::format("no stored run of {} in {} is usable ({} left out): {}", question_.host_key, question_.store,
                        unreadable_.size(), unreadable_.front())};
  }
  if (runs_ == 0) {
    return {ErrorCode::no_verdict,
            fmt::format("no run of {} is stored in {} yet: `torchgate baseline add` adds one (other machines' are in "
                        "`torchgate baseline list`, and shown with --host)",
                        question_.host_key, question_.store)};
  }
  if (known_cases_.contains(question_.case_name)) {
    return {ErrorCode::no_verdict,
            fmt::format("none of the {} of {} in {} has a number for {}: {} left out because they have no commit "
                        "(--uncommitted includes them), {} in which it failed, was wrong or was skipped",
                        reports::counted(runs_, "run", "runs"), question_.host_key, question_.store,
                        question_.case_name, uncommitted_, without_value_)};
  }
  std::string nearest;
  for (const std::string& name : policy::nearest_names(question_.case_name, known_cases_, suggestions)) {
    nearest += (nearest.empty() ? "" : ", ") + name;
  }
  return {ErrorCode::not_found, fmt::format("there is no case \"{}\" in the {} of {} in {}; the nearest there are: {}",
                                            question_.case_name, reports::counted(runs_, "run", "runs"),
                                            question_.host_key, question_.store, nearest.empty() ? "none" : nearest)};
}

// Of the runs that measured the case as the newest did otherwise.
std::size_t HistoryReader::sampled_differently() const {
  return static_cast<std::size_t>(std::count_if(measured_.begin(), measured_.end(), [&](const Measured& one) {
    Series resampled = *one.point.series;
    resampled.sampling = measured_.back().point.series->sampling;
    return !same_as_newest(one) && resampled == *measured_.back().point.series;
  }));
}

// Of the runs that measured another one than the newest run, whatever else differs; in their order.
std::vector<const record::Metric*> HistoryReader::other_metrics() const {
  std::vector<const record::Metric*> others;
  for (const Measured& one : measured_)
    if (one.point.series->metric != measured_.back().point.series->metric) others.push_back(&one.point.series->metric);
  return others;
}

void HistoryReader::add_notes(History& history, std::size_t used) const {
  const auto note = [&](std::int64_t count, const std::string& what) {
    if (count > 0) history.notes.push_back(reports::counted(count, "run is", "runs are") + " left out: " + what + ".");
  };
  note(uncommitted_, "of a modified tree, or of no commit (take them with --uncommitted)");
  note(partial_, "stopped before the plan was done, or pairs");
  note(without_value_, "the case failed, was wrong or skipped, or has no usable number");
  if (newest_without_case_ > 0)
    history.notes.push_back(reports::counted(newest_without_case_, "newest run does", "newest runs do") +
                            " not have this case; what is shown ends before.");
  const std::size_t resampled = sampled_differently();
  const std::vector<const record::Metric*> others = other_metrics();
  if (!others.empty())
    note(static_cast<std::int64_t>(others.size()),
         fmt::format("another metric or unit than in the newest run ({} in {}, now {} in {})", others.back()->name,
                     others.back()->unit, history.metric.name, history.metric.unit));
  note(static_cast<std::int64_t>(measured_.size() - used - resampled - others.size()),
       "another protocol, other inputs or another device than in the newest run");
  const std::string& newest = measured_.back().point.series->sampling;
  note(static_cast<std::int64_t>(resampled), "other --quick, --warmup or --samples than in the newest run (" +
                                                 (newest.empty() ? "none of them" : newest) + ")");
  for (const std::string& each : unreadable_) history.notes.push_back(sentence(each));
}

base::Result<History> HistoryReader::judge(const std::vector<double>& shifts) const {
  if (is_refused(question_)) {
    return Error{ErrorCode::bad_input,
                 fmt::format("--alpha {}, changes from {}: alpha has to be between {} and {}, and "
                             "the smallest change not negative",
                             question_.alpha, question_.smallest_change, stats::change_point_smallest_alpha,
                             stats::change_point_largest_alpha)};
  }
  if (measured_.empty()) return nothing_measured();
  const auto runs = comparable();
  if (!shifts.empty() && shifts.size() != runs.size()) {
    return Error{ErrorCode::internal, fmt::format("{} shifts for {} runs", shifts.size(), runs.size())};
  }
  History history;
  history.case_name = question_.case_name;
  history.metric = measured_.back().point.series->metric;
  history.host_key = question_.host_key;
  history.store = question_.store;
  history.alpha = question_.alpha;
  history.smallest_change = question_.smallest_change;
  history.drift_corrected = !shifts.empty();
  std::vector<double> worse_logs;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    worse_logs.push_back(runs[i]->point.worse_log - (shifts.empty() ? 0 : shifts[i]));
    history.runs.push_back(runs[i]->run);
  }
  add_notes(history, runs.size());
  judge_values(history, std::move(worse_logs));
  return history;
}

}  // namespace torchgate::history
