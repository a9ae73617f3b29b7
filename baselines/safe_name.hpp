// SPDX-License-Identifier: Apache-2.0
// What may be part of the name of a file or folder in a store.
#pragma once

#include <string_view>

namespace torchgate::baselines {

/// Letters, digits and `._-`, not starting with a dot: safe as the name of a folder.
bool is_safe_folder_name(std::string_view text);

}  // namespace torchgate::baselines
