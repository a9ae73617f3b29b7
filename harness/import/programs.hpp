// SPDX-License-Identifier: Apache-2.0
// Which program measured what: files of several programs in one run, and benchmarks of one name in two of them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/import/imported_process.hpp"
#include "harness/record/run.hpp"

namespace torchgate::import {

/// The shortest ends of PROGRAMS (paths) that tell them apart: "vector.bench", or "core/bench" and "net/bench". A path that is the end of exactly one
/// other one ("bench" of "build/bench") is the same program. In the order of PROGRAMS. Of the statements of pyperf, such as "a//b", which are not
/// paths: each as it is.
std::vector<std::string> program_labels(const std::vector<std::string>& programs, bool paths = true);

/// Gives each of PROCESSES its group: its own, else its program's label, else the tool. A name that benchmarks of several programs have gets the
/// label in front: "vector.bench/BM_swap". Where files do not name their program and have different benchmarks, those in several of them become ambiguous,
/// as does a name that one program has another number of times in another file; a level of times that only one of several files has is noise (odd_levels.hpp). Does not depend on the order. bad_input: such a name is too long.
base::Result<void> tell_programs_apart(const std::vector<ImportedProcess*>& processes);

/// Makes the names of RUNS, which will be compared, agree. Where one needs the suffixes of a Google Benchmark name, the others have them, too
/// (kept_suffixes.hpp). Where one of imported RUNS has the label in front of a name, because it has files of several programs, the others have it, too. Runs of
/// one program each keep their names, whatever the programs are called: of two builds, for example.
void align_names(std::span<record::Run* const> runs);

}  // namespace torchgate::import
