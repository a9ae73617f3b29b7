// SPDX-License-Identifier: Apache-2.0
#include "tests/harness/machine/captured_machine.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace torchgate::machine::testing {

namespace fs = std::filesystem;

CapturedMachine::CapturedMachine(const std::string& name) {
  sources.root = folder_.path();
  fs::copy(fs::path(TORCHGATE_TESTS_DIR) / "fixtures" / "machine" / name, sources.root, fs::copy_options::recursive);
  sources.cpus = {0, 1};
  sources.architecture = "x86_64";
  sources.kernel = "6.1.0";
  sources.hostname = "runner-7";
  sources.libc = "glibc 2.36";
}

fs::path CapturedMachine::file(const std::string& path) const {
  return sources.root / fs::path(path).relative_path();
}

void CapturedMachine::write(const std::string& path, const std::string& text) {
  fs::create_directories(file(path).parent_path());
  std::ofstream(file(path)) << text;
}

void CapturedMachine::replace(const std::string& path, const std::string& from, const std::string& to) {
  std::ifstream stream(file(path));
  std::string text(std::istreambuf_iterator<char>(stream), {});
  stream.close();
  std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("'" + from + "' is not in " + path);
  for (; at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
  write(path, text);
}

void CapturedMachine::remove(const std::string& path) {
  if (fs::remove_all(file(path)) == 0) throw std::logic_error("there is no " + path);
}

std::string value_of(const record::Machine& machine, const std::string& name) {
  for (const record::MachineFact& fact : machine.facts)
    if (fact.name == name) return fact.value ? *fact.value : "unknown: " + fact.unknown_reason;
  return "absent";
}

}  // namespace torchgate::machine::testing
