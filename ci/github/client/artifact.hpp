// SPDX-License-Identifier: Apache-2.0
// Artifacts of workflow runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ci/github/client/api.hpp"
#include "harness/base/result.hpp"

namespace torchgate::github {

/// The zip file of the newest artifact NAME of workflow run RUN, as bytes; what it holds is not looked at. not_found: the run has no such
/// artifact (its job ended early), or only that of an earlier attempt whose measuring was started again, or it has expired; bad_input: it is larger than max_artifact_bytes.
/// With UPLOADED, the number that the measuring job's upload gave to the job that asks: not_found if the newest one has another number. Its
/// attempt is not asked then, as the measuring jobs that were started again are those of another call.
base::Result<std::string> download_artifact(Api& api, std::int64_t run, const std::string& name,
                                            std::optional<std::int64_t> uploaded = std::nullopt);

}  // namespace torchgate::github
