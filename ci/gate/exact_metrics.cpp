// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/exact_metrics.hpp"

#include <algorithm>
#include <utility>

#include "ci/gate/action.hpp"
#include "ci/gate/answer.hpp"
#include "ci/gate/evidence/identity.hpp"
#include "ci/gate/evidence/varying_counts.hpp"
#include "reports/facts/about_counts.hpp"
#include "stats/rules.hpp"

namespace torchgate::gate {
namespace {

// The largest count of processes that disagree, where all of them count what the baseline counted.
std::optional<double> most_of_differing(const CaseEvidence& after, const record::Metric& metric) {
  const record::Metric* const now = metric_named(*after.definition, metric.name);
  if (now == nullptr || meaning_differs(metric, *now)) return std::nullopt;
  const auto counts = count_range(after, metric.name);
  return counts && counts->of_all ? std::optional(counts->most) : std::nullopt;
}

Judged counted(const CaseEvidence& before, const CaseEvidence& after, const record::Metric& metric,
               const Counts& counts, stats::Call call) {
  Judged judged;
  judged.definition = after.definition;
  judged.metric = metric;
  judged.counts = counts;
  if (!counts.after) judged.counts->most = most_of_differing(after, metric);
  judged.before_processes = static_cast<std::int64_t>(before.measured.size());
  judged.after_processes = static_cast<std::int64_t>(after.measured.size());
  judged.decision.verdict = verdict_of(call);
  if (counts.before > 0 && counts.after) judged.decision.change = *counts.after / counts.before - 1;
  judged.action_rule = ActionRule::counted;
  return judged;
}

void say_what_changed(Judged& judged, const policy::Gate& own, bool other_libtorch) {
  if (other_libtorch) {
    judged.action_rule = ActionRule::listed;
    add_reason(judged, ReasonKind::counted, facts::other_libtorch_listed);
  }
  if (gated_by_suite(judged)) add_reason(judged, ReasonKind::counted, facts::gated_by_suite);
  if (!memory_grew(judged, own)) return;
  const auto& [before, after, most] = *judged.counts;
  const bool sure = after && (before > 0 ? *after / before - 1 >= own.peak_memory : *after > before);
  add_reason(judged, ReasonKind::counted,
             !sure         ? facts::memory_may_have_grown(own.peak_memory)
             : before == 0 ? facts::memory_grew_from_0()
                           : facts::memory_grew(own.peak_memory));
}

bool is_gated(const record::Metric& metric, const policy::CaseSettings& own) {
  const auto named = own.metrics.find(metric.name);
  return named == own.metrics.end() ? metric.gated : named->second != policy::Action::pass;
}

// Of a count that the after side lacks: its samples may differ within a process, and then stand under another name.
facts::Fact why_gone(const CaseEvidence& after, const record::Metric& metric) {
  const auto sampled = range_of_samples(after, metric.name);
  if (!sampled) return facts::count_gone();
  return facts::count_varies_now({sampled->least, metric.unit}, {sampled->most, metric.unit});
}

// Both ends of each side, and those next to each other: of values that do not overlap the smallest change that they show.
struct Apart {
  CountRange before;
  CountRange after;

  [[nodiscard]] bool worse(record::Direction direction) const {
    return direction == record::Direction::lower_is_better ? after.least > before.most : after.most < before.least;
  }
  [[nodiscard]] bool reaches_beyond(record::Direction direction) const {
    return direction == record::Direction::lower_is_better ? after.most > before.most : after.least < before.least;
  }
  [[nodiscard]] Counts counts(record::Direction direction) const {
    return direction == record::Direction::lower_is_better ? Counts{before.most, after.least, after.most}
                                                           : Counts{before.least, after.most, after.least};
  }
  template <class Sentence>
  [[nodiscard]] facts::Fact words(const Sentence& sentence, const std::string& unit) const {
    return sentence({before.least, unit}, {before.most, unit}, {after.least, unit}, {after.most, unit});
  }
};

struct SampledCount {
  record::Metric was;
  record::Metric now;
  Apart sides;

  [[nodiscard]] bool worse() const { return sides.worse(now.direction); }
};

// What the baseline says of one metric, and which run says it.
struct CountBefore {
  std::optional<double> value;
  const CaseEvidence* evidence = nullptr;
  bool other_libtorch = false;
  facts::Fact older_run;                    // empty: the run of the case
  const record::Run* numbers_of = nullptr;  // of the older run
};

class CountedCase {
 public:
  CountedCase(const CaseEvidence& before, const CaseEvidence& after, const policy::Gate& own, bool other_libtorch,
              const OlderCounts& older)
      : before_(before), after_(after), own_(own), other_libtorch_(other_libtorch), older_(older) {}

