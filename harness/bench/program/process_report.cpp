// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/program/process_report.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>

#include "harness/bench/artefact.hpp"
#include "harness/bench/device/device_metrics.hpp"
#include "harness/bench/files/files_read.hpp"
#include "harness/bench/files/interposed.hpp"
#include "harness/bench/program/case_filter.hpp"
#include "harness/bench/program/turn_channel.hpp"
#include "harness/bench/ranks/rank_cpu.hpp"
#include "harness/bench/run/case_runner.hpp"
#include "harness/bench/run/shuffle.hpp"
#include "harness/machine/doctor/build_kind.hpp"
#include "harness/machine/facts.hpp"
#include "harness/machine/loaded_objects.hpp"

namespace torchgate::bench {
namespace {

// Loading LibTorch and ending again takes 0.22 s, building small models about as much.
constexpr double start_up_s = 0.4;
// Building model and inputs, checking, counting: the cost of a case in addition to warm-up and samples.
constexpr double preparation_s = 0.03;
// A call of a case that asks for a number of samples with samples(). How long it takes is unknown before it is measured: 0.1 to 200 ms
// in the suites of this repository, beside the calls that count and check; others are longer.
constexpr double long_call_s = 0.05;

#ifdef __clang__
constexpr const char* compiler = __VERSION__;  // names itself
#else
constexpr const char* compiler = "g++ " __VERSION__;
#endif

// Each kind of sample has the whole budget: the host's, and on a device cold, hot and perhaps graph.
double estimate_s(const SamplerSettings& settings, std::int64_t kinds_of_samples,
                  std::optional<std::int64_t> long_calls) {
  if (long_calls) return preparation_s + static_cast<double>(*long_calls) * long_call_s;
  constexpr double ns_per_s = 1e9;
  return static_cast<double>(settings.warmup_least_ns + kinds_of_samples * settings.budget_ns) / ns_per_s +
         preparation_s;
}

std::int64_t kinds_of_samples(const GroupCases& group, const CaseInstance& instance) {
  if (instance.definition.device == "cpu") return 1;
  return group.has_graphs(*instance.variant) ? 4 : 3;
}

// "0-3,6"; empty for none.
std::string ranges_of(const std::vector<int>& cpus) {
  std::string text;
  for (std::size_t i = 0; i < cpus.size(); ++i) {
    const std::size_t first = i;
    while (i + 1 < cpus.size() && cpus[i + 1] == cpus[i] + 1) ++i;
    text += (text.empty() ? "" : ",") + std::to_string(cpus[first]) + (i > first ? "-" + std::to_string(cpus[i]) : "");
  }
  return text;
}

// Claims may only name cases of the report.
void keep_claims_about(const std::vector<record::Case>& cases, std::vector<record::Claim>& claims) {
  const auto missing = [&](const std::string& name) {
    return std::none_of(cases.begin(), cases.end(), [&](const auto& each) { return each.name == name; });
  };
  std::erase_if(claims, [&](const record::Claim& claim) {
    return missing(claim.case_name) || (!claim.limit && missing(claim.reference_case));
  });
}

// A library that the process wrote before it loaded it, as a compiled model unpacks its own, follows from the files that it read,
// and has another name in every process.
std::vector<record::LoadedObject> objects_now() {
  const OwnLookups own;
  std::vector<record::LoadedObject> objects = machine::loaded_objects();
  std::erase_if(objects, [](const record::LoadedObject& object) { return read_log().has_made(object.path); });
  return objects;
}

void add_traces(const std::vector<ProcessTraces>& traces, record::ProcessReport& report) {
  if (traces.empty()) return;
  std::vector<FilesRead> files;
  for (const ProcessTraces& each : traces) {
    files.push_back(each.files);
    for (const record::LoadedObject& object : each.objects) {
      if (std::find(report.objects.begin(), report.objects.end(), object) == report.objects.end())
        report.objects.push_back(object);
    }
  }
  FilesRead all = all_files_read(files);
  report.files_read = std::move(all.paths);
  report.files_unknown = std::move(all.unknown);
}

// The cases of ORDER, those that claims about times compare with each other together. Alone: who may not take turns with others.
std::vector<std::vector<std::size_t>> claim_families(const record::Group& definition,
                                                     const std::vector<CaseInstance>& instances,
                                                     const std::vector<std::size_t>& order,
                                                     const std::function<bool(std::size_t)>& may_alternate) {
  std::map<std::string, std::size_t> family_of;  // by case; the place in the result
  std::vector<std::vector<std::size_t>> families;
  for (const std::size_t i : order) {
    family_of.emplace(instances[i].definition.name, families.size());
    families.push_back({i});
  }
  for (const record::Claim& claim : definition.claims) {
    const auto a = family_of.find(claim.case_name);
    const auto b = family_of.find(claim.reference_case);
    if (claim.metric != "time" || claim.limit || a == family_of.end() || b == family_of.end() || a->second == b->second)
      continue;
    const std::size_t place = std::min(a->second, b->second);
    std::vector<std::size_t>& into = families[place];
    std::vector<std::size_t>& from = families[std::max(a->second, b->second)];
    const auto alone = [&](const std::vector<std::size_t>& family) {
      return family.size() == 1 && !may_alternate(family.front());
    };
    if (alone(into) || alone(from)) continue;
    for (const std::size_t i : from) family_of[instances[i].definition.name] = place;
    into.insert(into.end(), from.begin(), from.end());
    from.clear();
  }
  std::erase_if(families, [](const auto& family) { return family.empty(); });
  return families;
}

// The other side of a pair measures the same case at the same time, so that the launcher says which one is next.
std::optional<std::size_t> next_in_turns(TurnChannel& turns, const std::vector<CaseInstance>& instances,
                                         const std::vector<std::size_t>& wanted) {
  const auto name = turns.next_case();
  if (!name) return std::nullopt;
  const auto found =
      std::find_if(wanted.begin(), wanted.end(), [&](std::size_t i) { return instances[i].definition.name == *name; });
  if (found == wanted.end()) throw std::runtime_error("taking turns: unknown case \"" + *name + "\"");
  return *found;
}

}  // namespace

record::ProcessReport list_report(const std::string& suite, const std::vector<GroupCases>& groups,
                                  const Backend& backend, const SuiteOptions& options) {
  record::ProcessReport report;
  report.suite = suite;
  report.takes_turns = true;
  double seconds = 0;
  for (const GroupCases& group : groups) {
    const auto instances = group.instances();
    record::Group definition = group.definition(instances, &backend);
    const std::size_t before = report.cases.size();
    std::set<std::string> references;  // that processes of their own make the outputs of
    for (const auto& instance : instances) {
      if (!group.is_in(options.profile, instance)) continue;
      report.cases.push_back(instance.definition);
      report.cases.back().skipped = cannot_run(group, instance, backend);
      if (report.cases.back().skipped) continue;
      if (group.has_reference_elsewhere(instance)) references.insert(instance.reference_case);
      const double one =
          estimate_s(options.sampler(), kinds_of_samples(group, instance), group.sample_count(*instance.variant));
      if (const auto launches = group.cold_launches()) {
        seconds += static_cast<double>(*launches) * (start_up_s + preparation_s);
      } else {
        seconds += one + (group.has_own_process(*instance.variant) ? start_up_s : 0);
      }
    }
    if (report.cases.size() == before) continue;  // nothing of it in this profile
    seconds += start_up_s + static_cast<double>(references.size()) * (start_up_s + preparation_s);
    keep_claims_about(report.cases, definition.claims);
    report.groups.push_back(std::move(definition));
  }
  report.seconds_estimate = seconds;
  report.objects =
      machine::loaded_objects();  // what a process that measures has loaded before it opens others on demand
  for (const GroupCases& group : groups) {
    for (const VariantDescription& variant : group.variants()) add_artefacts(group.artefacts(variant), report.objects);
  }
  return report;
}

base::Result<record::ProcessReport> measure_report(const std::string& suite, const std::vector<GroupCases>& groups,
                                                   Backend& backend, const SuiteOptions& options, Clock& clock) {
  const auto group =
      std::find_if(groups.begin(), groups.end(), [&](const GroupCases& g) { return g.name() == options.group; });
  if (group == groups.end()) {
    return base::Error{base::ErrorCode::bad_input,
                       "unknown group \"" + options.group.value_or("") + "\" in suite " + suite};
  }
  const auto filter = case_filter(options.filter);
  if (!filter) return filter.error();
  const auto instances = group->instances();
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < instances.size(); ++i) {
    const std::string& name = instances[i].definition.name;
    const bool is_wanted =
        options.only_case ? name == *options.only_case : group->is_in(options.profile, instances[i]) && (*filter)(name);
    if (is_wanted) order.push_back(i);
  }
  if (options.only_case && order.empty())
    return base::Error{base::ErrorCode::bad_input,
                       "unknown case \"" + *options.only_case + "\" in group " + group->name()};
  std::mt19937_64 generator(options.seed);
  shuffle(order, generator);

