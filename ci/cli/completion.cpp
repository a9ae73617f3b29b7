// SPDX-License-Identifier: Apache-2.0
#include "ci/cli/completion.hpp"

#include <algorithm>
#include <array>

namespace torchgate::cli {
namespace {

constexpr std::array known_shells{Shell{"bash", bash_completion}, Shell{"fish", fish_completion},
                                  Shell{"zsh", zsh_completion}};

}  // namespace

std::span<const Shell> shells() {
  return known_shells;
}

const Shell* find_shell(std::string_view name) {
  const auto* const found =
      std::find_if(known_shells.begin(), known_shells.end(), [name](const Shell& shell) { return shell.name == name; });
  return found == known_shells.end() ? nullptr : found;
}

}  // namespace torchgate::cli
