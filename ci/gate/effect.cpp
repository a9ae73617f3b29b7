// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/effect.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace torchgate::gate {
namespace {

using reports::GateEffect;
using reports::Verdict;

GateEffect changed_effect(const Judged& judged, const policy::Policy& own) {
  const auto named = own.metrics.find(judged.metric.name);
  return effect_of(named == own.metrics.end() ? own.changed : named->second);
}

GateEffect suspected_effect(const Judged& judged, const policy::Policy& own) {
  if (!judged.unconfirmed) return GateEffect::warn;
  const bool fails = own.unconfirmed == policy::Unconfirmed::fail ||
                     (own.unconfirmed == policy::Unconfirmed::beyond && judged.unconfirmed->beyond_gate);
  return fails ? GateEffect::fail : GateEffect::warn;
}

GateEffect effect_of_verdict(const Judged& judged, const policy::Policy& own) {
  switch (judged.decision.verdict) {
    case Verdict::failed:
    case Verdict::wrong:
    case Verdict::missing:
      return GateEffect::fail;
    case Verdict::improved:
    case Verdict::equivalent:
      return GateEffect::pass;
    case Verdict::inconclusive:
      return effect_of(own.inconclusive);
    case Verdict::changed:
      return changed_effect(judged, own);
    case Verdict::claim_broken:
      return effect_of(own.claim_broken);
    case Verdict::suspected:
      return suspected_effect(judged, own);
    case Verdict::new_case:
    case Verdict::skipped:
      return GateEffect::note;
    case Verdict::regressed:
      return below_gate(judged, own) ? GateEffect::warn : GateEffect::fail;
  }
  return GateEffect::fail;
}

// Where the policy names the metric: never more than that.
GateEffect limited_by_metric(const Judged& judged, GateEffect effect, const policy::Policy& own) {
  const auto named = own.metrics.find(judged.metric.name);
  if (named == own.metrics.end()) return effect;
  return std::max(effect, effect_of(named->second));  // the later of fail, warn, note, pass is the milder
}

GateEffect counted_effect(const Judged& judged, const policy::Policy& own) {
  const GateEffect effect = changed_effect(judged, own);
  // The stricter of the two: a growth of memory is a changed count as well.
  return memory_grew(judged, own) ? std::min(effect, effect_of(own.memory)) : effect;
}

}  // namespace

GateEffect effect_of(policy::Action action) {
  switch (action) {
    case policy::Action::pass:
      return GateEffect::note;
    case policy::Action::warn:
      return GateEffect::warn;
    case policy::Action::fail:
      return GateEffect::fail;
  }
  return GateEffect::fail;
}

bool memory_grew(const Judged& judged, const policy::Policy& own) {
  return judged.metric.name == "peak_bytes" && judged.decision.change && *judged.decision.change >= own.peak_memory;
}

bool below_gate(const Judged& judged, const policy::Policy& own) {
  return judged.decision.verdict == Verdict::regressed && worse_ratio(judged) < 1 + own.latency;
}

GateEffect effect_of(const Judged& judged, const policy::Policy& own, const policy::Policy& project) {
  const Verdict verdict = judged.decision.verdict;
  switch (judged.effect_rule) {
    case EffectRule::listed:
    case EffectRule::not_its_turn:
      return GateEffect::note;
    case EffectRule::counted:
      return verdict == Verdict::changed ? counted_effect(judged, own) : GateEffect::pass;
    case EffectRule::tail:
      if (verdict == Verdict::regressed) return effect_of(own.tails);
      if (verdict == Verdict::inconclusive) return GateEffect::note;
      break;
    case EffectRule::project:
      return limited_by_metric(judged, effect_of_verdict(judged, project), project);
    case EffectRule::verdict:
      break;
  }
  return limited_by_metric(judged, effect_of_verdict(judged, own), own);
}

void settle_effect(Judged& judged, const policy::Policy& own, const policy::Policy& project) {
  judged.effect = effect_of(judged, own, project);
  if (!below_gate(judged, own)) return;
  add_reason(judged, ReasonKind::below_gate,
             fmt::format("real, but below the gate of {:g} %; a change of the binary's layout alone can move a case by "
                         "up to 1.4 %",
                         own.latency * 100));
}

}  // namespace torchgate::gate
