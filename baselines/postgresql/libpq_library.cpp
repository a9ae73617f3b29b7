// SPDX-License-Identifier: Apache-2.0
#include "baselines/postgresql/libpq_library.hpp"

#include <dlfcn.h>

#include "harness/base/library_function.hpp"

namespace torchgate::baselines::postgresql {
namespace {

using base::Error;
using base::ErrorCode;

constexpr const char* libpq_name = "libpq.so.5";  // since PostgreSQL 8.2; tcp_user_timeout needs libpq 12

base::Result<LibpqLibrary> load_libpq() {
  void* const library = dlopen(libpq_name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return Error{ErrorCode::not_found,
                 "libpq.so.5: not installed, and a store in PostgreSQL needs it; install it (apt-get install libpq5)"};
  LibpqLibrary libpq;
  const bool complete = base::find_function(library, "PQconninfoParse", libpq.conninfo_parse) &&
                        base::find_function(library, "PQconninfoFree", libpq.conninfo_free) &&
                        base::find_function(library, "PQconnectdbParams", libpq.connect) &&
                        base::find_function(library, "PQstatus", libpq.status) &&
                        base::find_function(library, "PQerrorMessage", libpq.error_message) &&
                        base::find_function(library, "PQfinish", libpq.finish) &&
                        base::find_function(library, "PQsetNoticeProcessor", libpq.set_notice_processor) &&
                        base::find_function(library, "PQsetnonblocking", libpq.set_nonblocking) &&
                        base::find_function(library, "PQsocket", libpq.socket) &&
                        base::find_function(library, "PQsendQuery", libpq.send_query) &&
                        base::find_function(library, "PQsendQueryParams", libpq.send_query_params) &&
                        base::find_function(library, "PQflush", libpq.flush) &&
                        base::find_function(library, "PQconsumeInput", libpq.consume_input) &&
                        base::find_function(library, "PQisBusy", libpq.is_busy) &&
                        base::find_function(library, "PQgetResult", libpq.get_result) &&
                        base::find_function(library, "PQresultStatus", libpq.result_status) &&
                        base::find_function(library, "PQresultErrorField", libpq.result_error_field) &&
                        base::find_function(library, "PQclear", libpq.clear) &&
                        base::find_function(library, "PQntuples", libpq.ntuples) &&
                        base::find_function(library, "PQgetvalue", libpq.getvalue) &&
                        base::find_function(library, "PQgetlength", libpq.getlength) &&
                        base::find_function(library, "PQgetisnull", libpq.getisnull) &&
                        base::find_function(library, "PQcmdStatus", libpq.cmd_status) &&
                        base::find_function(library, "PQcmdTuples", libpq.cmd_tuples) &&
                        base::find_function(library, "PQfreemem", libpq.freemem);
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
