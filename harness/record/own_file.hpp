// SPDX-License-Identifier: Apache-2.0
// Which of the files that a process loaded are a build's own: launched, kept with a baseline and looked at before they run again.
#pragma once

namespace torchgate::record {

/// Not a file of the operating system. An executable marked as the system's is still a build's own. OBJECT is a
/// LoadedObject, or what was made of one.
template <class Object>
bool is_own_file(const Object& object) {
  return object.executable || !object.system;
}

}  // namespace torchgate::record
