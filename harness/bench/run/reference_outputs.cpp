// SPDX-License-Identifier: Apache-2.0
// The outputs of references: of this process or, where a reference has other settings than what is compared with it, of one that has these.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "harness/bench/ranks/rank_agreement.hpp"
#include "harness/bench/run/case_runner.hpp"
#include "harness/bench/skip.hpp"

namespace torchgate::bench {
namespace {

using record::CaseStatus;

const CaseInstance& instance_named(const std::string& name, const std::vector<CaseInstance>& all) {
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& other) { return other.definition.name == name; });
  if (found == all.end()) throw std::logic_error("the case is unknown");
  return *found;
}

// What WORK for the reference of a case throws becomes the case's.
template <class Work>
auto for_reference_of(const CaseInstance& instance, Work&& work) {
  try {
    return work();
  } catch (const RankLost&) {
    throw;
  } catch (const RankAhead&) {
    throw;
  } catch (const Skip& skip) {
    throw Skip(std::string("its reference cannot run: ") + skip.what());
  } catch (const std::exception& error) {
    throw std::runtime_error("its reference " + instance.reference_case + " failed: " + error.what());
  }
}

}  // namespace

Outputs CaseRunner::make_outputs(const GroupCases& group, const CaseInstance& instance) {
  Timed timed = build(group, instance);
  if (!timed.has_output()) throw std::runtime_error("it returns no output to compare with");
  Outputs outputs = first_outputs(instance.definition.name, timed);
  for (const Output& output : outputs) {
    if (const auto what = differs_between_ranks(world_, output)) throw std::runtime_error(*what);
  }
  return outputs;
}

const CaseInstance* CaseRunner::reference_elsewhere(const GroupCases& group, const CaseInstance& instance,
                                                    const std::vector<CaseInstance>& all) const {
  if (own_process_ == nullptr || !group.has_reference_elsewhere(instance)) return nullptr;
  return &instance_named(instance.reference_case, all);
}

const std::string& CaseRunner::reference_file(const GroupCases& group, const CaseInstance& reference) {
  const std::string& name = reference.definition.name;
  const auto known = reference_files_.find(name);
  if (known != reference_files_.end()) return known->second->path();
  auto file = std::make_unique<OwnFile>("outputs");
  if (!file->made()) throw std::runtime_error("no folder for its output could be made in TMPDIR; check its space");
  auto answer = own_process_->run(group.name(), name, group.own_process(*reference.variant), "outputs=" + file->path());
  if (!answer) throw std::runtime_error("the process of its own: " + answer.error().message);
  traces_.push_back(std::move(answer->traces));
  const record::CaseResult& result = answer->result;
  if (result.status == CaseStatus::skipped) throw Skip(result.message.text());
  if (result.status != CaseStatus::ok) throw std::runtime_error(result.message.text());
  return reference_files_.emplace(name, std::move(file)).first->second->path();
}

std::optional<std::string> CaseRunner::reference_file_of(const GroupCases& group, const CaseInstance& instance,
                                                         const std::vector<CaseInstance>& all) {
  return for_reference_of(instance, [&]() -> std::optional<std::string> {
    const CaseInstance* reference = reference_elsewhere(group, instance, all);
    if (reference == nullptr) return std::nullopt;
    return reference_file(group, *reference);
  });
}

const Outputs* CaseRunner::reference_of(const GroupCases& group, const CaseInstance& instance,
                                        const std::vector<CaseInstance>& all) {
  if (instance.reference_case.empty()) return nullptr;
  const auto known = reference_outputs_.find(instance.reference_case);
  if (known != reference_outputs_.end()) return &known->second;
  const std::optional<std::string> file = given_outputs_ ? given_outputs_ : reference_file_of(group, instance, all);
  Outputs outputs = for_reference_of(instance, [&] {
    if (!file) return make_outputs(group, instance_named(instance.reference_case, all));
    auto read = read_outputs(*file);
    if (!read) throw std::runtime_error(read.error().message);
    return *std::move(read);
  });
  return &reference_outputs_.emplace(instance.reference_case, std::move(outputs)).first->second;
}

record::CaseResult CaseRunner::keep_outputs(const GroupCases& group, const CaseInstance& instance,
                                            const std::string& path) {
  record::CaseResult result;
  result.name = instance.definition.name;
  stage(instance, result, [&] {
    if (const auto why = cannot_run(group, instance, backend_)) throw Skip(*why);
    if (const auto written = write_outputs(path, make_outputs(group, instance)); !written)
      throw std::runtime_error(written.error().message);
  });
  return result;
}

}  // namespace torchgate::bench
