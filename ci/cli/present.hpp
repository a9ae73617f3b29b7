// SPDX-License-Identifier: Apache-2.0
// A finished result on standard output and in files: a report, a matrix, a history, an explanation, a calibration, the doctor's rows.
#pragma once

#include <string>

#include "ci/cli/console.hpp"
#include "ci/cli/shared_options.hpp"
#include "reports/formats/registry.hpp"

namespace torchgate::cli {

/// Whether FLAGS name formats of this model, and files that can be written: ask before measuring what is to be shown in them.
template <class Model>
base::Result<void> check_show_flags(const ShowFlags& flags);

/// Whether a page is asked for: only that draws the histories of cases, which have to be read from a store.
bool wants_page(const ShowFlags& flags);

/// Prints and writes what was asked for.
template <class Model>
base::Result<void> show(const Model& model, const ShowFlags& flags, const Console& console);

/// Saves the report as the newest one, which `torchgate accept` reads; warns where that fails.
void keep_for_accept(const reports::Report& report, const Console& console);

/// The same for a command that leaves no files behind: where something fails or warns, or where an older report would be read
/// in the place of this one.
void keep_where_accept_may_follow(const reports::Report& report, const Console& console);

/// show(), and the exit code of the report, unless a file cannot be written.
ExitCode present(const reports::Report& report, const ShowFlags& flags, const Console& console);

}  // namespace torchgate::cli
