// SPDX-License-Identifier: Apache-2.0
#include "ci/github/artifact/artifact_name.hpp"

#include "ci/github/artifact/artifact_limits.hpp"

namespace torchgate::github {
namespace {

constexpr std::string_view json_suffix = ".json";
constexpr std::string_view samples_suffix = ".samples";
constexpr std::string_view stem_first = "abcdefghijklmnopqrstuvwxyz0123456789";
constexpr std::string_view stem_rest = "abcdefghijklmnopqrstuvwxyz0123456789_-";
constexpr std::string_view hex_digits = "0123456789abcdef";
constexpr std::size_t sha256_digits = 64;

bool has_only(std::string_view text, std::string_view allowed) {
  return text.find_first_not_of(allowed) == std::string_view::npos;
}

bool is_json_stem(std::string_view stem) {
  return !stem.empty() && stem.size() <= max_artifact_stem_bytes && has_only(stem.substr(0, 1), stem_first) &&
         has_only(stem, stem_rest);
}

}  // namespace

bool is_artifact_name(std::string_view name) {
  if (name == "commit") return true;
  if (name.ends_with(json_suffix)) return is_json_stem(name.substr(0, name.size() - json_suffix.size()));
  if (!name.ends_with(samples_suffix)) return false;
  const std::string_view stem = name.substr(0, name.size() - samples_suffix.size());
  return stem.size() == sha256_digits && has_only(stem, hex_digits);
}

}  // namespace torchgate::github
