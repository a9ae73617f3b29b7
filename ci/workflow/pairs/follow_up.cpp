// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/pairs/follow_up.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ci/gate/instructions/open_counts.hpp"
#include "ci/gate/judge.hpp"
#include "ci/policy/pairs_budget.hpp"
#include "ci/workflow/code/compare_code.hpp"
#include "ci/workflow/measure/counting_request.hpp"
#include "ci/workflow/measure/duration_text.hpp"
#include "ci/workflow/measure/measured_time.hpp"
#include "harness/base/counted.hpp"
#include "harness/launch/count/count.hpp"
#include "harness/process/interrupt.hpp"
#include "stats/rules.hpp"

namespace torchgate::workflow {
namespace {

/// Where the pairs have no budget of time: as long as the comparison of their code may take.
constexpr std::chrono::minutes usual_time{10};

using CaseOnSide = std::pair<std::string_view, std::int64_t>;

// Of both sides of CASES, but for those in COUNTED.
void add_unknown(const std::vector<std::string>& cases, const std::string& why, record::Run& run,
                 const std::set<CaseOnSide>& counted = {}) {
  for (const std::string& name : cases) {
    for (std::int64_t side = 0; side < 2; ++side) {
      if (counted.contains({name, side})) continue;
      record::InstructionCount count;
      count.case_name = name;
      count.side = side;
      count.unknown = why;
      run.instructions.push_back(std::move(count));
    }
  }
}

class Counting {
 public:
  Counting(const launch::Request& request, record::Run& run, Narrator& narrator, std::chrono::nanoseconds limit)
      : request_(request), run_(run), narrator_(narrator), end_(Clock::now() + limit) {}

  // Those that look like a regression are counted in more processes before the next ones. False: nothing more can be counted.
  bool count(const std::vector<std::string>& cases, const policy::Judging& policy) {
    if (!count_once(cases)) return false;
    const std::vector<std::string> again = gate::cases_to_count_again(run_, policy);
    const auto left = end_ - Clock::now();
    if (again.empty() || left <= Clock::duration::zero()) return true;
    launch::CountRequest more;
    more.processes = static_cast<std::int64_t>(gate::processes_for_regression) - more.processes;
    const auto counted = launch_counting(again, more, left);
    if (counted) add(*counted);
    return counted && !run_.interrupted;
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool count_once(const std::vector<std::string>& cases) {
    if (cases.empty()) return true;
    const auto left = end_ - Clock::now();
    if (left <= Clock::duration::zero()) {
      add_unknown(cases, "the time for it was spent; give more (--budget)", run_);
      return true;
    }
    const auto counted = launch_counting(cases, {}, left);
    if (!counted) {
      add_unknown(cases, counted.error().message, run_);
      if (!run_.interrupted) narrator_.warning("cases stay undecided: " + counted.error().message);
      return false;
    }
    take(*counted, cases);
    return !run_.interrupted;
  }

  // Further processes of cases that have counts. One that does not count says nothing new.
  void add(const std::vector<launch::CountedCase>& counted) {
    for (const launch::CountedCase& each : counted) {
      const auto known = std::find_if(run_.instructions.begin(), run_.instructions.end(), [&](const auto& count) {
        return count.case_name == each.count.case_name && count.side == each.count.side;
      });
      if (known == run_.instructions.end() || known->counter != each.count.counter ||
          known->cpu_capability != each.count.cpu_capability)
        continue;
      known->per_call.insert(known->per_call.end(), each.count.per_call.begin(), each.count.per_call.end());
    }
  }

  void take(const std::vector<launch::CountedCase>& counted, const std::vector<std::string>& cases) {
    std::set<CaseOnSide> known;
    for (const launch::CountedCase& each : counted) {
      known.emplace(each.count.case_name, each.count.side);
      run_.instructions.push_back(each.count);
    }
    add_unknown(cases, "no process counts it", run_, known);
  }

  // Who stops it has no answer, and neither a pass.
  base::Result<std::vector<launch::CountedCase>> launch_counting(const std::vector<std::string>& cases,
                                                                 const launch::CountRequest& count,
                                                                 Clock::duration left) {
    auto counted = launch::count_only(counting_request(request_, cases, count), run_, left, *narrator_.progress());
    if (process::stop_requested()) run_.interrupted = true;
    return counted;
  }

  const launch::Request& request_;
  record::Run& run_;
  Narrator& narrator_;
  Clock::time_point end_;
};

void count_open(const launch::Request& request, const policy::Judging& policy, const gate::FollowUp& wanted,
                record::Run& run, Narrator& narrator, std::chrono::seconds least) {
  const std::size_t all = wanted.open_slower.size() + wanted.open_others.size();
  if (all == 0) return;
  const std::chrono::nanoseconds limit = time_for_counts(run, least);
  narrator.note(fmt::format("counting the instructions of {} that {} times leave open, for at most {}",
                            base::counted(all, "case", "cases"), all == 1 ? "its" : "their", duration_text(limit)));
  Counting counting(request, run, narrator, limit);
  if (counting.count(wanted.open_slower, policy)) {
    counting.count(wanted.open_others, policy);
  } else if (!run.instructions.empty()) {
    const std::string why = run.instructions.back().unknown;  // a copy: the list that it is in grows
    add_unknown(wanted.open_others, why, run);
  }
}

}  // namespace

std::chrono::nanoseconds time_for_counts(const record::Run& run, std::chrono::seconds least) {
  const double spent_s = seconds_of_processes(run);
  const record::Plan& plan = run.plan;
  const std::optional<double> budget_s = plan.budget_s   ? plan.budget_s
                                         : plan.confirms ? plan.confirms->open_budget_s
                                                         : std::nullopt;
  double seconds = std::chrono::duration<double>(usual_time).count();
  if (budget_s) {
    const double left_s = policy::seconds_for_counts(*budget_s) + std::max(0.0, *budget_s - spent_s);
    seconds = std::max(left_s, static_cast<double>(least.count()));
  }
  if (plan.total_limit_s) seconds = std::min(seconds, std::max(0.0, *plan.total_limit_s - spent_s));
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(seconds));
}

void follow_up(const launch::Request& request, const policy::Judging& policy, record::Run& run, Narrator& narrator,
               std::chrono::seconds least) {
  const bool counts = policy.count_undecided && !stats::rule_reads(policy.rule, stats::Reads::counts);
  if ((!counts && !policy.compare_code) || run.interrupted || run.sides.size() != 2) return;
  gate::FollowUp wanted = gate::follow_up(run, policy);
  if (policy.compare_code) compare_code(request, std::move(wanted.other_times), run, narrator);
  if (counts && !run.interrupted) count_open(request, policy, wanted, run, narrator, least);
}

}  // namespace torchgate::workflow
