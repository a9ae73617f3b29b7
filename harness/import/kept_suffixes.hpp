// SPDX-License-Identifier: Apache-2.0
// How a Google Benchmark program says in a name how it runs ("/real_time", "/min_time:1"): such suffixes are not part of a case's name, unless they
// tell two benchmarks of the files of a run, or of the runs that are compared, apart.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/import/imported_process.hpp"
#include "harness/record/run.hpp"

namespace torchgate::import {

/// Of PROCESSES of one run: each benchmark has its whole name where another one of its program (LABELS, one per process) has the same name without
/// suffixes, in whatever file. Cases stay sorted.
void keep_suffixes(const std::vector<ImportedProcess*>& processes, const std::vector<std::string>& labels);

/// Old name: new name.
using CaseNames = std::map<std::string, std::string, std::less<>>;

/// Gives cases of RUN their new NAMES, wherever they are named. A case whose other name becomes its name has the old one as its other name.
void rename_cases(record::Run& run, const CaseNames& names);

/// Of a case of a run: its program, with the name behind it; absent: of no known group.
using NameInProgram =
    std::function<std::optional<std::string>(const record::Run&, const record::Case&, const std::string& name)>;

/// Makes RUNS, which will be compared, agree: where one of them needs a benchmark's suffixes, the others have them, too. Runs without such a
/// benchmark do not change.
void align_suffixes(std::span<record::Run* const> runs, const NameInProgram& in_program);

}  // namespace torchgate::import
