// SPDX-License-Identifier: Apache-2.0
// Whether two runs used the same LibTorch. What counts as LibTorch are the libraries of the installation that a process loaded, not every
// file with such a name: torchvision and a project's own operators are code under test.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/record/run.hpp"

namespace torchgate::gate {

/// Those of OBJECTS, which one process or one run loaded, that belong to its LibTorch: named as in LibTorch's own lib/, and in the folder of
/// libtorch_cpu.so, libc10.so or libtorch.so. A folder alone is not enough: a build may copy all its libraries into one.
std::vector<const record::LoadedObject*> libtorch_objects(const std::vector<const record::LoadedObject*>& objects);

/// A library of LibTorch that both runs loaded differs. One that only one of them loaded says nothing: a run of some groups loads fewer. One
/// without a hash is not compared.
bool libtorch_differs(const record::Run& before, const record::Run& after);

/// The same of one side of each, by what its processes and those of unchanged groups loaded.
bool libtorch_differs(const record::Run& before, std::int64_t side_before, const record::Run& after,
                      std::int64_t side_after);

}  // namespace torchgate::gate
