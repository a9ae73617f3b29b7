// SPDX-License-Identifier: Apache-2.0
// How a fuzz target is written: one function of the input, in one file that is named after the reader. Built with libFuzzer it
// is LLVMFuzzerTestOneInput; built without (TORCHGATE_FUZZ_REPLAY) it is one entry of the table that replay_test.cpp runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace torchgate::fuzz {

/// A guarantee of a reader does not hold. It is not caught under libFuzzer: the program ends where it was thrown.
class BrokenPromise : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

inline void require(bool holds, const std::string& promise) {
  if (!holds) throw BrokenPromise(promise);
}

/// Called where the reader took the input: replays check that a target gets there with its own seeds. A target that refuses
/// everything would find nothing.
void accepted();
/// How often that was since the program began.
std::size_t accepted_inputs();

/// Stands between the parts of an input that has several: two runs, or a file's name and another file's content. JSON text
/// cannot contain it (RFC 7464).
inline constexpr char part_separator = '\x1e';

/// At most MOST parts of INPUT; the last one is the rest.
std::vector<std::string_view> parts_of(std::string_view input, std::size_t most);

struct Target {
  std::string name;
  void (*run)(std::string_view input) = nullptr;
};

inline void PrintTo(const Target& target, std::ostream* out) {  // NOLINT(readability-identifier-naming): GoogleTest's
  *out << target.name;
}

/// All targets linked into this program, by name.
std::vector<Target>& targets();

/// For TORCHGATE_FUZZ_TARGET.
bool add_target(const char* name, void (*run)(std::string_view input));

}  // namespace torchgate::fuzz

#ifdef TORCHGATE_FUZZ_REPLAY
#define TORCHGATE_FUZZ_ENTRY(name) const bool fuzz_##name##_is_known = torchgate::fuzz::add_target(#name, &fuzz_##name);
#else
#define TORCHGATE_FUZZ_ENTRY(name)                                                    \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
    fuzz_##name(std::string_view(reinterpret_cast<const char*>(data), size));         \
    return 0;                                                                         \
  }
#endif

/// TORCHGATE_FUZZ_TARGET(run_record) { ... input ... }, outside of any namespace.
#define TORCHGATE_FUZZ_TARGET(name)                \
  static void fuzz_##name(std::string_view input); \
  TORCHGATE_FUZZ_ENTRY(name)                       \
  static void fuzz_##name(std::string_view input)
