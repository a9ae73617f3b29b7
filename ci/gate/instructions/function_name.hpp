// SPDX-License-Identifier: Apache-2.0
// A function's name as a person reads it.
#pragma once

#include <string>
#include <string_view>

namespace torchgate::gate {

/// The qualified name in a mangled one (Itanium C++ ABI), without arguments: "_ZN2at6native4add_EiRKNS_6TensorE" is "at::native::add_",
/// template arguments are "<...>", a lambda in a function is its "::{local}". What it does not understand is returned as it is. Linear, unlike __cxa_demangle, whose output can
/// be exponentially long: names come from records.
std::string readable_function_name(std::string_view name);

}  // namespace torchgate::gate
