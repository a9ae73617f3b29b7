// SPDX-License-Identifier: Apache-2.0
#include "ci/gate/evidence/libtorch.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace torchgate::gate {
namespace {

namespace fs = std::filesystem;

/// The libraries that PyTorch's own build installs (the CMakeLists.txt of c10, caffe2 and torch, 1.13 to 2.11), without those of others
/// that its packages bundle.
constexpr std::array<std::string_view, 16> libtorch_names{
    "libc10",           "libc10_cuda",       "libc10_hip",           "libc10_xpu",
    "libcaffe2_nvrtc",  "libtorch",          "libtorch_cpu",         "libtorch_cuda",
    "libtorch_cuda_cu", "libtorch_cuda_cpp", "libtorch_cuda_linalg", "libtorch_hip",
    "libtorch_xpu",     "libtorch_nvshmem",  "libtorch_python",      "libtorch_global_deps"};

/// Every program with LibTorch loads one of them, and no other project has a library of that name.
constexpr std::array<std::string_view, 3> core_names{"libc10", "libtorch", "libtorch_cpu"};

/// Without ".so" and what follows: Debian's names end in a version.
std::string name_of(const record::LoadedObject& object) {
  const std::string name = object.soname.empty() ? fs::path(object.path).filename().string() : object.soname;
  return name.substr(0, name.find(".so"));
}

template <class Names>
bool has(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

using Contents = std::map<std::string, std::set<std::string>>;  // by name

Contents contents_of(const std::vector<const record::LoadedObject*>& objects) {
  Contents contents;
  for (const record::LoadedObject* object : libtorch_objects(objects))
    if (!object->sha256.empty()) contents[name_of(*object)].insert(object->sha256);
  return contents;
}

Contents contents_of(const record::Run& run) {
  std::vector<const record::LoadedObject*> objects;
  objects.reserve(run.objects.size());
  for (const record::LoadedObject& object : run.objects) objects.push_back(&object);
  return contents_of(objects);
}

// Those of groups that were left out as unchanged are part of a run, too.
Contents contents_of(const record::Run& run, std::int64_t side) {
  std::set<std::int64_t> indices;
  for (const record::Process& process : run.processes)
    if (process.side == side) indices.insert(process.objects.begin(), process.objects.end());
  if (run.sides.size() == 1)
    for (const record::UnchangedGroup& group : run.unchanged)
      indices.insert(group.objects.begin(), group.objects.end());
  std::vector<const record::LoadedObject*> objects;
  objects.reserve(indices.size());
  for (const std::int64_t index : indices) objects.push_back(&run.objects.at(static_cast<std::size_t>(index)));
  return contents_of(objects);
}

// Where a run has several contents of a name, as of two suites, a run of some groups has some of them.
bool differ(const Contents& before, const Contents& after) {
  return std::any_of(after.begin(), after.end(), [&](const auto& each) {
    const auto was = before.find(each.first);
    if (was == before.end()) return false;
    return !std::ranges::includes(was->second, each.second) && !std::ranges::includes(each.second, was->second);
  });
}

}  // namespace

std::vector<const record::LoadedObject*> libtorch_objects(const std::vector<const record::LoadedObject*>& objects) {
  std::set<fs::path> folders;
  for (const record::LoadedObject* object : objects)
    if (!object->executable && has(core_names, name_of(*object))) folders.insert(fs::path(object->path).parent_path());
  std::vector<const record::LoadedObject*> own;
  for (const record::LoadedObject* object : objects) {
    if (object->executable || !has(libtorch_names, name_of(*object))) continue;
    if (folders.contains(fs::path(object->path).parent_path())) own.push_back(object);
  }
  return own;
}

bool libtorch_differs(const record::Run& before, const record::Run& after) {
  return differ(contents_of(before), contents_of(after));
}

bool libtorch_differs(const record::Run& before, std::int64_t side_before, const record::Run& after,
                      std::int64_t side_after) {
  return differ(contents_of(before, side_before), contents_of(after, side_after));
}

}  // namespace torchgate::gate
