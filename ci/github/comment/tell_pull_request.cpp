// SPDX-License-Identifier: Apache-2.0
#include "ci/github/comment/tell_pull_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "ci/github/client/pull_request.hpp"
#include "ci/github/client/sticky_comment.hpp"
#include "ci/github/comment/last_report.hpp"
#include "harness/base/atomic_file.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/record/short_commit.hpp"
#include "reports/formats/markdown_escape.hpp"
#include "reports/overview.hpp"
#include "reports/safe_text.hpp"

namespace torchgate::github {
namespace {

using base::ErrorCode;
using base::Result;

constexpr std::int64_t largest_markdown_bytes = 1 << 20;

CheckRun check_of(const Destination& destination, const PullRequest& pull) {
  return {check_name(destination.name, pull), destination.head.sha, destination.details_url, destination.origin};
}

constexpr std::string_view footer_begin = "\n\n<sub>commit <code>";

// Shows nothing. A later job of the same attempt finds it.
std::string origin_mark(const std::string& origin) {
  return origin.empty() ? "" : fmt::format("\n<!-- torchgate-origin {} -->", origin);
}

// Which commit it is about, where the numbers are, and what a reader may answer.
std::string footer(const Destination& destination) {
  std::string text = fmt::format("{}{}</code>", footer_begin, record::short_commit(destination.head.sha));
  if (destination.name.find('/') != std::string::npos)
    text += fmt::format(" · check <code>{}</code>", reports::html_text(destination.name));
  if (!destination.details_url.empty()) text += fmt::format(" · [job and artifacts]({})", destination.details_url);
  if (destination.commands) text += " · <code>/perf accept CASE reason</code> · <code>/perf rerun</code>";
  return text + "</sub>" + origin_mark(destination.origin);
}

std::string heading(const Verdict& verdict) {
  return "## " + reports::markdown_text(verdict.title);
}

// A merge group is judged like a pull request, and has no thread.
PullRequest queued(const MeasuredHead& head) {
  return {
      0, true, head.sha, head.repository, head.queue->base_branch, head.queue->base_sha, head.queue->default_branch};
}

Result<PullRequest> find_pull_request(Api& api, const MeasuredHead& head) {
  if (head.queue) return queued(head);
  return head.number != 0 ? pull_request(api, head.number) : pull_request_of_head(api, head.sha, head.repository);
}

int badness(Conclusion conclusion) {
  switch (conclusion) {
    case Conclusion::success:
      return 0;
    case Conclusion::neutral:
      return 1;
    case Conclusion::failure:
      break;
  }
  return 2;
}

// Of an earlier comment, by its heading; without a check there is no other record of an earlier verdict.
int badness_of_comment(const std::string& text, const Destination& destination) {
  const bool same_commit =
      text.find(fmt::format("commit <code>{}</code>", record::short_commit(destination.head.sha))) != std::string::npos;
  if (!same_commit) return 0;
  if (text.find("## ❌") != std::string::npos) return badness(Conclusion::failure);
  return text.find("## ⚪") != std::string::npos ? badness(Conclusion::neutral) : 0;
}

// The attempt whose jobs share a name wrote it. Names in the report above the footer could look like the mark.
bool is_of_same_attempt(const std::string& text, const std::string& origin) {
  const std::size_t at = text.rfind(footer_begin);
  return !origin.empty() && at != std::string::npos && text.find(origin_mark(origin), at) != std::string::npos;
}

// Without a check, whether an earlier comment is kept instead of one of VERDICT.
bool earlier_comment_stays(const std::string& text, const Destination& destination, const Verdict& verdict) {
  const bool may_be_of_another_job =
      destination.origin == unknown_origin || is_of_same_attempt(text, destination.origin);
  return may_be_of_another_job && badness_of_comment(text, destination) > badness(verdict.conclusion);
}

Result<std::string> comment_on(Api& api, const Destination& destination, const Verdict& verdict,
                               const PullRequest& pull) {
  if (destination.head.queue) return std::string("no comment: a merge group has no thread");
  if (pull.head_sha != destination.head.sha) {
    return fmt::format("no comment: pull request {} has a newer commit ({}) than the measured one ({})", pull.number,
                       record::short_commit(pull.head_sha), record::short_commit(destination.head.sha));
  }
  auto author = destination.author.empty() ? own_login(api) : Result<std::string>(destination.author);
  if (!author) return author.error();
  StickyComment comment;
  comment.number = pull.number;
  comment.name = destination.name;
  comment.author = *author;
  comment.text = verdict.markdown + footer(destination);
  comment.short_text =
      heading(verdict) + "\n\nThe report is too long for a comment: see the summary of the job." + footer(destination);
  if (!destination.check) {
    comment.stays = [&](const std::string& text) { return earlier_comment_stays(text, destination, verdict); };
  }
  const auto kept = keep_comment(api, comment);
  if (!kept) return kept.error();
  using What = KeptComment::What;
  if (kept->what == What::stayed) {
    return std::string(
        "no comment: that of an earlier verdict of this commit is worse, and stays, because it may be of another "
        "workflow or job; give each of them its own --key");
  }
  const char* const done = kept->what == What::created   ? "created"
                           : kept->what == What::updated ? "updated"
                                                         : "unchanged:";
  std::string sentence = fmt::format("{} comment {} in pull request {}", done, kept->id, pull.number);
  if (!kept->author.empty())
    sentence += fmt::format("; the token writes as {0}: give --author '{0}'", base::shown(kept->author));
  return sentence;
}

bool replaces(const std::string& origin, const std::string& earlier) {
  if (origin == unknown_origin || earlier == unknown_origin) return false;
  return origin.empty() || origin != earlier;
}

constexpr std::string_view kept_begin = "An earlier verdict of this commit stays: ";

// EARLIER with a sentence about VERDICT, which is better and does not replace it.
Verdict kept_verdict(const CheckResult& earlier, const Verdict& verdict) {
  std::string report = earlier.summary;
  if (report.starts_with(kept_begin)) {  // kept more than once
    const std::size_t end = report.find("\n\n");
    report = end == std::string::npos ? "" : report.substr(end + 2);
  }
  Verdict kept;
  kept.conclusion = earlier.conclusion;
  kept.title = reports::one_line(earlier.title);
  kept.markdown = fmt::format(
      "{}{}. A later one is \"{}\"; it may be of another workflow or job, so it does not replace it. "
      "Give each of them its own `--key` (input `key`).\n\n{}",
      kept_begin, reports::markdown_text(kept.title), reports::markdown_text(verdict.title), report);
  return kept;
}

// VERDICT, or the worst earlier one that it does not replace: a success must not cover the failure of another workflow.
Verdict standing_verdict(const std::vector<EarlierVerdict>& earlier, const CheckRun& check, const Verdict& verdict) {
  bool newest_known = true;  // older ones of a known origin have been replaced, or are part of the newest
  bool newest_unknown = true;
  Verdict standing = verdict;
  for (const EarlierVerdict& each : earlier) {
    bool& newest = each.origin == unknown_origin ? newest_unknown : newest_known;
    // Jobs of one attempt may tell at the same time: then a newer one does not contain an older one.
    const bool counts = (newest || each.origin == check.origin) && !replaces(check.origin, each.origin);
    newest = false;
    if (counts && badness(each.result.conclusion) > badness(standing.conclusion))
      standing = kept_verdict(each.result, verdict);
  }
  return standing;
}

bool is_one_of(std::int64_t id, const std::vector<std::int64_t>& ids) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

// Tells VERDICT, or what stands instead of it. Another job may tell its own after the first look: so what was written is looked at again,
// which the job that writes last does after all others have written.
class Telling {
 public:
  Telling(Api& api, const Destination& destination, const PullRequest& pull, const Verdict& verdict)
      : api_(api), destination_(destination), pull_(pull), verdict_(verdict), check_(check_of(destination, pull)) {}

