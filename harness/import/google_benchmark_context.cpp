// SPDX-License-Identifier: Apache-2.0
#include "harness/import/google_benchmark_context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <utility>

#include "harness/base/shown_text.hpp"
#include "harness/base/timestamp.hpp"
#include "harness/import/own_facts.hpp"
#include "harness/record/fact_prefixes.hpp"

namespace torchgate::import {
namespace {

using json::JsonReader;
using record::FactClass;

// Keeps the year at four digits in every time zone. Earlier times are not plausible.
constexpr int earliest_year = 1970;

struct KnownFact {
  std::string_view name;
  FactClass fact_class;
};

// What tells machines apart must be the same on both sides; what changes by itself (a path) is only written down. The
// host's name is a warning: a CI job has a new one each time. Debian's library always calls itself a debug build. What is not here is the
// program's own (--benchmark_context=build_flags=-O3).
constexpr std::array known_facts{
    KnownFact{"num_cpus", FactClass::host},
    KnownFact{"caches", FactClass::host},
    KnownFact{"host_name", FactClass::warn},
    KnownFact{"mhz_per_cpu", FactClass::warn},
    KnownFact{"cpu_scaling_enabled", FactClass::warn},
    KnownFact{"aslr_enabled", FactClass::warn},
    KnownFact{"library_version", FactClass::warn},
    KnownFact{"library_build_type", FactClass::warn},
    KnownFact{"executable", FactClass::info},
    KnownFact{"json_schema_version", FactClass::info},
    KnownFact{"load_avg", FactClass::info},
};

record::MachineFact fact_of(std::string_view name) {
  const auto known =
      std::find_if(known_facts.begin(), known_facts.end(), [&](const KnownFact& fact) { return fact.name == name; });
  if (known == known_facts.end())
    return {std::string(record::own_fact_prefix) + std::string(name), std::nullopt, "", FactClass::warn};
  return {std::string(name), std::nullopt, "", known->fact_class};
}

std::string read_cache(JsonReader& reader) {
  std::string type;
  std::int64_t level = 0;
  std::int64_t size = 0;
  reader.object({}, [&](std::string_view key) {
    if (key == "type")
      type = reader.string();
    else if (key == "level")
      level = reader.integer(0);
    else if (key == "size")
      size = reader.integer(0);
    else
      reader.skip();  // num_sharing: what a virtual machine says of it changes with where it runs
  });
  return fmt::format("L{} {} {}", level, type, size);
}

std::string read_caches(JsonReader& reader) {
  std::string caches;
  reader.array([&](std::int64_t) { caches += (caches.empty() ? "" : ", ") + read_cache(reader); });
  return caches;
}

void read_date(JsonReader& reader, ImportedProcess& process) {
  const std::string date = reader.string();
  if (reader.failed()) return;
  if (const auto utc = utc_of_google_benchmark_date(date)) {
    process.started = *utc;
  } else {
    process.warnings.push_back(fmt::format("{}: invalid date {}", process.file, base::in_quotes(date)));
  }
}

std::optional<int> digits(std::string_view text, std::size_t position, std::size_t count) {
  int value = 0;
  if (text.size() < position + count) return std::nullopt;
  const char* const end = text.data() + position + count;
  const auto [last, error] = std::from_chars(text.data() + position, end, value);
  return error == std::errc() && last == end && value >= 0 ? std::optional(value) : std::nullopt;
}

// "+01:00", "Z" or nothing.
std::optional<std::chrono::minutes> zone_offset(std::string_view zone) {
  if (zone.empty() || zone == "Z") return std::chrono::minutes(0);
  const auto hours = digits(zone, 1, 2);
  const auto minutes = digits(zone, 4, 2);
  if (zone.size() != 6 || (zone[0] != '+' && zone[0] != '-') || zone[3] != ':' || !hours || !minutes)
    return std::nullopt;
  const std::chrono::minutes offset(*hours * 60 + *minutes);
  return zone[0] == '-' ? -offset : offset;
}

}  // namespace

std::optional<std::string> utc_of_google_benchmark_date(std::string_view date) {
  constexpr std::size_t zone_at = std::string_view("2019-11-29 21:26:59").size();
  const auto year = digits(date, 0, 4);
  const auto month = digits(date, 5, 2);
  const auto day = digits(date, 8, 2);
  const auto hour = digits(date, 11, 2);
  const auto minute = digits(date, 14, 2);
  const auto second = digits(date, 17, 2);
  if (!year || !month || !day || !hour || !minute || !second) return std::nullopt;
  const auto offset = zone_offset(date.substr(zone_at));
  const std::chrono::year_month_day of_day{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                                           std::chrono::day(static_cast<unsigned>(*day))};
  if (!offset || !of_day.ok() || *year < earliest_year || *hour > 23 || *minute > 59 || *second > 60)
    return std::nullopt;
  const auto utc = std::chrono::sys_days(of_day) + std::chrono::hours(*hour) + std::chrono::minutes(*minute) +
                   std::chrono::seconds(*second) - *offset;
  return base::utc_timestamp(std::chrono::sys_time<std::chrono::milliseconds>(utc));
}

void read_google_benchmark_context(JsonReader& reader, ImportedProcess& process) {
  reader.object({}, [&](std::string_view key) {
    if (key == "date") return read_date(reader, process);
    if (key.size() + record::own_fact_prefix.size() > base::max_name_bytes ||
        process.facts.size() == static_cast<std::size_t>(base::max_parameters))
      return reader.fail("too many or too long facts");
    record::MachineFact fact = fact_of(key);
    switch (reader.peek()) {
      case JsonReader::Kind::string:
        fact.value = reader.string();
        if (key == "executable" && fact.value->size() <= base::max_name_bytes) process.program = *fact.value;
        break;
      case JsonReader::Kind::number:
      case JsonReader::Kind::boolean:
        fact.value = reader.skip();
        break;
      case JsonReader::Kind::array:
        if (key == "caches") {
          fact.value = read_caches(reader);
          break;
        }
        [[fallthrough]];  // load_avg: three numbers of a moment
      default:
        reader.skip();
    }
    if (fact.value && fact.name.starts_with(record::own_fact_prefix) && is_of_one_run(key, *fact.value)) {
      fact.name = key;
      fact.fact_class = FactClass::info;
    }
    if (fact.value && !fact.value->empty()) process.facts.push_back(std::move(fact));
  });
}

void warn_of_conditions(ImportedProcess& process) {
  const auto is = [&](std::string_view name, std::string_view value) {
    return std::any_of(process.facts.begin(), process.facts.end(),
                       [&](const record::MachineFact& fact) { return fact.name == name && fact.value == value; });
  };
  if (is("cpu_scaling_enabled", "true"))
    process.warnings.emplace_back(
        "CPU frequency scaling was enabled, so times depend on the clock frequency; set the governor \"performance\"");
  if (is("library_build_type", "debug"))
    process.warnings.emplace_back(
        "the Google Benchmark library is a debug build (Debian's always says so), which may slow down short "
        "benchmarks");
}

}  // namespace torchgate::import
