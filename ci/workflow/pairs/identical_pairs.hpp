// SPDX-License-Identifier: Apache-2.0
// This runner's record of pairs whose two sides ran identical files: how often the test called them different. Kept in the
// workspace, one row for each report that had such pairs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/result.hpp"
#include "harness/record/run.hpp"
#include "reports/report.hpp"

namespace torchgate::workflow {

inline constexpr const char* identical_pairs_file = ".torchgate/identical-pairs.json";

struct IdenticalRow {
  std::string run;  ///< id of the pairs
  std::string created;
  std::string host_key;
  reports::IdenticalPairs pairs;
};

/// Oldest first; none where there is no file. bad_input: a file that is not such a record.
base::Result<std::vector<IdenticalRow>> load_identical_pairs(const std::filesystem::path& file = identical_pairs_file);

/// Adds ROW, unless its run is in the record already: pairs may be judged again. The newest 10,000 rows are kept.
base::Result<void> add_identical_pairs(const IdenticalRow& row,
                                       const std::filesystem::path& file = identical_pairs_file);

/// Over the rows of HOST_KEY.
reports::IdenticalPairs total_of(const std::vector<IdenticalRow>& rows, const std::string& host_key);

/// Says in REPORT what the record of this host has: a note, and a doubt where more than ALPHA of the comparisons were called
/// different (and not by a single one, which may be chance). Nothing without comparisons.
void tell_identical_pairs(const reports::IdenticalPairs& total, double alpha, reports::Report& report);

/// Keeps what REPORT has of PAIRS and says in it what the record has.
base::Result<void> remember_identical_pairs(const record::Run& pairs, double alpha, reports::Report& report);

/// The newest rows of HOST_KEY and their total, as text; empty without any.
std::string identical_pairs_table(std::vector<IdenticalRow> rows, const std::string& host_key);

}  // namespace torchgate::workflow
