// SPDX-License-Identifier: Apache-2.0
#include "harness/import/first_setups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "harness/base/shown_text.hpp"

namespace torchgate::import {
namespace {

constexpr const char* not_set = "not set";

std::string value_of(const std::vector<record::Parameter>& parameters, const std::string& name) {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const record::Parameter& each) { return each.name == name; });
  return found == parameters.end() ? not_set : base::shown(found->value);
}

// A parameter that has not the same value in both; nullptr: there is none.
const record::Parameter* differing(const std::vector<record::Parameter>& parameters,
                                   const std::vector<record::Parameter>& others) {
  const auto found = std::find_if(parameters.begin(), parameters.end(), [&](const record::Parameter& each) {
    return std::find(others.begin(), others.end(), each) == others.end();
  });
  return found == parameters.end() ? nullptr : &*found;
}

// Empty: both are of one set-up, whatever the order of their parameters.
std::string difference(const ImportedCase& first, const std::string& first_file, const ImportedCase& each,
                       const std::string& file) {
  const auto words = [&](const std::string& name, const std::string& was, const std::string& is) {
    return fmt::format("{} is {} in {} and {} in {}", base::shown(name), was, first_file, is, file);
  };
  if (first.device != each.device) return words("device", first.device, each.device);
  const record::Parameter* other = differing(first.parameters, each.parameters);
  if (other == nullptr) other = differing(each.parameters, first.parameters);
  if (other == nullptr) return "";
  return words(other->name, value_of(first.parameters, other->name), value_of(each.parameters, other->name));
}

}  // namespace

void FirstSetups::take(const ImportedCase& each, const std::string& file, record::Case& definition) {
  const auto [known, is_first] = first_.try_emplace(each.name, First{&each, &file});
  if (is_first) {
    definition.parameters = each.parameters;
    definition.device = each.device;
    return;
  }
  if (definition.ambiguous) return;
  std::string differs = difference(*known->second.measured, *known->second.file, each, file);
  if (!differs.empty()) definition.ambiguous = std::move(differs);
}

}  // namespace torchgate::import
