// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/textbook_rule.hpp"

#include <fmt/format.h>

#include "ci/gate/outcome.hpp"

namespace torchgate::gate {

void apply_textbook(reports::Finding& finding, const Policy& policy) {
  if (!finding.textbook) return;
  const reports::TextbookAnswer& answer = *finding.textbook;
  finding.p = answer.p;
  constexpr double textbook_alpha = 0.05;
  finding.alpha = textbook_alpha;
  finding.cohens_d = answer.d;
  finding.cohens_d_word = answer.word;
  finding.interval.reset();
  finding.smallest_detectable.reset();
  finding.processes_needed.reset();
  finding.reasons = {"textbook rule on " + answer.samples};
  if (answer.call == "regressed") {
    finding.verdict = reports::Verdict::regressed;
    set_confirmed_effect(finding, policy);
  } else if (answer.call == "improved") {
    finding.verdict = reports::Verdict::improved;
    finding.effect = reports::GateEffect::pass;
  } else {
    finding.verdict = reports::Verdict::inconclusive;
    set_plain_effect(finding, policy);
  }
}

}  // namespace torchgate::gate
