// SPDX-License-Identifier: Apache-2.0
#include "ci/github/comment/verdict_key.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "ci/github/client/event.hpp"
#include "harness/base/content_hash.hpp"
#include "harness/base/shown_text.hpp"

namespace torchgate::github {
namespace {

// A check's name may have 100 and more; keys are also parts of the names of artifacts and branches.
constexpr std::size_t most_key_bytes = 64;

bool is_key_character(char each) {
  return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') || (each >= '0' && each <= '9') || each == '.' ||
         each == '_' || each == '-';
}

// As GitHub allows it in the name of a branch and of an artifact: no dot at either end, no two in a row.
bool is_key(const std::string& text) {
  return !text.empty() && text.size() <= most_key_bytes && std::all_of(text.begin(), text.end(), is_key_character) &&
         text.front() != '.' && text.front() != '-' && text.back() != '.' && text.find("..") == std::string::npos &&
         !text.ends_with(".lock");
}

// Names that differ stay different: what had to be replaced is followed by some digits of its hash.
std::string as_key(const std::string& original) {
  constexpr std::size_t digits = 6;
  if (is_key(original)) return original;
  std::string text = original;
  for (char& each : text) {
    if (!is_key_character(each)) each = '-';
  }
  for (std::size_t at = text.find(".."); at != std::string::npos; at = text.find("..")) text.replace(at, 2, "-");
  text.erase(0, std::min(text.find_first_not_of(".-"), text.size()));
  if (text.size() > most_key_bytes - digits - 1) text.resize(most_key_bytes - digits - 1);
  if (original.empty()) return "";
  return text + (text.empty() ? "" : "-") + base::sha256(original).substr(0, digits);
}

// "owner/name/.github/workflows/gpu.yml@refs/pull/7/merge": what stands behind the @ differs from run to run.
std::string workflow_of_environment(const Variable& variable) {
  const std::string reference = variable("GITHUB_WORKFLOW_REF");
  const std::string file = reference.substr(0, reference.find('@'));
  return file.empty() ? variable("GITHUB_WORKFLOW") : file;
}

}  // namespace

std::string key_of_workflow(const std::string& file_or_name) {
  std::string_view text = file_or_name;
  const bool is_file = text.ends_with(".yml") || text.ends_with(".yaml");
  if (const std::size_t slash = text.rfind('/'); is_file && slash != std::string_view::npos)
    text = text.substr(slash + 1);
  // Of gpu.yml and gpu.yaml in one repository, each has a key of its own.
  if (text.ends_with(".yml")) text.remove_suffix(std::string_view(".yml").size());
  return as_key(std::string(text));
}

base::Result<VerdictKey> workflow_key(const std::optional<std::string>& named, const Variable& variable,
                                      const std::string& event) {
  if (named) {
    if (is_key(*named)) return VerdictKey{*named};
    return base::Error{base::ErrorCode::bad_input,
                       fmt::format("--key: {} is not a key; use letters, digits, '.', '_' and '-', at most {} of them, "
                                   "such as gpu",
                                   base::in_quotes(*named), most_key_bytes)};
  }
  const std::string event_name = variable("GITHUB_EVENT_NAME");
  if (event_name == "workflow_run") return VerdictKey{key_of_workflow(workflow_of_event(event))};
  if (event_name == "issue_comment") return VerdictKey{};
  return VerdictKey{key_of_workflow(workflow_of_environment(variable))};
}

base::Result<VerdictKey> verdict_key(const std::optional<std::string>& named, const Variable& variable,
                                     const std::string& event) {
  auto key = workflow_key(named, variable, event);
  if (!key || named || key->text.empty() || variable("GITHUB_EVENT_NAME") == "workflow_run") return key;
  if (const std::string job = as_key(variable("GITHUB_JOB")); !job.empty()) key->text = as_key(key->text + "." + job);
  return key;
}

std::string keyed_name(const std::string& name, const std::string& key) {
  return key.empty() || key == default_key ? name : name + "/" + key;
}

std::string origin_of(const Variable& variable, const std::string& event) {
  const std::string run = variable("GITHUB_RUN_ID");
  const std::string attempt = variable("GITHUB_RUN_ATTEMPT");
  const auto is_number = [](const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  };
  if (!is_number(run)) return "";
  const std::string measured = attempt_of_event(event);
  return run + "." + (is_number(attempt) ? attempt : "1") + (measured.empty() ? "" : "/" + measured);
}

}  // namespace torchgate::github
