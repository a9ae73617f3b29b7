// SPDX-License-Identifier: Apache-2.0
#include "ci/github/client/curl_library.hpp"

#include <dlfcn.h>

#include <array>
#include <string>

#include "harness/base/library_function.hpp"

namespace torchgate::github {
namespace {

using base::Error;
using base::ErrorCode;

// libcurl with OpenSSL (package libcurl4), else the build with GnuTLS, which offers the same functions.
constexpr std::array curl_names = {"libcurl.so.4", "libcurl-gnutls.so.4"};

base::Result<CurlLibrary> load_curl() {
  void* library = nullptr;
  for (const char* name : curl_names) {
    if (library == nullptr) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  }
  if (library == nullptr)
    return Error{ErrorCode::not_found, "libcurl.so.4: not installed; install it (apt-get install libcurl4)"};
  CurlLibrary curl;
  const bool complete = base::find_function(library, "curl_global_init", curl.global_init) &&
                        base::find_function(library, "curl_easy_init", curl.easy_init) &&
                        base::find_function(library, "curl_easy_setopt", curl.easy_setopt) &&
                        base::find_function(library, "curl_easy_perform", curl.easy_perform) &&
                        base::find_function(library, "curl_easy_getinfo", curl.easy_getinfo) &&
                        base::find_function(library, "curl_easy_cleanup", curl.easy_cleanup) &&
                        base::find_function(library, "curl_easy_strerror", curl.easy_strerror) &&
                        base::find_function(library, "curl_slist_append", curl.slist_append) &&
                        base::find_function(library, "curl_slist_free_all", curl.slist_free_all);
  if (!complete) return Error{ErrorCode::not_found, "libcurl.so.4: a function is missing; reinstall libcurl4"};
  if (curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
    return Error{ErrorCode::io, "libcurl.so.4: its TLS library cannot be initialised; reinstall libcurl4"};
  return curl;
}

}  // namespace

base::Result<const CurlLibrary*> curl_library() {
  static const base::Result<CurlLibrary> loaded = load_curl();
  if (!loaded) return loaded.error();
  return &*loaded;
}

}  // namespace torchgate::github
