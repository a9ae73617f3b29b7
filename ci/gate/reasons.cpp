// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/reasons.hpp"

namespace torchgate::gate {

reports::Verdict verdict_of(stats::Call call) {
  switch (call) {
    case stats::Call::regressed:
      return reports::Verdict::regressed;
    case stats::Call::suspected:
      return reports::Verdict::suspected;
    case stats::Call::improved:
      return reports::Verdict::improved;
    case stats::Call::equivalent:
      return reports::Verdict::equivalent;
    case stats::Call::inconclusive:
      return reports::Verdict::inconclusive;
    case stats::Call::changed:
      return reports::Verdict::changed;
  }
  return reports::Verdict::inconclusive;
}

void add_reasons(reports::Finding& finding, const stats::Reasons& reasons) {
  for (const stats::Reason reason : reasons.list()) finding.reasons.emplace_back(stats::describe(reason));
}

}  // namespace torchgate::gate
