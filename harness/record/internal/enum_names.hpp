// SPDX-License-Identifier: Apache-2.0
// How the enumerations are spelt in a record.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "harness/json/json_reader.hpp"
#include "harness/record/run.hpp"

namespace torchgate::record::internal {

template <class Enum, std::size_t Count>
using EnumNames = std::array<std::pair<Enum, std::string_view>, Count>;

inline constexpr EnumNames<Direction, 2> direction_names{{
    {Direction::lower_is_better, "lower"},
    {Direction::higher_is_better, "higher"},
}};

inline constexpr EnumNames<MetricKind, 2> metric_kind_names{{
    {MetricKind::timed, "timed"},
    {MetricKind::exact, "exact"},
}};

inline constexpr EnumNames<Relation, 2> relation_names{{
    {Relation::at_most, "at_most"},
    {Relation::at_least, "at_least"},
}};

inline constexpr EnumNames<Quantile, 3> quantile_names{{
    {Quantile::median, "median"},
    {Quantile::p95, "p95"},
    {Quantile::p99, "p99"},
}};

inline constexpr EnumNames<CaseStatus, 4> case_status_names{{
    {CaseStatus::ok, "ok"},
    {CaseStatus::failed, "failed"},
    {CaseStatus::wrong, "wrong"},
    {CaseStatus::skipped, "skipped"},
}};

inline constexpr EnumNames<ProcessStatus, 7> process_status_names{{
    {ProcessStatus::ok, "ok"},
    {ProcessStatus::crashed, "crashed"},
    {ProcessStatus::failed, "failed"},
    {ProcessStatus::timed_out, "timed_out"},
    {ProcessStatus::not_a_suite, "not_a_suite"},
    {ProcessStatus::bad_report, "bad_report"},
    {ProcessStatus::not_started, "not_started"},
}};

inline constexpr EnumNames<FactClass, 4> fact_class_names{{
    {FactClass::host, "host"},
    {FactClass::device, "device"},
    {FactClass::warn, "warn"},
    {FactClass::info, "info"},
}};

template <class Enum, std::size_t Count>
constexpr std::string_view name_of(const EnumNames<Enum, Count>& names, Enum value) {
  for (const auto& [candidate, name] : names) {
    if (candidate == value) return name;
  }
  return {};
}

template <class Enum, std::size_t Count>
Enum read_enum(json::JsonReader& reader, const EnumNames<Enum, Count>& names) {
  const std::string text = reader.string();
  std::string all;
  for (const auto& [value, name] : names) {
    if (name == text) return value;
    all += (all.empty() ? "" : ", ") + std::string(name);
  }
  reader.fail("expected one of " + all + ", found " + base::in_quotes(text));
  return names[0].first;
}

}  // namespace torchgate::record::internal
