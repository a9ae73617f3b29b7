// SPDX-License-Identifier: Apache-2.0
// What git knows of the files that a suite may read: for programs that do not tell which they open.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ci/gate/pairs/pair_inputs.hpp"
#include "harness/record/run.hpp"

namespace torchgate::workflow {

/// A path that a program may open when it runs, or that may decide what it reads: a build file (which may generate files) and the file of a CI
/// job (which may set variables). Source text, documentation and the files of git are not: what they change is in the executables. Anything
/// else may be, and is.
bool may_be_data(std::string_view path);

/// The first hundred tracked files of this kind, and of text behind them (may_be_text_input), that differ between the commits of the runs; of a modified work tree, between the baseline's commit and the work
/// tree. Absent: not known, because a run names no commit, this clone lacks one, or the work tree is another one by now.
gate::ChangedData changed_data(const record::Run& baseline, const record::Run& current);

/// The commit of BASELINE, where this clone lacks it and has that of CURRENT: after a force push, or in a shallow clone.
std::optional<std::string> missing_commit(const record::Run& baseline, const record::Run& current);

}  // namespace torchgate::workflow
