// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/markdown_claims.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "reports/format.hpp"
#include "reports/formats/markdown_escape.hpp"
#include "reports/formats/markdown_parts.hpp"
#include "reports/formats/markdown_table.hpp"
#include "reports/sentences.hpp"

namespace torchgate::reports {
namespace {

// Cases named whose claims were not measured; the line is one on a wide page.
constexpr std::size_t unmeasured_named = 3;

MarkdownTable claims_table(const Overview& overview, bool broken) {
  const Format format;
  MarkdownTable claims(
      {{"state"}, {"case and its reference"}, {"claim"}, {"measured [bound]", MarkdownTable::Align::right}, {"note"}},
      format.unknown());
  for (const ClaimFinding* claim : overview.claims) {
    if ((claim->state == ClaimState::broken) != broken || claim->state == ClaimState::not_measured) continue;
    const std::string state = fmt::format("{} {}", markdown_symbol(claim->action, claim->state == ClaimState::holds),
                                          claim_words(claim->state));
    std::string cases = markdown_name(claim->case_name, true);
    if (!claim->reference_case.empty()) cases += fmt::format(" {}", markdown_name(claim->reference_case, true));
    const std::string promise =
        claim->text.empty() ? markdown_quantity(promise_words(*claim, format)) : markdown_name(claim->text, true);
    std::string measured = markdown_quantity(format.factor(claim->measured_ratio));
    if (claim->bound)
      measured += fmt::format(" {}", markdown_quantity(fmt::format("[{}]", format.factor(claim->bound))));
    claims.add_row({unbroken(state), cases, promise, measured, markdown_cell(facts::listed(claim->reasons))});
  }
  return claims;
}

/// Claims about cases that this run's profile left out: one line of all of them.
std::string unmeasured_claims(const Overview& overview) {
  std::vector<std::string> names;
  for (const ClaimFinding* claim : overview.claims) {
    if (claim->state == ClaimState::not_measured) names.push_back(markdown_name(claim->case_name, false));
  }
  if (names.empty()) return {};
  const std::size_t more = names.size() > unmeasured_named ? names.size() - unmeasured_named : 0;
  std::string text = fmt::format(
      "{}: ", counted(static_cast<std::int64_t>(names.size()), "claim was not measured", "claims were not measured"));
  names.resize(names.size() - more);
  text += fmt::format("{}", fmt::join(names, ", "));
  if (more > 0) text += fmt::format(" and {} more", grouped(static_cast<std::int64_t>(more)));
  return text + ".\n";
}

}  // namespace

Section markdown_broken_claims(const Overview& overview) {
  const MarkdownTable broken = claims_table(overview, true);
  return {static_cast<int>(MarkdownRank::claims),
          markdown_sentences_share,
          "\n**Broken claims**\n\n" + broken.head(),
          broken.rows(),
          "",
          markdown_omitted("broken claims")};
}

Section markdown_other_claims(const Report& report, const Overview& overview) {
  const MarkdownTable others = claims_table(overview, false);
  Section section{static_cast<int>(MarkdownRank::rest),
                  markdown_rest_share,
                  markdown_folded("Claims: " + claims_tally(report.claims)),
                  others.rows(),
                  markdown_end_of_folded,
                  markdown_omitted("claims")};
  if (!section.rows.empty()) section.before += others.head();
  const std::string unmeasured = unmeasured_claims(overview);
  if (unmeasured.empty()) return section;
  // A line after a table needs an empty one between.
  if (section.rows.empty()) {
    section.rows.push_back(unmeasured);
  } else {
    section.after = "\n" + unmeasured + markdown_end_of_folded;
  }
  return section;
}

}  // namespace torchgate::reports
