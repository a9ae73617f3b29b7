// SPDX-License-Identifier: Apache-2.0
// Records of arbitrary content that are valid: names from all of Unicode, doubles of every size, anything optional
// there or not.
#pragma once

#include <rapidcheck.h>

#include "harness/record/run.hpp"

namespace torchgate::record::testing {

/// Run::samples is absent unless `with_samples_file`; about half of the timed measurements have raw samples.
rc::Gen<Run> arbitrary_run(bool with_samples_file);
rc::Gen<ProcessReport> arbitrary_report();

rc::Gen<std::string> arbitrary_text();
rc::Gen<double> arbitrary_double();

}  // namespace torchgate::record::testing
