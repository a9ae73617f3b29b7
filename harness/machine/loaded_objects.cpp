// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/loaded_objects.hpp"

#include <link.h>
#include <sys/stat.h>

#include <string>
#include <system_error>

namespace torchgate::machine {
namespace {

/// DT_SONAME from the mapped dynamic section; the string table's address is relocated by glibc on some architectures
/// and not on others.
std::string soname_of(const dl_phdr_info& info) {
  for (ElfW(Half) i = 0; i < info.dlpi_phnum; ++i) {
    if (info.dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const auto* entry = reinterpret_cast<const ElfW(Dyn)*>(info.dlpi_addr + info.dlpi_phdr[i].p_vaddr);
    ElfW(Addr) strings = 0;
    ElfW(Xword) offset = 0;
    bool named = false;
    for (; entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_STRTAB) strings = entry->d_un.d_ptr;
      if (entry->d_tag == DT_SONAME) offset = entry->d_un.d_val, named = true;
    }
    if (!named || strings == 0) return "";
    if (strings < info.dlpi_addr) strings += info.dlpi_addr;
    return reinterpret_cast<const char*>(strings + offset);
  }
  return "";
}

int collect(dl_phdr_info* info, std::size_t, void* data) {
  auto& objects = *static_cast<std::vector<record::LoadedObject>*>(data);
  record::LoadedObject object;
  object.executable = objects.empty();  // dl_iterate_phdr gives the main program first, without a name
  const std::filesystem::path name = object.executable ? "/proc/self/exe" : info->dlpi_name;
  if (!name.has_root_directory() && name.native().find('/') == std::string::npos) return 0;  // "linux-vdso.so.1"
  std::error_code error;
  const auto canonical = std::filesystem::canonical(name, error);
  object.path = error ? name.string() : canonical.string();
  if (!object.executable) {
    object.soname = soname_of(*info);
    if (object.soname.empty()) object.soname = name.filename();
    object.system = is_system_path(object.path);
  }
  struct stat status {};
  if (stat(object.path.c_str(), &status) == 0) {
    object.bytes = status.st_size;
    object.inode = status.st_ino;
    object.mtime_ns = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  }
  objects.push_back(object);
  return 0;
}

}  // namespace

bool is_system_path(const std::filesystem::path& path) {
  for (const char* const folder : {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"})
    if (path.native().starts_with(folder)) return true;
  return false;
}

std::vector<record::LoadedObject> loaded_objects() {
  std::vector<record::LoadedObject> objects;
  dl_iterate_phdr(collect, &objects);
  return objects;
}

}  // namespace torchgate::machine
