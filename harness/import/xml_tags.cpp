// SPDX-License-Identifier: Apache-2.0
#include "harness/import/xml_tags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "harness/base/limits.hpp"
#include "harness/base/shown_text.hpp"

namespace torchgate::import {
namespace {

constexpr std::string_view xml_blanks = " \t\r\n";
constexpr std::size_t most_attributes = 100;

bool is_blank(char c) {
  return xml_blanks.find(c) != std::string_view::npos;
}

// A code point as UTF-8; false: there is no such character.
bool append_utf8(std::uint32_t code, std::string& out) {
  constexpr std::uint32_t last = 0x10FFFF;
  if (code == 0 || code > last || (code >= 0xD800 && code <= 0xDFFF)) return false;
  const auto continued = [&](unsigned shift) { out += static_cast<char>(0x80U | ((code >> shift) & 0x3FU)); };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0U | (code >> 6U));
    continued(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0U | (code >> 12U));
    continued(6);
    continued(0);
  } else {
    out += static_cast<char>(0xF0U | (code >> 18U));
    continued(12);
    continued(6);
    continued(0);
  }
  return true;
}

// What stands between & and ;.
bool append_entity(std::string_view entity, std::string& out) {
  if (entity == "lt") return out += '<', true;
  if (entity == "gt") return out += '>', true;
  if (entity == "amp") return out += '&', true;
  if (entity == "quot") return out += '"', true;
  if (entity == "apos") return out += '\'', true;
  if (!entity.starts_with('#')) return false;
  const bool hex = entity.starts_with("#x");
  const std::string_view digits = entity.substr(hex ? 2 : 1);
  std::uint32_t code = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, code, hex ? 16 : 10);
  return error == std::errc() && stop == end && append_utf8(code, out);
}

}  // namespace

std::string_view XmlTag::attribute(std::string_view wanted) const {
  const auto found =
      std::find_if(attributes.begin(), attributes.end(), [&](const Attribute& each) { return each.name == wanted; });
  return found == attributes.end() ? std::string_view() : std::string_view(found->value);
}

std::optional<XmlTag> XmlTags::next() {
  if (!mistake_.empty()) return std::nullopt;
  if (std::exchange(closes_itself_, false)) return close_tag();
  for (;;) {
    skip(std::min(text_.find('<'), text_.size()));
    if (text_.empty())
      return open_.empty() ? std::nullopt
                           : fail(fmt::format("<{}> is not closed; the file is truncated", open_.back()));
    if (text_.starts_with("<!--")) {
      if (!skip_past("-->")) return fail("a comment without an end");
    } else if (text_.starts_with("<![CDATA[")) {
      if (!skip_past("]]>")) return fail("CDATA without an end");
    } else if (text_.starts_with("<?")) {
      if (!skip_past("?>")) return fail("an instruction without an end");
    } else if (text_.starts_with("<!")) {
      return fail("a document type, which is not supported");
    } else {
      break;
    }
  }
  skip(1);
  const bool closes = text_.starts_with('/');
  if (closes) skip(1);
  XmlTag tag;
  tag.name = take_name();
  if (tag.name.empty()) return fail("expected the name of a tag");
  if (closes) {
    skip_blanks();
    if (!text_.starts_with('>')) return fail("expected >");
    skip(1);
    if (open_.empty() || open_.back() != tag.name) return fail(fmt::format("</{}> closes nothing", tag.name));
    return close_tag();
  }
  if (!take_attributes(tag)) return std::nullopt;
  if (open_.size() == most_open_tags) return fail(fmt::format("more than {} tags in each other", most_open_tags));
  open_.push_back(tag.name);
  return tag;
}

