// SPDX-License-Identifier: Apache-2.0
// The kinds of values that keys take: `take` sets a member, or says what the key takes; `text` is how a file has it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ci/policy/policy.hpp"

namespace torchgate::policy {

/// Which numbers a key takes.
struct Limits {
  bool (*hold)(double);
  const char* takes;
};
inline constexpr Limits share{[](double number) { return number > 0 && number < 10; },
                              "takes a fraction above 0 and below 10, such as 0.05 for 5 %"};
inline constexpr Limits probability{[](double number) { return number > 0 && number < 1; },
                                    "takes a probability above 0 and below 1"};
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

/// The word of a value in the file.
template <class Enum>
struct Named {
  const char* word;
  Enum value;
};

inline constexpr std::array<Named<Action>, 3> action_words{
    {{"pass", Action::pass}, {"warn", Action::warn}, {"fail", Action::fail}}};
inline constexpr std::array<Named<Unconfirmed>, 3> unconfirmed_words{
    {{"warn", Unconfirmed::warn}, {"beyond", Unconfirmed::beyond}, {"fail", Unconfirmed::fail}}};
inline constexpr std::array<Named<Suspects>, 2> suspects_words{
    {{"each", Suspects::each}, {"fdr", Suspects::false_discovery_rate}}};
inline constexpr std::array<Named<Confirm>, 3> confirm_words{
    {{"none", Confirm::none}, {"regressions", Confirm::regressions}, {"all", Confirm::all}}};
inline constexpr std::array<Named<Partial>, 3> partial_words{
    {{"auto", Partial::automatic}, {"missing", Partial::missing}, {"listed", Partial::listed}}};
inline constexpr std::array<Named<Allocator>, 2> allocator_words{
    {{"steady", Allocator::steady}, {"system", Allocator::system}}};
inline constexpr std::array<Named<RanksWith>, 3> ranks_words{
    {{"auto", RanksWith::automatic}, {"torchgate", RanksWith::torchgate}, {"srun", RanksWith::srun}}};
inline constexpr std::array<Named<DeviceMetric>, 3> device_metric_words{
    {{"time", DeviceMetric::time},
     {"gpu_time_hot", DeviceMetric::gpu_time_hot},
     {"gpu_time_cold", DeviceMetric::gpu_time_cold}}};

/// That of VALUE among WORDS.
template <const auto& words, class Enum>
std::string word_of(Enum value) {
  for (const auto& each : words) {
    if (each.value == value) return each.word;
  }
  return "?";
}

/// One of WORDS.
template <const auto& words>
struct OneOf {
  static std::vector<std::string> known_words() {
    std::vector<std::string> known;
    for (const auto& each : words) known.emplace_back(each.word);
    return known;
  }
  template <class Enum>
  static Complaint take(Enum& member, const PolicyValue& value) {
    const auto* text = std::get_if<std::string>(&value);
    std::string known;
    for (const auto& each : words) {
      if (text != nullptr && *text == each.word) {
        member = each.value;
        return std::nullopt;
      }
      known += std::string(known.empty() ? "" : ", ") + '"' + each.word + '"';
    }
    return "takes one of " + known;
  }

  template <class Enum>
  static std::string text(Enum member) {
    return '"' + word_of<words>(member) + '"';
  }
};

using ActionWord = OneOf<action_words>;

}  // namespace torchgate::policy
