// SPDX-License-Identifier: Apache-2.0
// Benchmarks of one name in one process: which of them is which, and how they are called.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "harness/import/imported_process.hpp"

namespace torchgate::import {

/// The parameter of a case that has the name of others of its program: how many they are. With another number of them nothing says which one is
/// which, and cases whose parameters differ are not compared.
inline constexpr const char* same_name_parameter = "benchmarks of this name";

/// Of CASES that are several of one name, the second becomes "NAME#2" (or has the next number that is free), and each gets the parameter above. Linear.
void name_same_names(std::vector<ImportedCase>& cases);

/// NAME#NUMBER with the next NUMBER that makes a name which is not in TAKEN; TAKEN then has it.
std::string next_free_name(const std::string& name, std::int64_t& number, std::unordered_set<std::string>& taken);

}  // namespace torchgate::import
