// SPDX-License-Identifier: Apache-2.0
#include "harness/process/seen_executable.hpp"

#include <fcntl.h>

#include <string_view>
#include <system_error>

namespace torchgate::process {
namespace {

namespace fs = std::filesystem;

/// The target of LINK, opened: following /proc/PID/exe gives the running file, not the one that has its name now.
Descriptor open_if(const FileIdentity& identity, const fs::path& link) {
  Descriptor file(open(link.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (!file.open() || fstat(file.get(), &status) != 0 || identity_of(status) != identity) return {};
  return file;
}

/// The kernel's mark for a file that was removed or replaced while it ran. Without a name left it cannot be part of one.
std::string without_mark(std::string path, const struct stat& status) {
  constexpr std::string_view mark = " (deleted)";
  if (status.st_nlink == 0 && path.ends_with(mark)) path.resize(path.size() - mark.size());
  return path;
}

}  // namespace

void ExecutableWatch::look(pid_t pid) {
  const fs::path link = "/proc/" + std::to_string(pid) + "/exe";
  struct stat status {};
  const auto now = std::chrono::steady_clock::now();
  if (stat(link.c_str(), &status) != 0) return;
  read_at_ = now;
  const FileIdentity identity = identity_of(status);
  if (seen_ && seen_->identity == identity) return;
  std::error_code error;
  const fs::path path = fs::read_symlink(link, error);
  if (error) return;
  seen_ = std::make_shared<const SeenExecutable>(
      SeenExecutable{without_mark(path.string(), status), identity, open_if(identity, link)});
}

void ExecutableWatch::assume(const fs::path& executable) {
  std::error_code error;
  const fs::path path = fs::canonical(executable, error);
  const auto identity = identity_of(path);
  if (seen_ || error || !identity) return;
  read_at_ = std::chrono::steady_clock::now();
  seen_ = std::make_shared<const SeenExecutable>(SeenExecutable{path.string(), *identity, open_if(*identity, path)});
}

}  // namespace torchgate::process
