// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/run/requirements.hpp"

#include <exception>
#include <stdexcept>

#include "harness/base/counted.hpp"
#include "harness/bench/artefact.hpp"

namespace torchgate::bench {
namespace {

std::optional<std::string> missing_artefact(const GroupCases& group, const VariantDescription& variant) {
  for (const std::string& name : group.artefacts(variant)) {
    if (!find_artefact(name)) return why_no_artefact(name);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> first_unmet(const std::vector<Need>& needs, const Args& args, const Backend& backend) {
  for (const Need& need : needs) {
    if (!selected(need.where, args)) continue;
    try {
      if (auto why = need.test ? need.test() : backend.unmet(need.name)) return why;
    } catch (const std::exception& error) {
      return "requirement " + need.name + " could not be tested: " + error.what();
    } catch (...) {
      return "requirement " + need.name + " could not be tested: it threw an object that is not a std::exception";
    }
  }
  return std::nullopt;
}

std::optional<std::string> cannot_run(const GroupCases& group, const CaseInstance& instance, const Backend& backend) {
  if (instance.definition.device != "cpu") {
    if (auto why = backend.unmet(instance.definition.device)) return why;
  }
  if (auto why = first_unmet(group.group_needs(), instance.args, backend)) return why;
  if (auto why = first_unmet(instance.variant->needs, instance.args, backend)) return why;
  if (auto why = missing_artefact(group, *instance.variant)) return why;
  if (instance.reference_case.empty()) return std::nullopt;
  const VariantDescription& reference = group.variants().front();
  auto why = first_unmet(reference.needs, instance.args, backend);
  if (!why) why = missing_artefact(group, reference);
  if (why) *why = "its reference cannot run: " + *why;
  return why;
}

std::optional<std::string> wrong_world(const GroupCases& group, const World& world) {
  if (group.rank_count() == world.size()) return std::nullopt;
  return "its cases need " + base::counted(group.rank_count(), "process", "processes") + ", but this job has " +
         std::to_string(world.size()) +
         "; start them with `torchgate run`, or with that many ranks by torchrun or srun";
}

void require_output(const CaseInstance& instance, const Timed& timed) {
  if (timed.has_output()) return;
  if (!instance.reference_case.empty())
    throw std::runtime_error("it returns no output to compare with " + instance.reference_case);
  if (instance.variant->sweep_check)
    throw std::runtime_error("its call returns nothing for checks() to check; return the output, or remove checks()");
}

}  // namespace torchgate::bench
