// SPDX-License-Identifier: Apache-2.0
#include "harness/record/internal/sections.hpp"

#include <algorithm>
#include <optional>

#include "harness/json/json_writer.hpp"

namespace torchgate::record::internal {

std::string read_sections(json::JsonReader& reader, const std::vector<Section>& sections) {
  enum class State { absent, nowhere, passed_over, read };  // nowhere: absent, and not ahead either
  std::vector<State> states(sections.size(), State::absent);
  std::vector<std::size_t> positions(sections.size(), 0);
  const auto ready = [&](const Section& section) {
    for (std::size_t i = 0; i < sections.size(); ++i) {
      if (sections[i].stage >= section.stage || states[i] == State::read) continue;
      if (sections[i].required || states[i] == State::passed_over) return false;
      if (!sections[i].referred_to || states[i] != State::absent) continue;
      if (reader.rest_has(base::in_quotes(sections[i].key))) return false;
      states[i] = State::nowhere;
    }
    return true;
  };

  json::JsonWriter unknown;
  unknown.begin_object();
  reader.object({}, [&](std::string_view key) {
    const auto section =
        std::find_if(sections.begin(), sections.end(), [&](const Section& known) { return known.key == key; });
    const auto i = static_cast<std::size_t>(section - sections.begin());
    if (section == sections.end()) {
      const std::string_view text = reader.skip();
      unknown.key(key);
      unknown.raw(text);
    } else if (ready(*section)) {
      section->read();
      states[i] = State::read;
    } else {
      positions[i] = reader.position();
      reader.skip();
      states[i] = State::passed_over;
    }
  });
  reader.end();
  unknown.end_object();

  if (!reader.failed() && states[0] == State::absent) {
    reader.fail("missing key " + base::in_quotes(sections[0].key) + ": not a file written by torchgate");
  }
  for (std::size_t i = 0; i < sections.size() && !reader.failed(); ++i) {
    if (states[i] == State::passed_over) reader.again(positions[i], sections[i].key, sections[i].read);
    if (states[i] == State::absent && sections[i].required) {
      reader.fail("missing key " + base::in_quotes(sections[i].key));
    }
  }
  return unknown.take();
}

void read_schema(json::JsonReader& reader, std::string_view expected) {
  const std::string schema = reader.string();
  if (reader.failed() || schema == expected) return;
  const std::string_view family = expected.substr(0, expected.find('/') + 1);
  if (schema.starts_with(family)) {
    reader.fail("unsupported schema " + base::in_quotes(schema) + ": this version of torchgate reads " +
                std::string(expected) + " only; use the version that wrote it, or a later one");
  } else {
    reader.fail("expected " + base::in_quotes(expected) + ", found " + base::in_quotes(schema));
  }
}

}  // namespace torchgate::record::internal
