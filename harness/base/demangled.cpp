// SPDX-License-Identifier: Apache-2.0
#include "harness/base/demangled.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace torchgate::base {
namespace {

constexpr std::size_t longest = 80;
/// The demangler's work grows faster than the length of what it reads.
constexpr std::size_t longest_symbol = 2000;

// "f(int)::{lambda()#1}::operator()(int) const" has several pairs: the last one that is not within < > begins the parameters.
std::size_t parameters_of(const std::string& name) {
  int depth = 0;
  for (std::size_t i = name.size(); i > 0; --i) {
    const char c = name[i - 1];
    if (c == ')' || c == '>') ++depth;
    if (c != '(' && c != '<') continue;
    --depth;
    if (depth == 0 && c == '(') return i - 1;
  }
  return name.size();
}

}  // namespace

std::string demangled(const std::string& symbol) {
  std::string name = symbol;
  if (symbol.starts_with("_Z") && symbol.size() <= longest_symbol) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
    if (status == 0 && text != nullptr) {
      name = text.get();
      const std::size_t parameters = parameters_of(name);
      if (parameters > 0) name.resize(parameters);
    }
  }
  // What it is comes first, and the function itself last: the arguments of templates are between them.
  constexpr std::size_t half = (longest - 3) / 2;
  if (name.size() > longest) name = name.substr(0, longest - 3 - half) + "..." + name.substr(name.size() - half);
  return name;
}

}  // namespace torchgate::base
