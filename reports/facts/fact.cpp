// SPDX-License-Identifier: Apache-2.0
#include "reports/facts/fact.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ostream>

#include "harness/base/counted.hpp"
#include "harness/base/some_of.hpp"

namespace torchgate::facts {
namespace {

using Spec = std::string_view;  // what stands behind the colon of a placeholder

// "case is|cases are", "#it|them".
std::string plural(std::size_t count, Spec spec) {
  const bool alone = spec.starts_with('#');
  if (alone) spec.remove_prefix(1);
  const std::size_t bar = spec.find('|');
  const Spec singular = spec.substr(0, bar);
  const Spec others = spec.substr(bar + 1);
  return alone ? std::string(count == 1 ? singular : others) : base::counted(count, singular, others);
}

std::string worded_count(double number) {
  constexpr double largest_exact_count = 9007199254740992.0;  // up to here a double has no gaps between whole numbers
  const bool whole = std::floor(number) == number && std::abs(number) <= largest_exact_count;
  return whole ? base::grouped(static_cast<std::int64_t>(number)) : fmt::format("{:.10g}", number);
}

std::string worded(double number, Spec spec) {
  if (spec == "count") return worded_count(number);
  if (spec == "+count") return (number < 0 ? "" : "+") + worded_count(number);
  return fmt::format(fmt::runtime("{:" + std::string(spec) + "}"), number);
}

// "0.0", neither "-0.0" nor "+0.0": the sign of what is rounded away says nothing.
std::string without_sign_of_zero(const std::string& text) {
  const bool is_zero = text.find_first_not_of("+-0.") == std::string::npos;
  return is_zero && text.find_first_of("+-") == 0 ? text.substr(1) : text;
}

std::string worded(Share share, Spec spec) {
  std::string text = without_sign_of_zero(worded(share.ratio * 100, spec));
  if (!share.limit || share.ratio == *share.limit || text != worded(*share.limit * 100, spec)) return text;
  const std::string sign = spec.starts_with('+') ? "+" : "";
  constexpr int most_decimals = 6;
  for (int decimals = 1; decimals <= most_decimals; ++decimals) {
    const std::string longer = fmt::format("{}.{}f", sign, decimals);
    if (std::string more = worded(share.ratio * 100, longer); more != worded(*share.limit * 100, longer)) return more;
  }
  return text;
}

std::string worded(Count count, Spec spec) {
  if (spec.empty()) return std::to_string(count.value);
  return spec == "," ? base::grouped(count.value) : plural(static_cast<std::size_t>(count.value), spec);
}

std::string worded(const Quantity& quantity, Spec spec) {
  constexpr double us = 1e3;
  constexpr double ms = 1e6;
  constexpr double s = 1e9;
  const double value = quantity.value;
  const std::string unit = quantity.unit == "1" ? "" : " " + quantity.unit;
  if (spec == "count") return std::isinf(value) ? "no count" : fmt::format("{}{}", value, unit);
  if (quantity.unit != "ns") return fmt::format("{:.10g}{}", value, unit);
  if (value >= s) return fmt::format("{:.4g} s", value / s);
  if (value >= ms) return fmt::format("{:.4g} ms", value / ms);
  if (value >= us) return fmt::format("{:.4g} us", value / us);
  return fmt::format("{:.4g} ns", value);
}

std::string worded(const std::string& text, Spec /*spec*/) {
  return text;
}

std::string worded(reports::Verdict verdict, Spec /*spec*/) {
  return reports::verdict_words(verdict);
}

std::string worded(stats::Reason reason, Spec /*spec*/) {
  return std::string(stats::describe(reason));
}

std::string worded(const Fact& fact, Spec /*spec*/) {
  return fact.words();
}

// "a, b and c".
std::string ended_by_and(const Names& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

std::string worded(const Names& names, Spec spec) {
  if (spec.find('|') != Spec::npos) return plural(names.size(), spec.starts_with('|') ? spec.substr(1) : spec);
  if (spec == "and") return ended_by_and(names);
  std::size_t most = 0;
  const auto [end, error] = std::from_chars(spec.data(), spec.data() + spec.size(), most);
  if (error == std::errc()) return base::some_of(names, most);
  return fmt::format("{}", fmt::join(names, spec.empty() ? Spec(", ") : spec));
}

std::string worded(const Facts& facts, Spec spec) {
  const Names words = words_of(facts);
  return spec.empty() ? fmt::format("{}", fmt::join(words, "")) : worded(words, spec);
}

}  // namespace

Fact::Fact() : Fact(std::string()) {}

Fact::Fact(std::string text) : Fact(said(std::move(text))) {}

Fact::Fact(const char* text) : Fact(std::string(text)) {}

Fact::Fact(const Kind& kind, std::vector<Value> values) : kind_(&kind), values_(std::move(values)) {}

const Fact& Fact::inner() const {
  for (const Value& value : values_)
    if (const Fact* const fact = std::get_if<Fact>(&value.held)) return *fact;
  return *this;
}

bool Fact::empty() const {
  return is(said) && std::get<std::string>(values_.front().held).empty();
}

std::string Fact::words() const {
  const std::string_view words = kind_->words;
  std::string text;
  std::size_t from = 0;
  for (std::size_t at = words.find('{'); at != std::string_view::npos; at = words.find('{', from)) {
    text += words.substr(from, at - from);
    const std::size_t end = words.find('}', at);
    const std::size_t colon = std::min(words.find(':', at), end);
    const Spec spec = words.substr(std::min(colon + 1, end), end - std::min(colon + 1, end));
    const Value& value = values_.at(kind_->members.place_of(words.substr(at + 1, colon - at - 1)));
    if (spec != "-") text += std::visit([&](const auto& held) { return worded(held, spec); }, value.held);
    from = end + 1;
  }
  return text += words.substr(from);
}

std::ostream& operator<<(std::ostream& out, const Fact& fact) {
  return out << fact.words();
}

bool operator==(const Fact& a, const Fact& b) {
  return a.kind_ == b.kind_ && a.values_ == b.values_;
}

std::vector<std::string> words_of(const Facts& facts) {
  std::vector<std::string> words;
  words.reserve(facts.size());
  for (const Fact& fact : facts) words.push_back(fact.words());
  return words;
}

std::string listed(const Facts& facts) {
  return worded(facts, "; ");
}

}  // namespace torchgate::facts
