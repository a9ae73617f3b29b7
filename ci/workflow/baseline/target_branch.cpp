// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/baseline/target_branch.hpp"

#include <cstdint>
#include <utility>

#include "ci/workflow/workspace/ci_pull_request.hpp"
#include "harness/base/atomic_file.hpp"
#include "harness/json/fields.hpp"
#include "harness/json/json_reader.hpp"
#include "harness/record/short_commit.hpp"

namespace torchgate::workflow {
namespace {

constexpr std::int64_t largest_event = 26'000'000;  // a payload of GitHub has at most 25 MB

struct EventRepository {
  std::string default_branch;
};

// What an event of GitHub's has no variable for.
struct Event {
  std::string before;  // of a push: the tip of the branch before it
  EventRepository repository;
};

std::string text_or_nothing(json::JsonReader& reader) {
  if (reader.peek() == json::JsonReader::Kind::string) return reader.string();
  reader.skip();
  return "";
}

constexpr json::Table repository_fields{
    json::of<EventRepository>,
    json::optional("default_branch", &EventRepository::default_branch, text_or_nothing),
};

constexpr json::Table event_fields{
    json::of<Event>,
    json::optional("before", &Event::before, text_or_nothing),
    json::optional("repository", &Event::repository, json::object_of<repository_fields>),
};

// Members are empty where FILE does not say them, or is cut off.
Event read_event(const std::string& file) {
  if (file.empty()) return {};
  const auto text = base::read_file(file, largest_event);
  if (!text) return {};
  auto event = json::read_document<event_fields>(*text, file);
  return event ? *std::move(event) : Event();
}

}  // namespace

std::string target_tip(const git::Repository& repository, const std::function<std::string(const char*)>& variable) {
  const auto known = [&](const std::string& commit) {
    return record::is_full_commit(commit) && repository.has_commit(commit);
  };
  if (const auto pull = pull_request(variable)) {
    if (!pull->branch.empty()) {
      if (const auto tip = repository.resolve_reference("refs/remotes/origin/" + pull->branch)) return *tip;
    }
    return known(pull->base_commit) ? pull->base_commit : "";
  }
  // GitLab's and Jenkins'.
  for (const char* const name : {"CI_COMMIT_BEFORE_SHA", "GIT_PREVIOUS_COMMIT"})
    if (std::string before = variable(name); known(before)) return before;
  if (std::string before = read_event(variable("GITHUB_EVENT_PATH")).before; known(before)) return before;
  return "";
}

std::string default_branch_tip(const git::Repository& repository,
                               const std::function<std::string(const char*)>& variable) {
  const std::string of_event = read_event(variable("GITHUB_EVENT_PATH")).repository.default_branch;
  for (const std::string& name : {std::string("HEAD"), variable("CI_DEFAULT_BRANCH"), of_event}) {
    if (name.empty()) continue;
    if (const auto tip = repository.resolve_reference("refs/remotes/origin/" + name)) return *tip;
  }
  return "";
}

}  // namespace torchgate::workflow
