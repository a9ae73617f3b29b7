// SPDX-License-Identifier: Apache-2.0
// Instruction counts and comparisons of code, to JSON and back.
#include <set>
#include <utility>

#include "harness/base/limits.hpp"
#include "harness/record/internal/codec_parts.hpp"

namespace torchgate::record::internal {
namespace {

/// A number of instructions, or of functions: more does not end within the time limit of a process.
double read_count(json::JsonReader& reader) {
  const double count = reader.number();
  if (!(count >= 0)) reader.fail("expected a number of at least 0");
  return count;
}

void write_functions(json::JsonWriter& json, const std::vector<FunctionCount>& functions) {
  json.key("largest");
  json.begin_array();
  for (const FunctionCount& each : functions) {
    json.begin_object();
    json.member("name", each.name);
    json.member_unless(std::string(), "object", each.object);
    json.member("instructions", each.instructions);
    json.end_object();
  }
  json.end_array();
}

FunctionCount read_function(json::JsonReader& reader) {
  FunctionCount function;
  reader.object({"name", "instructions"}, [&](std::string_view key) {
    if (key == "name")
      function.name = reader.string();
    else if (key == "object")
      function.object = reader.string();
    else if (key == "instructions")
      function.instructions = read_count(reader);
    else
      reader.skip();
  });
  return function;
}

InstructionCount read_instruction_count(json::JsonReader& reader, std::int64_t sides) {
  InstructionCount count;
  reader.object({"case", "side", "per_call"}, [&](std::string_view key) {
    if (key == "case")
      count.case_name = reader.name();
    else if (key == "side")
      count.side = reader.integer(0);
    else if (key == "counter")
      count.counter = reader.string();
    else if (key == "cpu_capability")
      count.cpu_capability = reader.string();
    else if (key == "per_call")
      reader.array(base::max_processes, [&](std::int64_t) { count.per_call.push_back(read_count(reader)); });
    else if (key == "unknown")
      count.unknown = reader.string();
    else if (key == "functions")
      count.functions = reader.integer(0, base::max_count);
    else if (key == "largest")
      reader.array(static_cast<std::int64_t>(most_functions),
                   [&](std::int64_t) { count.largest.push_back(read_function(reader)); });
    else
      reader.skip();
  });
  if (count.side >= sides) reader.fail("expected a side below " + std::to_string(sides));
  if (count.per_call.empty() == count.unknown.empty())
    reader.fail("expected either numbers of instructions or the reason why they are unknown");
  return count;
}

ChangedFunction read_changed(json::JsonReader& reader) {
  ChangedFunction function;
  reader.object({"name", "object", "what"}, [&](std::string_view key) {
    if (key == "name")
      function.name = reader.string();
    else if (key == "object")
      function.object = reader.string();
    else if (key == "what")
      function.what = reader.string();
    else if (key == "set_up")
      function.set_up = reader.boolean();
    else
      reader.skip();
  });
  return function;
}

void write_changed(json::JsonWriter& json, std::string_view key, const std::vector<ChangedFunction>& functions) {
  json.key(key);
  json.begin_array();
  for (const ChangedFunction& each : functions) {
    json.begin_object();
    json.member("name", each.name);
    json.member("object", each.object);
    json.member("what", each.what);
    json.member_unless(false, "set_up", each.set_up);
    json.end_object();
  }
  json.end_array();
}

CodeComparison read_comparison(json::JsonReader& reader) {
  CodeComparison code;
  reader.object({"case", "changed", "changed_count"}, [&](std::string_view key) {
    if (key == "case")
      code.case_name = reader.name();
    else if (key == "functions")
      code.functions = reader.integer(0, base::max_count);
    else if (key == "set_up_functions")
      code.set_up_functions = reader.integer(0, base::max_count);
    else if (key == "objects")
      code.objects = reader.integer(0, base::max_count);
    else if (key == "changed")
      reader.array(static_cast<std::int64_t>(most_functions),
                   [&](std::int64_t) { code.changed.push_back(read_changed(reader)); });
    else if (key == "changed_count")
      code.changed_count = reader.integer(0, base::max_count);
    else if (key == "unexecuted")
      reader.array(static_cast<std::int64_t>(most_functions),
                   [&](std::int64_t) { code.unexecuted.push_back(read_changed(reader)); });
    else if (key == "unexecuted_count")
      code.unexecuted_count = reader.integer(0, base::max_count);
    else if (key == "unknown")
      code.unknown = reader.string();
    else if (key == "instructions_before")
      code.instructions_before = read_count(reader);
    else if (key == "instructions_after")
      code.instructions_after = read_count(reader);
    else
      reader.skip();
  });
  if (code.changed_count < static_cast<std::int64_t>(code.changed.size()))
    reader.fail("expected at least as many changed functions as are named");
  if (code.unknown.empty() && code.changed_count == 0 && !code.identical())
    reader.fail("expected the numbers of functions and files that are identical, or why that is not known");
  return code;
}

}  // namespace

void write_instructions(json::JsonWriter& json, const std::vector<InstructionCount>& counts) {
  json.key("instructions");
  json.begin_array();
  for (const InstructionCount& count : counts) {
    json.begin_object();
    json.member("case", count.case_name);
    json.member("side", count.side);
    json.member_unless(std::string(), "counter", count.counter);
    json.member_unless(std::string(), "cpu_capability", count.cpu_capability);
    json.member_list("per_call", count.per_call);
    json.member_unless(std::string(), "unknown", count.unknown);
    json.member_unless(std::int64_t{0}, "functions", count.functions);
    if (!count.largest.empty()) write_functions(json, count.largest);
    json.end_object();
  }
  json.end_array();
}

std::vector<InstructionCount> read_instructions(json::JsonReader& reader, std::int64_t sides) {
  std::vector<InstructionCount> counts;
  std::set<std::pair<std::string, std::int64_t>> known;
  reader.array(2 * base::max_cases, [&](std::int64_t) {
    counts.push_back(read_instruction_count(reader, sides));
    if (!known.emplace(counts.back().case_name, counts.back().side).second)
      reader.fail("duplicate count of " + base::in_quotes(counts.back().case_name));
  });
  return counts;
}

void write_code(json::JsonWriter& json, const std::vector<CodeComparison>& comparisons) {
  json.key("code");
  json.begin_array();
  for (const CodeComparison& code : comparisons) {
    json.begin_object();
    json.member("case", code.case_name);
    json.member("functions", code.functions);
    json.member("set_up_functions", code.set_up_functions);
    json.member("objects", code.objects);
    write_changed(json, "changed", code.changed);
    json.member("changed_count", code.changed_count);
    if (!code.unexecuted.empty()) write_changed(json, "unexecuted", code.unexecuted);
    json.member_unless(std::int64_t{0}, "unexecuted_count", code.unexecuted_count);
    json.member_unless(std::string(), "unknown", code.unknown);
    json.member("instructions_before", code.instructions_before);
    json.member("instructions_after", code.instructions_after);
    json.end_object();
  }
  json.end_array();
}

std::vector<CodeComparison> read_code(json::JsonReader& reader) {
  std::vector<CodeComparison> comparisons;
  reader.array(base::max_cases, [&](std::int64_t) { comparisons.push_back(read_comparison(reader)); });
  return comparisons;
}

}  // namespace torchgate::record::internal
