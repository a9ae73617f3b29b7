// SPDX-License-Identifier: Apache-2.0
// The kinds of values that keys take: `take` sets a member, or says what the key takes; `text` is how a file has it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ci/policy/policy.hpp"
#include "harness/base/enum_names.hpp"

namespace torchgate::policy {

/// Which numbers a key takes.
struct Limits {
  bool (*hold)(double);
  const char* takes;
};
/// More than a doubling is most likely a percentage.
inline constexpr Limits share{[](double number) { return number > 0 && number <= 1; },
                              "takes a fraction above 0 and at most 1: 0.05 is 5 %, and 5 would be 500 %"};
/// The p value of n pairs is at least 2^(1-n): the 48 of gate.pairs reach a share of 1e-9, fewer pairs or a smaller one would never fail.
inline constexpr Limits probability{[](double number) { return number >= 1e-9 && number < 1; },
                                    "takes a probability from 1e-9, as no number of pairs reaches smaller ones, and "
                                    "below 1"};
inline constexpr Limits fraction{[](double number) { return number >= 0 && number <= 1; },
                                 "takes a fraction from 0 to 1"};

std::string number_text(double number);
Complaint take_number(double& member, const PolicyValue& value, const Limits& limits);
Complaint take_count(std::int64_t& member, const PolicyValue& value, std::int64_t least, std::int64_t most);

template <const Limits& limits>
struct Number {
  static Complaint take(double& member, const PolicyValue& value) { return take_number(member, value, limits); }
  static std::string text(double number) { return number_text(number); }
};

struct Seconds {
  static Complaint take(double& member, const PolicyValue& value);
  static std::string text(double number) { return number_text(number); }
};

template <std::int64_t least, std::int64_t most>
struct Count {
  static Complaint take(std::int64_t& member, const PolicyValue& value) {
    return take_count(member, value, least, most);
  }
  static std::string text(std::int64_t number) { return std::to_string(number); }
};

struct Switch {
  static std::vector<std::string> known_words() { return {"true", "false"}; }
  static Complaint take(bool& member, const PolicyValue& value);
  static std::string text(bool on) { return on ? "true" : "false"; }
};

/// What is wrong with a text; nullptr: a value that is none.
Complaint wrong_text(const std::string* text);
Complaint wrong_name(const std::string* text);         ///< not empty
Complaint wrong_branch(const std::string* text);       ///< what git allows as the name of a new branch
Complaint wrong_rule(const std::string* text);         ///< a name of stats::rules()
Complaint wrong_expression(const std::string* text);   ///< a regular expression
Complaint wrong_gate_budget(const std::string* text);  ///< parse_gate_budget()
Complaint wrong_budget(const std::string* text);       ///< parse_budget()

template <Complaint (*wrong)(const std::string*)>
struct Text {
  static Complaint take(std::string& member, const PolicyValue& value) {
    const auto* text = std::get_if<std::string>(&value);
    auto complaint = wrong(text);
    if (!complaint) member = *text;
    return complaint;
  }
  static std::string text(const std::string& member) { return '"' + member + '"'; }
};

/// The name of a statistical rule.
struct RuleName : Text<wrong_rule> {
  static std::vector<std::string> known_words();
};

/// A list, or a text that is its only element.
struct TextList {
  static Complaint take(std::vector<std::string>& member, const PolicyValue& value);
  static std::string text(const std::vector<std::string>& member);
};

/// "NAME=higher" or "NAME=lower". A text is added to the list.
struct Directions : TextList {
  static Complaint take(std::vector<std::string>& member, const PolicyValue& value);
};

/// A fraction, or "calibrated": absent.
struct CalibratedSd {
  static Complaint take(std::optional<double>& member, const PolicyValue& value);
  static std::string text(const std::optional<double>& member);
};

// The words of the values in the file.
inline constexpr base::EnumNames<Action, 3> action_words{
    {{Action::pass, "pass"}, {Action::warn, "warn"}, {Action::fail, "fail"}}};
inline constexpr base::EnumNames<Unconfirmed, 3> unconfirmed_words{
    {{Unconfirmed::warn, "warn"}, {Unconfirmed::beyond, "beyond"}, {Unconfirmed::fail, "fail"}}};
inline constexpr base::EnumNames<Suspects, 2> suspects_words{
    {{Suspects::each, "each"}, {Suspects::false_discovery_rate, "fdr"}}};
inline constexpr base::EnumNames<Confirm, 3> confirm_words{
    {{Confirm::none, "none"}, {Confirm::regressions, "regressions"}, {Confirm::all, "all"}}};
inline constexpr base::EnumNames<Partial, 3> partial_words{
    {{Partial::automatic, "auto"}, {Partial::missing, "missing"}, {Partial::listed, "listed"}}};
inline constexpr base::EnumNames<Allocator, 2> allocator_words{
    {{Allocator::steady, "steady"}, {Allocator::system, "system"}}};
inline constexpr base::EnumNames<RanksWith, 3> ranks_words{
    {{RanksWith::automatic, "auto"}, {RanksWith::torchgate, "torchgate"}, {RanksWith::srun, "srun"}}};
inline constexpr base::EnumNames<DeviceMetric, 3> device_metric_words{{{DeviceMetric::time, "time"},
                                                                       {DeviceMetric::gpu_time_hot, "gpu_time_hot"},
                                                                       {DeviceMetric::gpu_time_cold, "gpu_time_cold"}}};

/// One of WORDS.
template <const auto& words>
struct OneOf {
  static std::vector<std::string> known_words() {
    std::vector<std::string> known;
    for (const auto& [named, word] : words) known.emplace_back(word);
    return known;
  }
  template <class Enum>
  static Complaint take(Enum& member, const PolicyValue& value) {
    const auto* text = std::get_if<std::string>(&value);
    std::string known;
    for (const auto& [named, word] : words) {
      if (text != nullptr && *text == word) {
        member = named;
        return std::nullopt;
      }
      known += std::string(known.empty() ? "" : ", ").append(1, '"').append(word) + '"';
    }
    return "takes one of " + known;
  }

  template <class Enum>
  static std::string text(Enum member) {
    return std::string(1, '"').append(base::name_of(words, member)) + '"';
  }
};

using ActionWord = OneOf<action_words>;

}  // namespace torchgate::policy
