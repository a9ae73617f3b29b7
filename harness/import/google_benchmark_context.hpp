// SPDX-License-Identifier: Apache-2.0
// The "context" of a Google Benchmark file: time, machine and program of the measurement.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/import/imported_process.hpp"
#include "harness/json/json_reader.hpp"

namespace torchgate::import {

/// Facts and start time into PROCESS. Every entry that is not a list becomes a fact, also the program's own.
void read_google_benchmark_context(json::JsonReader& reader, ImportedProcess& process);

/// Warnings of PROCESS about its facts, as the library prints them: CPU frequency scaling, a debug build of the library.
void warn_of_conditions(ImportedProcess& process);

/// "2021-02-03T04:05:06+01:00" (from version 1.5 on) and "2019-11-29 21:26:59" (before; local time of an unknown zone, taken
/// as UTC) as "2021-02-03T03:05:06.000Z". Absent: neither.
std::optional<std::string> utc_of_google_benchmark_date(std::string_view date);

}  // namespace torchgate::import
