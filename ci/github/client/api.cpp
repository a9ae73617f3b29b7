// SPDX-License-Identifier: Apache-2.0
#include "ci/github/client/api.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/base/shown_text.hpp"

namespace torchgate::github {
namespace {

using base::Error;
using base::ErrorCode;
using std::chrono::seconds;

// The largest number of pages that is read: 5,000 comments. More in one pull request is not a discussion.
constexpr std::size_t most_pages = 50;
constexpr const char* api_version = "X-GitHub-Api-Version: 2022-11-28";

// A limit of any number that a server may send; sums of it do not overflow.
constexpr std::int64_t longest_wait_s = 1'000'000'000;

std::string header_of(const HttpAnswer& answer, const char* name) {
  const auto found = answer.headers.find(name);
  return found == answer.headers.end() ? "" : found->second;
}

std::optional<std::int64_t> whole_number(const std::string& text) {
  std::int64_t number = 0;
  const auto end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stopped != end || text.empty()) return std::nullopt;
  return number;
}

// How GitHub says "too many requests": 429, or 403 with one of two headers, or in words only (secondary limit).
bool is_rate_limit(const HttpAnswer& answer) {
  if (answer.status == 429) return true;
  if (answer.status != 403) return false;
  return !header_of(answer, "retry-after").empty() || header_of(answer, "x-ratelimit-remaining") == "0" ||
         answer.body.find("secondary rate limit") != std::string::npos;
}

// As GitHub's documentation asks: Retry-After; else until the limit's reset; else at least one minute. At least one second, as waiting for none
// would never use up the limit of waiting.
seconds asked_wait(const HttpAnswer& answer) {
  constexpr seconds default_wait{60};
  if (const auto after = whole_number(header_of(answer, "retry-after")))
    return seconds(std::clamp<std::int64_t>(*after, 1, longest_wait_s));
  const auto reset = whole_number(header_of(answer, "x-ratelimit-reset"));
  if (!reset || header_of(answer, "x-ratelimit-remaining") != "0") return default_wait;
  const auto now = std::chrono::duration_cast<seconds>(std::chrono::system_clock::now().time_since_epoch());
  const seconds until = seconds(std::clamp<std::int64_t>(*reset, 0, now.count() + longest_wait_s)) - now;
  return std::max(until, seconds(0)) + seconds(1);
}

// The address in `<https://...>; rel="next"`, if any.
std::string next_of(const std::string& link) {
  std::size_t at = 0;
  while ((at = link.find('<', at)) != std::string::npos) {
    const std::size_t close = link.find('>', at);
    if (close == std::string::npos) break;
    const std::size_t end = std::min(link.find(',', close), link.size());
    if (link.substr(close, end - close).find("rel=\"next\"") != std::string::npos)
      return link.substr(at + 1, close - at - 1);
    at = end;
  }
  return "";
}

std::string message_of(const std::string& body) {
  const auto document = nlohmann::json::parse(body, nullptr, false);
  if (document.is_object() && document.contains("message") && document["message"].is_string())
    return base::shown(document["message"].get<std::string>());
  return "no message";
}

bool is_final(long status) {
  return (status >= 200 && status < 300) || status == 404 || status == 409 || status == 410 || status == 422;
}

bool is_repository_name(const std::string& name) {
  const auto allowed = [](char each) {
    return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') || (each >= '0' && each <= '9') ||
           each == '-' || each == '_' || each == '.';
  };
  const std::size_t slash = name.find('/');
  if (slash == 0 || slash == std::string::npos || slash + 1 == name.size()) return false;
  const std::string owner = name.substr(0, slash);
  const std::string repository = name.substr(slash + 1);
  const auto is_name = [&](const std::string& part) {
    return std::all_of(part.begin(), part.end(), allowed) && part != "." && part != "..";
  };
  return is_name(owner) && is_name(repository);
}

}  // namespace

struct Api::Tried {
  std::optional<HttpAnswer> answer;
  std::string lost;  // why there is none
};

