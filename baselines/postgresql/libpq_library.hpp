// SPDX-License-Identifier: Apache-2.0
// Private to baselines: libpq, PostgreSQL's own client library, of the machine: loaded when a store in a database is opened, so that a program without one
// needs no such library. The released program has it, too.
#pragma once

#include <libpq-fe.h>

#include "harness/base/result.hpp"

namespace torchgate::baselines::postgresql {

struct LibpqLibrary {
  decltype(&PQconninfoParse) conninfo_parse = nullptr;
  decltype(&PQconninfoFree) conninfo_free = nullptr;
  decltype(&PQconnectdbParams) connect = nullptr;
  decltype(&PQstatus) status = nullptr;
  decltype(&PQerrorMessage) error_message = nullptr;
  decltype(&PQfinish) finish = nullptr;
  decltype(&PQsetNoticeProcessor) set_notice_processor = nullptr;
  decltype(&PQsetnonblocking) set_nonblocking = nullptr;
  decltype(&PQsocket) socket = nullptr;
  decltype(&PQsendQuery) send_query = nullptr;
  decltype(&PQsendQueryParams) send_query_params = nullptr;
  decltype(&PQflush) flush = nullptr;
  decltype(&PQconsumeInput) consume_input = nullptr;
  decltype(&PQisBusy) is_busy = nullptr;
  decltype(&PQgetResult) get_result = nullptr;
  decltype(&PQresultStatus) result_status = nullptr;
  decltype(&PQresultErrorField) result_error_field = nullptr;
  decltype(&PQclear) clear = nullptr;
  decltype(&PQntuples) ntuples = nullptr;
  decltype(&PQgetvalue) getvalue = nullptr;
  decltype(&PQgetlength) getlength = nullptr;
  decltype(&PQgetisnull) getisnull = nullptr;
  decltype(&PQcmdStatus) cmd_status = nullptr;
  decltype(&PQcmdTuples) cmd_tuples = nullptr;
  decltype(&PQfreemem) freemem = nullptr;
};

/// Loaded once. not_found: it is not installed; the message says which package has it.
base::Result<const LibpqLibrary*> libpq_library();

}  // namespace torchgate::baselines::postgresql
