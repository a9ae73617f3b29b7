// SPDX-License-Identifier: Apache-2.0
// Private to ci/github: the functions of libcurl that are used, found in the loaded library.
#pragma once

#include <curl/curl.h>

#include "harness/base/result.hpp"

namespace torchgate::github {

struct CurlLibrary {
  CURLcode (*global_init)(long) = nullptr;
  CURL* (*easy_init)() = nullptr;
  // Variadic, as libcurl defines it: the macro of the same name checks types, which a pointer cannot.
  CURLcode (*easy_setopt)(CURL*, CURLoption, ...) = nullptr;
  CURLcode (*easy_perform)(CURL*) = nullptr;
  CURLcode (*easy_getinfo)(CURL*, CURLINFO, ...) = nullptr;
  void (*easy_cleanup)(CURL*) = nullptr;
  const char* (*easy_strerror)(CURLcode) = nullptr;
  curl_slist* (*slist_append)(curl_slist*, const char*) = nullptr;
  void (*slist_free_all)(curl_slist*) = nullptr;
};

/// Loaded once and never unloaded (its TLS library registers handlers for the end of the process).
base::Result<const CurlLibrary*> curl_library();

}  // namespace torchgate::github
