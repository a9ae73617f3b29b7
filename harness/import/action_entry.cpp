// SPDX-License-Identifier: Apache-2.0
#include "harness/import/action_entry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>
#include <utility>

#include "harness/base/counted.hpp"
#include "harness/base/limits.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/import/bounds.hpp"
#include "harness/import/google_benchmark_rows.hpp"
#include "harness/import/lines.hpp"

namespace torchgate::import {
namespace {

using json::JsonReader;

constexpr std::string_view google_benchmark_tool = "googlecpp";

// Numbers, also in quotes, as some tools write them.
void read_bench_value(JsonReader& reader, ActionBench& bench) {
  bench.has_value = true;
  if (reader.null()) return;
  if (reader.peek() != JsonReader::Kind::string) {
    bench.value = reader.finite_number();
    return;
  }
  const std::string text = reader.name();
  bench.value = number_in(text);
  if (!bench.value) bench.not_a_number = not_a_number(text);
}

// "iterations: 3\ncpu: 99.1 ns\nthreads: 1", as the file has it, of any length.
std::optional<std::int64_t> iterations_in(std::string_view extra) {
  constexpr std::string_view start = "\"iterations: ";
  if (!extra.starts_with(start)) return std::nullopt;
  extra.remove_prefix(start.size());
  std::int64_t iterations = 0;
  const std::size_t digits = std::min(extra.find_first_not_of("0123456789"), extra.size());
  return is_count(extra.substr(0, digits), iterations) ? std::optional(iterations) : std::nullopt;
}

// Rows of ->Complexity() have coefficients where others have a time.
bool is_fit(const ActionBench& bench) {
  return bench.name.ends_with("_BigO") || bench.name.ends_with("_RMS");
}

std::vector<RowBlock> blocks_of(const std::vector<ActionBench>& benches) {
  std::vector<RowBlock> blocks;
  for (const ActionBench& each : benches) {
    if (!blocks.empty() && blocks.back().name == each.name)
      ++blocks.back().rows;
    else
      blocks.push_back({each.name, 1, each.iterations.value_or(0), each.iterations == 0});
  }
  return blocks;
}

// Each row has an entry, and nothing but its place tells an aggregate from a benchmark.
std::string leave_out_aggregates(std::vector<ActionBench>& benches) {
  const std::vector<RowBlock> blocks = blocks_of(benches);
  const std::vector<BlockRole> roles = roles_of(blocks);
  std::set<std::string_view> with_median;
  for (const BlockRole& role : roles)
    if (role.alone && role.statistic == "median") with_median.insert(role.of);
  std::vector<ActionBench> kept;
  std::size_t row = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const BlockRole& role = roles[i];
    const std::size_t behind = row + static_cast<std::size_t>(blocks[i].rows);
    for (; row < behind; ++row) {
      if (!role.aggregate) {
        kept.push_back(benches[row]);
      } else if (role.alone && role.statistic == (with_median.contains(role.of) ? "median" : "mean")) {
        kept.push_back(benches[row]);
        kept.back().name = role.of;
        kept.back().summary = role.statistic;
      }
    }
  }
  std::string warning = ignored_statistics(roles, "give the file of Google Benchmark itself");
  benches = std::move(kept);
  return warning;
}

}  // namespace

ActionBench read_action_bench(JsonReader& reader) {
  ActionBench bench;
  reader.object({"name"}, [&](std::string_view key) {
    if (key == "name")
      bench.name = reader.name();
    else if (key == "unit" && !reader.null())
      bench.unit = reader.name();
    else if (key == "value")
      read_bench_value(reader, bench);
    else if (key == "extra")
      bench.iterations = iterations_in(reader.skip());
    else if (key != "unit")
      reader.skip();  // "range" is a text, in the words of each tool
  });
  return bench;
}

ActionEntry read_action_entry(JsonReader& reader) {
  ActionEntry entry;
  reader.object({"benches"}, [&](std::string_view key) {
    if (key == "tool")
      entry.tool = reader.name();
    else if (key == "date")
      entry.date_ms = reader.finite_number().value_or(0);
    else if (key == "benches")
      reader.array(base::max_cases, [&](std::int64_t) { entry.benches.push_back(read_action_bench(reader)); });
    else if (key == "commit" && reader.peek() == JsonReader::Kind::object)
      reader.object({}, [&](std::string_view inner) {
        if (inner == "id" && reader.peek() == JsonReader::Kind::string)
          entry.commit = reader.name();
        else
          reader.skip();
      });
    else
      reader.skip();
  });
  return entry;
}

std::vector<std::string> leave_out_others(ActionEntry& entry) {
  std::vector<std::string> warnings;
  const bool of_google = entry.tool == google_benchmark_tool;
  std::erase_if(entry.benches, [&](const ActionBench& each) { return of_google && !each.has_value && is_fit(each); });
  const auto lacks_value = [](const ActionBench& each) { return !each.has_value; };
  const auto first = std::find_if(entry.benches.begin(), entry.benches.end(), lacks_value);
  if (first != entry.benches.end()) {
    const auto count = std::count_if(first, entry.benches.end(), lacks_value);
    warnings.push_back(fmt::format("{} no value, e.g. {}: ignored; give the files of the tool that measured",
                                   base::counted(count, "benchmark has", "benchmarks have"),
                                   base::in_quotes(first->name)));
    std::erase_if(entry.benches, lacks_value);
  }
  if (!of_google) return warnings;
  if (std::string warning = leave_out_aggregates(entry.benches); !warning.empty())
    warnings.push_back(std::move(warning));
  return warnings;
}

}  // namespace torchgate::import
