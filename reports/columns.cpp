// SPDX-License-Identifier: Apache-2.0
#include "reports/columns.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "reports/safe_text.hpp"

namespace torchgate::reports {
namespace {

using Range = std::pair<char32_t, char32_t>;

// Rough on purpose: the blocks of Unicode's EastAsianWidth.txt (W and F) that names and messages may come from.
constexpr std::array<Range, 12> wide_ranges = {{{0x1100, 0x115F},
                                                {0x2E80, 0x303E},
                                                {0x3041, 0x33FF},
                                                {0x3400, 0x4DBF},
                                                {0x4E00, 0x9FFF},
                                                {0xA000, 0xA4CF},
                                                {0xAC00, 0xD7A3},
                                                {0xF900, 0xFAFF},
                                                {0xFE30, 0xFE6F},
                                                {0xFF00, 0xFF60},
                                                {0x1F300, 0x1FAFF},
                                                {0x20000, 0x3FFFD}}};
constexpr std::array<Range, 5> combining_ranges = {
    {{0x0300, 0x036F}, {0x0483, 0x0489}, {0x1AB0, 0x1AFF}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}}};

template <std::size_t N>
bool within(const std::array<Range, N>& ranges, char32_t c) {
  return std::any_of(ranges.begin(), ranges.end(), [c](const Range& r) { return c >= r.first && c <= r.second; });
}

std::size_t width_of(char32_t c) {
  if (c < combining_ranges.front().first) return 1;
  return within(combining_ranges, c) ? 0 : within(wide_ranges, c) ? 2 : 1;
}

/// How many bytes of the beginning of the text fit into `width` columns.
std::size_t fitting_prefix(std::string_view text, std::size_t width) {
  std::size_t at = 0;
  for (std::size_t used = 0; at < text.size();) {
    const CodePoint point = decode_utf8(text, at);
    used += width_of(point.value);
    if (used > width) break;
    at += point.bytes;
  }
  return at;
}

/// The first byte of the end of the text that fits into `width` columns.
std::size_t fitting_suffix(std::string_view text, std::size_t width) {
  const std::size_t total = display_width(text);
  std::size_t at = 0;
  for (std::size_t skipped = 0; at < text.size() && total - skipped > width;) {
    const CodePoint point = decode_utf8(text, at);
    skipped += width_of(point.value);
    at += point.bytes;
  }
  return at;
}

bool leaves_a_command_open(std::string_view text) {
  return std::count(text.begin(), text.end(), '`') % 2 != 0;
}

/// Up to the next space; a percent sign stays with its number.
std::string_view take_word(std::string_view& text) {
  std::size_t end = std::min(text.find(' '), text.size());
  if (end > 0 && text.substr(end).starts_with(" %")) end = std::min(text.find(' ', end + 1), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

/// A word, or all of a `command of several words` that fits into a line: it is copied into a shell.
std::string_view take_unit(std::string_view& text, std::size_t width) {
  const std::string_view begin = text;
  const std::string_view word = take_word(text);
  if (!leaves_a_command_open(word)) return word;
  constexpr std::size_t most_bytes = 4;  // of a column
  std::string_view rest = text;
  for (std::string_view unit = word; !rest.empty();) {
    const std::string_view next = take_word(rest);
    unit = begin.substr(0, static_cast<std::size_t>(next.data() + next.size() - begin.data()));
    if (unit.size() > most_bytes * width || display_width(unit) > width) return word;
    if (leaves_a_command_open(unit)) continue;
    text = rest;
    return unit;
  }
  return word;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t printable = base::printable_ascii_length(text, at);
    width += printable;
    at += printable;
    if (at == text.size()) break;
    const CodePoint point = decode_utf8(text, at);
    width += width_of(point.value);
    at += point.bytes;
  }
  return width;
}

std::string elide_middle(std::string_view text, std::size_t width, std::string_view mark) {
  if (display_width(text) <= width) return std::string(text);
  const std::size_t mark_width = display_width(mark);
  if (width <= mark_width) return std::string(text.substr(0, fitting_prefix(text, width)));
  const std::size_t room = width - mark_width;
  const std::size_t head = room / 2;
  return std::string(text.substr(0, fitting_prefix(text, head))) + std::string(mark) +
         std::string(text.substr(fitting_suffix(text, room - head)));
}

std::vector<std::string> elide_apart(const std::vector<std::string>& texts, std::size_t width, std::string_view mark) {
  std::vector<std::string> shown;
  std::map<std::string, std::set<std::string_view>> that_look_so;
  for (const std::string& text : texts) {
    shown.push_back(elide_middle(text, width, mark));
    that_look_so[shown.back()].insert(text);
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::set<std::string_view>& alike = that_look_so[shown[i]];
    // In their order, what the first and the last begin with all do.
    const std::string_view first = *alike.begin();
    const auto same = std::mismatch(first.begin(), first.end(), alike.rbegin()->begin(), alike.rbegin()->end()).first;
    const std::size_t part = first.substr(0, static_cast<std::size_t>(same - first.begin())).find_last_of("/ ") + 1;
    if (alike.size() < 2 || part == 0 || width < display_width(mark)) continue;
    shown[i] = std::string(mark) + elide_middle(texts[i].substr(part), width - display_width(mark), mark);
  }
  return shown;
}

std::string cut_at_word(std::string_view text, std::size_t width, std::string_view mark) {
  if (display_width(text) <= width) return std::string(text);
  const std::size_t mark_width = display_width(mark) + 1;
  std::string_view kept = text.substr(0, fitting_prefix(text, width - std::min(width, mark_width)));
  const std::size_t space = kept.rfind(' ');
  // Of a word that is most of the text there is a part.
  if (text[kept.size()] != ' ' && space != std::string_view::npos && 2 * space >= kept.size())
    kept = kept.substr(0, space);
  if (leaves_a_command_open(kept)) kept = kept.substr(0, kept.rfind('`'));
  kept = kept.substr(0, kept.find_last_not_of(" ,;:(\"") + 1);  // all of it: npos + 1 is 0
  return kept.empty() ? elide_middle(text, width, mark) : std::string(kept) + " " + std::string(mark);
}

std::string pad_right(std::string_view text, std::size_t width) {
  const std::size_t used = display_width(text);
  return std::string(text) + std::string(width > used ? width - used : 0, ' ');
}

std::string pad_left(std::string_view text, std::size_t width) {
  const std::size_t used = display_width(text);
  return std::string(width > used ? width - used : 0, ' ') + std::string(text);
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  const auto flush = [&] {
    if (!line.empty()) lines.push_back(std::exchange(line, {}));
  };
  while (!text.empty()) {
    std::string_view word = take_unit(text, width);
    if (word.empty()) continue;
    if (!line.empty() && display_width(line) + 1 + display_width(word) > width) flush();
    // Not the width of all that is left: a message may be one word of 64 KB.
    for (std::size_t fits = fitting_prefix(word, width); fits < word.size(); fits = fitting_prefix(word, width)) {
      // At least one character a line, however narrow: a wide one must not stop the loop.
      const std::size_t piece = std::max(fits, decode_utf8(word, 0).bytes);
      lines.emplace_back(word.substr(0, piece));
      word.remove_prefix(piece);
    }
    if (!line.empty() && !word.empty()) line += ' ';
    line += word;
  }
  flush();
  return lines;
}

}  // namespace torchgate::reports
