// SPDX-License-Identifier: Apache-2.0
#include "ci/github/triage/triage_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ci/github/triage/triage_text.hpp"
#include "ci/policy/waivers.hpp"
#include "harness/record/short_commit.hpp"
#include "reports/format.hpp"

namespace torchgate::github {
namespace {

using policy::TriageEntry;
using policy::TriageState;
using record::short_commit;

// Room for the marker at the end of an issue.
constexpr std::size_t most_issue_text_bytes = most_issue_bytes - 100;

// An issue and what is known of its cause.
struct Tracked {
  const OwnIssue* issue = nullptr;  // nullptr: not yet created
  Cause cause;
  const TriageEntry* entry = nullptr;
  std::vector<const Repairs*> pairs = {};  // from a baseline of its cases to a commit that contains the cause
  std::string confirmed_by = {};           // file of the pairs that show every case as repaired
  std::string explained_by = {};           // the earlier commit that all its cases are slower since

  [[nodiscard]] bool open() const { return issue == nullptr || issue->open; }
};

const TriageEntry* entry_about(const std::vector<TriageEntry>& entries, const std::string& commit) {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const TriageEntry& entry) { return entry.is_about(commit); });
  return found == entries.end() ? nullptr : &*found;
}

std::string named(const Tracked& tracked) {
  return fmt::format("issue {} ({})", tracked.issue->number, short_commit(tracked.cause.commit));
}

// An edited text may name another commit: the marker does not.
bool is_of(const OwnIssue& issue, const base::Result<Cause>& cause) {
  return cause && issue_marker(issue_key(*cause)) == issue.marker;
}

// Those of other workflows are neither changed nor listed.
std::vector<Tracked> tracked_issues(const TriageFacts& facts) {
  std::vector<Tracked> all;
  for (const OwnIssue& issue : facts.issues) {
    auto cause = cause_in(issue.text);
    if (!is_of(issue, cause) || cause->key != facts.key) continue;
    all.push_back({&issue, std::move(cause).value()});
    all.back().entry = entry_about(facts.entries, all.back().cause.commit);
  }
  return all;
}

// Open issues whose text says nothing of their cause, and that are not written again.
std::vector<std::string> left_alone(const TriageFacts& facts, const std::vector<Tracked>& all) {
  std::vector<std::string> notes;
  for (const OwnIssue& issue : facts.issues) {
    const auto cause = cause_in(issue.text);
    const bool tracked = std::any_of(all.begin(), all.end(), [&](const Tracked& each) { return each.issue == &issue; });
    if (tracked || !issue.open || is_of(issue, cause)) continue;
    notes.push_back(
        fmt::format("issue {} is left as it is: {}", issue.number,
                    cause ? "its data are those of another commit; was its text edited?" : cause.error().message));
  }
  return notes;
}

// Whether REPORTED, one of the cases of NEWER, is what OLDER is about: the comparison spans that cause, too, and the case is as slow as it was.
bool is_known_level(const CauseCase& reported, const Cause& newer, const Cause& older, const Includes& includes) {
  const CauseCase* known = older.find(reported.name, reported.metric);
  if (known == nullptr || !newer.before) return false;
  // Jobs of two pushes may overlap: what an earlier commit shows is not known from a later one.
  if (includes(newer.commit, older.commit) == false) return false;
  const auto after_cause = includes(*newer.before, older.commit);
  if (after_cause ? *after_cause : newer.before != known->base_commit) return false;
  if (!reported.interval || !known->interval) return true;
  return reported.lower_is_better ? reported.interval->low <= known->interval->high
                                  : reported.interval->high >= known->interval->low;
}

// A baseline that did not move on reports the cases of an earlier cause again.
void remove_known_cases(Cause& reported, const std::vector<Tracked>& all, const Includes& includes, TriagePlan& plan) {
  for (const Tracked& tracked : all) {
    const bool stands = tracked.issue->open || (tracked.entry != nullptr && tracked.entry->closes());
    if (!stands || tracked.cause.commit == reported.commit) continue;
    const auto removed = static_cast<std::int64_t>(std::erase_if(
        reported.cases, [&](const CauseCase& one) { return is_known_level(one, reported, tracked.cause, includes); }));
    if (removed > 0)
      plan.notes.push_back(fmt::format("{} of the report known from {}",
                                       reports::counted(removed, "case is", "cases are"), named(tracked)));
  }
}

