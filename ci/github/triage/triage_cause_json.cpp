// SPDX-License-Identifier: Apache-2.0
// A cause as a line in the text of its issue. People may edit that text: everything that is read back is checked.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "ci/github/triage/triage_cause.hpp"
#include "harness/json/json_reader.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::github {
namespace {

using CauseJson = nlohmann::json;

constexpr std::string_view line_begin = "<!-- torchgate-cause ";
constexpr std::string_view line_end = " -->";
constexpr int cause_version = 1;

CauseJson number_or_null(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? CauseJson(*value) : CauseJson(nullptr);
}

CauseJson interval_or_null(const std::optional<reports::Interval>& interval) {
  if (!interval) return nullptr;
  return {number_or_null(interval->low), number_or_null(interval->high), number_or_null(interval->level)};
}

CauseJson json_of(const CauseCase& one, const Cause& cause) {
  CauseJson json = {{"name", one.name},
                    {"metric", one.metric},
                    {"unit", one.unit},
                    {"lower", one.lower_is_better},
                    {"before", number_or_null(one.before)},
                    {"after", number_or_null(one.after)},
                    {"change", number_or_null(one.change)},
                    {"interval", interval_or_null(one.interval)},
                    {"why", one.why}};
  if (one.pairs) {
    json["pairs"] = {{"verdict", one.pairs->verdict},
                     {"change", number_or_null(one.pairs->change)},
                     {"interval", interval_or_null(one.pairs->interval)},
                     {"commit", one.pairs->commit}};
  }
  // Most are those of all cases.
  if (one.host != cause.host) json["host"] = one.host;
  if (one.base_commit != cause.before)
    json["base"] = one.base_commit ? CauseJson(*one.base_commit) : CauseJson(nullptr);
  return json;
}

std::optional<double> number_of(const CauseJson& json) {
  return json.is_number() ? std::optional(json.get<double>()) : std::nullopt;
}

std::optional<reports::Interval> interval_of(const CauseJson& json) {
  if (!json.is_array() || json.size() != 3) return std::nullopt;
  const auto low = number_of(json[0]);
  const auto high = number_of(json[1]);
  if (!low || !high) return std::nullopt;
  return reports::Interval{*low, *high, number_of(json[2]).value_or(0)};
}

CauseCase case_from(const CauseJson& json) {
  CauseCase one;
  one.name = json.at("name").get<std::string>();
  one.metric = json.at("metric").get<std::string>();
  one.unit = json.at("unit").get<std::string>();
  one.lower_is_better = json.at("lower").get<bool>();
  one.before = number_of(json.at("before"));
  one.after = number_of(json.at("after"));
  one.change = number_of(json.at("change"));
  one.interval = interval_of(json.at("interval"));
  one.why = json.at("why").get<std::string>();
  if (const auto pairs = json.find("pairs"); pairs != json.end()) {
    one.pairs = PairsAnswer{pairs->at("verdict").get<std::string>(), number_of(pairs->at("change")),
                            interval_of(pairs->at("interval")), pairs->at("commit").get<std::string>()};
  }
  return one;
}

CauseJson sampling_json(const record::Sampling& sampling) {
  CauseJson json = {{"profile", sampling.profile}};
  if (sampling.warmup_calls) json["warmup_calls"] = *sampling.warmup_calls;
  if (sampling.samples) json["samples"] = *sampling.samples;
  return json;
}

record::Sampling sampling_from(const CauseJson& json) {
  const auto count = [&json](const char* name) {
    const auto found = json.find(name);
    return found == json.end() ? std::nullopt : std::optional(found->get<std::int64_t>());
  };
  return {json.at("profile").get<std::string>(), count("warmup_calls"), count("samples")};
}

Cause cause_from(const CauseJson& json) {
  Cause cause;
  cause.commit = json.at("commit").get<std::string>();
  if (json.at("before").is_string()) cause.before = json.at("before").get<std::string>();
  cause.host = json.at("host").get<std::string>();
  for (const CauseJson& each : json.at("commits")) {
    cause.commits.push_back({each.at(0).get<std::string>(), each.at(1).get<std::string>(),
                             each.at(2).get<std::string>(), each.at(3).get<std::string>()});
  }
  cause.more_commits = json.at("more_commits").get<bool>();
  cause.unlisted = json.at("unlisted").get<std::int64_t>();
  if (const auto key = json.find("key"); key != json.end()) cause.key = key->get<std::string>();
  if (const auto sampling = json.find("sampling"); sampling != json.end()) cause.sampling = sampling_from(*sampling);
  for (const CauseJson& each : json.at("cases")) {
    CauseCase one = case_from(each);
    one.host = each.contains("host") ? each.at("host").get<std::string>() : cause.host;
    one.base_commit = cause.before;
    if (const auto base = each.find("base"); base != each.end())
      one.base_commit = base->is_null() ? std::nullopt : std::optional(base->get<std::string>());
    cause.cases.push_back(std::move(one));
  }
  return cause;
}

// A hash goes into command lines.
bool has_valid_commits(const Cause& cause) {
  if (!record::is_full_commit(cause.commit) || (cause.before && !record::is_full_commit(*cause.before))) return false;
  for (const CauseCase& one : cause.cases) {
    if (one.pairs && !record::is_full_commit(one.pairs->commit)) return false;
    if (one.base_commit && !record::is_full_commit(*one.base_commit)) return false;
  }
  return true;
}

base::Error not_readable(const std::string& why) {
  return {base::ErrorCode::bad_input, "its data cannot be read (" + why + "); was its text edited?"};
}

}  // namespace