  std::vector<Judged> judge() {
    for (const record::Metric& metric : after_.definition->metrics)
      if (metric.kind == record::MetricKind::exact) compare(metric);
    add_lost_counts();
    compare_sampled_counts();
    // Where counts are all that is judged, a case whose counts are the same is an answer too, and one is enough.
    if (changed_.empty() && !same_.empty()) {
      add_reason(same_.front(), ReasonKind::counted, facts::counts_the_same(same_.size()));
      changed_.push_back(std::move(same_.front()));
    }
    return std::move(changed_);
  }

 private:
  [[nodiscard]] CountBefore count_before(const std::string& metric) const {
    if (const auto value = exact_value(before_, metric)) return {value, &before_, other_libtorch_, {}, nullptr};
    const auto found = older_ ? older_(metric) : std::nullopt;
    if (!found) return {std::nullopt, &before_, other_libtorch_, {}, nullptr};
    return {exact_value(*found->evidence, metric), found->evidence, found->other_libtorch, found->run,
            found->numbers_of};
  }

  void compare(const record::Metric& metric) {
    const CountBefore before = count_before(metric.name);
    const record::Metric* const was = metric_named(*before.evidence->definition, metric.name);
    if (was != nullptr && meaning_differs(*was, metric)) return;  // told as a lost count
    stats::CaseNumbers one;
    one.before_count = before.value;
    one.after_count = exact_value(after_, metric.name);
    const stats::RuleAnswer answer = stats::exact_rule().judge(std::span(&one, 1), {}).front();
    if (answer.call != stats::Call::changed && answer.call != stats::Call::equivalent) return;
    const bool differs = answer.call == stats::Call::changed;
    if (!differs && judges_time(own_)) return;
    auto& list = differs ? changed_ : same_;
    list.push_back(counted(*before.evidence, after_, metric, {*one.before_count, *one.after_count}, answer.call));
    list.back().numbers_of = before.numbers_of;
    // Of either side: a change cannot ungate itself.
    if (was != nullptr && was->gated) list.back().metric.gated = true;
    if (!before.older_run.empty())
      add_reason(list.back(), ReasonKind::provenance, facts::count_of_older(before.older_run));
    if (differs) say_what_changed(list.back(), own_, before.other_libtorch);
  }

  // Counted in the baseline and not now: what would have changed is not known, and without a word it would pass.
  void add_lost_counts() {
    for (const record::Metric& metric : before_.definition->metrics) {
      if (metric.kind != record::MetricKind::exact) continue;
      const CountBefore before = count_before(metric.name);
      if (!before.value) {
        compare_varying(metric);
        continue;
      }
      const record::Metric* const now = metric_named(*after_.definition, metric.name);
      const auto differs = now == nullptr ? std::nullopt : meaning_differs(metric, *now);
      if (exact_value(after_, metric.name) && !differs) continue;
      changed_.push_back(
          counted(*before.evidence, after_, metric, {*before.value, std::nullopt}, stats::Call::changed));
      changed_.back().numbers_of = before.numbers_of;
      add_reason(changed_.back(), ReasonKind::counted,
                 differs ? facts::counts_not_comparable(*differs) : why_gone(after_, metric));
      say_what_changed(changed_.back(), own_, before.other_libtorch);
    }
  }

  // Processes of the baseline disagree: it is not exact, and still grew where every process now is beyond all of them.
  void compare_varying(const record::Metric& was) {
    const auto before = count_range(before_, was.name);
    if (!before) return;
    const record::Metric* const now = metric_named(*after_.definition, was.name);
    const auto differs = now == nullptr ? std::nullopt : meaning_differs(was, *now);
    const auto after = now == nullptr || differs ? std::nullopt : count_range(after_, was.name);
    if (const auto found = sampled_count(was.name); found && found->worse()) return compare_samples(*found);
    if (!after || (before->of_all && !after->of_all)) {
      changed_.push_back(counted(before_, after_, was, {before->most, std::nullopt}, stats::Call::changed));
      add_reason(changed_.back(), ReasonKind::counted,
                 differs ? facts::counts_not_comparable(*differs) : why_gone(after_, was));
      say_what_changed(changed_.back(), own_, other_libtorch_);
      return;
    }
    compare_ranges(was, *now, {*before, *after}, facts::counts_apart, facts::counts_overlap);
  }