// The job of a later commit may have ended first: cases that REPORTED, of an earlier one, explains are not slower since the later one.
void remove_explained_cases(const Cause& reported, std::vector<Tracked>& all, const Includes& includes) {
  for (Tracked& tracked : all) {
    if (!tracked.open() || tracked.cause.commit == reported.commit) continue;
    const auto is_later = includes(tracked.cause.commit, reported.commit);
    if (!is_later || !*is_later) continue;
    const Cause later = tracked.cause;
    const auto removed = std::erase_if(
        tracked.cause.cases, [&](const CauseCase& one) { return is_known_level(one, later, reported, includes); });
    if (removed == 0 || !tracked.cause.cases.empty() || tracked.cause.unlisted > 0) continue;
    tracked.cause = later;  // its text stays
    tracked.explained_by = reported.commit;
  }
}

void add_reported(const TriageFacts& facts, std::vector<Tracked>& all, TriagePlan& plan) {
  if (!facts.reported) return;
  Cause reported = *facts.reported;
  remove_known_cases(reported, all, facts.includes, plan);
  if (reported.cases.empty()) return;
  remove_explained_cases(reported, all, facts.includes);
  const std::string marker = issue_marker(issue_key(reported));
  const auto same = std::find_if(facts.issues.begin(), facts.issues.end(),
                                 [&](const OwnIssue& issue) { return issue.marker == marker; });
  const TriageEntry* entry = entry_about(facts.entries, reported.commit);
  if (same == facts.issues.end() && entry != nullptr && entry->closes()) {
    plan.notes.push_back(
        fmt::format("no issue for {}: {} in {}", short_commit(reported.commit), to_string(entry->state), entry->place));
    return;
  }
  if (same == facts.issues.end()) {
    all.push_back({nullptr, std::move(reported), entry});
    return;
  }
  if (!same->open) {
    plan.notes.push_back(
        fmt::format("issue {} ({}) is closed, and stays so", same->number, short_commit(reported.commit)));
    return;
  }
  const auto known = std::find_if(all.begin(), all.end(), [&](const Tracked& each) { return each.issue == &*same; });
  if (known != all.end()) {
    known->cause = merged(known->cause, reported);
  } else {
    all.push_back({&*same, std::move(reported), entry});
  }
}

const ReportedFinding* finding_for(const Repairs& repairs, const CauseCase& one) {
  const auto found = std::find_if(repairs.findings.begin(), repairs.findings.end(),
                                  [&](const ReportedFinding& each) { return one.is(each.case_name, each.metric); });
  return found == repairs.findings.end() ? nullptr : &*found;
}

PairsAnswer answer_of(const ReportedFinding& finding, const std::string& commit) {
  return {finding.verdict, finding.change, finding.interval, commit};
}

bool compares_with(const Cause& cause, const std::string& commit) {
  return std::any_of(cause.cases.begin(), cause.cases.end(),
                     [&](const CauseCase& one) { return one.base_commit == commit; });
}

bool is_later(const std::string& commit, const std::string& than, const Includes& includes) {
  return commit != than && includes(commit, than) == true;
}

// Cases that pairs answer for, and whose answer is not used.
struct Unused {
  std::int64_t of_other_hosts = 0;
  std::int64_t outdated = 0;
};

// The answer about the latest commit counts, in whatever order the files are given. Where those of one commit contradict each other, the
// slow-down is not shown to be gone.
void answer_case(CauseCase& one, const std::vector<const Repairs*>& pairs, const Includes& includes,
                 std::vector<Unused>& unused) {
  bool answered = false;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Repairs& repairs = *pairs[i];
    const ReportedFinding* const finding = one.base_commit == repairs.before ? finding_for(repairs, one) : nullptr;
    if (finding == nullptr) continue;
    // What another machine measures does not show whether the slow-down of this one is repaired.
    if (!one.host.empty() && one.host != repairs.host) {
      ++unused[i].of_other_hosts;
    } else if (one.pairs && is_later(one.pairs->commit, repairs.after, includes)) {
      ++unused[i].outdated;
    } else if (!answered || one.pairs->commit != repairs.after || one.repaired()) {
      one.pairs = answer_of(*finding, repairs.after);
      answered = true;
    }
  }
}

