// SPDX-License-Identifier: Apache-2.0
#include "ci/github/triage/triage.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <memory>
#include <utility>

#include "ci/git/commit_list.hpp"
#include "ci/git/repository.hpp"
#include "ci/github/client/issue.hpp"
#include "ci/github/client/sticky_comment.hpp"
#include "ci/github/comment/verdict_key.hpp"
#include "harness/base/atomic_file.hpp"

namespace torchgate::github {
namespace {

using base::Result;
namespace fs = std::filesystem;

constexpr std::int64_t largest_triage_file = 1 << 20;
// A longer list does not help to find the cause: measuring a commit in between does.
constexpr std::size_t most_listed_commits = 20;

using Git = std::shared_ptr<const git::Repository>;

Git git_here() {
  auto repository = git::Repository::open(".");
  return repository ? std::make_shared<const git::Repository>(std::move(repository).value()) : nullptr;
}

// From the working directory upwards to the root of its repository. Empty: none.
fs::path nearest_triage_file(const Git& repository) {
  std::error_code ignored;
  for (fs::path folder = fs::canonical(".", ignored);; folder = folder.parent_path()) {
    if (fs::exists(folder / policy::default_triage_file, ignored)) return folder / policy::default_triage_file;
    if (!repository || folder == repository->root() || folder == folder.parent_path()) return {};
  }
}

Result<std::vector<policy::TriageEntry>> entries_of(const std::optional<std::string>& named, const Git& repository) {
  const fs::path file = named ? fs::path(*named) : nearest_triage_file(repository);
  if (file.empty() && !named) return std::vector<policy::TriageEntry>();
  const auto text = base::read_file(file, largest_triage_file);
  if (!text) return text.error();
  return policy::parse_triage(*text, file);
}

std::optional<bool> includes(const git::Repository& repository, const std::string& commit,
                             const std::string& ancestor) {
  if (!repository.has_commit(commit) || !repository.has_commit(ancestor)) return std::nullopt;
  const auto common = repository.merge_base(commit, ancestor);
  if (!common) return std::nullopt;
  const bool is_ancestor = *common == ancestor;
  // Where a shallow clone ends, histories look unrelated.
  if (const auto shallow = repository.is_shallow(); !is_ancestor && (!shallow || *shallow)) return std::nullopt;
  return is_ancestor;
}

// It is asked for each case, and git is a process or four.
Includes includes_by(const Git& repository) {
  using Commits = std::pair<std::string, std::string>;
  return [repository, known = std::map<Commits, std::optional<bool>>()](
             const std::string& commit, const std::string& ancestor) mutable -> std::optional<bool> {
    if (commit == ancestor) return true;
    if (!repository) return std::nullopt;
    const auto [answer, is_new] = known.try_emplace({commit, ancestor});
    if (is_new) answer->second = includes(*repository, commit, ancestor);
    return answer->second;
  };
}

void list_commits(Cause& cause, const Git& repository) {
  if (!repository || !cause.before) return;
  auto commits = git::commits_between(*repository, *cause.before, cause.commit, most_listed_commits + 1);
  if (!commits) return;  // a shallow clone: the issue does without
  cause.more_commits = commits->size() > most_listed_commits;
  if (cause.more_commits) commits->resize(most_listed_commits);
  cause.commits = std::move(commits).value();
}

const char* done_word(IssueStep::What what) {
  switch (what) {
    case IssueStep::What::create:
      return "created";
    case IssueStep::What::update:
      return "updated";
    case IssueStep::What::close:
      return "closed";
    case IssueStep::What::comment:
      break;
  }
  return "commented";
}

TriageAction action_of(const IssueStep& step) {
  return {step.number, done_word(step.what), step.cause.commit, step.why};
}

Result<bool> write_comments(Api& api, const IssueStep& step, const std::string& author) {
  bool written = false;
  for (const KeyedComment& comment : step.comments) {
    StickyComment sticky;
    sticky.number = step.number;
    sticky.name = comment.name;
    sticky.author = author;
    sticky.text = comment.text;
    sticky.short_text = step.why;
    const auto kept = keep_comment(api, sticky);
    if (!kept) return kept.error();
    written = written || kept->what != KeptComment::What::unchanged;
  }
  return written;
}

// Absent: all was as it shall be.
Result<std::optional<TriageAction>> carry_out_step(Api& api, IssueStep& step, const std::string& author) {
  const bool created = step.number == 0;
  if (created) {
    const auto issue = create_issue(api, {author, regression_label}, issue_key(step.cause), step.title, step.text);
    if (!issue) return issue.error();
    step.number = issue->number;
  }
  const auto written = write_comments(api, step, author);
  if (!written) return written.error();
  if (!created && step.what != IssueStep::What::comment) {
    const auto changed = change_issue(api, step.number, step.marker, {step.title, step.text, step.close});
    if (!changed) return changed.error();
  }
  if (step.what == IssueStep::What::comment && !*written) return std::optional<TriageAction>();
  return std::optional(action_of(step));
}

}  // namespace

Result<TriageFacts> read_triage(const TriageFiles& files, std::chrono::year_month_day today) {
  TriageFacts facts;
  facts.today = today;
  if (files.key && *files.key != default_key) facts.key = *files.key;
  const Git repository = git_here();
  auto entries = entries_of(files.states, repository);
  if (!entries) return entries.error();
  facts.entries = std::move(entries).value();
  facts.includes = includes_by(repository);
  if (files.report) {
    const auto report = load_report(*files.report);
    if (!report) return report.error();
    auto cause = cause_of(*report, *files.report);
    if (!cause) return cause.error();
    facts.reported = std::move(cause).value();
    if (facts.reported) {
      facts.reported->key = facts.key;
      list_commits(*facts.reported, repository);
      shorten(*facts.reported);  // the commits take room
    }
  }
  for (const std::string& file : files.repairs) {
    const auto report = load_report(file, "--repairs");
    if (!report) return report.error();
    auto repairs = repairs_of(*report, file);
    if (!repairs) return repairs.error();
    facts.repairs.push_back(std::move(repairs).value());
  }
  return facts;
}

Result<TriageSession> plan_on_github(Api& api, TriageFacts facts, const std::string& author) {
  TriageSession session;
  auto login = author.empty() ? own_login(api) : Result<std::string>(author);
  if (!login) return login.error();
  session.author = std::move(login).value();
  auto issues = own_issues(api, {session.author, regression_label});
  if (!issues) return issues.error();
  facts.issues = std::move(issues).value();
  session.plan = plan_triage(facts);
  return session;
}

Result<std::vector<TriageAction>> carry_out(Api& api, TriageSession& session) {
  std::vector<TriageAction> done;
  for (IssueStep& step : session.plan.steps) {
    auto action = carry_out_step(api, step, session.author);
    if (!action) return action.error();
    if (*action) done.push_back(std::move(**action));
    for (OpenCause& open : session.plan.open) {
      if (open.cause.commit == step.cause.commit) open.number = step.number;
    }
  }
  return done;
}

std::vector<TriageAction> would_do(const TriagePlan& plan) {
  std::vector<TriageAction> actions;
  for (const IssueStep& step : plan.steps) actions.push_back(action_of(step));
  return actions;
}

}  // namespace torchgate::github
