// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/bisect/bisect_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ci/git/commit_list.hpp"
#include "ci/workflow/bisect/build_content.hpp"
#include "ci/workflow/bisect/placing_pairs.hpp"
#include "ci/workflow/measure/duration_text.hpp"
#include "harness/base/atomic_file.hpp"
#include "harness/base/counted.hpp"
#include "harness/base/some_of.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::workflow {
namespace {

using base::ErrorCode;
using base::Result;
using git::BisectAnswer;
using git::BisectMark;
using stats::SideOfChange;
using Clock = std::chrono::steady_clock;

constexpr std::size_t most_parted = 3;

std::vector<std::string> names_of(const std::vector<ChangedCase>& cases) {
  std::vector<std::string> names;
  names.reserve(cases.size());
  for (const ChangedCase& each : cases) names.push_back(each.name);
  return names;
}

const char* words_of(SideOfChange side) {
  switch (side) {
    case SideOfChange::before:
      return "as fast as the good commit";
    case SideOfChange::after:
      return "as slow as the bad commit";
    case SideOfChange::undecided:
      return "not decided";
  }
  return "not decided";
}

std::string summary_of(const JudgedCommit& judged) {
  if (judged.fate == CommitFate::skipped) return "skipped: " + judged.reason;
  std::map<SideOfChange, std::int64_t> counts;
  std::int64_t pairs = 0;
  for (const PlacedCase& each : judged.cases) {
    ++counts[each.side];
    pairs = std::max(pairs, each.pairs);
  }
  std::string text;
  for (const auto& [side, count] : counts) {
    text += text.empty() ? "" : ", ";
    text += words_of(side);
    if (judged.cases.size() > 1) text += " in " + base::counted(count, "case", "cases");
  }
  return judged.fate == CommitFate::identical ? text + " (its build is the same as one that was judged)"
                                              : text + fmt::format(" ({} pairs)", pairs);
}

}  // namespace

bool ends_the_search(ErrorCode code) {
  return code == ErrorCode::interrupted || code == ErrorCode::io || code == ErrorCode::internal;
}

Result<std::vector<SearchEnd>> BisectSearch::run() {
  std::vector<SearchEnd> ends;
  waiting_ = {names_of(state_.changed)};
  while (!waiting_.empty()) {
    // The largest part first; what it leaves open comes after it.
    const auto largest = std::max_element(waiting_.begin(), waiting_.end(),
                                          [](const auto& a, const auto& b) { return a.size() < b.size(); });
    std::vector<std::string> cases = *largest;
    waiting_.erase(largest);
    auto end = search(std::move(cases));
    if (!end) return end.error();
    const auto same = std::find_if(ends.begin(), ends.end(), [&](const SearchEnd& each) {
      return each.commit == end->commit && each.candidates == end->candidates;
    });
    if (same == ends.end()) {
      ends.push_back(std::move(*end));
    } else {
      same->cases.insert(same->cases.end(), end->cases.begin(), end->cases.end());
    }
  }
  return ends;
}

Result<SearchEnd> BisectSearch::search(std::vector<std::string> cases) {
  const BisectQuestion& question = state_.question;
  auto bisection =
      git::Bisection::start(repository_, question.good, question.bad, question.first_parent, bench_.beside("git"));
  if (!bisection) return bisection.error();
  while (bisection->now().kind == BisectAnswer::Kind::test) {
    const std::string commit = bisection->now().commit;
    if (!not_judged(commit, cases).empty()) announce(bisection->now());
    if (auto judged = judge(commit, cases); !judged) return judged.error();
    const auto mark = mark_for(commit, cases);
    if (!mark) return mark.error();
    if (auto marked = bisection->mark(*mark); !marked) return marked.error();
    const auto log = bisection->log();
    if (!log) return log.error();
    const auto kept = base::write_file_atomically(std::filesystem::path(bisect_folder) / "log", *log, true);
    if (!kept) return kept.error();
  }
  return SearchEnd{std::move(cases), bisection->now().commit, bisection->now().candidates};
}

Result<BisectMark> BisectSearch::mark_for(const std::string& commit, std::vector<std::string>& cases) {
  std::map<SideOfChange, std::vector<std::string>> parts;
  for (const std::string& name : cases)
    parts[known_side(commit, name).value_or(SideOfChange::undecided)].push_back(name);
  const std::size_t before = parts[SideOfChange::before].size();
  const std::size_t after = parts[SideOfChange::after].size();
  const SideOfChange chosen = before + after == 0 ? SideOfChange::undecided
                              : after >= before   ? SideOfChange::after
                                                  : SideOfChange::before;
  cases = std::move(parts[chosen]);
  parts.erase(chosen);
  for (auto& [side, names] : parts) {
    if (names.empty()) continue;
    narrator_.note("  cases are on different sides of the change at this commit; searched for afterwards: " +
                   base::some_of(names, most_parted));
    waiting_.push_back(std::move(names));
  }
  return chosen == SideOfChange::undecided ? BisectMark::skip
         : chosen == SideOfChange::after   ? BisectMark::bad
                                           : BisectMark::good;
}

