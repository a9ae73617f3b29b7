// SPDX-License-Identifier: Apache-2.0
#include "harness/code/same_exceptions.hpp"

namespace torchgate::code {
namespace {

constexpr std::uint64_t bytes_of_pointer = 8;

bool same_index(std::optional<std::size_t> before, std::optional<std::size_t> after) {
  return before && before == after;
}

}  // namespace

bool SameExceptions::same_pointer(std::uint64_t before, bool before_indirect, std::uint64_t after,
                                  bool after_indirect) {
  if (before_indirect != after_indirect) return false;
  if (before == 0 || after == 0) return before == after;
  return places_.are_same(before, after, before_indirect ? bytes_of_pointer : 0);
}

bool SameExceptions::same_actions(const FunctionExceptions& before, const std::vector<Action>& was,
                                  const FunctionExceptions& after, const std::vector<Action>& is) {
  if (was.size() != is.size()) return false;
  for (std::size_t i = 0; i < was.size(); ++i) {
    if (was[i].kind != is[i].kind || was[i].types.size() != is[i].types.size()) return false;
    for (std::size_t k = 0; k < was[i].types.size(); ++k)
      if (!same_pointer(was[i].types[k], before.indirect_types, is[i].types[k], after.indirect_types)) return false;
  }
  return true;
}

std::string SameExceptions::difference(const Symbol& function_before, const FunctionCode& before,
                                       const Symbol& function_after, const FunctionCode& after) {
  if (!tables_before_) tables_before_.emplace(before_);
  if (!tables_after_) tables_after_.emplace(after_);
  const auto was = tables_before_->of(function_before.address);
  if (!was) return was.error().message;
  const auto is = tables_after_->of(function_after.address);
  if (!is) return is.error().message;
  const std::string elsewhere = "exceptions in it are handled elsewhere";
  if (was->has_table != is->has_table || was->call_sites.size() != is->call_sites.size()) return elsewhere;
  if (!same_pointer(was->personality, was->indirect_personality, is->personality, is->indirect_personality))
    return "exceptions in it are handled by other rules";
  for (std::size_t i = 0; i < was->call_sites.size(); ++i) {
    const CallSite& site_before = was->call_sites[i];
    const CallSite& site_after = is->call_sites[i];
    if (!same_index(before.index_of(site_before.begin), after.index_of(site_after.begin)) ||
        !same_index(before.index_of(site_before.end), after.index_of(site_after.end)) ||
        !same_pointer(site_before.landing_pad, false, site_after.landing_pad, false))
      return elsewhere;
    if (!same_actions(*was, site_before.actions, *is, site_after.actions)) return "it catches other types";
  }
  return "";
}

}  // namespace torchgate::code
