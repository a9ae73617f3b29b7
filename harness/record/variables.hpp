// SPDX-License-Identifier: Apache-2.0
// Environment variables as the facts of a machine hold them: "OMP_NUM_THREADS=1 OMP_WAIT_POLICY=active".
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace torchgate::record {

/// Facts of class info and warn: the variables that the libraries of a suite may read, and those of them that change what is measured.
inline constexpr const char* library_environment_fact = "library_environment";
inline constexpr const char* environment_switches_fact = "environment_switches";

using Variables = std::map<std::string, std::string>;

/// Of "NAME=value OTHER=its value"; empty of "none".
Variables variables_of(std::string_view text);

/// The language of messages, and places and devices, which differ between equal machines: which objects were loaded is known by their hashes,
/// and which device was used by its facts.
bool is_language_or_place(std::string_view variable);

}  // namespace torchgate::record
