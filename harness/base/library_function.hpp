// SPDX-License-Identifier: Apache-2.0
// Functions of a library that is loaded at run time.
#pragma once

#include <dlfcn.h>

namespace torchgate::base {

/// FUNCTION becomes the one called NAME in LIBRARY (of dlopen); false: it has none.
template <class Function>
bool find_function(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace torchgate::base
