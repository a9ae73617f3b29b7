// SPDX-License-Identifier: Apache-2.0
#include "harness/import/units.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "harness/import/bounds.hpp"

namespace torchgate::import {
namespace {

using record::Direction;
using Words = std::string_view;

constexpr double ns_per_hour = 60 * ns_per_minute;
constexpr double ns_per_day = 24 * ns_per_hour;
constexpr double ns_per_ps = 1e-3;

// Both letters of the Greek mu: U+00B5 (micro sign) and U+03BC.
constexpr std::array picoseconds{Words("ps"), Words("psec"), Words("picosecond"), Words("picoseconds")};
constexpr std::array nanoseconds{Words("ns"), Words("nsec"), Words("nanosecond"), Words("nanoseconds")};
constexpr std::array microseconds{Words("us"),        Words("usec"),      Words("\u00b5s"),     Words("\u03bcs"),
                                  Words("\u00b5sec"), Words("\u03bcsec"), Words("microsecond"), Words("microseconds")};
constexpr std::array milliseconds{Words("ms"), Words("msec"), Words("millisecond"), Words("milliseconds")};
constexpr std::array seconds{Words("s"), Words("sec"), Words("secs"), Words("second"), Words("seconds")};
constexpr std::array minutes{Words("min"), Words("mins"), Words("minute"), Words("minutes")};
constexpr std::array hours{Words("h"), Words("hr"), Words("hrs"), Words("hour"), Words("hours")};
constexpr std::array days{Words("d"), Words("day"), Words("days")};

constexpr std::array times{
    TimeUnit{ns_per_ps, picoseconds},  TimeUnit{1, nanoseconds},    TimeUnit{ns_per_us, microseconds},
    TimeUnit{ns_per_ms, milliseconds}, TimeUnit{ns_per_s, seconds}, TimeUnit{ns_per_minute, minutes},
    TimeUnit{ns_per_hour, hours},      TimeUnit{ns_per_day, days},
};

// JMH writes "ops/time" where it does not name the time.
constexpr std::string_view some_time = "time";

// What fails, misses or waits is left out on purpose: more of it in a second is not better.
constexpr std::array work{
    Words("op"),        Words("operation"),   Words("iter"),    Words("iteration"), Words("item"),     Words("element"),
    Words("elem"),      Words("frame"),       Words("request"), Words("req"),       Words("query"),    Words("token"),
    Words("tok"),       Words("sample"),      Words("image"),   Words("img"),       Words("row"),      Words("record"),
    Words("message"),   Words("msg"),         Words("packet"),  Words("pkt"),       Words("event"),    Words("call"),
    Words("run"),       Words("transaction"), Words("tx"),      Words("txn"),       Words("document"), Words("doc"),
    Words("sentence"),  Words("word"),        Words("char"),    Words("line"),      Words("step"),     Words("batch"),
    Words("inference"), Words("prediction"),  Words("hash"),    Words("flop"),      Words("job"),      Words("task"),
    Words("byte"),      Words("B"),           Words("bit"),     Words("key"),       Words("point"),    Words("pixel"),
};

// What a benchmark does once: "ns/op" is the time of a call.
constexpr std::array calls{Words("op"),  Words("operation"), Words("iter"), Words("iteration"), Words("call"),
                           Words("run"), Words("execution"), Words("loop"), Words("invocation")};

constexpr std::array costs{Words("B"), Words("byte"), Words("alloc"), Words("allocation")};

constexpr std::array prefixes{Words("Ki"),   Words("Mi"),   Words("Gi"),   Words("Ti"),   Words("Pi"),
                              Words("k"),    Words("K"),    Words("M"),    Words("m"),    Words("G"),
                              Words("g"),    Words("T"),    Words("P"),    Words("kilo"), Words("mega"),
                              Words("giga"), Words("tera"), Words("kibi"), Words("mebi"), Words("gibi")};

constexpr std::array separators{Words("/"), Words("_per_"), Words(" per "), Words("-per-")};

constexpr std::size_t longest_unit = 64;  // a longer text is not a unit, whatever it begins with

bool same_letters(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return lower(x) == lower(y); });
}