std::optional<SideOfChange> BisectSearch::known_side(const std::string& commit, const std::string& name) const {
  const JudgedCommit* judged = state_.of(commit);
  if (judged == nullptr) return std::nullopt;
  for (const PlacedCase& each : judged->cases)
    if (each.name == name) return each.side;
  // A build that failed has none of the cases; what is known of other cases says nothing about this one.
  const bool none = judged->fate == CommitFate::skipped && judged->cases.empty();
  return none ? std::optional(SideOfChange::undecided) : std::nullopt;
}

std::vector<ChangedCase> BisectSearch::not_judged(const std::string& commit,
                                                  const std::vector<std::string>& cases) const {
  std::vector<ChangedCase> open;
  for (const std::string& name : cases)
    if (!known_side(commit, name)) open.push_back(*state_.changed_case(name));
  return open;
}

Result<void> BisectSearch::judge(const std::string& commit, const std::vector<std::string>& cases) {
  std::vector<ChangedCase> open = not_judged(commit, cases);
  if (open.empty()) return {};
  const auto since = Clock::now();
  JudgedCommit judged;
  if (const JudgedCommit* known = state_.of(commit)) judged = *known;
  judged.commit = commit;
  if (auto built = bench_.build(Place::step, {"step", commit, commit}); !built) {
    if (ends_the_search(built.error().code)) return built.error();
    judged.fate = CommitFate::skipped;
    judged.reason = built.error().message;
    return keep(std::move(judged), since);
  }
  const BuiltCommit& step = bench_.at(Place::step);
  auto content = build_content(step.tree.path(), state_.files, bench_.recipe().suites);
  if (content) judged.content = *content;
  const auto same_inputs = [&](const std::string& other) {
    return state_.files_known || same_data_files(repository_, other, commit);
  };
  std::erase_if(open, [&](const ChangedCase& each) {
    const auto side = state_.side_of_content(judged.content, each.name, same_inputs);
    if (side) judged.cases.push_back({each.name, *side, 0});
    return side.has_value();
  });
  if (open.empty()) {
    judged.fate = CommitFate::identical;
  } else if (auto placed = place(judged, open); !placed) {
    return placed.error();
  }
  return keep(std::move(judged), since);
}

Result<void> BisectSearch::place(JudgedCommit& judged, const std::vector<ChangedCase>& open) {
  const std::int64_t most = state_.question.most_pairs;
  judged.fate = CommitFate::measured;
  judged.reason.clear();
  PairsOfCases pairs;
  std::vector<PlacedCase> found;
  std::vector<ChangedCase> left = open;
  std::int64_t limit = 0;
  for (const KnownBuild known : {KnownBuild::good, KnownBuild::bad}) {
    if (left.empty()) break;
    limit += most;
    const Place other = known == KnownBuild::good ? Place::good : Place::bad;
    auto run = bench_.pairs(other, Place::step, names_of(left), most, placing_rounds(left, known, pairs, limit));
    if (!run && ends_the_search(run.error().code)) return run.error();
    if (!run) {
      judged.reason = run.error().message;
      break;
    }
    state_.pairs += pairs_in(*run);
    add_pairs(*run, known, left, pairs);
    const bool none = std::all_of(left.begin(), left.end(), [&](const auto& each) { return pairs[each.name].empty(); });
    if (none) {
      judged.reason = "no process of its build measured these cases";
      break;
    }
    for (PlacedCase& each : placed(left, pairs, limit)) {
      const bool answered = each.side != SideOfChange::undecided;
      if (answered) std::erase_if(left, [&](const ChangedCase& one) { return one.name == each.name; });
      if (answered) found.push_back(std::move(each));
    }
  }
  if (found.empty() && !judged.reason.empty()) judged.fate = CommitFate::skipped;
  for (const ChangedCase& each : left)
    found.push_back({each.name, SideOfChange::undecided, static_cast<std::int64_t>(pairs[each.name].size())});
  judged.cases.insert(judged.cases.end(), found.begin(), found.end());
  return {};
}

Result<void> BisectSearch::keep(JudgedCommit judged, Clock::time_point since) {
  const double seconds = std::chrono::duration<double>(Clock::now() - since).count();
  judged.seconds += seconds;
  state_.seconds += seconds;
  narrator_.note("  " + record::short_commit(judged.commit) + " is " + summary_of(judged));
  std::erase_if(state_.judged, [&](const JudgedCommit& each) { return each.commit == judged.commit; });
  state_.judged.push_back(std::move(judged));
  return save_bisect_state(state_);
}

void BisectSearch::announce(const BisectAnswer& now) {
  const std::size_t step = state_.judged.size() + 1;
  std::string left;
  double seconds = 0;
  for (const JudgedCommit& each : state_.judged) seconds += each.seconds;
  if (!state_.judged.empty()) {
    const double mean = seconds / static_cast<double>(state_.judged.size());
    left = ", about " + duration_text(std::chrono::duration<double>(mean * static_cast<double>(now.steps_left + 1))) +
           " left";
  }
  const auto facts = git::commit_facts(repository_, now.commit);
  narrator_.note(fmt::format("step {} of about {}{}: {}{}", step, step + static_cast<std::size_t>(now.steps_left), left,
                             record::short_commit(now.commit), facts ? " " + facts->subject : ""));
}

}  // namespace torchgate::workflow