base::Result<Access> access_from(const std::function<std::string(const char*)>& variable,
                                 const std::string& repository) {
  Access access;
  if (const std::string url = variable("GITHUB_API_URL"); !url.empty()) access.url = url;
  while (access.url.ends_with('/')) access.url.pop_back();
  access.repository = repository.empty() ? variable("GITHUB_REPOSITORY") : repository;
  access.token = variable("TORCHGATE_GITHUB_TOKEN");
  if (access.token.empty()) access.token = variable("GITHUB_TOKEN");
  if (access.token.empty())
    return Error{ErrorCode::bad_input,
                 "GITHUB_TOKEN: not set; in GitHub Actions: env: {GITHUB_TOKEN: ${{ github.token }}}"};
  const bool printable =
      std::all_of(access.token.begin(), access.token.end(), [](char c) { return c > ' ' && c < '\x7f'; });
  if (!printable)
    return Error{ErrorCode::bad_input, "GITHUB_TOKEN: contains a space or a control character; set it again"};
  if (!is_repository_name(access.repository)) {
    return Error{ErrorCode::bad_input, fmt::format("GITHUB_REPOSITORY: {} is not of the form owner/name; set it or use "
                                                   "--repository",
                                                   base::in_quotes(access.repository))};
  }
  return access;
}

Api::Api(Access access, Http& http, Patience patience)
    : access_(std::move(access)), http_(http), patience_(std::move(patience)) {}

HttpRequest Api::request(const std::string& method, const std::string& url, const std::string& body) const {
  return {method,
          url,
          {"Authorization: Bearer " + access_.token, "Accept: application/vnd.github+json", api_version,
           "Content-Type: application/json"},
          body};
}

// A server may repeat what it was sent.
std::string Api::without_token(std::string text) const {
  for (std::size_t at = text.find(access_.token); at != std::string::npos; at = text.find(access_.token))
    text.replace(at, access_.token.size(), "***");
  return text;
}

std::string Api::path_of(const std::string& url) const {
  return url.starts_with(access_.url) ? url.substr(access_.url.size()) : url;
}

base::Error Api::problem(const Answer& answer, const std::string& doing) const {
  const char* const advice =
      answer.status == 404 ? "; check the repository and the number, and whether the token may read it" : "";
  return {ErrorCode::bad_input, without_token(fmt::format("GitHub: {}: status {} ({}){}", doing, answer.status,
                                                          message_of(answer.body), advice))};
}

base::Error Api::refusal(const HttpAnswer& answer, const HttpRequest& request) const {
  std::string advice = "see https://www.githubstatus.com";
  if (answer.status == 401) advice = "the token is invalid or expired: set GITHUB_TOKEN to a valid one";
  if (answer.status == 403) {
    advice =
        "the token lacks a permission: in GitHub Actions give the job `pull-requests: write` for comments, `checks: "
        "write` for checks, `issues: write` for issues, `actions: write` to run a workflow again; in a pull request "
        "from a "
        "fork the token may only read: see \"Forks\" in ci/action/README.md";
  }
  return {ErrorCode::bad_input,
          without_token(fmt::format("GitHub: {} {}: status {} ({}); {}", request.method, path_of(request.url),
                                    answer.status, message_of(answer.body), advice))};
}

base::Result<void> Api::wait_for_limit(const HttpAnswer& answer) {
  const seconds wait = asked_wait(answer);
  if (waited_ + wait > patience_.rate_limits) {
    return Error{ErrorCode::io, fmt::format("GitHub: the rate limit of this token is used up for {} s more (limit of "
                                            "waiting: {} s); run it again later",
                                            wait.count(), patience_.rate_limits.count())};
  }
  waited_ += wait;
  patience_.sleep(wait);
  return {};
}

// Rate limits are waited for here: GitHub has not carried such a request out.
base::Result<Api::Tried> Api::try_once(const HttpRequest& request) {
  for (;;) {
    auto answer = http_.send(request);
    if (!answer && answer.error().code == ErrorCode::io)
      return Tried{std::nullopt, without_token(answer.error().message)};
    if (!answer) return Error{answer.error().code, without_token(answer.error().message)};
    if (!is_rate_limit(*answer)) return Tried{std::move(answer).value(), ""};
    if (auto waited = wait_for_limit(*answer); !waited) return waited.error();
  }
}