  // A count of which a process of a side has several values; absent: there is none that both sides count in the same way.
  [[nodiscard]] std::optional<SampledCount> sampled_count(const std::string& name) const {
    const auto was = count_named(*before_.definition, name);
    const auto now = count_named(*after_.definition, name);
    if (!was || !now || meaning_differs(*was, *now)) return std::nullopt;
    if (judges_samples(*before_.definition, *after_.definition, name)) return std::nullopt;
    if (!range_of_samples(before_, name) && !range_of_samples(after_, name)) return std::nullopt;
    const auto before = range_of_count(before_, name);
    const auto after = range_of_count(after_, name);
    if (!before || !after) return std::nullopt;
    return SampledCount{*was, *now, {*before, *after}};
  }

  // What the baseline has in samples only: it grew where all values now are beyond all before.
  void compare_sampled_counts() {
    for (const std::string_view each : names_of_counts(*before_.definition)) {
      const std::string name(each);
      const record::Metric* const exact = metric_named(*before_.definition, name);
      if (exact != nullptr && exact->kind == record::MetricKind::exact) continue;
      if (count_before(name).value && exact_value(after_, name)) continue;  // compared with an older run's
      const auto found = sampled_count(name);
      if (!found) continue;
      if (found->worse() || is_gated(found->now, own_))
        compare_samples(*found);
      else if (was_judged(name) && grew_typically(found->now))
        changed_.push_back(undecided(*found));
    }
  }

  // Its samples were judged as a timed metric, since its file says what is better.
  [[nodiscard]] bool was_judged(const std::string& name) const {
    const record::Metric* const samples = metric_named(*before_.definition, name + std::string(sampled_suffix));
    return samples != nullptr && samples->judged;
  }

  [[nodiscard]] bool grew_typically(const record::Metric& metric) const {
    const auto before = typical_count(before_, metric.name);
    const auto after = typical_count(after_, metric.name);
    return before && after && record::orientation(metric) * (*after - *before) > 0;
  }

  // No test compares one value of each process with samples.
  [[nodiscard]] Judged undecided(const SampledCount& count) const {
    const Counts counts = count.sides.counts(count.now.direction);
    Judged judged =
        counted(before_, after_, count.now, {counts.before, counts.most, counts.most}, stats::Call::changed);
    judged.decision = {};
    judged.action_rule = ActionRule::verdict;
    add_reason(judged, ReasonKind::counted, count.sides.words(facts::counts_of_samples_overlap, count.now.unit));
    return judged;
  }

  void compare_samples(const SampledCount& count) {
    compare_ranges(count.was, count.now, count.sides, facts::counts_of_samples_apart, facts::counts_of_samples_overlap);
  }

  template <class Sentence>
  void compare_ranges(const record::Metric& was, const record::Metric& now, const Apart& sides, const Sentence& apart,
                      const Sentence& overlap) {
    record::Metric metric = now;
    metric.gated = metric.gated || was.gated;
    const Counts counts = sides.counts(metric.direction);
    Judged judged = counted(before_, after_, metric, counts, stats::Call::changed);
    if (sides.worse(metric.direction)) {
      add_reason(judged, ReasonKind::counted, sides.words(apart, metric.unit));
    } else {
      if (!sides.reaches_beyond(metric.direction) || !(is_gated(metric, own_) || memory_grew(judged, own_))) return;
      judged.counts = Counts{counts.before, counts.most, counts.most};
      judged.decision = {};
      if (memory_grew(judged, own_)) {
        judged.decision.verdict = reports::Verdict::changed;
      } else if (other_libtorch_) {
        return;
      } else {
        judged.action_rule = ActionRule::verdict;
      }
      add_reason(judged, ReasonKind::counted, sides.words(overlap, metric.unit));
    }
    if (judged.decision.verdict == reports::Verdict::changed) say_what_changed(judged, own_, other_libtorch_);
    changed_.push_back(std::move(judged));
  }

  const CaseEvidence& before_;
  const CaseEvidence& after_;
  const policy::Gate& own_;
  bool other_libtorch_;
  const OlderCounts& older_;
  std::vector<Judged> changed_;
  std::vector<Judged> same_;
};

}  // namespace

std::vector<Judged> counted_metrics(const CaseEvidence& before, const CaseEvidence& after, const policy::Gate& own,
                                    bool other_libtorch, const OlderCounts& older) {
  return CountedCase(before, after, own, other_libtorch, older).judge();
}

}  // namespace torchgate::gate