std::string_view without_blanks(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// "op", "ops", "queries", "batches": WORD or its plural.
bool is_word(std::string_view text, std::string_view word) {
  if (same_letters(text, word)) return true;
  for (const std::string_view plural : {Words("s"), Words("es")}) {
    if (text.size() == word.size() + plural.size() && same_letters(text.substr(word.size()), plural) &&
        same_letters(text.substr(0, word.size()), word))
      return true;
  }
  constexpr std::string_view ies = "ies";
  return word.ends_with('y') && text.size() == word.size() - 1 + ies.size() &&
         same_letters(text.substr(word.size() - 1), ies) &&
         same_letters(text.substr(0, word.size() - 1), word.substr(0, word.size() - 1));
}

bool is_one_of(std::string_view text, std::span<const std::string_view> words) {
  const auto known = [&](std::string_view plain) {
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return is_word(plain, word); });
  };
  if (known(text)) return true;
  return std::any_of(prefixes.begin(), prefixes.end(), [&](std::string_view prefix) {
    return text.starts_with(prefix) && known(without_blanks(text.substr(prefix.size())));
  });
}

struct UnitParts {
  std::string_view counted;
  std::string_view per;
};

std::optional<UnitParts> parts_of(std::string_view unit) {
  for (const std::string_view separator : separators) {
    const std::size_t at = unit.find(separator);
    if (at == std::string_view::npos) continue;
    return UnitParts{without_blanks(unit.substr(0, at)), without_blanks(unit.substr(at + separator.size()))};
  }
  return std::nullopt;
}

}  // namespace

std::span<const TimeUnit> time_units() {
  return times;
}

std::span<const std::string_view> work_words() {
  return work;
}

std::span<const std::string_view> cost_words() {
  return costs;
}

std::span<const std::string_view> unit_prefixes() {
  return prefixes;
}

std::optional<double> ns_per_unit(std::string_view unit) {
  constexpr std::size_t shortest_word = 3;  // "S" and "MS" are other units than "s" and "ms", "Sec" is not
  for (const TimeUnit& known : times) {
    for (const std::string_view name : known.names) {
      if (name == unit || (name.size() >= shortest_word && same_letters(name, unit))) return known.ns;
    }
  }
  return std::nullopt;
}

UnitMeaning meaning_of_unit(std::string_view unit) {
  unit = without_blanks(unit);
  if (unit.size() > longest_unit) return {};
  if (const auto ns = ns_per_unit(unit)) return {UnitKind::duration, Direction::lower_is_better, ns};
  const auto parts = parts_of(unit);
  if (!parts || parts->counted.empty() || parts->per.empty()) return {};
  const auto counted_ns = ns_per_unit(parts->counted);
  const bool per_time = ns_per_unit(parts->per).has_value() || same_letters(parts->per, some_time);
  if (counted_ns && !per_time) {
    const bool of_call = std::any_of(calls.begin(), calls.end(), [&](Words word) { return is_word(parts->per, word); });
    return {UnitKind::time_per_work, Direction::lower_is_better, counted_ns,
            std::string(of_call ? Words() : parts->per)};
  }
  if (per_time && is_one_of(parts->counted, work)) return {UnitKind::rate, Direction::higher_is_better, std::nullopt};
  if (!per_time && is_one_of(parts->counted, costs) && is_one_of(parts->per, work))
    return {UnitKind::cost_per_work, Direction::lower_is_better, std::nullopt};
  return {};
}

std::string unit_in_name(std::string_view name) {
  if (name.size() > longest_unit) return "1";
  // "s" and "min" are names of other things, too.
  if (const auto ns = ns_per_unit(name); ns && *ns <= ns_per_s && name.size() > 1) return std::string(name);
  const auto parts = parts_of(name);
  if (!parts || parts->counted.empty()) return "1";
  const auto ns = ns_per_unit(parts->per);
  if (!ns && !meaning_of_unit(name).better) return "1";
  return std::string(parts->counted) + '/' + (ns == ns_per_s ? "s" : std::string(parts->per));
}

}  // namespace torchgate::import
