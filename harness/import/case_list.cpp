// SPDX-License-Identifier: Apache-2.0
#include "harness/import/case_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/base/counted.hpp"
#include "harness/base/limits.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/import/imported_case.hpp"
#include "harness/import/same_names.hpp"

namespace torchgate::import {

std::string CaseList::add(ImportedCase added) {
  constexpr std::size_t room_for_number = 16;
  if (added.name.empty()) return "a benchmark without a name";
  if (added.name.size() > base::max_name_bytes - room_for_number)
    return fmt::format("the name {} is longer than {} bytes", base::in_quotes(added.name),
                       base::max_name_bytes - room_for_number);
  if (cases_.size() == static_cast<std::size_t>(base::max_cases))
    return fmt::format("more than {} benchmarks", base::max_cases);
  added.number = ++uses_[added.name];
  if (added.number > 1 && renamed_++ == 0) first_renamed_ = added.name;
  cases_.push_back(std::move(added));
  return "";
}

void CaseList::move_to(ImportedProcess& process) {
  if (renamed_ > 0) {
    process.warnings.push_back(
        fmt::format("{}: {} the name of an earlier one, e.g. {}: imported with a number behind it", process.file,
                    base::counted(renamed_, "benchmark has", "benchmarks have"), base::in_quotes(first_renamed_)));
  }
  const auto is_unused = [](const ImportedCase& each) { return !each.unused_samples.empty(); };
  if (const auto first = std::find_if(cases_.begin(), cases_.end(), is_unused); first != cases_.end())
    process.warnings.push_back(
        unused_samples_warning(process.file, std::count_if(first, cases_.end(), is_unused), first->unused_samples));
  for (ImportedCase& each : cases_) each.of_one_name = uses_.at(each.name);
  name_same_names(cases_);
  std::sort(cases_.begin(), cases_.end(), [](const ImportedCase& a, const ImportedCase& b) { return a.name < b.name; });
  process.cases = std::move(cases_);
}

void add_warning(std::vector<std::string>& warnings, std::string warning) {
  if (std::ssize(warnings) <= base::max_warnings) warnings.push_back(std::move(warning));
}

std::string no_last_line_break(std::string_view where, std::string_view name) {
  return fmt::format(
      "{}: its last line has no line break: the file may have been cut off, and the last value of {} may be incomplete "
      "or missing",
      where, base::in_quotes(name));
}

base::Error bad_file(std::string_view where, std::string_view what) {
  return {base::ErrorCode::bad_input, fmt::format("{}: {}", where, what)};
}

}  // namespace torchgate::import
