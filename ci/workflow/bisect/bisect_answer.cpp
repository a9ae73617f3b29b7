// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/bisect/bisect_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "ci/workflow/measure/duration_text.hpp"
#include "harness/base/counted.hpp"
#include "harness/base/some_of.hpp"
#include "harness/json/fields.hpp"
#include "harness/record/short_commit.hpp"
#include "reports/safe_text.hpp"

namespace torchgate::workflow {
namespace {

constexpr std::size_t most_shown = 20;
constexpr std::int64_t most_listed = 100'000;

constexpr base::EnumNames<BisectEnd, 5> ends{{{BisectEnd::found, "found"},
                                              {BisectEnd::unconfirmed, "unconfirmed"},
                                              {BisectEnd::range, "range"},
                                              {BisectEnd::no_change, "no_change"},
                                              {BisectEnd::undecided, "undecided"}}};

constexpr json::Table interval_fields{
    json::of<reports::Interval>,
    json::required("low", &reports::Interval::low, json::number(-base::max_seconds, base::max_seconds)),
    json::required("high", &reports::Interval::high, json::number(-base::max_seconds, base::max_seconds)),
    json::required("level", &reports::Interval::level, json::number(0, 1)),
};

constexpr json::Table case_fields{
    json::of<BisectedCase>,
    json::required("case", &BisectedCase::name, json::name),
    json::required("verdict", &BisectedCase::verdict, json::name),
    json::required("change", &BisectedCase::change, json::number(-base::max_seconds, base::max_seconds)),
    json::required("interval", &BisectedCase::interval, json::object_of<interval_fields>),
    json::required("causes", &BisectedCase::causes, json::list_of(most_listed, json::text)),
    json::required("reasons", &BisectedCase::reasons, json::list_of(most_listed, json::text)),
};

constexpr json::Table commit_fields{
    json::of<git::ListedCommit>,
    json::required("commit", &git::ListedCommit::commit, json::name),
    json::required("author_date", &git::ListedCommit::date, json::name),
    json::required("author", &git::ListedCommit::author, json::text),
    json::required("subject", &git::ListedCommit::subject, json::text),
};

constexpr json::Table finding_fields{
    json::of<BisectFinding>,
    json::required("end", &BisectFinding::end, json::word<ends>),
    json::required("cases", &BisectFinding::cases, json::list_of(most_listed, json::object_of<case_fields>)),
    json::required("commit", &BisectFinding::commit, json::object_of<commit_fields>),
    json::optional("parent", &BisectFinding::parent, json::name),
    json::optional("run", &BisectFinding::run, json::name),
    json::optional("candidates", &BisectFinding::candidates,
                   json::list_of(most_listed, json::object_of<commit_fields>)),
};

constexpr json::Table result_fields{
    json::of<BisectResult>,
    json::schema("torchgate.bisect/1"),
    json::required("good", &BisectResult::good, json::name),
    json::required("bad", &BisectResult::bad, json::name),
    json::required("findings", &BisectResult::findings, json::list_of(most_listed, json::object_of<finding_fields>)),
    json::required("notes", &BisectResult::notes, json::list_of(most_listed, json::text)),
    json::required("steps", &BisectResult::steps, json::counted),
    json::required("identical", &BisectResult::identical, json::counted),
    json::required("skipped", &BisectResult::skipped, json::counted),
    json::required("pairs", &BisectResult::pairs, json::counted),
    json::required("seconds", &BisectResult::seconds, json::at_least_0),
};

std::string commit_line(const git::ListedCommit& commit) {
  return fmt::format("{} {} {}: {}", record::short_commit(commit.commit), commit.date, reports::one_line(commit.author),
                     reports::one_line(commit.subject));
}

// A level of 99.96 % is not 100 %.
double percent_reached(double level) {
  constexpr double tenths = 1000;
  constexpr double rounding = 1e-9;
  return std::floor(level * tenths + rounding) / 10;
}

std::string case_lines(const BisectedCase& each) {
  std::string text = fmt::format("  {}: {}", reports::one_line(each.name), each.verdict);
  if (each.change) text += fmt::format(", {:+.1f} %", 100 * *each.change);
  if (each.interval)
    text += fmt::format(" ({:g} % interval {:+.1f} to {:+.1f} %)", percent_reached(each.interval->level),
                        100 * each.interval->low, 100 * each.interval->high);
  text += "\n";
  for (const std::string& cause : each.causes) text += "    " + reports::one_line(cause) + "\n";
  for (const std::string& reason : each.reasons) text += "    " + reports::one_line(reason) + "\n";
  return text;
}

std::string candidate_lines(const std::vector<git::ListedCommit>& candidates) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most_shown, candidates.size()); ++i)
    text += "  " + commit_line(candidates[i]) + "\n";
  if (candidates.size() > most_shown) text += fmt::format("  and {} more\n", candidates.size() - most_shown);
  return text;
}

