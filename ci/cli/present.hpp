// SPDX-License-Identifier: Apache-2.0
// A finished report to the terminal and to files.
#pragma once

#include <string>

#include "ci/cli/arguments.hpp"
#include "ci/cli/console.hpp"
#include "reports/report.hpp"

namespace torchgate::cli {

/// Whether the files that FLAGS name can be written: ask before measuring what is to be shown in them.
base::Result<void> check_writable(const ShowFlags& flags);

/// Prints and writes what was asked for; the exit code is the report's, unless a file cannot be written.
ExitCode present(const reports::Report& report, const ShowFlags& flags, const Console& console);

/// In one format, to a file or to out. The exit code says whether that worked, not what the report says.
ExitCode present_as(const reports::Report& report, const std::string& format, const std::optional<std::string>& file,
                    bool verbose, const Console& console);

}  // namespace torchgate::cli
