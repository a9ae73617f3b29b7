// SPDX-License-Identifier: Apache-2.0
#include "ci/github/triage/triage_cause.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "harness/record/short_commit.hpp"
#include "reports/safe_text.hpp"

namespace torchgate::github {
namespace {

using base::Error;
using base::ErrorCode;

// A sentence; the whole one is in the report.
constexpr std::size_t longest_why_bytes = 300;
// Of the author and the subject of a commit: git joins the lines of a whole paragraph to a subject.
constexpr std::size_t longest_commit_text_bytes = 200;
// Twenty usual commits take 3,000 bytes; escaped text takes up to six times its length.
constexpr std::size_t most_commits_bytes = 8'000;

// At most MOST_BYTES: a second time it stays as it is.
std::string shortened(std::string text, std::size_t most_bytes) {
  constexpr std::string_view dots = "...";
  if (text.size() <= most_bytes) return text;
  text.resize(most_bytes - dots.size());
  // A cut character is not one that one_line() leaves as it is.
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U) text.pop_back();
  if (!text.empty() && static_cast<unsigned char>(text.back()) >= 0x80U) text.pop_back();
  return text.append(dots);
}

// A suspect beyond the gate failed the build as well, and the next commit is compared with its run.
bool is_regression(const ReportedFinding& finding) {
  if (finding.verdict == "suspected") return finding.action == "fail";
  return finding.verdict == "regressed" && (finding.action == "fail" || finding.action == "warn");
}

CauseCase case_of(const ReportedFinding& finding) {
  CauseCase one;
  one.name = finding.case_name;
  one.metric = finding.metric;
  one.unit = finding.unit;
  one.lower_is_better = finding.lower_is_better;
  one.before = finding.value_before;
  one.after = finding.value;
  one.change = finding.change;
  one.interval = finding.interval;
  if (!finding.reasons.empty()) one.why = shortened(reports::one_line(finding.reasons.front()), longest_why_bytes);
  return one;
}

void shorten_commits(Cause& cause) {
  for (git::ListedCommit& each : cause.commits) {
    each.author = shortened(std::move(each.author), longest_commit_text_bytes);
    each.subject = shortened(std::move(each.subject), longest_commit_text_bytes);
  }
  Cause only;
  const std::size_t without_commits = cause_line(only).size();
  for (only.commits = cause.commits; cause_line(only).size() > without_commits + most_commits_bytes;)
    only.commits.pop_back();
  cause.more_commits = cause.more_commits || only.commits.size() < cause.commits.size();
  cause.commits = std::move(only.commits);
}

}  // namespace

bool PairsAnswer::repaired() const {
  return verdict == "equivalent" || verdict == "improved" || verdict == "unchanged";
}

bool CauseCase::repaired() const {
  if (!pairs || !pairs->repaired()) return false;
  if (pairs->verdict != "equivalent" || !pairs->interval || !interval) return true;
  return lower_is_better ? pairs->interval->high < interval->low : pairs->interval->low > interval->high;
}

bool PairsAnswer::still_slower() const {
  return verdict == "regressed" || verdict == "suspected";
}

const CauseCase* Cause::find(std::string_view name, std::string_view metric) const {
  const auto found =
      std::find_if(cases.begin(), cases.end(), [&](const CauseCase& one) { return one.is(name, metric); });
  return found == cases.end() ? nullptr : &*found;
}

double worse_by(const CauseCase& one) {
  const double ratio = 1 + one.change.value_or(0);
  if (one.lower_is_better) return ratio - 1;
  return ratio > 0 ? 1 / ratio - 1 : HUGE_VAL;
}

base::Result<std::optional<Cause>> cause_of(const SavedReport& report, const std::string& file) {
  if (report.since_pin) {
    return Error{
        ErrorCode::bad_input,
        fmt::format("{}: a report of `gate --since`, whose changes are those of many commits; use the report of "
                    "`torchgate gate` of each commit",
                    file)};
  }
  Cause cause;
  for (const ReportedFinding& finding : report.findings) {
    if (is_regression(finding)) cause.cases.push_back(case_of(finding));
  }
  if (cause.cases.empty()) return std::optional<Cause>();
  if (!report.commit || !record::is_full_commit(*report.commit) || report.modified) {
    return Error{
        ErrorCode::bad_input,
        fmt::format("{}: the measured work tree is not that of a commit (no commit, or modified files), so the "
                    "cause is unknown; measure a clean checkout of the default branch",
                    file)};
  }
  cause.commit = *report.commit;
  if (report.before_commit && record::is_full_commit(*report.before_commit)) cause.before = report.before_commit;
  cause.host = report.host;
  cause.sampling = report.sampling;
  for (CauseCase& one : cause.cases) {
    one.host = cause.host;
    one.base_commit = cause.before;
  }
  shorten(cause);
  return std::optional(std::move(cause));
}

std::string issue_key(const Cause& cause) {
  return cause.key.empty() ? cause.commit : cause.commit + "\n" + cause.key;
}

Cause merged(const Cause& known, const Cause& newer) {
  Cause all = newer;
  if (known.before) {  // else each machine would write the issue again
    all.host = known.host;
    if (all.before != known.before || all.commits.empty()) {
      all.commits = known.commits;
      all.more_commits = known.more_commits;
    }
    all.before = known.before;
  }
  for (CauseCase& one : all.cases) {
    const CauseCase* old = known.find(one.name, one.metric);
    if (old != nullptr && old->host == one.host && old->base_commit == one.base_commit) one.pairs = old->pairs;
  }
  for (const CauseCase& one : known.cases) {
    if (all.find(one.name, one.metric) == nullptr) all.cases.push_back(one);
  }
  // A case that only one of them lists is among the unlisted ones of the other.
  const std::int64_t count = std::max(known.case_count(), newer.case_count());
  all.unlisted = std::max<std::int64_t>(0, count - static_cast<std::int64_t>(all.cases.size()));
  shorten(all);
  return all;
}

std::vector<Cause> by_base_commit(const Cause& cause) {
  std::vector<Cause> parts;
  const auto part_of = [&](const std::optional<std::string>& base_commit) -> Cause& {
    const auto found =
        std::find_if(parts.begin(), parts.end(), [&](const Cause& part) { return part.before == base_commit; });
    if (found != parts.end()) return *found;
    parts.push_back(cause);
    parts.back().before = base_commit;
    parts.back().cases.clear();
    if (base_commit != cause.before) parts.back().unlisted = 0;
    return parts.back();
  };
  if (cause.cases.empty() || cause.unlisted > 0) part_of(cause.before);
  for (const CauseCase& one : cause.cases) part_of(one.base_commit).cases.push_back(one);
  return parts;
}

void shorten(Cause& cause) {
  shorten_commits(cause);
  std::stable_sort(cause.cases.begin(), cause.cases.end(),
                   [](const CauseCase& a, const CauseCase& b) { return worse_by(a) > worse_by(b); });
  Cause empty = cause;
  empty.cases.clear();
  const std::size_t without_cases = cause_line(empty).size();
  std::size_t bytes = without_cases;
  std::vector<CauseCase> kept;
  for (CauseCase& one : cause.cases) {
    empty.cases = {one};
    bytes += cause_line(empty).size() - without_cases + 1;  // and a comma
    if (bytes > most_cause_bytes) break;
    kept.push_back(std::move(one));
  }
  cause.unlisted += static_cast<std::int64_t>(cause.cases.size() - kept.size());
  cause.cases = std::move(kept);
}

}  // namespace torchgate::github
