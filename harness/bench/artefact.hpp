// SPDX-License-Identifier: Apache-2.0
// Files that a suite was built with and reads: compiled models. They are part of a side like its shared libraries: listed with
// them, hashed, kept with baselines, and restored beside them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/record/process.hpp"

namespace torchgate::bench {

/// Where the artefact FILE_NAME is: in a folder of LD_LIBRARY_PATH (where a stored side is restored), else in the folder
/// "<executable>.artefacts". Absent if there is none.
std::optional<std::string> find_artefact(const std::string& file_name);

/// Why it is missing, as the build noted it ("python3 has no module torch"), and what to do.
std::string why_no_artefact(const std::string& file_name);

/// The artefact as an object of this process. Absent if there is none.
std::optional<record::LoadedObject> artefact_object(const std::string& file_name);

/// Adds those of the artefacts that exist and are not among the objects yet.
void add_artefacts(const std::vector<std::string>& file_names, std::vector<record::LoadedObject>& objects);

}  // namespace torchgate::bench