  Result<std::string> tell() {
    if (!destination_.check) return comment(verdict_);
    const auto earlier = earlier_verdicts(api_, check_);
    if (!earlier) return earlier.error();
    Verdict standing = standing_verdict(*earlier, check_, verdict_);
    auto told = comment(standing);
    const auto ids = complete_check(api_, check_, result_of(standing));
    if (!ids) return ids.error();
    return settled(*ids, std::move(standing), std::move(told));
  }

 private:
  // Each time the verdict is worse, or another job has replaced it: both end soon.
  static constexpr int most_looks = 4;

  static CheckResult result_of(const Verdict& verdict) { return {verdict.conclusion, verdict.title, verdict.markdown}; }

  Result<std::string> comment(const Verdict& verdict) {
    if (!destination_.comment) return std::string("no comment (--no-comment)");
    return comment_on(api_, destination_, verdict, pull_);
  }

  // Of a job that may be writing its comment now.
  [[nodiscard]] bool is_of_another_job(const EarlierVerdict& one, const std::vector<std::int64_t>& ids) const {
    return !is_one_of(one.id, ids) && one.origin == check_.origin && !replaces(check_.origin, one.origin);
  }

  Result<std::string> settled(const std::vector<std::int64_t>& ids, Verdict standing, Result<std::string> told) {
    for (int look = 0; look < most_looks; ++look) {
      const auto all = earlier_verdicts(api_, check_);
      if (!all) return all.error();
      const int written = badness(standing.conclusion);
      Verdict now = standing_verdict(*all, check_, verdict_);
      const bool worse = badness(now.conclusion) > written;
      const bool replaced = std::any_of(all->begin(), all->end(), [&](const EarlierVerdict& each) {
        return is_one_of(each.id, ids) && each.origin == check_.origin && badness(each.result.conclusion) < written;
      });
      if (worse) standing = std::move(now);
      const bool others = std::any_of(all->begin(), all->end(),
                                      [&](const EarlierVerdict& each) { return is_of_another_job(each, ids); });
      if (told && (worse || replaced || (others && look == 0))) {
        auto again = comment(standing);
        if (!again || worse) told = std::move(again);
      }
      if (!worse && !replaced) break;
      if (const auto changed = change_checks(api_, check_, ids, result_of(standing)); !changed) return changed.error();
    }
    return told;
  }