  record::ProcessReport report;
  report.suite = suite;
  report.groups.push_back(group->definition(instances, &backend));
  SelfProcess self(options.of_own_process(), options.threads);
  std::unique_ptr<InstructionCounter> counter;
  if (options.count) {
    auto made = instruction_counter();
    if (!made) return made.error();
    counter = std::move(made).value();
    report.facts.push_back({"instruction_counter", counter->name()});
  }
  CaseRunner runner(backend, options.sampler(), clock, {}, this_world(), options.only_case ? nullptr : &self);
  if (options.reference_file) runner.compare_with_outputs_in(*options.reference_file);
  const auto keep = [&](std::size_t i, record::CaseResult result) {
    report.cases.push_back(instances[i].definition);
    if (result.status == record::CaseStatus::skipped) report.cases.back().skipped = result.message.text();
    report.results.push_back(std::move(result));
  };
  if (options.turns) {
    TurnChannel turns(*options.turns);
    std::set<std::size_t> again;  // whose device had not enough memory for both processes
    while (const auto i = next_in_turns(turns, instances, order)) {
      record::CaseResult result = runner.run_in_turns(*group, instances[*i], instances, turns);
      if (runner.lacked_memory(instances[*i], result) && again.insert(*i).second) {
        turns.later();
        continue;
      }
      if (again.count(*i) > 0 && result.status == record::CaseStatus::ok) {
        for (record::Measurement& each : result.measurements) each.turns = {};  // the other side's were not beside them
        add_note(result, "measured when the other side was done: their device had not enough memory for both at once");
      }
      keep(*i, std::move(result));
      turns.done();
    }
  } else if (options.outputs_file) {
    for (const std::size_t i : order) keep(i, runner.keep_outputs(*group, instances[i], *options.outputs_file));
  } else if (counter != nullptr) {
    for (const std::size_t i : order) {
      keep(i, runner.count_instructions(*group, instances[i], *counter, *options.count));
      report.cases.back().metrics.push_back(
          {record::instructions_metric, "1", record::Direction::lower_is_better, record::MetricKind::exact, false});
    }
  } else {
    for (const std::vector<std::size_t>& family :
         claim_families(report.groups.front(), instances, order,
                        [&](std::size_t i) { return runner.may_alternate(*group, instances[i]); })) {
      std::vector<const CaseInstance*> members;
      members.reserve(family.size());
      for (const std::size_t i : family) members.push_back(&instances[i]);
      if (members.size() == 1) {
        keep(family.front(), runner.run(*group, *members.front(), instances));
        continue;
      }
      auto results = runner.run_family(*group, members, instances, options.seed);
      for (std::size_t i = 0; i < family.size(); ++i) keep(family[i], std::move(results[i]));
    }
  }
  report.untimed_ns = runner.untimed_ns();
  if (const auto& first = runner.first_call()) {
    report.first_call_ns = first->ns;
    report.first_case = first->case_name;
  }
  keep_claims_about(report.cases, report.groups.front().claims);
  for (record::Parameter& fact : backend.facts()) report.facts.push_back(std::move(fact));
  report.facts.push_back({"suite_build", machine::doctor::build_kind()});
  report.facts.push_back({"suite_compiler", compiler});
  report.facts.push_back({"intra_op_threads", std::to_string(options.threads)});
  // Of the run, not of ranks that share a CPU of it.
  if (const std::string cpus = ranges_of(machine::affinity()); !cpus.empty() && !shares_rank_cpu())
    report.facts.push_back({"cpu_affinity", cpus});
  report.objects = objects_now();  // after the work, to include libraries opened on demand
  for (const std::size_t i : order) add_artefacts(group->artefacts(*instances[i].variant), report.objects);
  add_traces(runner.traces(), report);
  return report;
}

}  // namespace torchgate::bench