std::string XmlTags::text(std::size_t text_bytes) const {
  std::string_view rest = text_.substr(0, std::min(text_.find('<'), text_bytes));
  const std::size_t first = rest.find_first_not_of(xml_blanks);
  if (first == std::string_view::npos || closes_itself_) return "";
  rest = rest.substr(first, rest.find_last_not_of(xml_blanks) - first + 1);
  std::string text;
  while (!rest.empty()) {
    const std::size_t entity = std::min(rest.find('&'), rest.size());
    text += rest.substr(0, entity);
    rest.remove_prefix(entity);
    if (rest.empty()) break;
    const std::size_t end = rest.find(';');
    const bool known = end != std::string_view::npos && append_entity(rest.substr(1, end - 1), text);
    if (!known) text += '&';
    rest.remove_prefix(known ? end + 1 : 1);
  }
  return text;
}

std::optional<XmlTag> XmlTags::fail(std::string what) {
  if (mistake_.empty()) mistake_ = std::move(what);
  return std::nullopt;
}

void XmlTags::skip(std::size_t count) {
  line_ += std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(count), '\n');
  text_.remove_prefix(count);
}

bool XmlTags::skip_past(std::string_view end) {
  const std::size_t found = text_.find(end);
  skip(found == std::string_view::npos ? text_.size() : found + end.size());
  return found != std::string_view::npos;
}

bool XmlTags::skip_blanks() {
  const std::size_t count = std::min(text_.find_first_not_of(xml_blanks), text_.size());
  skip(count);
  return count > 0;
}

std::string XmlTags::take_name() {
  const auto ends = [](char c) { return is_blank(c) || c == '>' || c == '/' || c == '=' || c == '<' || c == '"'; };
  const auto end = std::find_if(text_.begin(), text_.end(), ends);
  std::string name(text_.begin(), end);
  if (name.size() > base::max_name_bytes) name.clear();
  skip(static_cast<std::size_t>(end - text_.begin()));
  return name;
}

// Up to and including the end of the tag.
bool XmlTags::take_attributes(XmlTag& tag) {
  for (;;) {
    const bool blank = skip_blanks();
    if (text_.starts_with('>')) return skip(1), true;
    if (text_.starts_with("/>")) return skip(2), closes_itself_ = true;
    if (!blank) return fail("expected a blank, > or />"), false;
    if (tag.attributes.size() == most_attributes) return fail("too many attributes"), false;
    XmlTag::Attribute attribute;
    attribute.name = take_name();
    if (attribute.name.empty()) return fail("expected the name of an attribute"), false;
    skip_blanks();
    if (!text_.starts_with('=')) return fail("expected ="), false;
    skip(1);
    skip_blanks();
    if (!take_value(attribute.value)) return false;
    tag.attributes.push_back(std::move(attribute));
  }
}

bool XmlTags::take_value(std::string& value) {
  const char quote = text_.empty() ? '\0' : text_.front();
  if (quote != '"' && quote != '\'') return fail("expected a value in quotes"), false;
  skip(1);
  const std::size_t end = text_.find(quote);
  if (end == std::string_view::npos) return fail("a value without an end"), false;
  if (end > base::max_text_bytes)
    return fail(fmt::format("a value of more than {} bytes", base::max_text_bytes)), false;
  if (!resolve(text_.substr(0, end), value)) return false;
  skip(end + 1);
  return true;
}

bool XmlTags::resolve(std::string_view raw, std::string& value) {
  while (!raw.empty()) {
    const std::size_t entity = std::min(raw.find('&'), raw.size());
    value += raw.substr(0, entity);
    raw.remove_prefix(entity);
    if (raw.empty()) break;
    const std::size_t end = raw.find(';');
    if (end == std::string_view::npos || !append_entity(raw.substr(1, end - 1), value))
      return fail("an unknown entity " + base::in_quotes(raw.substr(0, std::min(end, raw.size())))), false;
    raw.remove_prefix(end + 1);
  }
  return true;
}

std::optional<XmlTag> XmlTags::close_tag() {
  XmlTag tag;
  tag.kind = XmlTag::Kind::close;
  tag.name = std::move(open_.back());
  open_.pop_back();
  return tag;
}

}  // namespace torchgate::import
