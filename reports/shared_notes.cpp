// SPDX-License-Identifier: Apache-2.0
#include "reports/shared_notes.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace torchgate::reports {
namespace {

// A sentence of a suite may be a page of numbers: those behind belong to its words.
constexpr std::size_t most_numbers = 16;
constexpr char placeholder = '\x01';  // no text that is shown has one

bool is_numeral(char c) {
  return c >= '0' && c <= '9';
}

bool may_precede(char c) {
  return c == ' ' || c == '(' || c == '[' || c == '+' || c == '-';
}

bool may_follow(char c) {
  return c == ' ' || c == ')' || c == ']' || c == ',' || c == ';' || c == '.' || c == '%';
}

/// Where the number that begins at AT ends; AT when there is none.
std::size_t end_of_number(std::string_view text, std::size_t at) {
  std::size_t end = at;
  const auto digits = [&] {
    while (end < text.size() && is_numeral(text[end])) ++end;
  };
  digits();
  if (end == at) return at;
  if (end + 1 < text.size() && text[end] == '.' && is_numeral(text[end + 1])) {
    ++end;
    digits();
  }
  if (end + 2 < text.size() && text[end] == 'e' && (text[end + 1] == '-' || text[end + 1] == '+') &&
      is_numeral(text[end + 2])) {
    end += 2;
    digits();
  }
  return end == text.size() || may_follow(text[end]) ? end : at;
}

struct Number {
  std::string_view text;
  double value = 0;
};

struct Sentence {
  std::string words;  // with a placeholder for each number
  std::vector<Number> numbers;
};

/// The sign belongs to the number; between two numbers a hyphen is a word.
Sentence parse(std::string_view text) {
  Sentence sentence;
  for (std::size_t at = 0; at < text.size();) {
    const bool begins = at == 0 || may_precede(text[at - 1]);
    const std::size_t sign =
        (text[at] == '+' || text[at] == '-') && (at == 0 || text[at - 1] == ' ' || text[at - 1] == '[') ? 1 : 0;
    const std::size_t end =
        begins && sentence.numbers.size() < most_numbers ? end_of_number(text, at + sign) : at + sign;
    if (end == at + sign) {
      sentence.words += text[at++] == placeholder ? '?' : text[at - 1];
      continue;
    }
    Number number{text.substr(at, end - at)};
    const std::string_view magnitude = number.text.substr(sign);
    std::from_chars(magnitude.data(), magnitude.data() + magnitude.size(), number.value);
    if (number.text.front() == '-') number.value = -number.value;
    sentence.numbers.push_back(number);
    sentence.words += placeholder;
    at = end;
  }
  return sentence;
}

struct Range {
  Number low;
  Number high;
};

struct Note {
  std::string words;
  std::string first;  // as its first row has it
  std::vector<Range> ranges;
  std::vector<std::size_t> rows;
};

void widen(Range& range, const Number& number) {
  if (number.value < range.low.value) range.low = number;
  if (number.value > range.high.value) range.high = number;
}

// "was 1 and is 3" of one row and "was 3 and is 1" of another: "was 1 to 3 and is 1 to 3" says that nothing differs.
bool hides_difference(const Note& note) {
  const Sentence first = parse(note.first);
  for (std::size_t i = 0; i < note.ranges.size(); ++i) {
    const Range& range = note.ranges[i];
    const auto is_alike = [&](const Range& other) {
      return other.low.value == range.low.value && other.high.value == range.high.value;
    };
    for (std::size_t j = 0; j < i && range.low.value != range.high.value; ++j)
      if (is_alike(note.ranges[j]) && first.numbers[i].value != first.numbers[j].value) return true;
  }
  return false;
}

std::string text_of(const Note& note) {
  if (hides_difference(note)) {
    const bool stop = note.first.ends_with('.');
    return note.first.substr(0, note.first.size() - (stop ? 1 : 0)) + " (in other cases other numbers)" +
           (stop ? "." : "");
  }
  std::string text;
  std::size_t next = 0;
  for (const char c : note.words) {
    if (c != placeholder) {
      text += c;
      continue;
    }
    const Range& range = note.ranges[next++];
    text += range.low.text;
    if (range.low.value != range.high.value) text += " to " + std::string(range.high.text);
  }
  return text;
}

}  // namespace

std::vector<SharedNote> shared_notes(const std::vector<std::vector<std::string>>& sentences_of_rows) {
  std::vector<Note> notes;
  std::unordered_map<std::string, std::size_t> note_of;
  for (std::size_t row = 0; row < sentences_of_rows.size(); ++row) {
    for (const std::string& text : sentences_of_rows[row]) {
      const Sentence sentence = parse(text);
      const auto [known, is_new] = note_of.emplace(sentence.words, notes.size());
      if (is_new) notes.push_back({sentence.words, text, {}, {}});
      Note& note = notes[known->second];
      if (is_new) {
        for (const Number& number : sentence.numbers) note.ranges.push_back({number, number});
      } else {
        for (std::size_t i = 0; i < note.ranges.size(); ++i) widen(note.ranges[i], sentence.numbers[i]);
      }
      if (note.rows.empty() || note.rows.back() != row) note.rows.push_back(row);
    }
  }
  std::stable_sort(notes.begin(), notes.end(),
                   [](const Note& a, const Note& b) { return a.rows.size() > b.rows.size(); });
  std::vector<SharedNote> shared;
  shared.reserve(notes.size());
  for (Note& note : notes) {
    std::string text = text_of(note);
    shared.push_back({std::move(text), std::move(note.rows)});
  }
  return shared;
}

}  // namespace torchgate::reports
