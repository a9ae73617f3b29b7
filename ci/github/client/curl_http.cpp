// SPDX-License-Identifier: Apache-2.0
#include "ci/github/client/curl_http.hpp"

#include <array>
#include <cctype>
#include <string_view>
#include <utility>

#include "ci/github/client/curl_library.hpp"
#include "harness/base/lower_case.hpp"
#include "harness/base/shown_text.hpp"

namespace torchgate::github {
namespace {

using base::Error;
using base::ErrorCode;

// A token is sent with every request: over TLS, or to this machine (tests, a local proxy).
bool may_be_sent_to(std::string_view url) {
  if (url.starts_with("https://")) return true;
  for (const std::string_view loopback : {"http://127.0.0.1", "http://localhost", "http://[::1]"}) {
    if (!url.starts_with(loopback)) continue;
    const std::string_view rest = url.substr(loopback.size());
    if (rest.empty() || rest.front() == '/' || rest.front() == ':') return rest.find('@') == std::string_view::npos;
  }
  return false;
}

struct Received {
  HttpAnswer answer;
  std::size_t limit_bytes = 0;
  bool too_long = false;
};

// The types of these two are libcurl's. Returning less than was given ends the transfer.
std::size_t receive_body(char* bytes, std::size_t size, std::size_t count, void* into) {
  auto& received = *static_cast<Received*>(into);
  const std::size_t length = size * count;
  if (received.answer.body.size() + length > received.limit_bytes) {
    received.too_long = true;
    return 0;
  }
  received.answer.body.append(bytes, length);
  return length;
}

std::size_t receive_header(char* bytes, std::size_t size, std::size_t count, void* into) {
  auto& received = *static_cast<Received*>(into);
  const std::string_view line(bytes, size * count);
  if (line.starts_with("HTTP/")) received.answer.headers.clear();  // of an earlier "100 Continue"
  const std::size_t colon = line.find(':');
  if (colon != std::string_view::npos) {
    std::string_view value = line.substr(colon + 1);
    while (!value.empty() && std::isspace(static_cast<unsigned char>(value.front())) != 0) value.remove_prefix(1);
    while (!value.empty() && std::isspace(static_cast<unsigned char>(value.back())) != 0) value.remove_suffix(1);
    received.answer.headers[base::lower_case(line.substr(0, colon))] = std::string(value);
  }
  return size * count;
}

// Frees what one request has made.
struct Transfer {
  const CurlLibrary& curl;
  CURL* handle;
  curl_slist* headers = nullptr;

  explicit Transfer(const CurlLibrary& library) : curl(library), handle(library.easy_init()) {}
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;
  ~Transfer() {
    curl.slist_free_all(headers);
    if (handle != nullptr) curl.easy_cleanup(handle);
  }
};

class CurlHttp : public Http {
 public:
  CurlHttp(const CurlLibrary& curl, const HttpLimits& limits, std::string user_agent)
      : curl_(curl), limits_(limits), user_agent_(std::move(user_agent)) {}

  base::Result<HttpAnswer> send(const HttpRequest& request) override {
    if (!may_be_sent_to(request.url)) {
      return Error{ErrorCode::bad_input, base::in_quotes(request.url) +
                                             ": not an https:// address; a token is sent over "
                                             "TLS only (or to this machine)"};
    }
    Transfer transfer(curl_);
    if (transfer.handle == nullptr) return Error{ErrorCode::io, "libcurl.so.4: out of memory"};
    Received received;
    received.limit_bytes = static_cast<std::size_t>(limits_.body_bytes);
    std::array<char, CURL_ERROR_SIZE> words{};
    describe(transfer, request, received, words.data());
    const CURLcode code = curl_.easy_perform(transfer.handle);
    if (received.too_long)
      return Error{ErrorCode::bad_input, "an answer of more than " + std::to_string(limits_.body_bytes) + " bytes"};
    if (code != CURLE_OK) {
      const std::string own = words.data();
      return Error{ErrorCode::io, "no answer: " + base::shown(own.empty() ? curl_.easy_strerror(code) : own)};
    }
    curl_.easy_getinfo(transfer.handle, CURLINFO_RESPONSE_CODE, &received.answer.status);
    return std::move(received.answer);
  }

 private:
  void describe(Transfer& transfer, const HttpRequest& request, Received& received, char* words) {
    const auto set = [&](CURLoption option, auto value) { curl_.easy_setopt(transfer.handle, option, value); };
    for (const std::string& header : request.headers)
      transfer.headers = curl_.slist_append(transfer.headers, header.c_str());
    set(CURLOPT_URL, request.url.c_str());
    set(CURLOPT_HTTPHEADER, transfer.headers);
    set(CURLOPT_USERAGENT, user_agent_.c_str());
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(limits_.connect.count()));
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(limits_.answer.count()));
    set(CURLOPT_ERRORBUFFER, words);
    set(CURLOPT_WRITEFUNCTION, &receive_body);
    set(CURLOPT_WRITEDATA, static_cast<void*>(&received));
    set(CURLOPT_HEADERFUNCTION, &receive_header);
    set(CURLOPT_HEADERDATA, static_cast<void*>(&received));
    if (request.method == "GET") return;
    set(CURLOPT_CUSTOMREQUEST, request.method.c_str());
    if (request.method == "DELETE") return;
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    set(CURLOPT_POSTFIELDS, request.body.c_str());
  }

  const CurlLibrary& curl_;
  HttpLimits limits_;
  std::string user_agent_;
};

}  // namespace

base::Result<std::unique_ptr<Http>> open_curl(const HttpLimits& limits, std::string user_agent) {
  const auto library = curl_library();
  if (!library) return library.error();
  return std::unique_ptr<Http>(std::make_unique<CurlHttp>(**library, limits, std::move(user_agent)));
}

}  // namespace torchgate::github
