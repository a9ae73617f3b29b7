// SPDX-License-Identifier: Apache-2.0
// A suite whose groups read files in different ways: READING_FILE, and what stands in their names.
#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "harness/bench/bench.hpp"

namespace {

using namespace torchgate::bench;

std::string file() {
  const char* const name = std::getenv("READING_FILE");
  return name == nullptr ? "" : name;
}

// What a case does once, while it is built. Not at all in a listing.
template <class Read>
Factory after(Read read) {
  return [read](const Args&) -> Timed {
    read();
    return [] { return 1; };
  };
}

void stream() {
  std::string line;
  if (!std::getline(std::ifstream(file()) >> std::ws, line)) throw std::runtime_error("cannot read " + file());
}
void stdio() {
  FILE* const opened = std::fopen(file().c_str(), "r");
  if (opened != nullptr) std::fclose(opened);
}
void descriptor() {
  const int opened = open(file().c_str(), O_RDONLY | O_CLOEXEC);
  if (opened >= 0) close(opened);
}
void relative() {
  const int folder = open(".", O_PATH | O_CLOEXEC);
  const int opened = openat(AT_FDCWD, "relative.txt", O_RDONLY | O_CLOEXEC);
  if (opened >= 0) close(opened);
  if (folder >= 0) close(folder);
}
// Never opened: what the process does depends on the answers alone.
void asked() {
  struct stat found {};
  struct statx found_x {};
  const std::string name = file();
  const auto there = [&](const char* end) { return name + '.' + end; };
  (void)std::filesystem::exists(name);
  (void)access(there("access").c_str(), F_OK);
  (void)faccessat(AT_FDCWD, there("faccessat").c_str(), F_OK, 0);
  (void)stat(there("stat").c_str(), &found);
  (void)lstat(there("lstat").c_str(), &found);
  (void)fstatat(AT_FDCWD, there("fstatat").c_str(), &found, 0);
  (void)statx(AT_FDCWD, there("statx").c_str(), 0, STATX_MODE, &found_x);
  (void)std::filesystem::is_directory(std::filesystem::path(name).parent_path());  // is there, and has no content
}
// As one that takes memory for a model before it reads it.
void sized() {
  std::ifstream read(file(), std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(read), {}};
  if (!std::filesystem::exists(file()) || std::filesystem::file_size(file()) != content.size())
    throw std::runtime_error("the size is not that of the content");
}
void made_after_asking() {
  const std::string name = file() + ".own";
  if (!std::filesystem::exists(name)) std::ofstream(name) << "made here";
  const std::string folder = file() + ".folder";
  if (!std::filesystem::exists(folder)) std::filesystem::create_directories(folder + "/inner");
}
void own() {
  const std::string name = file() + ".own";
  std::ofstream(name) << "made here";
  std::string word;
  std::ifstream(name) >> word;
  std::filesystem::remove(name);
}
void changed() {
  stream();
  std::ofstream(file(), std::ios::app) << "more\n";
}
void folder() {
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(file()).parent_path()))
    (void)entry;
}
void moved() {
  const std::string here = std::filesystem::current_path();
  std::filesystem::current_path("/");
  std::ifstream("etc/hostname").peek();
  std::filesystem::current_path(here);
}
void program() {
  if (std::system("true") != 0) throw std::runtime_error("true failed");
}
void spawned() {
  pid_t pid = 0;
  const char* const arguments[] = {"true", nullptr};
  if (posix_spawnp(&pid, "true", nullptr, nullptr, const_cast<char* const*>(arguments), environ) == 0)
    waitpid(pid, nullptr, 0);
}
void forked() {
  const pid_t pid = fork();
  if (pid == 0) _exit(0);
  waitpid(pid, nullptr, 0);
}
void vforked() {
  const pid_t pid = vfork();
  if (pid == 0) _exit(0);
  waitpid(pid, nullptr, 0);
}
void library() {
  if (void* const opened = dlopen("libBrokenLocale.so.1", RTLD_NOW); opened != nullptr) dlclose(opened);
}
// As AOTInductor does with a package: a library is written under a random name, loaded, and stays loaded.
void unpacked() {
  std::string name = file() + ".XXXXXX";
  const int made = mkstemp(name.data());
  std::ifstream packed(file(), std::ios::binary);
  std::string content{std::istreambuf_iterator<char>(packed), {}};
  const bool whole = made >= 0 && write(made, content.data(), content.size()) == static_cast<ssize_t>(content.size());
  if (made >= 0) close(made);
  if (!whole || dlopen(name.c_str(), RTLD_NOW) == nullptr) throw std::runtime_error("cannot unpack " + file());
  std::ofstream(file() + ".name") << name;
}

TORCHGATE_GROUP("nothing") {
  group.sweep("v", after([] {}));
}
TORCHGATE_GROUP("stream") {
  group.sweep("v", after(stream));
}
TORCHGATE_GROUP("stdio") {
  group.sweep("v", after(stdio));
}
TORCHGATE_GROUP("descriptor") {
  group.sweep("v", after(descriptor));
}
TORCHGATE_GROUP("relative") {
  group.sweep("v", after(relative));
}
TORCHGATE_GROUP("asked") {
  group.sweep("v", after(asked));
}
TORCHGATE_GROUP("sized") {
  group.sweep("v", after(sized));
}
TORCHGATE_GROUP("made_after_asking") {
  group.sweep("v", after(made_after_asking));
}
TORCHGATE_GROUP("own") {
  group.sweep("v", after(own));
}
TORCHGATE_GROUP("changed") {
  group.sweep("v", after(changed));
}
TORCHGATE_GROUP("folder") {
  group.sweep("v", after(folder));
}
TORCHGATE_GROUP("moved") {
  group.sweep("v", after(moved));
}
TORCHGATE_GROUP("program") {
  group.sweep("v", after(program));
}
TORCHGATE_GROUP("spawned") {
  group.sweep("v", after(spawned));
}
TORCHGATE_GROUP("forked") {
  group.sweep("v", after(forked));
}
TORCHGATE_GROUP("vforked") {
  group.sweep("v", after(vforked));
}
TORCHGATE_GROUP("library") {
  group.sweep("v", after(library));
}
TORCHGATE_GROUP("unpacked") {
  group.sweep("v", after(unpacked));
}
TORCHGATE_GROUP("many") {
  group.axis("n", {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
                   26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49});

  group.sweep("v", after([] {}));
  group.sweep("w", after([] {}));
}

}  // namespace

TORCHGATE_PLAIN_SUITE("reading")