// "the pairs of 1a2b3c4d5e6f place it neither with the good commit nor with the bad one"
std::string on_neither_side(const std::vector<std::string>& commits) {
  constexpr std::size_t most_names = 3;
  std::vector<std::string> names;
  names.reserve(commits.size());
  for (const std::string& commit : commits) names.push_back(record::short_commit(commit));
  return fmt::format("the pairs of {} place {} neither with the good commit nor with the bad one",
                     base::some_of(names, most_names), names.size() == 1 ? "it" : "them");
}

std::string headline(const BisectFinding& finding) {
  const std::string commit = finding.commit ? commit_line(*finding.commit) : "";
  switch (finding.end) {
    case BisectEnd::found:
      return "FOUND " + commit;
    case BisectEnd::unconfirmed:
      if (finding.run.empty())
        return fmt::format(
            "NOT DECIDED: the search ended at {}, and it is not confirmed: it could not be compared with its parent {}",
            commit, record::short_commit(finding.parent));
      return fmt::format("NOT DECIDED: the search ended at {}, and its pairs with its parent {} do not confirm it",
                         commit, record::short_commit(finding.parent));
    case BisectEnd::range:
      if (!finding.between.empty())
        return "NOT DECIDED: the slow-down may be in several commits: " + on_neither_side(finding.between);
      return fmt::format("NOT DECIDED: one of these {}; those that are left to test were skipped",
                         base::counted(finding.candidates.size(), "commit", "commits"));
    case BisectEnd::no_change:
      return "NO SLOW-DOWN: the bad commit is not slower than the good one today";
    case BisectEnd::undecided:
      if (finding.commit)
        return fmt::format("NOT DECIDED: {} explains only a part of the slow-down",
                           record::short_commit(finding.commit->commit));
      return "NOT DECIDED: the pairs of both ends show neither a slow-down nor its absence; use more --pairs or a "
             "quieter "
             "machine (`torchgate doctor`)";
  }
  return "";
}

}  // namespace

bool BisectResult::decided() const {
  return !findings.empty() &&
         std::all_of(findings.begin(), findings.end(), [](const auto& each) { return each.end == BisectEnd::found; });
}

std::string bisect_text(const BisectResult& result) {
  std::string text;
  for (const BisectFinding& finding : result.findings) {
    text += headline(finding) + "\n";
    if (finding.between.empty()) text += candidate_lines(finding.candidates);  // else each of them is a part at most
    for (const BisectedCase& each : finding.cases) text += case_lines(each);
    if (!finding.run.empty() && finding.end == BisectEnd::found && !finding.cases.empty())
      text += fmt::format("  why: torchgate explain CASE {}\n", finding.run);
  }
  for (const std::string& note : result.notes) text += "note: " + reports::one_line(note) + "\n";
  return text + fmt::format("{} ({} with a known build, {} skipped), {}, {}\n",
                            base::counted(result.steps, "step", "steps"), result.identical, result.skipped,
                            base::counted(result.pairs, "pair", "pairs"),
                            duration_text(std::chrono::duration<double>(result.seconds)));
}

std::string bisect_json(const BisectResult& result) {
  return json::write_document<result_fields>(result);
}

}  // namespace torchgate::workflow
