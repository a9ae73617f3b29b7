// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/collected_remarks.hpp"

#include <string>
#include <utility>
#include <vector>

#include "harness/record/imported.hpp"
#include "reports/facts/about_counts.hpp"
#include "reports/facts/about_inputs.hpp"
#include "reports/facts/about_runs.hpp"

namespace torchgate::gate {
namespace {

// What a reader should know about the stored runs that were asked, and about what is gone.
void add_pool_remarks(const Screened& collected, const std::vector<std::string>& suites, bool files, Remarks& remarks) {
  for (const auto& [suite, cases] : collected.vanished_suites)
    remarks.doubts.emplace_back((files ? facts::other_tool : facts::suite_not_in_run)(suite, suites, cases));
  if (!collected.from_older.empty()) remarks.notes.push_back(facts::numbers_of_older_runs(collected.from_older));
  if (!collected.removed_before.empty()) remarks.notes.push_back(facts::gone_before(collected.removed_before));
}

// What is doubtful about the files and records themselves, and about what the suites check.
void add_file_doubts(const Screened& collected, Remarks& remarks) {
  for (const facts::Fact& fewer : collected.fewer_repetitions)
    remarks.doubts.emplace_back(fewer, reports::DoubtKind::inputs);
  for (const auto& [label, cases] :
       {std::pair("baseline", &collected.repeated_before), std::pair("this run", &collected.repeated_after)})
    if (!cases->empty())
      remarks.doubts.emplace_back(facts::of_runs({label}, facts::repeated_processes(*cases)),
                                  reports::DoubtKind::inputs);
  if (!collected.weaker_checks.empty())
    remarks.doubts.emplace_back(facts::weaker_checks(collected.weaker_checks), reports::DoubtKind::policy);
  if (collected.copied.empty()) return;
  const auto& copies = collected.compared.empty() ? facts::sides_are_copies : facts::cases_are_copies;
  remarks.doubts.emplace_back(copies(collected.copied), reports::DoubtKind::inputs);
}

void mention_one_sided(const Screened& collected, Remarks& remarks) {
  if (collected.only_before > 0 || collected.only_after > 0)
    remarks.notes.push_back(facts::one_sided(collected.only_before, collected.only_after));
}

}  // namespace

void add_collected_remarks(const Screened& collected, const record::Run& current, Remarks& remarks) {
  add_pool_remarks(collected, current.plan.suites, record::is_imported(current), remarks);
  add_file_doubts(collected, remarks);
  if (!collected.varying_counts.empty()) remarks.notes.push_back(facts::counts_that_vary(collected.varying_counts));
  if (!collected.worse_unjudged.empty()) remarks.notes.push_back(facts::worse_unjudged(collected.worse_unjudged));
  mention_one_sided(collected, remarks);
}

}  // namespace torchgate::gate
