// SPDX-License-Identifier: Apache-2.0
// Artifacts of workflow runs.
#pragma once

#include <cstdint>
#include <string>

#include "ci/github/client/api.hpp"
#include "harness/base/result.hpp"

namespace torchgate::github {

/// The zip file of the newest artifact NAME of workflow run RUN, as bytes; what it holds is not looked at. not_found: the run has no such
/// artifact (its job ended early), or only that of an earlier attempt whose measuring was started again, or it has expired; bad_input: it is larger than max_artifact_bytes.
base::Result<std::string> download_artifact(Api& api, std::int64_t run, const std::string& name);

}  // namespace torchgate::github
