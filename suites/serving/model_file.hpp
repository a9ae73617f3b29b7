// SPDX-License-Identifier: Apache-2.0
// A network that a server reads from a file, as the servers of trained models do.
#pragma once

#include "suites/common/models.hpp"
#include "suites/serving/model_server.hpp"

namespace torchgate::suites::serving {

/// Writes the network as a frozen TorchScript archive to a temporary folder, and serves what is read from there. Throws c10::Error if its answers are
/// not those of the network.
ModelServer::Model model_from_file(Mlp network);

}  // namespace torchgate::suites::serving
