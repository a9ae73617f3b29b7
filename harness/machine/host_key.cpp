// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string_view>

#include "harness/base/content_hash.hpp"
#include "harness/base/lower_case.hpp"
#include "harness/machine/facts.hpp"

namespace torchgate::machine {
namespace {

// Long enough for "epyc-9654-96" or "core-i9-13900k", short enough for a folder name that people read.
constexpr std::size_t longest_model = 24;
constexpr std::size_t hash_digits = 8;

std::string value_of(const std::vector<record::MachineFact>& facts, std::string_view name) {
  const auto fact = std::find_if(facts.begin(), facts.end(), [&](const auto& each) { return each.name == name; });
  return fact == facts.end() ? "unknown" : fact->value.value_or("unknown");
}

/// Lower-case letters, digits, underscores and single dashes: "Intel(R) Xeon(R) 6975P-C (family 6 ...)" becomes "xeon-6975p-c".
std::string slug(const std::string& name) {
  std::string text = base::lower_case(name);
  for (const std::string_view end : {" @", " (family"}) text.erase(std::min(text.find(end), text.size()));
  for (const std::string_view noise : {"(r)", "(tm)", "intel", "amd", "cpu", "processor"})
    for (std::size_t at = 0; (at = text.find(noise)) != std::string::npos;) text.replace(at, noise.size(), 1, ' ');
  std::string result;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    if (plain) result += c;
    if (!plain && !result.empty() && result.back() != '-') result += '-';
  }
  result.resize(std::min(result.size(), longest_model));
  result.erase(result.find_last_not_of('-') + 1);
  return result.empty() ? "unknown" : result;
}

}  // namespace

std::string host_key(const std::vector<record::MachineFact>& facts) {
  std::string identity;
  for (const record::MachineFact& fact : facts)
    if (fact.fact_class == record::FactClass::host) identity += fact.name + "=" + fact.value.value_or("unknown") + "\n";
  return slug(value_of(facts, "architecture")) + "-" + slug(value_of(facts, "cpu_model")) + "-" +
         slug(value_of(facts, "cpu_count")) + "cpu-" + base::sha256(identity).substr(0, hash_digits);
}

}  // namespace torchgate::machine
