// SPDX-License-Identifier: Apache-2.0
// How the file that includes this was compiled, as far as the preprocessor knows (UBSan leaves no trace in it).
#pragma once

namespace torchgate::machine::doctor {

inline constexpr const char* optimised_build = "optimised";

namespace {  // of each file: files of one program may be compiled differently

[[maybe_unused]] constexpr const char* build_kind() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return "with a sanitizer";
#elif !defined(NDEBUG)
  return "assertions on";
#elif defined(__GNUC__) && !defined(__OPTIMIZE__)
  return "not optimised";
#else
  return optimised_build;
#endif
}

}  // namespace

}  // namespace torchgate::machine::doctor
