// SPDX-License-Identifier: Apache-2.0
#include "harness/record/internal/document.hpp"

namespace torchgate::record::internal {

// --- what parts refer to -------------------------------------------------------------------------------------------

bool CopyBudget::take(JsonReader& reader, std::size_t bytes) {
  if (bytes > left_) return reader.fail("too many references to long names or lists for a text of this size"), false;
  left_ -= bytes;
  return true;
}

Writing::Writing(const std::vector<Case>& cases, Samples with_samples)
    : samples(with_samples), columns(summary_column_names()) {
  case_positions_.reserve(cases.size());
  std::int64_t position = 0;
  for (const Case& c : cases) {
    case_positions_.emplace(c.name, position++);
    for (const Metric& metric : c.metrics) {
      if (metric_positions_.emplace(metric, static_cast<std::int64_t>(metrics.size())).second)
        metrics.push_back(metric);
    }
  }
}

void Writing::add_operators(const std::vector<CaseResult>& results) {
  for (const CaseResult& result : results) {
    if (!result.profile) continue;
    for (const OperatorUse& use : result.profile->operators) {
      if (operator_positions_.emplace(OperatorKey(use.name, use.inputs), static_cast<std::int64_t>(operators.size()))
              .second)
        operators.push_back(use);
    }
  }
}

std::int64_t Writing::position_of(const Metric& metric) const {
  return metric_positions_.at(metric);
}

std::int64_t Writing::position_of(const OperatorUse& use) const {
  return operator_positions_.at({use.name, use.inputs});
}

std::optional<std::int64_t> Writing::position_of_case(std::string_view name) const {
  const auto found = case_positions_.find(name);
  return found == case_positions_.end() ? std::nullopt : std::optional(found->second);
}

// --- forms of values -----------------------------------------------------------------------------------------------

std::vector<Parameter> read_parameters(JsonReader& reader) {
  std::vector<Parameter> list;
  reader.object({}, [&](std::string_view name) {
    if (name.size() > base::max_name_bytes)
      reader.fail("a key of more than " + std::to_string(base::max_name_bytes) + " bytes");
    if (list.size() == static_cast<std::size_t>(base::max_parameters))
      reader.fail("more than " + std::to_string(base::max_parameters) + " members, which is the limit of this object");
    list.push_back({std::string(name), reader.string()});
  });
  return list;
}

void write_parameters(JsonWriter& json, const std::vector<Parameter>& list) {
  json.begin_object();
  for (const Parameter& parameter : list) {
    json.key_of(parameter.name);
    json.value(parameter.value);
  }
  json.end_object();
}

// --- positions -----------------------------------------------------------------------------------------------------

void check_position(JsonReader& reader, std::int64_t position, std::string_view place, std::size_t size) {
  if (position < static_cast<std::int64_t>(size)) return;
  reader.fail("expected a position in " + std::string(place) + ", which has " + std::to_string(size) + ", found " +
              std::to_string(position));
}

std::vector<std::int64_t> read_positions(JsonReader& reader, std::string_view place, std::size_t size,
                                         CopyBudget& copied) {
  std::vector<std::int64_t> positions;
  const auto read_position = [&](std::vector<std::int64_t>& list) {
    list.push_back(reader.integer(0));
    check_position(reader, list.back(), place, size);
  };
  const auto read_range = [&] {
    std::vector<std::int64_t> bounds;
    reader.array([&](std::int64_t) { read_position(bounds); });
    if (reader.failed()) return;
    if (bounds.size() != 2 || bounds[0] > bounds[1]) return reader.fail("expected a range [first, last]");
    for (std::int64_t position = bounds[0]; position <= bounds[1]; ++position) positions.push_back(position);
  };
  reader.array([&](std::int64_t) {
    reader.peek() == JsonReader::Kind::array ? read_range() : read_position(positions);
    if (positions.size() > size) reader.fail("duplicate " + std::string(place.substr(1, place.size() - 2)));
  });
  copied.take(reader, positions.size() * sizeof(std::int64_t));  // a range is a few bytes of text
  return positions;
}

// A process loads nearly the same objects as all others.
void write_positions(JsonWriter& json, const std::vector<std::int64_t>& positions) {
  json.begin_array();
  for (std::size_t first = 0; first < positions.size();) {
    std::size_t last = first;
    while (last + 1 < positions.size() && positions[last + 1] == positions[last] + 1) ++last;
    if (last - first < 2) {
      json.value(positions[first++]);
      continue;
    }
    json.value(std::vector{positions[first], positions[last]});
    first = last + 1;
  }
  json.end_array();
}

}  // namespace torchgate::record::internal
