// SPDX-License-Identifier: Apache-2.0
// What compiling costs: Python exports the model and compiles it, with an empty cache. Takes half a minute: nightly, where it is compared
// with the nights before.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <system_error>

#include "harness/bench/torch/suite.hpp"
#include "suites/compile/gated.hpp"
#include "suites/compile/package.hpp"

namespace torchgate::suites::inductor {
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

// build_time is that of Python's start, of exporting, compiling and loading the package; export_time and compile_time are parts of it.
Timed compiled(const Args& args) {
  constexpr std::int64_t batch = 8;
  constexpr double ns_per_s = 1e9;
  const auto folder = std::make_shared<RemovedFolder>();
  const std::string cache = folder->path + "/cache";  // made by the compilation
  compile_into(args, folder->path, cache);
  const Package package(folder->path + "/gated_8.pt2", batch);
  const Numbers numbers{{"kernels", package.number("kernels")},
                        {"own_cache", std::filesystem::is_directory(cache) ? 1.0 : 0.0},
                        {"export_time", package.number("export_s") * ns_per_s},
                        {"compile_time", package.number("compile_s") * ns_per_s}};
  return [folder, package, x = rows(args, batch), numbers](Recorder& recorder) {
    put_all(numbers, recorder);
    return package(x);
  };
}

TORCHGATE_GROUP("inductor") {
  group.cold(1).only_full().artefact("compiler.txt").measures(count("kernels")).measures(count("own_cache"));
  group.measures(ns("export_time")).measures(ns("compile_time"));
  group.sweep("cold_cache", compiled).proves(metric("kernels") >= 1).proves(metric("own_cache") == 1);
}

}  // namespace
}  // namespace torchgate::suites::inductor
