// SPDX-License-Identifier: Apache-2.0
// Whether lower or higher values of an imported metric are better: who may say it, and who is believed.
//   1. the user: `--better tps=higher`, `import.better` in torchgate.toml
//   2. the file: customSmallerIsBetter, "Unit tx/s better=higher"; where its unit contradicts, with a warning
//   3. the unit (units.hpp)
// Where none of these says it, the metric is not judged, and a warning names it.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/import/imported_process.hpp"
#include "harness/record/metric.hpp"

namespace torchgate::import {

/// What the user says.
class Directions {
 public:
  /// Each "NAME=higher" or "NAME=lower". NAME is a benchmark, a metric or a unit, as the file has it; "*" is every one of which nothing
  /// else says it. bad_input: neither.
  static base::Result<Directions> parse(const std::vector<std::string>& words);

  /// Of the first of NAMES that was named. Absent: none.
  [[nodiscard]] std::optional<record::Direction> of(std::initializer_list<std::string_view> names) const;
  /// All that were named, but "*".
  [[nodiscard]] std::vector<std::string_view> names() const;
  /// Of "*".
  [[nodiscard]] std::optional<record::Direction> otherwise() const { return otherwise_; }

 private:
  std::map<std::string, record::Direction, std::less<>> named_;
  std::optional<record::Direction> otherwise_;
};

/// How a person says it, for messages: `--better 'Free Memory=higher'` (or lower). NAME as the file has it, whatever is special to a shell in it; one that is
/// too long for a message or has control characters is left to the reader.
std::string how_to_say_better(std::string_view name);

/// Of the metrics of PROCESS, those without a known direction are removed, with a warning that names them; the others have theirs.
/// A case that has nothing else is skipped with that reason.
void settle_directions(ImportedProcess& process, const Directions& said);

/// Why SAID is wrong about a file with these processes, before their directions are settled: it gives a time, or something else whose
/// direction its tool defines, the other direction, and decides nothing else; or it is of a metric of the program that is called otherwise here
/// ("own time"). Empty: it is not.
std::string against_definition(std::span<const ImportedProcess> processes, const Directions& said);

/// Why nothing of what a file has can be judged, where that is so; empty: something can be, or failed.
std::string nothing_to_judge(const std::vector<ImportedProcess>& processes);

}  // namespace torchgate::import
