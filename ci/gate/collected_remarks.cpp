// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/collected_remarks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "harness/base/counted.hpp"
#include "harness/base/some_of.hpp"
#include "harness/record/imported.hpp"

namespace torchgate::gate {
namespace {

// What a reader should know about the stored runs that were asked, and about what is gone.
void add_pool_remarks(const Screened& collected, const std::vector<std::string>& suites, bool files, Remarks& remarks) {
  constexpr std::size_t most_named = 3;
  for (const auto& [suite, cases] : collected.vanished_suites) {
    if (files) {
      remarks.doubts.emplace_back(fmt::format(
          "the baseline is of {}, and the files of this run are of {}: {} of the baseline {} "
          "missing",
          suite, fmt::join(suites, ", "), base::counted(cases, "case", "cases"), cases == 1 ? "is" : "are"));
      continue;
    }
    remarks.doubts.emplace_back(
        fmt::format("suite {} is not in this run (suites: {}): {} of the baseline {} missing; build and measure it, or "
                    "measure some suites only with --filter",
                    suite, fmt::join(suites, ", "), base::counted(cases, "case", "cases"), cases == 1 ? "is" : "are"));
  }
  if (!collected.from_older.empty()) {
    remarks.notes.push_back(
        fmt::format("{} compared with an older run of the baseline, as the newest has no usable numbers: {}",
                    base::counted(collected.from_older.size(), "case was", "cases were"),
                    base::some_of(collected.from_older, most_named)));
  }
  if (!collected.removed_before.empty()) {
    remarks.notes.push_back(fmt::format(
        "{} of older runs of the baseline {} neither in its newest run nor in this one: {}",
        base::counted(collected.removed_before.size(), "case", "cases"),
        collected.removed_before.size() == 1 ? "is" : "are", base::some_of(collected.removed_before, most_named)));
  }
}

// What is doubtful about the files themselves.
void add_file_doubts(const Screened& collected, Remarks& remarks) {
  constexpr std::size_t most_named = 3;
  if (!collected.fewer_repetitions.empty())
    remarks.doubts.emplace_back(collected.fewer_repetitions, reports::DoubtKind::inputs);
  if (collected.copied.empty()) return;
  const std::string what = collected.compared.empty() ? "both sides have the same samples, bit for bit: one is a copy "
                                                        "of the other, with another date or another name"
                                                      : "these samples are those of the baseline, bit for bit: a "
                                                        "result of an earlier run that was not measured again, or "
                                                        "a file that is named on both sides";
  remarks.doubts.emplace_back(fmt::format("this run: {}: {}", base::some_of(collected.copied, most_named), what),
                              reports::DoubtKind::inputs);
}

void mention_one_sided(const Screened& collected, Remarks& remarks) {
  if (collected.only_before == 0 && collected.only_after == 0) return;
  remarks.notes.push_back(fmt::format("{} of the baseline alone and {} of this run alone were left out (--common)",
                                      base::counted(collected.only_before, "case", "cases"),
                                      base::counted(collected.only_after, "case", "cases")));
}

}  // namespace

void add_collected_remarks(const Screened& collected, const record::Run& current, Remarks& remarks) {
  add_pool_remarks(collected, current.plan.suites, record::is_imported(current), remarks);
  add_file_doubts(collected, remarks);
  mention_one_sided(collected, remarks);
}

}  // namespace torchgate::gate
