// SPDX-License-Identifier: Apache-2.0
// What compiling costs: Python exports the model and compiles it, with an empty cache. Takes half a minute: nightly.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <system_error>

#include "harness/bench/torch/suite.hpp"
#include "suites/compile/gated.hpp"
#include "suites/compile/package.hpp"

namespace {

using namespace torchgate::bench;
using namespace torchgate::suites::compile;

// The command that made the artefacts: "env PYTHONPATH=... python3 .../packages.py".
std::string compiler_of(const Args& args) {
  std::ifstream file(args.artefact("compiler.txt"));
  std::string command;
  std::getline(file, command);
  return command;
}

void compile_into(const Args& args, const std::string& folder, const std::string& cache) {
  const std::string command =
      "TORCHINDUCTOR_CACHE_DIR='" + cache + "' " + compiler_of(args) + " '" + folder + "' gated_8.pt2 1>&2";
  if (std::system(command.c_str()) != 0) throw std::runtime_error("compiling failed; Python's message is above");
}

std::string new_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "torchgate-inductor-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder could be made");
  return name;
}

struct RemovedFolder {
  std::string path = new_folder();
  ~RemovedFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

// build_time is that of the compilation, and of loading the package.
Timed compiled(const Args& args) {
  constexpr std::int64_t batch = 8;
  const auto folder = std::make_shared<RemovedFolder>();
  compile_into(args, folder->path, folder->path + "/cache");
  const Package package(folder->path + "/gated_8.pt2", batch);
  return [folder, package, x = rows(args, batch), kernels = package.number("kernels")](Recorder& recorder) {
    recorder.put("kernels", kernels);
    return package(x);
  };
}

TORCHGATE_GROUP("inductor") {
  group.cold(1).only_full().artefact("compiler.txt").measures(count("kernels"));
  group.sweep("cold_cache", compiled).proves(metric("kernels") >= 1);
}

}  // namespace
