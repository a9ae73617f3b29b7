// SPDX-License-Identifier: Apache-2.0
// Whether the two sides of a case read the same: other data are a reason for another time that no code shows.
#pragma once

#include <string>

#include "ci/workflow/code/code_files.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

/// Of the files and variables that a case's processes read in RUN, and the libraries that they loaded: what differs between the sides, or why
/// that is not known, as a sentence. Empty: nothing does, or its program does not tell what it reads (one of Google Benchmark). A library that
/// FILES has compared may differ.
std::string why_inputs_differ(const record::Run& run, const std::string& case_name, const CodeFiles& files);

}  // namespace torchgate::workflow
