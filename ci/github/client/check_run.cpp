// SPDX-License-Identifier: Apache-2.0
#include "ci/github/client/check_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "ci/github/client/answer_json.hpp"
#include "harness/base/content_hash.hpp"

namespace torchgate::github {
namespace {

constexpr std::size_t most_title_bytes = 200;
constexpr std::string_view id_begin = "torchgate-";

// A job of the same workflow may have the check's name; this id identifies a check of torchgate.
std::string external_id(const CheckRun& check) {
  constexpr std::size_t digits = 16;
  return std::string(id_begin) + base::sha256(check.name).substr(0, digits);
}

std::string id_with_origin(const CheckRun& check) {
  return check.origin.empty() ? external_id(check) : external_id(check) + "." + check.origin;
}

bool is_own(const std::string& id, const CheckRun& check) {
  const std::string own = external_id(check);
  return id == own || id.starts_with(own + ".");
}

base::Result<std::vector<Json>> own_checks(Api& api, const CheckRun& check) {
  auto all = elements(api,
                      fmt::format("{}/commits/{}/check-runs?filter=all&check_name={}", api.repository_path(),
                                  percent_encoded(check.head_sha), percent_encoded(check.name)),
                      "check_runs");
  if (!all) return all.error();
  std::vector<Json> own;
  for (Json& each : *all) {
    if (is_own(text_at(each, {"external_id"}), check)) own.push_back(std::move(each));
  }
  return own;
}

bool is_completed(const Json& check) {
  return text_at(check, {"status"}) == "completed";
}

// Ours that are not completed; more than one only where two jobs began at the same time.
base::Result<std::vector<Json>> unfinished_checks(Api& api, const CheckRun& check) {
  auto own = own_checks(api, check);
  if (own) std::erase_if(*own, is_completed);
  return own;
}

base::Result<std::vector<Json>> started_checks(Api& api, const CheckRun& check) {
  Json body = {{"name", check.name},
               {"head_sha", check.head_sha},
               {"status", "in_progress"},
               {"external_id", id_with_origin(check)}};
  if (!check.details_url.empty()) body["details_url"] = check.details_url;
  const auto find = [&]() -> base::Result<std::optional<std::string>> {
    const auto own = unfinished_checks(api, check);
    if (!own) return own.error();
    if (own->empty()) return std::optional<std::string>();
    return std::optional(dumped(*own));
  };
  const auto answer = api.create(api.repository_path() + "/check-runs", dumped(body), find);
  if (!answer) return answer.error();
  if (!answer->done()) return api.problem(*answer, "creating the check of commit " + check.head_sha);
  auto json = parsed(answer->body, "creating the check");
  if (!json) return json.error();
  if (json->is_array()) return json->get<std::vector<Json>>();
  return std::vector<Json>{std::move(*json)};
}

const char* word_of(Conclusion conclusion) {
  switch (conclusion) {
    case Conclusion::success:
      return "success";
    case Conclusion::neutral:
      return "neutral";
    case Conclusion::failure:
      break;
  }
  return "failure";
}

// Any other conclusion, set by a person or an app, does not count as a pass.
Conclusion conclusion_in(const Json& check) {
  const std::string word = text_at(check, {"conclusion"});
  if (word == word_of(Conclusion::success)) return Conclusion::success;
  return word == word_of(Conclusion::neutral) ? Conclusion::neutral : Conclusion::failure;
}

// The attempt of another workflow that measured; empty: the verdict's own workflow.
std::string measured_in(const std::string& origin) {
  const std::size_t slash = origin.find('/');
  return slash == std::string::npos ? "" : origin.substr(slash + 1);
}

// The newest verdict on what the attempt of another workflow measured.
base::Result<std::optional<CheckResult>> verdict_on_attempt(Api& api, const CheckRun& check) {
  const std::string attempt = measured_in(check.origin);
  if (attempt.empty()) return std::optional<CheckResult>();
  const auto all = earlier_verdicts(api, check);
  if (!all) return all.error();
  const auto found = std::find_if(all->begin(), all->end(),
                                  [&](const EarlierVerdict& each) { return measured_in(each.origin) == attempt; });
  return found == all->end() ? std::optional<CheckResult>() : std::optional(found->result);
}

}  // namespace

base::Result<bool> begin_check(Api& api, const CheckRun& check) {
  auto told = verdict_on_attempt(api, check);
  if (!told) return told.error();
  if (*told) return false;
  const auto started = started_checks(api, check);
  if (!started) return started.error();
  told = verdict_on_attempt(api, check);  // in the meantime
  if (!told) return told.error();
  if (!*told) return true;
  std::vector<std::int64_t> ids;
  for (const Json& each : *started) ids.push_back(number_at(each, {"id"}));
  if (const auto changed = change_checks(api, check, ids, **told); !changed) return changed.error();
  return false;
}

base::Result<std::optional<KnownCheck>> newest_check(Api& api, const CheckRun& check) {
  const auto own = own_checks(api, check);
  if (!own) return own.error();
  const auto newest = std::max_element(own->begin(), own->end(), [](const Json& a, const Json& b) {
    return number_at(a, {"id"}) < number_at(b, {"id"});
  });
  if (newest == own->end()) return std::optional<KnownCheck>();
  return std::optional(KnownCheck{is_completed(*newest), text_at(*newest, {"completed_at"})});
}

base::Result<std::set<std::string>> check_names(Api& api, const std::string& commit) {
  const auto all = elements(
      api, fmt::format("{}/commits/{}/check-runs", api.repository_path(), percent_encoded(commit)), "check_runs");
  if (!all) return all.error();
  std::set<std::string> names;
  for (const Json& each : *all) {
    if (text_at(each, {"external_id"}).starts_with(id_begin)) names.insert(text_at(each, {"name"}));
  }
  return names;
}

base::Result<std::vector<EarlierVerdict>> earlier_verdicts(Api& api, const CheckRun& check) {
  auto own = own_checks(api, check);
  if (!own) return own.error();
  std::erase_if(*own, [](const Json& each) { return !is_completed(each); });
  std::sort(own->begin(), own->end(),
            [](const Json& a, const Json& b) { return number_at(a, {"id"}) > number_at(b, {"id"}); });
  std::vector<EarlierVerdict> verdicts;
  for (const Json& each : *own) {
    const std::string id = text_at(each, {"external_id"});
    const std::size_t dot = id.find('.');
    verdicts.push_back({dot == std::string::npos ? "" : id.substr(dot + 1),
                        {conclusion_in(each), text_at(each, {"output", "title"}), text_at(each, {"output", "summary"})},
                        number_at(each, {"id"})});
  }
  return verdicts;
}

base::Result<std::vector<std::int64_t>> complete_check(Api& api, const CheckRun& check, const CheckResult& result) {
  const auto started = started_checks(api, check);
  if (!started) return started.error();
  std::vector<std::int64_t> ids;
  for (const Json& each : *started) ids.push_back(number_at(each, {"id"}));
  if (const auto changed = change_checks(api, check, ids, result); !changed) return changed.error();
  return ids;
}

base::Result<void> change_checks(Api& api, const CheckRun& check, const std::vector<std::int64_t>& ids,
                                 const CheckResult& result) {
  Json body = {{"status", "completed"},
               {"conclusion", word_of(result.conclusion)},
               {"external_id", id_with_origin(check)},
               {"output", {{"title", result.title.substr(0, most_title_bytes)}, {"summary", result.summary}}}};
  if (!check.details_url.empty()) body["details_url"] = check.details_url;
  for (const std::int64_t id : ids) {
    const auto answer = api.send("PATCH", fmt::format("{}/check-runs/{}", api.repository_path(), id), dumped(body));
    if (!answer) return answer.error();
    if (!answer->done()) return api.problem(*answer, "completing the check of commit " + check.head_sha);
  }
  return {};
}

}  // namespace torchgate::github
