// SPDX-License-Identifier: Apache-2.0
// Requests of this program to Callgrind, which are a few instructions without effect outside of Callgrind. Built without Valgrind's headers
// (Debian: valgrind), a suite does not notice that it runs there.
#pragma once

#include <string>

namespace torchgate::bench::callgrind {

bool runs_here();

void start_counting();
void stop_counting();
/// Writes down what was counted since the last time, with NAME, and begins at 0 again.
void write_down(const std::string& name);

/// Why runs_here() is false, where it is.
const char* why_not();

}  // namespace torchgate::bench::callgrind