// The issue does not list all of its cases: then every case of the pairs of COMMIT has to be as before, and there have to be enough; and of
// the pairs of a later commit every case, too.
bool unlisted_are_repaired(const Tracked& tracked, const std::string& commit, const Includes& includes) {
  const Cause& cause = tracked.cause;
  if (cause.unlisted == 0) return true;
  bool enough = false;
  for (const Repairs* const repairs : tracked.pairs) {
    if (repairs->before != cause.before || repairs->host != cause.host || is_later(commit, repairs->after, includes))
      continue;
    std::int64_t good = 0;
    for (const ReportedFinding& finding : repairs->findings) {
      if (finding.exact) continue;
      if (!answer_of(finding, repairs->after).repaired()) return false;
      ++good;
    }
    const bool has_all = good >= cause.case_count();
    enough = enough || (has_all && repairs->after == commit);
  }
  return enough;
}

// The file of the newest pairs, if every case is repaired in the same commit; else empty.
std::string confirming_file(const Tracked& tracked, const Includes& includes) {
  const std::vector<CauseCase>& cases = tracked.cause.cases;
  if (cases.empty() || !cases.front().pairs) return "";
  const std::string& commit = cases.front().pairs->commit;
  const bool all = std::all_of(cases.begin(), cases.end(),
                               [&](const CauseCase& one) { return one.repaired() && one.pairs->commit == commit; });
  if (!all || !unlisted_are_repaired(tracked, commit, includes)) return "";
  const auto last = std::find_if(tracked.pairs.rbegin(), tracked.pairs.rend(),
                                 [&](const Repairs* repairs) { return repairs->after == commit; });
  return last == tracked.pairs.rend() ? "" : (*last)->file;
}

void use_pairs(Tracked& tracked, const Includes& includes, TriagePlan& plan) {
  std::vector<Unused> unused(tracked.pairs.size());
  for (CauseCase& one : tracked.cause.cases) answer_case(one, tracked.pairs, includes, unused);
  for (std::size_t i = 0; i < unused.size(); ++i) {
    const Repairs& repairs = *tracked.pairs[i];
    const auto note = [&](std::int64_t count, const std::string& why) {
      if (count > 0)
        plan.notes.push_back(fmt::format("{}: not used for {} of {}: {}", repairs.file,
                                         reports::counted(count, "case", "cases"), named(tracked), why));
    };
    note(unused[i].of_other_hosts, fmt::format("measured on {}, not on the machine of the slow-down",
                                               repairs.host.empty() ? "an unknown machine" : repairs.host));
    note(unused[i].outdated, "pairs of a later commit are known");
  }
  tracked.confirmed_by = confirming_file(tracked, includes);
}

void add_repairs(const TriageFacts& facts, std::vector<Tracked>& all, TriagePlan& plan) {
  for (const Repairs& repairs : facts.repairs) {
    bool used = false;
    for (Tracked& tracked : all) {
      if (tracked.issue == nullptr || !tracked.issue->open || !compares_with(tracked.cause, repairs.before)) continue;
      used = true;
      // Pairs of the commit before the cause with itself would confirm anything.
      const auto after_cause = facts.includes(repairs.after, tracked.cause.commit);
      if (after_cause && *after_cause) {
        tracked.pairs.push_back(&repairs);
      } else {
        plan.notes.push_back(fmt::format("{}: not used for {}: {}", repairs.file, named(tracked),
                                         after_cause
                                             ? "the commit of its after side does not contain the cause"
                                             : "git does not know whether the commit of its after side contains "
                                               "the cause; fetch the history (fetch-depth: 0)"));
      }
    }
    if (!used)
      plan.notes.push_back(fmt::format("{}: no open issue has {} as the commit before its cause", repairs.file,
                                       short_commit(repairs.before)));
  }
  for (Tracked& tracked : all) use_pairs(tracked, facts.includes, plan);
}

// Why an open issue is closed, if it is.
void decide_closing(const Tracked& tracked, IssueStep& step) {
  const TriageEntry* entry = tracked.entry;
  if (entry != nullptr && entry->closes()) {
    step.close = entry->state == TriageState::accepted ? CloseReason::completed : CloseReason::not_planned;
    step.comments.push_back({fmt::format("triage {}", to_string(entry->state)), decided_comment(*entry)});
    step.why = fmt::format("{} in {}", to_string(entry->state), entry->place);
  } else if (!tracked.confirmed_by.empty()) {
    const std::string commit = tracked.cause.cases.front().pairs->commit;
    step.close = CloseReason::completed;
    step.comments.push_back({"triage repaired " + commit, repaired_comment(tracked.cause)});
    step.why = "repaired, as the pairs of " + tracked.confirmed_by + " show";
  } else if (!tracked.explained_by.empty()) {
    step.close = CloseReason::not_planned;
    step.comments.push_back({"triage explained " + tracked.explained_by, explained_comment(tracked.explained_by)});
    step.why = fmt::format("all of its cases are slower since {}", short_commit(tracked.explained_by));
  }
}

