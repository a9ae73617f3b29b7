// SPDX-License-Identifier: Apache-2.0
// See README.md one folder up.
#pragma once

#include <memory>

namespace gloo::transport {

class Device;
class UnboundBuffer;

}  // namespace gloo::transport
