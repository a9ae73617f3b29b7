// SPDX-License-Identifier: Apache-2.0
#include "baselines/safe_name.hpp"

namespace torchgate::baselines {

bool is_safe_folder_name(std::string_view text) {
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  return !text.empty() && text.size() <= 128 && text.front() != '.' &&
         text.find_first_not_of(allowed) == std::string_view::npos;
}

}  // namespace torchgate::baselines
