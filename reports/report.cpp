// SPDX-License-Identifier: Apache-2.0
#include "reports/report.hpp"

namespace torchgate::reports {

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::failed:
      return "failed";
    case Verdict::wrong:
      return "wrong";
    case Verdict::missing:
      return "missing";
    case Verdict::regressed:
      return "regressed";
    case Verdict::suspected:
      return "suspected";
    case Verdict::claim_broken:
      return "claim_broken";
    case Verdict::changed:
      return "changed";
    case Verdict::inconclusive:
      return "inconclusive";
    case Verdict::improved:
      return "improved";
    case Verdict::equivalent:
      return "equivalent";
    case Verdict::new_case:
      return "new";
    case Verdict::skipped:
      return "skipped";
  }
  return "inconclusive";
}

const char* to_string(GateEffect effect) {
  switch (effect) {
    case GateEffect::fail:
      return "fail";
    case GateEffect::warn:
      return "warn";
    case GateEffect::note:
      return "note";
    case GateEffect::pass:
      return "pass";
  }
  return "note";
}

const char* to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::pass:
      return "pass";
    case Outcome::fail:
      return "fail";
    case Outcome::no_verdict:
      return "no_verdict";
  }
  return "no_verdict";
}

const char* to_string(ClaimState state) {
  switch (state) {
    case ClaimState::holds:
      return "holds";
    case ClaimState::broken:
      return "broken";
    case ClaimState::undecided:
      return "undecided";
    case ClaimState::not_measured:
      return "not_measured";
  }
  return "not_measured";
}

}  // namespace torchgate::reports
