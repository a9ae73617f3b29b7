// SPDX-License-Identifier: Apache-2.0
#include "suites/compile/package.hpp"

#include <sys/statvfs.h>
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>
#include <torch/csrc/jit/serialization/import.h>  // PyTorchStreamReader
#include <torch/torch.h>

#include <cstdlib>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "harness/bench/run/cpu_feature.hpp"
#include "harness/bench/skip.hpp"
#include "harness/bench/torch/suite.hpp"

namespace torchgate::suites::compile {
namespace {

using torch::inductor::AOTIModelPackageLoader;

/// Whether this CPU executes what Inductor calls by that name. Names that are not known here say nothing.
bool is_executed_here([[maybe_unused]] const std::string& instruction_set) {
#if defined(__x86_64__)
  if (instruction_set == "AVX2") return __builtin_cpu_supports("avx2");
  if (instruction_set == "AVX512")  // what Inductor compiles with
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  if (instruction_set == "AVX512_VNNI") return __builtin_cpu_supports("avx512vnni");
  if (instruction_set == "AMX_TILE") return !bench::missing_cpu_feature("amx_tile");
#endif
  return true;
}

/// What the metadata of the package says: "AVX512 AVX512_VNNI"; empty if it says nothing. load_metadata_from_package() would unpack a folder: the harness
/// does not know what a process has read that lists folders.
std::string instruction_sets_of(const std::string& path) {
  static const std::regex entry(R"re("AOTI_CPU_ISA": *"([^"]*)")re");
  caffe2::serialize::PyTorchStreamReader package(path);
  for (const std::string& name : package.getAllRecords()) {
    if (!name.ends_with("_metadata.json")) continue;
    const auto [bytes, size] = package.getRecord(name);
    const std::string text(static_cast<const char*>(bytes.get()), size);
    std::smatch found;
    if (std::regex_search(text, found, entry)) return found[1];
  }
  return "";
}

// Not left to the loader: it runs the package's code, and an instruction that the CPU does not have ends the process.
void check_instruction_sets(const std::string& path) {
  std::istringstream names(instruction_sets_of(path));
  std::string name;
  while (names >> name) {
    if (!is_executed_here(name)) throw bench::Skip("compiled for " + name + ", which this CPU lacks");
  }
}

bool is_noexec(const std::filesystem::path& folder) {
  struct statvfs found {};
  return statvfs(folder.c_str(), &found) == 0 && (found.f_flag & ST_NOEXEC) != 0;
}

std::shared_ptr<AOTIModelPackageLoader> loaded(const std::string& path) {
  static std::set<std::string> checked;  // once: loading is what some groups measure
  if (!checked.contains(path)) check_instruction_sets(path);
  checked.insert(path);
  try {
    // One thread runs it: then no lock and no pool of instances is in the way.
    return std::make_shared<AOTIModelPackageLoader>(path, "model", /*run_single_threaded=*/true);
  } catch (const std::exception&) {
    const auto folder = std::filesystem::temp_directory_path();  // where it is unpacked
    if (!is_noexec(folder)) throw;
    throw bench::Skip("a compiled model is unpacked in " + folder.string() +
                      " and cannot run there: the file system is mounted with noexec; set TMPDIR to another folder");
  }
}

std::shared_ptr<AOTIModelPackageLoader> loader_of(const std::string& path) {
  static std::map<std::string, std::shared_ptr<AOTIModelPackageLoader>> known;
  auto& loader = known[path];
  if (loader == nullptr) loader = loaded(path);
  return loader;
}

}  // namespace

Package::Package(const std::string& path, std::optional<std::int64_t> batch) : Package(loader_of(path), batch) {}

Package::Package(std::shared_ptr<Loader> loader, std::optional<std::int64_t> batch)
    : loader_(std::move(loader)), batch_(batch) {}

Package Package::loaded_anew(const std::string& path, std::optional<std::int64_t> batch) {
  return {loaded(path), batch};
}

torch::Tensor Package::operator()(const torch::Tensor& x) const {
  return outputs({x}).front();
}

std::vector<torch::Tensor> Package::outputs(const std::vector<torch::Tensor>& inputs) const {
  for (const torch::Tensor& each : inputs) {
    if (batch_ && each.size(0) != *batch_)
      throw std::invalid_argument("the package is compiled for " + std::to_string(*batch_) + " rows, not for " +
                                  std::to_string(each.size(0)));
  }
  return loader_->run(inputs);
}

std::string Package::text(const std::string& key) const {
  const auto metadata = loader_->get_metadata();
  const auto found = metadata.find("torchgate_" + key);
  if (found == metadata.end())
    throw std::runtime_error("torchgate_" + key +
                             " is missing in the package; make it with suites/compile/packages.py");
  return found->second;
}

double Package::number(const std::string& key) const {
  return std::strtod(text(key).c_str(), nullptr);
}

Numbers Package::numbers(std::span<const char* const> keys) const {
  Numbers found;
  for (const char* key : keys) found[key] = number(key);
  return found;
}

std::map<std::string, torch::Tensor> Package::constants() const {
  const auto map = loader_->get_runner()->extract_constants_map(/*use_inactive=*/false);
  return {map.begin(), map.end()};
}

void Package::use_constants(std::map<std::string, torch::Tensor> constants) {
  std::unordered_map<std::string, torch::Tensor> given(constants.begin(), constants.end());
  loader_->load_constants(given, /*use_inactive=*/false, /*check_full_update=*/true, /*user_managed=*/true);
  kept_alive_ = std::move(constants);
}

bench::Timed calls_of(Package package, torch::Tensor x) {
  return [package = std::move(package), x = std::move(x)] { return package(x); };
}

void put_all(const Numbers& numbers, bench::Recorder& recorder) {
  for (const auto& [name, value] : numbers) recorder.put(name, value);
}

}  // namespace torchgate::suites::compile