std::string cause_line(const Cause& cause) {
  CauseJson json = {{"version", cause_version},
                    {"commit", cause.commit},
                    {"before", cause.before ? CauseJson(*cause.before) : CauseJson(nullptr)},
                    {"host", cause.host},
                    {"commits", CauseJson::array()},
                    {"more_commits", cause.more_commits},
                    {"unlisted", cause.unlisted},
                    {"cases", CauseJson::array()}};
  if (!cause.key.empty()) json["key"] = cause.key;
  if (cause.sampling != record::Sampling{}) json["sampling"] = sampling_json(cause.sampling);
  for (const git::ListedCommit& each : cause.commits)
    json["commits"].push_back({each.commit, each.date, each.author, each.subject});
  for (const CauseCase& one : cause.cases) json["cases"].push_back(json_of(one, cause));
  // ASCII. These occur in strings only: ">" could end the comment, "@" and "#" would make mentions and links if it were shown.
  std::string text;
  for (const char c : json.dump(-1, ' ', true, CauseJson::error_handler_t::replace)) {
    const bool harmless = std::string_view("<>@#").find(c) == std::string_view::npos;
    text += harmless ? std::string(1, c) : fmt::format("\\u{:04x}", static_cast<unsigned>(c));
  }
  return std::string(line_begin).append(text).append(line_end);
}

base::Result<Cause> cause_in(const std::string& text) {
  // The last one: what is above it is shown text, in which names stand.
  const std::size_t begin = text.rfind('\n' + std::string(line_begin));
  if (begin == std::string::npos) return not_readable("it has none");
  const std::size_t data = begin + 1 + line_begin.size();
  const std::size_t end = text.find(line_end, data);
  if (end == std::string::npos) return not_readable("it has no end");
  const std::string json_text = text.substr(data, end - data);
  if (auto fit = json::check_json(json_text, "JSON"); !fit) return not_readable(fit.error().message);
  try {
    const CauseJson json = CauseJson::parse(json_text);
    if (json.at("version") != cause_version) return not_readable("another version of torchgate wrote it");
    Cause cause = cause_from(json);
    if (!has_valid_commits(cause)) return not_readable("a commit is not a hash");
    return cause;
  } catch (const CauseJson::exception& error) {
    return not_readable(error.what());
  }
}

}  // namespace torchgate::github
