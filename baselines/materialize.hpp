// SPDX-License-Identifier: Apache-2.0
// Restores the suite of a stored run with the libraries it ran with, to confirm suspects against it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "baselines/loaded_check.hpp"
#include "baselines/store.hpp"
#include "harness/base/result.hpp"
#include "harness/record/case.hpp"
#include "harness/record/run.hpp"

namespace torchgate::baselines {

/// A file that must not change while the side is measured.
struct PlacedFile {
  std::filesystem::path path;
  std::string sha256;

  bool operator==(const PlacedFile&) const = default;
};

struct RunnableSide {
  std::filesystem::path executable;
  std::vector<record::Parameter> environment;  ///< to set for its processes; empty if it runs at its original path
  std::vector<ExpectedObject> expected;        ///< for check_loaded
  std::vector<PlacedFile> files;               ///< the executable and every non-system library
};

/// Whether an object may run at its recorded path if its content is unchanged: a record can name any program, so only
/// known ones are allowed. Empty: none, everything comes from the store.
using MayRunInPlace = std::function<bool(const ExpectedObject&)>;

/// Finds the executable and the non-system libraries of SUITE as BASELINE recorded them. When every one of them is
/// unchanged at its original path and IN_PLACE knows it, the result is that path and FOLDER is not touched. Otherwise each is
/// put into FOLDER (which must be absent or empty) from the store or, unchanged and known, from its original path, and its
/// hash verified:
///
///   FOLDER/bin/<executable>   FOLDER/lib/all/<soname>
///
/// so that LD_LIBRARY_PATH=FOLDER/lib/all loads exactly those. Mixing paths would not work: an executable at its
/// original path finds the libraries there through its RUNPATH, whatever version they are now. The files are real ones
/// (hard links or copies), never symbolic links: $ORIGIN of a library must be the folder with its own siblings
/// (LibTorch's DT_RPATH names $ORIGIN, which the loader searches before LD_LIBRARY_PATH, and $ORIGIN/../../nvidia/...,
/// which stays inside FOLDER). An absolute DT_RPATH in the executable overrides LD_LIBRARY_PATH; check_loaded detects
/// that.
///
/// A relative path is never used. STORE may be null: original paths only. not_found names the missing objects and the
/// consequence.
base::Result<RunnableSide> materialize(const Store* store, const record::Run& baseline, const std::string& suite,
                                       const std::filesystem::path& folder, const MayRunInPlace& in_place);

}  // namespace torchgate::baselines