void plan_step(const Tracked& tracked, std::chrono::year_month_day today, TriagePlan& plan) {
  IssueStep step;
  step.cause = tracked.cause;
  step.title = issue_title(tracked.cause);
  step.text = issue_text(tracked.cause, tracked.entry, today, most_issue_text_bytes);
  step.marker = issue_marker(issue_key(tracked.cause));
  if (tracked.issue != nullptr) step.number = tracked.issue->number;
  const bool overdue = tracked.entry != nullptr && tracked.entry->is_overdue(today);
  decide_closing(tracked, step);
  if (overdue && !step.close) {
    step.comments.push_back(
        {"triage overdue " + policy::date_text(*tracked.entry->due), overdue_comment(*tracked.entry)});
    step.why = "overdue since " + policy::date_text(*tracked.entry->due);
  }
  const bool same = tracked.issue != nullptr && tracked.issue->title == step.title && tracked.issue->text == step.text;
  step.what = tracked.issue == nullptr ? IssueStep::What::create
              : step.close             ? IssueStep::What::close
              : same                   ? IssueStep::What::comment
                                       : IssueStep::What::update;
  if (!step.close) {
    plan.open.push_back(
        {step.number, tracked.cause, tracked.entry != nullptr ? std::optional(*tracked.entry) : std::nullopt, overdue});
  }
  if (step.what != IssueStep::What::comment || !step.comments.empty()) plan.steps.push_back(std::move(step));
}

// A typing error in a commit would go unseen.
void mention_unused_entries(const TriageFacts& facts, const std::vector<Tracked>& all, TriagePlan& plan) {
  const auto is_of_other_workflow = [&](const TriageEntry& entry) {
    return std::any_of(facts.issues.begin(), facts.issues.end(), [&](const OwnIssue& issue) {
      const auto cause = cause_in(issue.text);
      return cause && cause->key != facts.key && entry.is_about(cause->commit);
    });
  };
  for (const TriageEntry& entry : facts.entries) {
    const bool used =
        std::any_of(all.begin(), all.end(), [&](const Tracked& each) { return entry.is_about(each.cause.commit); });
    if (!used && !is_of_other_workflow(entry) && !(facts.reported && entry.is_about(facts.reported->commit)))
      plan.notes.push_back(fmt::format("{}: no issue is about commit {}", entry.place, entry.commit));
  }
}

}  // namespace

base::Result<Repairs> repairs_of(const SavedReport& report, const std::string& file) {
  if (!report.paired) {
    return base::Error{base::ErrorCode::bad_input,
                       file +
                           ": not measured in interleaved pairs, which alone confirm a repair; use `torchgate ab "
                           "--before COMMIT --after HEAD --json FILE` with the commit before the cause (`torchgate "
                           "triage --open`)"};
  }
  const bool commits = report.commit && report.before_commit && record::is_full_commit(*report.commit) &&
                       record::is_full_commit(*report.before_commit) && !report.modified;
  if (!commits) {
    return base::Error{base::ErrorCode::bad_input,
                       file +
                           ": its sides are not two commits; use `torchgate ab --before COMMIT --after COMMIT "
                           "--build CMD`, which builds them"};
  }
  return Repairs{file, *report.before_commit, *report.commit, report.findings, report.host};
}

TriagePlan plan_triage(const TriageFacts& facts) {
  TriagePlan plan;
  std::vector<Tracked> all = tracked_issues(facts);
  add_reported(facts, all, plan);
  const std::vector<std::string> alone = left_alone(facts, all);
  plan.notes.insert(plan.notes.begin(), alone.begin(), alone.end());
  add_repairs(facts, all, plan);
  for (const Tracked& tracked : all) {
    if (tracked.open()) plan_step(tracked, facts.today, plan);
  }
  mention_unused_entries(facts, all, plan);
  return plan;
}

}  // namespace torchgate::github
