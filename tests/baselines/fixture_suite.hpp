// SPDX-License-Identifier: Apache-2.0
// The suite in miniature of fixtures/: installed into a folder, run, and described as a run records it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/record/case.hpp"
#include "harness/record/process.hpp"
#include "harness/record/run.hpp"

namespace torchgate::baselines::testing {

/// Puts version VERSION (1 or 2) of both libraries into FOLDER. Existing ones are replaced by new files, as by an installer.
void install_libraries(int version, const std::filesystem::path& folder);

/// Puts a copy of SPEAKER into FOLDER/speaker, with FOLDER as its run path.
std::filesystem::path install_speaker(const std::filesystem::path& speaker, const std::filesystem::path& folder);

struct Spoken {
  std::string versions;  ///< "11": libvoice 1 with libword 1; empty when it could not be started
  std::string output;
  std::vector<record::LoadedObject> objects;  ///< hashed
};

Spoken speak(const std::filesystem::path& executable, const std::vector<record::Parameter>& environment = {});

/// A run of suite "speaker" that loaded OBJECTS.
record::Run run_that_loaded(const std::vector<record::LoadedObject>& objects);

}  // namespace torchgate::baselines::testing