// ONCE until it has an answer that repeating cannot change.
base::Result<HttpAnswer> Api::repeat(const HttpRequest& request, const std::function<base::Result<Tried>()>& once) {
  std::string why;
  for (int tried = 0; tried < patience_.tries; ++tried) {
    if (tried > 0) patience_.sleep(seconds(1 << (tried - 1)));
    auto result = once();
    if (!result) return result.error();
    if (!result->answer) {
      why = result->lost;
      continue;
    }
    if (is_final(result->answer->status)) return std::move(*result->answer);
    if (result->answer->status < 500) return refusal(*result->answer, request);
    why = fmt::format("status {} ({})", result->answer->status, message_of(result->answer->body));
  }
  return Error{ErrorCode::io, without_token(fmt::format("GitHub: {} {}: failed {} times, the last time: {}",
                                                        request.method, path_of(request.url), patience_.tries, why))};
}

base::Result<Answer> Api::send(const std::string& method, const std::string& path, const std::string& body) {
  const bool whole_address = path.starts_with(access_.url + "/");
  const HttpRequest sent = request(method, whole_address ? path : access_.url + path, body);
  auto answer = repeat(sent, [&] { return try_once(sent); });
  if (!answer) return answer.error();
  return Answer{answer->status, std::move(answer->body), next_of(header_of(*answer, "link"))};
}

base::Result<std::vector<std::string>> Api::pages(const std::string& path) {
  std::vector<std::string> texts;
  std::string next = path + (path.find('?') == std::string::npos ? "?" : "&") + "per_page=100";
  while (!next.empty()) {
    auto answer = send("GET", next);
    if (!answer) return answer.error();
    if (!answer->done()) return problem(*answer, "reading " + path);
    texts.push_back(std::move(answer->body));
    next = std::move(answer->next_page);
    // The token goes to no other host.
    if (!next.empty() && !next.starts_with(access_.url + "/"))
      return Error{ErrorCode::bad_input,
                   "GitHub: the next page of " + path + " is at another host: " + base::shown(next)};
    if (texts.size() == most_pages && !next.empty())
      return Error{ErrorCode::bad_input, fmt::format("GitHub: {} has more than {} pages", path, most_pages)};
  }
  return texts;
}

base::Result<Answer> Api::create(const std::string& path, const std::string& body, const Find& find) {
  const HttpRequest sent = request("POST", access_.url + path, body);
  const auto find_or_post = [&]() -> base::Result<Tried> {
    auto existing = find();
    if (!existing) return existing.error();
    if (*existing) return Tried{HttpAnswer{200, {}, std::move(**existing)}, ""};
    return try_once(sent);
  };
  auto answer = repeat(sent, find_or_post);
  if (answer) return Answer{answer->status, std::move(answer->body), ""};
  if (answer.error().code != ErrorCode::io) return answer.error();
  // The last of the tries may have done it, too.
  auto existing = find();
  if (existing && *existing) return Answer{200, std::move(**existing), ""};
  return answer.error();
}

base::Result<std::string> Api::download(const std::string& path) {
  const HttpRequest sent = request("GET", access_.url + path, "");
  const auto follow = [&]() -> base::Result<Tried> {
    auto first = try_once(sent);
    const bool redirected = first && first->answer && first->answer->status >= 300 && first->answer->status < 400;
    // The storage's address is valid for a minute: each try asks for a new one.
    return redirected ? try_once({"GET", header_of(*first->answer, "location"), {}, ""}) : std::move(first);
  };
  auto answer = repeat(sent, follow);
  if (!answer) return answer.error();
  if (answer->status != 200) return problem({answer->status, answer->body, ""}, "downloading " + path);
  return std::move(answer->body);
}

std::string percent_encoded(std::string_view text) {
  std::string encoded;
  for (const char each : text) {
    const bool plain = (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') || (each >= '0' && each <= '9') ||
                       each == '-' || each == '.' || each == '_' || each == '~';
    encoded += plain ? std::string(1, each) : fmt::format("%{:02X}", static_cast<unsigned char>(each));
  }
  return encoded;
}

}  // namespace torchgate::github
