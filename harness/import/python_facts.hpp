// SPDX-License-Identifier: Apache-2.0
// Facts and times as the files of Python's tools have them. Events of Go have such times, too.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "harness/import/imported_process.hpp"
#include "harness/json/json_reader.hpp"

namespace torchgate::import {

/// Adds fact KEY of that class where the next value of READER is a string, a number or a boolean; skips it otherwise.
void read_fact(json::JsonReader& reader, ImportedProcess& process, const std::string& name,
               record::FactClass fact_class);

/// The next value of READER where it can be a set-up: a text, a whole number or a boolean. Absent: anything else, which is
/// skipped; a number with decimals is a measurement.
std::optional<std::string> read_noted(json::JsonReader& reader);

/// "2020-10-13 10:12:20.476957", "2026-11-23T13:02:58.965614+00:00": with or without a fraction, without a zone taken as
/// UTC. Absent: neither.
std::optional<std::string> utc_of_python_date(std::string_view date);

}  // namespace torchgate::import
