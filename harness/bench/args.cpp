// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/args.hpp"

#include <stdexcept>

#include "harness/bench/artefact.hpp"
#include "harness/bench/skip.hpp"

namespace torchgate::bench {

std::string to_string(const AxisValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  return std::get<std::string>(value);
}

Args::Args(std::vector<std::pair<std::string, AxisValue>> values, std::uint64_t seed)
    : values_(std::move(values)), seed_(seed) {}

const AxisValue* Args::find(std::string_view axis) const {
  for (const auto& [name, value] : values_) {
    if (name == axis) return &value;
  }
  return nullptr;
}

std::int64_t Args::number(std::string_view axis) const {
  const AxisValue* value = find(axis);
  if (value == nullptr) throw std::logic_error("unknown axis \"" + std::string(axis) + "\"");
  const auto* number = std::get_if<std::int64_t>(value);
  if (number == nullptr) throw std::logic_error("axis \"" + std::string(axis) + "\" is not numeric; use text()");
  return *number;
}

std::string Args::text(std::string_view axis) const {
  const AxisValue* value = find(axis);
  if (value == nullptr) throw std::logic_error("unknown axis \"" + std::string(axis) + "\"");
  return to_string(*value);
}

std::string Args::device() const {
  const AxisValue* value = find("device");
  return value == nullptr ? "cpu" : to_string(*value);
}

std::string Args::artefact(const std::string& file_name) {
  auto path = find_artefact(file_name);
  if (!path) throw Skip(why_no_artefact(file_name));
  return *std::move(path);
}

}  // namespace torchgate::bench
