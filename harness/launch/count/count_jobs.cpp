// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/count/count_jobs.hpp"

#include <string_view>

namespace torchgate::launch {
namespace {

/// Why no process can count a case of GROUP, as far as its listing shows; empty: one can.
std::string why_not(const GroupOnSide& side, const record::Case& definition,
                    const base::Result<CountSettings>& programs) {
  if (side.ranks > 1)
    return "several ranks are not counted: they wait for each other, and how often they look depends on time";
  if (definition.device != "cpu") return "what a GPU executes is not counted";
  if (side.program != nullptr && !programs) return programs.error().message;
  return "";
}

}  // namespace

base::Result<CountSettings> choose_counter(const CountRequest& wanted) {
  const auto with = [&](CountSettings settings) {
    settings.calls = wanted.calls;
    settings.set_up = wanted.functions;
    settings.without_fma = !wanted.all_kernels;
    return settings;
  };
  base::Result<void> hardware{};
  if (!wanted.functions && wanted.counter != Counter::callgrind) {
    hardware = check_hardware_counter();
    if (hardware) {
      CountSettings settings;
      settings.counter = "hardware";
      return with(settings);
    }
    if (wanted.counter == Counter::hardware)
      return base::Error{base::ErrorCode::bad_input, "--counter hardware: " + hardware.error().message};
  }
  auto callgrind = find_callgrind();
  if (callgrind) return with(std::move(callgrind).value());
  if (wanted.functions) return callgrind.error();  // which counter it is, is not the choice of the user
  if (wanted.counter == Counter::callgrind)
    return base::Error{base::ErrorCode::bad_input, "--counter callgrind: " + callgrind.error().message};
  std::string why = "instructions cannot be counted: " + callgrind.error().message;
  if (!hardware) why += "; " + hardware.error().message;
  return base::Error{base::ErrorCode::not_found, why};
}

base::Result<CountSettings> choose_program_counter(const CountSettings& settings, const CountRequest& wanted) {
  if (!settings.valgrind.empty()) return settings;
  const std::string why = "the CPU's counter counts a whole process of a Google Benchmark program, not its loop";
  if (wanted.counter == Counter::hardware)
    return base::Error{base::ErrorCode::not_found, why + "; use --counter callgrind"};
  auto callgrind = find_callgrind();
  if (!callgrind) return base::Error{callgrind.error().code, why + ", and " + callgrind.error().message};
  callgrind->calls = settings.calls;
  callgrind->set_up = settings.set_up;
  callgrind->without_fma = settings.without_fma;
  return callgrind;
}

CountJobs count_jobs(const Selection& selection, const base::Result<CountSettings>& programs, bool of_one_case) {
  std::map<std::string_view, const record::Case*> definitions;
  for (const record::Case& each : selection.cases) definitions.emplace(each.name, &each);
  CountJobs all;
  for (const SelectedGroup& group : selection.to_run) {
    for (const GroupOnSide& side : group.sides) {
      std::vector<std::string> cases;
      for (const std::string& name : side.cases) {
        const auto definition = definitions.find(name);
        if (definition == definitions.end()) continue;
        std::string why = why_not(side, *definition->second, programs);
        if (why.empty()) {
          cases.push_back(name);
        } else {
          all.unknown.emplace(std::pair(side.side, name), std::move(why));
        }
      }
      if (side.program == nullptr && !of_one_case) {
        if (!cases.empty()) all.jobs.push_back({&side, group.name, group.filter, std::move(cases)});
        continue;
      }
      for (const std::string& name : cases)
        all.jobs.push_back({&side, group.name, side.program == nullptr ? exact_filter({name}) : "", {name}});
    }
  }
  return all;
}

}  // namespace torchgate::launch
