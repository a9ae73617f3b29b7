// SPDX-License-Identifier: Apache-2.0
// What a report says, as data: the kind of a sentence and its values. The sentences are in the tables of this folder, one row each, with their English
// and the names under which a program finds the values in a JSON report.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "reports/verdicts.hpp"
#include "stats/verdict.hpp"

namespace torchgate::facts {

class Fact;
struct Value;
using Facts = std::vector<Fact>;
using Names = std::vector<std::string>;

/// A number of things.
struct Count {
  template <std::integral Number>
  // NOLINTNEXTLINE(google-explicit-constructor): numbers of every type are counts
  Count(Number number) : value(static_cast<std::int64_t>(number)) {}
  bool operator==(const Count&) const = default;

  std::int64_t value;
};

/// A part of a whole, or a relative change: 0.05 is worded as 5, and the sentence has the "%".
struct Share {
  // NOLINTNEXTLINE(google-explicit-constructor): a share is a number
  Share(double share) : ratio(share) {}
  Share(double share, double its_limit) : ratio(share), limit(its_limit) {}
  bool operator==(const Share&) const = default;

  double ratio;
  std::optional<double>
      limit;  ///< what it is compared with: worded with as many digits as tell it from that, where they differ
};

/// A value of a metric: "121.9 ms", "4509715660 bytes".
struct Quantity {
  bool operator==(const Quantity&) const = default;

  double value = 0;
  std::string unit;  ///< of the metric; "1": a number
};

/// The names of the placeholders, each once, in the order in which they are first used.
class Members {
 public:
  static constexpr std::size_t most = 8;

  constexpr explicit Members(std::string_view words) {
    for (std::size_t at = words.find('{'); at != std::string_view::npos; at = words.find('{', at)) {
      const std::size_t end = words.find_first_of(":}", at);
      const std::string_view name = words.substr(at + 1, end - at - 1);
      if (place_of(name) == size_) names_.at(size_++) = name;
      at = end;
    }
  }

  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr std::string_view operator[](std::size_t place) const { return names_.at(place); }
  /// size(): there is none of that name.
  [[nodiscard]] constexpr std::size_t place_of(std::string_view name) const {
    std::size_t place = 0;
    while (place < size_ && names_.at(place) != name) ++place;
    return place;
  }

 private:
  std::array<std::string_view, most> names_{};
  std::size_t size_ = 0;
};

/// A row of the tables. WORDS has a placeholder for each member, "{margin:g}"; the part behind the colon says how it is worded:
///  - a number as {fmt} does, and by "count" and "+count" with all its digits: 2,400; of a Count ",": 2,400, "case is|cases are":
///    "1 case is", "#it|them": the word alone;
///  - a quantity as a time of four digits or a number of ten; "count": with all its digits, an infinite one as "no count";
///  - of a list "|case is|cases are" and "#it|them" count it, "3" names three and the number of the others, "and" ends it with that word, all else stands
///    between its elements (", " between names, nothing between facts, where nothing is given);
///  - "-": not at all. Such a member is for programs.
struct Kind {
  const char* name;
  const char* words;
  Members members;  ///< of the words, found by the compiler
};

/// Text of suites, files and callers converts to a fact of the kind `said`, and a fact to its sentence. Untrusted, as what it names.
class Fact {
 public:
  // Defined where values are complete: a constructor may destroy them.
  Fact();
  // NOLINTNEXTLINE(google-explicit-constructor): what others say is a fact
  Fact(std::string text);
  // NOLINTNEXTLINE(google-explicit-constructor): the same for a literal
  Fact(const char* text);
  /// REQUIRES: as many values as KIND has members.
  Fact(const Kind& kind, std::vector<Value> values);

  [[nodiscard]] const Kind& kind() const { return *kind_; }
  [[nodiscard]] bool is(const Kind& kind) const { return kind_ == &kind; }
  [[nodiscard]] const std::vector<Value>& values() const { return values_; }
  /// The first fact among the values; itself where there is none: of "not judged: 3 pairs cannot show a regression" the second part.
  [[nodiscard]] const Fact& inner() const;
  /// Nothing was said.
  [[nodiscard]] bool empty() const;

  [[nodiscard]] std::string words() const;
  // NOLINTNEXTLINE(google-explicit-constructor): reads as its sentence
  operator std::string() const { return words(); }

  friend std::ostream& operator<<(std::ostream& out, const Fact& fact);
  friend bool operator==(const Fact& a, const Fact& b);
  template <class Text>
  requires std::convertible_to<const Text&, std::string_view>
  friend bool operator==(const Fact& fact, const Text& text) { return fact.words() == std::string_view(text); }

 private:
  const Kind* kind_;
  std::vector<Value> values_;
};

struct Value {
  template <class Held>
  Value(std::in_place_type_t<Held> type, Held value) : held(type, std::move(value)) {}
  bool operator==(const Value&) const = default;

  std::variant<Count, double, Share, Quantity, std::string, Names, reports::Verdict, stats::Reason, Fact, Facts> held;
};

/// A row with the types of its members, which makes facts of their values.
template <class... Values>
struct Sentence : Kind {
  consteval Sentence(const char* its_name, const char* its_words) : Kind{its_name, its_words, Members(its_words)} {
    if (members.size() != sizeof...(Values)) throw "a member has no value, or a value no member";
  }

  Fact operator()(Values... values) const {
    std::vector<Value> all;
    all.reserve(sizeof...(Values));
    (all.emplace_back(std::in_place_type<Values>, std::move(values)), ...);
    return Fact(*this, std::move(all));
  }
  // NOLINTNEXTLINE(google-explicit-constructor): a sentence without values is a fact
  operator Fact() const requires(sizeof...(Values) == 0) { return (*this)(); }
};

inline constexpr Sentence<std::string> said{"said", "{text}"};

/// The sentences of FACTS.
std::vector<std::string> words_of(const Facts& facts);
/// The same as one text, with "; " between them.
std::string listed(const Facts& facts);

}  // namespace torchgate::facts