  Api& api_;
  const Destination& destination_;
  const PullRequest& pull_;
  const Verdict& verdict_;
  CheckRun check_;
};

// The word of the outcome in the heading of a report: "## ❌ FAIL: ..."; empty where MARKDOWN has another one.
std::string word_in_heading(std::string_view markdown) {
  constexpr std::string_view heading_begin = "## ";
  if (!markdown.starts_with(heading_begin)) return "";
  std::string_view line = markdown.substr(heading_begin.size());
  line.remove_prefix(std::min(line.find(' ') + 1, line.size()));  // the symbol
  for (const auto outcome : {reports::Outcome::pass, reports::Outcome::no_verdict, reports::Outcome::fail}) {
    for (const bool weak : {false, true}) {
      const std::string word = reports::outcome_word(outcome, weak);
      if (line.starts_with(word + ": ")) return word;
    }
  }
  return "";
}

}  // namespace

Result<Verdict> verdict_of_report(const std::string& json_file, const std::string& markdown_file) {
  const auto report = load_report(json_file);
  if (!report) return report.error();
  auto markdown = base::read_file(markdown_file, largest_markdown_bytes);
  if (!markdown) return markdown.error();
  Verdict verdict;
  verdict.markdown = std::move(markdown).value();
  const std::string& outcome = report->outcome;
  const bool weak_pass = outcome == "pass" && report->weak;
  verdict.no_verdict = outcome == "no_verdict";
  verdict.conclusion = weak_pass || verdict.no_verdict ? Conclusion::neutral
                       : outcome == "pass"             ? Conclusion::success
                                                       : Conclusion::failure;
  const std::string word = reports::outcome_word(outcome == "pass"    ? reports::Outcome::pass
                                                 : verdict.no_verdict ? reports::Outcome::no_verdict
                                                                      : reports::Outcome::fail,
                                                 weak_pass);
  if (const std::string other = word_in_heading(verdict.markdown); !other.empty() && other != word)
    return base::Error{
        ErrorCode::bad_input,
        fmt::format("{} says {}, and {} says {}: not of one report; write both in one call of `torchgate gate`",
                    json_file, word, markdown_file, other)};
  if (!report->after_modified && report->commit && record::is_full_commit(*report->commit))
    verdict.commit = report->commit;
  verdict.title = fmt::format("{}: {}", word, reports::one_line(report->headline));
  return verdict;
}

Verdict verdict_without_report(Conclusion conclusion, const std::string& sentence) {
  const char* const word = conclusion == Conclusion::neutral ? "NO VERDICT" : "FAIL";
  Verdict verdict;
  verdict.conclusion = conclusion;
  verdict.no_verdict = conclusion == Conclusion::neutral;
  verdict.title = fmt::format("{}: {}", word, reports::one_line(sentence));
  verdict.markdown = fmt::format("## {} torchgate: {}\n", conclusion == Conclusion::neutral ? "⚪" : "❌",
                                 conclusion == Conclusion::neutral ? "no verdict" : "no result");
  verdict.markdown += "\n" + reports::markdown_text(sentence);
  return verdict;
}

Result<std::string> target_of(Api& api, const MeasuredHead& head) {
  const auto found = find_pull_request(api, head);
  if (!found) return found.error();
  const std::string& branch = found->base_branch;
  const auto unsafe = [](char each) {
    return each <= ' ' || each == '\x7f' || std::string_view("~^:?*[\\").find(each) != std::string_view::npos;
  };
  if (branch.empty() || branch.front() == '-' || std::any_of(branch.begin(), branch.end(), unsafe)) {
    return base::Error{ErrorCode::bad_input,
                       fmt::format("GitHub: {} is not the name of a branch", base::in_quotes(branch))};
  }
  return fmt::format("{} {} {}", head.sha, branch, found->base_sha);
}

Result<std::string> begin_pull_request(Api& api, const Destination& destination) {
  const auto found = find_pull_request(api, destination.head);
  if (!found && found.error().code == ErrorCode::not_found) return "no check: " + found.error().message;
  if (!found) return found.error();
  const CheckRun check = check_of(destination, *found);
  const auto begun = begin_check(api, check);
  if (!begun) return begun.error();
  if (!*begun) return fmt::format("the check {} has its verdict already", check.name);
  return fmt::format("the check {} is in progress", check.name);
}

Result<std::string> tell_pull_request(Api& api, const Destination& destination, const Verdict& verdict) {
  const auto found = find_pull_request(api, destination.head);
  // Without its branch the name of the check is unknown; one that is in progress stays so.
  if (!found && found.error().code == ErrorCode::not_found) return "no comment, no check: " + found.error().message;
  if (!found) return found.error();
  return Telling(api, destination, *found, verdict).tell();
}

}  // namespace torchgate::github
