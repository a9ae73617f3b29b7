// SPDX-License-Identifier: Apache-2.0
// Instruction counts and comparisons of code.
#include <set>

#include "harness/record/internal/document.hpp"

namespace torchgate::record::internal {
namespace {

using json::always;
using json::list_of;
using json::object_of;
using json::optional;
using json::required;

constexpr auto most_named = static_cast<std::int64_t>(most_functions);

// --- instructions --------------------------------------------------------------------------------------------------

constexpr json::Table function_fields{
    json::of<FunctionCount>,
    required("name", &FunctionCount::name, json::text),
    optional("object", &FunctionCount::object, json::text),
    required("instructions", &FunctionCount::instructions, at_least_0),
};

void check_instructions(JsonReader& reader, const InstructionCount& counts, Reading& context) {
  const auto sides = static_cast<std::int64_t>(context.run->sides.size());
  if (counts.side >= sides) reader.fail("expected a side below " + std::to_string(sides));
  if (counts.per_call.empty() == counts.unknown.empty())
    reader.fail("expected either numbers of instructions or the reason why they are unknown");
}

constexpr json::Table instruction_fields{
    json::checked<InstructionCount>(check_instructions),
    required("case", &InstructionCount::case_name, json::name),
    required("side", &InstructionCount::side, json::integer(0)),
    optional("counter", &InstructionCount::counter, json::text),
    optional("cpu_capability", &InstructionCount::cpu_capability, json::text),
    required("per_call", &InstructionCount::per_call, list_of(base::max_processes, at_least_0)),
    optional("unknown", &InstructionCount::unknown, json::text),
    optional("functions", &InstructionCount::functions, counted),
    optional("largest", &InstructionCount::largest, list_of(most_named, object_of<function_fields>)),
};

void check_counted_once(JsonReader& reader, const std::vector<InstructionCount>& counts) {
  std::set<std::pair<std::string_view, std::int64_t>> known;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (!known.emplace(counts[i].case_name, counts[i].side).second)
      reader.fail_at(std::to_string(i), "duplicate count of " + base::in_quotes(counts[i].case_name));
  }
}

constexpr auto instruction_list = list_of(2 * base::max_cases, object_of<instruction_fields>, check_counted_once);

// --- code ----------------------------------------------------------------------------------------------------------

constexpr json::Table changed_fields{
    json::of<ChangedFunction>,
    required("name", &ChangedFunction::name, json::text),
    required("object", &ChangedFunction::object, json::text),
    required("what", &ChangedFunction::what, json::text),
    optional("set_up", &ChangedFunction::set_up, json::flag),
};

constexpr auto changed_list = list_of(most_named, object_of<changed_fields>);

void check_comparison(JsonReader& reader, const CodeComparison& code) {
  if (code.changed_count < static_cast<std::int64_t>(code.changed.size()))
    reader.fail("expected at least as many changed functions as are named");
  if (code.unknown.empty() && code.changed_count == 0 && !code.identical())
    reader.fail("expected the numbers of functions and files that are identical, or why that is not known");
}

constexpr json::Table code_fields{
    json::checked<CodeComparison>(check_comparison),
    required("case", &CodeComparison::case_name, json::name),
    always("functions", &CodeComparison::functions, counted),
    always("set_up_functions", &CodeComparison::set_up_functions, counted),
    always("objects", &CodeComparison::objects, counted),
    required("changed", &CodeComparison::changed, changed_list),
    required("changed_count", &CodeComparison::changed_count, counted),
    optional("unexecuted", &CodeComparison::unexecuted, changed_list),
    optional("unexecuted_count", &CodeComparison::unexecuted_count, counted),
    optional("unknown", &CodeComparison::unknown, json::text),
    always("instructions_before", &CodeComparison::instructions_before, at_least_0),
    always("instructions_after", &CodeComparison::instructions_after, at_least_0),
};

constexpr auto code_list = list_of(base::max_cases, object_of<code_fields>);

}  // namespace

constexpr Part<std::vector<InstructionCount>> instructions_part =
    part_of<std::vector<InstructionCount>, instruction_list>;
constexpr Part<std::vector<CodeComparison>> code_part = part_of<std::vector<CodeComparison>, code_list>;

}  // namespace torchgate::record::internal
