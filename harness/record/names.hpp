// SPDX-License-Identifier: Apache-2.0
// How enumerations are spelt: in records, and in what is written of them.
#pragma once

#include "harness/base/enum_names.hpp"
#include "harness/record/run.hpp"

namespace torchgate::record {

using base::EnumNames;

inline constexpr EnumNames<Direction, 2> direction_names{{
    {Direction::lower_is_better, "lower"},
    {Direction::higher_is_better, "higher"},
}};

inline constexpr EnumNames<MetricKind, 2> metric_kind_names{{
    {MetricKind::timed, "timed"},
    {MetricKind::exact, "exact"},
}};

inline constexpr EnumNames<Clock, 4> clock_names{{
    {Clock::unknown, "unknown"},
    {Clock::real, "real"},
    {Clock::cpu, "cpu"},
    {Clock::process_cpu, "process_cpu"},
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

inline constexpr EnumNames<CheckAnswer, 3> check_answer_names{{
    {CheckAnswer::ok, "ok"},
    {CheckAnswer::bad, "bad"},
    {CheckAnswer::unknown, "unknown"},
}};

inline constexpr EnumNames<CheckSeverity, 3> check_severity_names{{
    {CheckSeverity::fatal, "fatal"},
    {CheckSeverity::warning, "warning"},
    {CheckSeverity::info, "info"},
}};

}  // namespace torchgate::record
