// SPDX-License-Identifier: Apache-2.0
// What the human formats say in words, written once: they differ in layout, never in what they say.
//
// Functions marked "untrusted" repeat text from the report: the format that prints it has to escape it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/format.hpp"
#include "reports/report.hpp"

namespace torchgate::reports {

/// The cells of a finding; what is not known is Format::unknown().
struct FindingCells {
  std::string before;
  std::string after;
  std::string change;
  std::string interval;
  std::string p;
  std::string effect_size;
  std::string
      observations;  ///< "12 pairs", "5+5" processes, "exact"; "200+200" samples under the textbook rule; of one run "5"
};
/// "0.81 %", "none seen"; empty: not known.
std::string sd_words(const NoisePart& part);

/// Untrusted: units and Cohen's word. The report says by which rule it was judged.
FindingCells cells_of(const Finding& finding, const Report& report, const Format& format);

/// A change of FINDING as a signed percentage: of a time or a rate with as many digits as tell it from its gate.
std::string percent_beside_gate(std::optional<double> change, const Finding& finding, const Report& report,
                                const Format& format);

/// after / before - 1; nothing when it is not defined.
std::optional<double> relative_change(std::optional<double> before, std::optional<double> after);

/// "99 %" when every interval of the findings has this level, else nothing.
std::optional<std::string> common_level(const std::vector<const Finding*>& findings, const Format& format);

/// The reasons of a finding, what is odd about its series, what confirmation said, and what the comparison could have
/// seen, as sentences. Untrusted.
std::vector<std::string> explanation_of(const Finding& finding, const Format& format);
/// The same without the causes, which formats show apart, and without what the finding's row says already: sentences that rows
/// have in common. Untrusted.
std::vector<std::string> notes_on(const Finding& finding, const Format& format);
/// With a full stop at its end, unless it has another one.
std::string as_sentence(std::string text);
/// Whether the samples themselves were the observations.
bool judged_by_textbook(const Report& report);

/// A further number of a case: P95, P99, throughput, peak memory, what its noise is made of.
struct Detail {
  std::string label;
  std::string before;
  std::string after;
  std::string change;
};
/// Those that are known on either side. Untrusted: units.
std::vector<Detail> details_of(const Finding& finding, const Format& format);

/// "regressed (p 0.0312, d +0.41 small) on 150 raw samples of 5 processes per side". Untrusted.
std::string textbook_words(const TextbookAnswer& answer, const Format& format);

/// "main 1a2b3c4d5e6f (modified), 5 runs, newest 2026-01-31T10:00:00Z". Untrusted.
std::string side_words(const SideHeader& side);
/// "default, gate 5 %; 41 cases judged, 2 suspects". Untrusted.
std::string rule_words(const Report& report, const Format& format);
/// The host of both sides, or "one → other"; empty when neither is known. Untrusted.
std::string host_words(const Report& report, const Format& format);

/// "at most 0.9000x of the reference".
std::string promise_words(const ClaimFinding& claim, const Format& format);
/// The state as words: "not measured".
std::string claim_words(ClaimState state);
/// "3 hold, 1 broken".
std::string claims_tally(const std::vector<ClaimFinding>& claims);

}  // namespace torchgate::reports
