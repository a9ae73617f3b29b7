// SPDX-License-Identifier: Apache-2.0
#include "harness/record/variables.hpp"

#include <algorithm>
#include <array>

namespace torchgate::record {
namespace {

constexpr std::array<std::string_view, 9> places{
    "CUDA_HOME",           "CUDA_PATH", "CUDA_VISIBLE_DEVICES",   "LD_LIBRARY_PATH",
    "LD_ORIGIN_PATH",      "MKLROOT",   "NVIDIA_VISIBLE_DEVICES", "TORCH_HOME",
    "TORCH_EXTENSIONS_DIR"};

bool begins_a_variable(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos || equals == 0) return false;
  return std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals), [](char c) {
    return c == '_' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  });
}

}  // namespace

// A word that begins no variable belongs to the value before it.
Variables variables_of(std::string_view text) {
  Variables variables;
  auto last = variables.end();
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (begins_a_variable(word)) {
      const std::size_t equals = word.find('=');
      last =
          variables.insert_or_assign(std::string(word.substr(0, equals)), std::string(word.substr(equals + 1))).first;
    } else if (last != variables.end()) {
      last->second += ' ';
      last->second += word;
    }
  }
  return variables;
}

bool is_language_or_place(std::string_view variable) {
  return variable.starts_with("LANG") || variable.starts_with("LC_") ||
         std::find(places.begin(), places.end(), variable) != places.end();
}

}  // namespace torchgate::record
