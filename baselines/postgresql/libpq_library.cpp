// SPDX-License-Identifier: Apache-2.0
#include "baselines/postgresql/libpq_library.hpp"

#include <dlfcn.h>

namespace torchgate::baselines::postgresql {
namespace {

using base::Error;
using base::ErrorCode;

constexpr const char* libpq_name = "libpq.so.5";  // since PostgreSQL 8.2; tcp_user_timeout needs libpq 12

template <class Function>
bool find_libpq_function(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

base::Result<LibpqLibrary> load_libpq() {
  void* const library = dlopen(libpq_name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return Error{ErrorCode::not_found,
                 "libpq.so.5: not installed, and a store in PostgreSQL needs it; install it (apt-get install libpq5)"};
  LibpqLibrary libpq;
  const bool complete = find_libpq_function(library, "PQconninfoParse", libpq.conninfo_parse) &&
                        find_libpq_function(library, "PQconninfoFree", libpq.conninfo_free) &&
                        find_libpq_function(library, "PQconnectdbParams", libpq.connect) &&
                        find_libpq_function(library, "PQstatus", libpq.status) &&
                        find_libpq_function(library, "PQerrorMessage", libpq.error_message) &&
                        find_libpq_function(library, "PQfinish", libpq.finish) &&
                        find_libpq_function(library, "PQsetNoticeProcessor", libpq.set_notice_processor) &&
                        find_libpq_function(library, "PQexec", libpq.exec) &&
                        find_libpq_function(library, "PQexecParams", libpq.exec_params) &&
                        find_libpq_function(library, "PQresultStatus", libpq.result_status) &&
                        find_libpq_function(library, "PQresultErrorField", libpq.result_error_field) &&
                        find_libpq_function(library, "PQclear", libpq.clear) &&
                        find_libpq_function(library, "PQntuples", libpq.ntuples) &&
                        find_libpq_function(library, "PQgetvalue", libpq.getvalue) &&
                        find_libpq_function(library, "PQgetlength", libpq.getlength) &&
                        find_libpq_function(library, "PQgetisnull", libpq.getisnull) &&
                        find_libpq_function(library, "PQcmdStatus", libpq.cmd_status) &&
                        find_libpq_function(library, "PQcmdTuples", libpq.cmd_tuples) &&
                        find_libpq_function(library, "PQfreemem", libpq.freemem);
  if (!complete) return Error{ErrorCode::not_found, "libpq.so.5: a function is missing; reinstall libpq5"};
  return libpq;
}

}  // namespace

base::Result<const LibpqLibrary*> libpq_library() {
  static const base::Result<LibpqLibrary> loaded = load_libpq();
  if (!loaded) return loaded.error();
  return &*loaded;
}

}  // namespace torchgate::baselines::postgresql
