// SPDX-License-Identifier: Apache-2.0
// What a program or its user writes into a file about how it was measured: "build_flags" of a context, the label of a benchmark.
#pragma once

#include <string>
#include <string_view>

#include "harness/import/imported_process.hpp"

namespace torchgate::import {

/// Whether KEY says of VALUE that it is another one in each build or run: "git_sha", "buildDate", "load_avg". Whole words of the key count:
/// "shape", "shards" and "validate" are settings. A time, a folder for one run and an address are of one run, whatever the key.
bool is_of_one_run(std::string_view key, std::string_view value);

/// Whether VALUE is a measurement: a number with decimals or a share, and not a version.
bool is_measured_number(std::string_view key, std::string_view value);

/// VALUE as a fact of PROCESS under KEY, which its user chose; not where it is of one run or too long.
void add_own_fact(ImportedProcess& process, std::string_view key, std::string value);

/// LABEL of benchmark NAME as a fact: "avx512" where it was "scalar" is another code path. One with a decimal number or a share is a
/// measurement: the fact of class info says that there is one. Labels after the first record::most_labels are left out.
void add_label(ImportedProcess& process, const std::string& name, std::string label);

/// The same of what a benchmark has under a KEY: "device of test_x". Not where it is of one run.
void add_label(ImportedProcess& process, std::string_view key, const std::string& name, std::string label);

}  // namespace torchgate::import
