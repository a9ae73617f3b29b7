// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/code/compare_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "ci/workflow/code/case_inputs.hpp"
#include "ci/workflow/code/code_files.hpp"
#include "ci/workflow/measure/counting_request.hpp"
#include "harness/base/counted.hpp"
#include "harness/base/mean.hpp"
#include "harness/launch/count/count.hpp"
#include "harness/process/interrupt.hpp"

namespace torchgate::workflow {
namespace {

/// Of counting, for all cases together: what does not fit in is unknown. A ResNet-18 takes about a minute per side.
constexpr std::chrono::minutes longest_counting{10};
/// Of each case, after two that are not counted: a function that is called more rarely is not seen.
constexpr std::int64_t counted_calls = 5;
/// With the same functions more than this is the work of other data. Counts of unchanged programs differ by less (harness/launch/count).
constexpr double same_instructions = 0.001;

record::CodeComparison unknown(const std::string& case_name, std::string why) {
  record::CodeComparison code;
  code.case_name = case_name;
  code.unknown = std::move(why);
  return code;
}

struct BothSides {
  const launch::CountedCase* before = nullptr;
  const launch::CountedCase* after = nullptr;
};

// Both have counts.
void add_instructions(const BothSides& sides, record::CodeComparison& code) {
  code.instructions_before = base::mean(sides.before->count.per_call);
  code.instructions_after = base::mean(sides.after->count.per_call);
  if (!code.identical() || !(code.instructions_before > 0)) return;
  const double change = code.instructions_after / code.instructions_before - 1;
  if (std::abs(change) <= same_instructions) return;
  code.unknown = fmt::format(
      "it executes the same functions but {:+.2f} % instructions, so its data differ; check what the case reads",
      change * 100);
}

record::CodeComparison compare_case(const std::string& name, const BothSides& sides, CodeFiles& files) {
  if (sides.before == nullptr || sides.after == nullptr)
    return unknown(name, "it was not counted on both sides; compare this case alone (torchgate ab --filter)");
  for (const launch::CountedCase* side : {sides.before, sides.after})
    if (side->count.per_call.empty()) return unknown(name, side->count.unknown);
  record::CodeComparison code = files.compare(*sides.before, *sides.after);
  code.case_name = name;
  add_instructions(sides, code);
  return code;
}

/// The libraries that have oneDNN and MKL in them, by the beginning of their names.
constexpr std::array<std::string_view, 3> math_libraries{"libtorch_cpu.", "libdnnl.", "libmkl"};

// Then it does not matter which of their kernels are executed while functions are counted: none of them can differ.
bool has_same_math_libraries(const record::Run& run) {
  std::map<std::string, std::set<std::string>> contents;
  for (const record::LoadedObject& object : run.objects) {
    const std::string name = std::filesystem::path(object.path).filename().string();
    for (const std::string_view library : math_libraries)
      if (name.starts_with(library)) contents[name.substr(0, name.find(".so"))].insert(object.sha256);
  }
  return !contents.empty() && std::all_of(contents.begin(), contents.end(), [](const auto& each) {
    return each.second.size() == 1 && !each.second.begin()->empty();
  });
}

launch::CountRequest with_functions(const record::Run& run) {
  launch::CountRequest count;
  count.counter = launch::Counter::callgrind;
  count.processes = 1;
  count.calls = counted_calls;
  count.functions = true;
  count.all_kernels = !has_same_math_libraries(run);
  return count;
}

}  // namespace

void compare_code(const launch::Request& request, std::vector<std::string> cases, record::Run& run,
                  Narrator& narrator) {
  if (cases.empty()) return;
  if (cases.size() > most_compared_cases) {
    for (std::size_t i = most_compared_cases; i < cases.size(); ++i)
      run.code.push_back(unknown(
          cases[i],
          fmt::format(
              "only the code of the {} worst cases is compared; compare this case alone (torchgate ab --filter)",
              most_compared_cases)));
    cases.resize(most_compared_cases);
  }
  narrator.note(
      fmt::format("comparing the code of {} whose times differ", base::counted(cases.size(), "case", "cases")));
  const auto give_up = [&](const std::string& why) {
    for (const std::string& name : cases) run.code.push_back(unknown(name, why));
    narrator.warning("whether code changed is unknown: " + why);
  };
  auto files = CodeFiles::open(request);
  if (!files) return give_up(files.error().message);
  const auto counted = launch::count_only(counting_request(request, cases, with_functions(run)), run, longest_counting,
                                          *narrator.progress());
  // Who stopped it has no answer, and neither a pass.
  if (process::stop_requested()) run.interrupted = true;
  if (!counted) return give_up(counted.error().message);
  std::map<std::string, BothSides> sides;
  for (const launch::CountedCase& each : *counted) {
    BothSides& both = sides[each.count.case_name];
    (each.count.side == 0 ? both.before : both.after) = &each;
  }
  for (const std::string& name : cases) {
    record::CodeComparison code = compare_case(name, sides[name], *files);
    if (code.identical()) code.unknown = why_inputs_differ(run, name, *files);
    run.code.push_back(std::move(code));
  }
}

}  // namespace torchgate::workflow
