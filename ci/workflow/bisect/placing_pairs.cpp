// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/bisect/placing_pairs.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "ci/gate/pairs/pair_plan.hpp"

namespace torchgate::workflow {
namespace {

stats::SideOptions options_of(std::int64_t most) {
  stats::SideOptions options;
  options.most = static_cast<std::size_t>(most);
  return options;
}

stats::PlacedBuild place(const ChangedCase& each, const PairsOfCases& pairs, std::int64_t most) {
  const auto found = pairs.find(each.name);
  static const std::vector<double> none;
  return stats::place_build(found == pairs.end() ? none : found->second, each.known(), options_of(most));
}

// Two of each side: a commit that does not have the case, or fails in it, would get all of its pairs for nothing.
constexpr std::int64_t launches_without_a_pair = 4;

class PlacingRounds final : public launch::Rounds {
 public:
  PlacingRounds(std::vector<ChangedCase> cases, KnownBuild known, PairsOfCases earlier, std::int64_t most)
      : cases_(std::move(cases)), earlier_(std::move(earlier)), most_(most), known_(known) {}

  std::set<std::string> next(const record::Run& so_far) override {
    PairsOfCases now;
    add_pairs(so_far, known_, cases_, now);
    std::map<std::string_view, std::int64_t> launches;
    for (const record::Process& process : so_far.processes) launches[process.group] += process.rank.value_or(0) == 0;
    std::set<std::string> groups;
    for (const record::Case& definition : so_far.cases) {
      const auto asked = std::find_if(cases_.begin(), cases_.end(),
                                      [&](const ChangedCase& each) { return each.name == definition.name; });
      if (asked == cases_.end() || definition.skipped) continue;
      std::vector<double>& all = now[definition.name];
      if (all.empty() && launches[definition.group] >= launches_without_a_pair) continue;
      const auto before = earlier_.find(definition.name);
      if (before != earlier_.end()) all.insert(all.end(), before->second.begin(), before->second.end());
      if (!place(*asked, now, most_).done) groups.insert(definition.group);
    }
    return groups;
  }

 private:
  std::vector<ChangedCase> cases_;
  PairsOfCases earlier_;
  std::int64_t most_;
  KnownBuild known_;
};

}  // namespace

std::vector<double> differences_of(const gate::SideEvidence& before, const gate::SideEvidence& after,
                                   std::string_view case_name, PairNumber number) {
  const gate::CaseEvidence* was = before.find(case_name);
  const gate::CaseEvidence* is = after.find(case_name);
  if (was == nullptr || is == nullptr || primary_metric(*is->definition) == nullptr) return {};
  gate::PairValues values = gate::pair_values(*was, *is, *primary_metric(*is->definition));
  // Medians and floors are not the same number: pairs that lost their turns cannot be compared with a change of those.
  if (values.took_turns() != (number != PairNumber::median)) return {};
  return number == PairNumber::typical ? std::move(values.typical) : std::move(values.differences);
}

void add_pairs(const record::Run& run, KnownBuild known, const std::vector<ChangedCase>& cases, PairsOfCases& pairs) {
  const gate::SideEvidence before(run, 0);
  const gate::SideEvidence after(run, 1);
  for (const ChangedCase& each : cases) {
    std::vector<double>& all = pairs[each.name];
    for (const double difference : differences_of(before, after, each.name, each.number))
      all.push_back(known == KnownBuild::bad ? difference + each.change : difference);
  }
}

std::vector<PlacedCase> placed(const std::vector<ChangedCase>& cases, const PairsOfCases& pairs, std::int64_t most) {
  std::vector<PlacedCase> result;
  for (const ChangedCase& each : cases) {
    const stats::PlacedBuild build = place(each, pairs, most);
    result.push_back({each.name, build.side, static_cast<std::int64_t>(build.pairs)});
  }
  return result;
}

std::shared_ptr<launch::Rounds> placing_rounds(std::vector<ChangedCase> cases, KnownBuild known, PairsOfCases earlier,
                                               std::int64_t most) {
  return std::make_shared<PlacingRounds>(std::move(cases), known, std::move(earlier), most);
}

}  // namespace torchgate::workflow
