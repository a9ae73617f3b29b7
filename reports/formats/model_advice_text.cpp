// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/model_advice_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "harness/record/short_commit.hpp"
#include "reports/fit.hpp"
#include "reports/format.hpp"
#include "reports/formats/markdown_escape.hpp"
#include "reports/formats/markdown_parts.hpp"
#include "reports/formats/markdown_table.hpp"
#include "reports/safe_text.hpp"

namespace torchgate::reports {
namespace {

constexpr std::size_t cases_shown = 3;

std::int64_t advice_count(const ModelAdvice& advice, AdviceAnswer answer) {
  return std::count_if(advice.rows.begin(), advice.rows.end(), [&](const auto& row) { return row.answer == answer; });
}

std::string score_words(const ModelAdvice& advice) {
  const auto followed = advice_count(advice, AdviceAnswer::followed);
  const auto all = followed + advice_count(advice, AdviceAnswer::not_followed);
  if (!advice.score()) return "score unknown: no practice applies to what was recorded";
  return fmt::format("score {:.0f} %: {} of {} practices followed, {} not applicable", *advice.score() * 100, followed,
                     all, advice_count(advice, AdviceAnswer::not_applicable));
}

// What follows the name of the run: ", 2026-11-22T10:00:00.000Z, commit 1a2b3c4d5e6f, 12 cases".
std::string run_words(const ModelAdvice& advice) {
  std::string text;
  if (!advice.created.empty()) text += ", " + advice.created;
  if (advice.commit)
    text += ", commit " + record::short_commit(*advice.commit) + (advice.modified ? " (modified tree)" : "");
  text += ", " + counted(advice.cases, "case", "cases");
  if (const std::string gaps = advice.gaps(); !gaps.empty()) text += ", " + gaps;
  return text;
}

// "at most 31 % of a call"; nothing where less than half a per cent is known of it.
std::string saves_words(const AdviceRow& row) {
  constexpr double shown_from = 0.005;
  if (!row.saves || *row.saves < shown_from) return {};
  return fmt::format("at most {:.0f} % of {}", *row.saves * 100, row.saves_of);
}

std::string followed_names(const ModelAdvice& advice) {
  std::string names;
  for (const AdviceRow& row : advice.rows) {
    if (row.answer == AdviceAnswer::followed) names += (names.empty() ? "" : ", ") + row.id;
  }
  return names;
}

struct MissingEvidence {
  std::string reason;
  std::string names;
};

// What does not apply, by what is missing for it.
std::vector<MissingEvidence> missing_evidence(const ModelAdvice& advice) {
  std::vector<MissingEvidence> all;
  for (const AdviceRow& row : advice.rows) {
    if (row.answer != AdviceAnswer::not_applicable) continue;
    const auto same = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.reason == row.missing; });
    if (same == all.end()) {
      all.push_back({row.missing, row.id});
    } else {
      same->names += ", " + row.id;
    }
  }
  return all;
}

std::string number_of_others(const AdviceRow& row) {
  return grouped(static_cast<std::int64_t>(row.evidence.size() - cases_shown));
}

std::string markdown_cases(const AdviceRow& row) {
  std::string cell;
  for (std::size_t i = 0; i < std::min(cases_shown, row.evidence.size()); ++i)
    cell += (i > 0 ? "<br>" : "") + markdown_name(row.evidence[i].case_name, true) + ": " +
            markdown_cell(row.evidence[i].text);
  if (row.evidence.size() > cases_shown) cell += fmt::format("<br>and {} more", number_of_others(row));
  return cell;
}

}  // namespace

std::string model_advice_text(const ModelAdvice& advice) {
  std::string text;
  for (const AdviceRow& row : advice.rows) {
    if (row.answer != AdviceAnswer::not_followed) continue;
    const std::string saves = saves_words(row);
    text += fmt::format("no   {:<22}{}\n     {:<22}{} of {} cases{}\n", row.id, row.practice, "",
                        grouped(static_cast<std::int64_t>(row.evidence.size())),
                        grouped(static_cast<std::int64_t>(row.applicable)), saves.empty() ? "" : "; saves " + saves);
    for (std::size_t i = 0; i < std::min(cases_shown, row.evidence.size()); ++i)
      text +=
          fmt::format("     {:<22}{}: {}\n", "", one_line(row.evidence[i].case_name), one_line(row.evidence[i].text));
    if (row.evidence.size() > cases_shown) text += fmt::format("     {:<22}and {} more\n", "", number_of_others(row));
    text += fmt::format("     {:<22}fix: {}; {} shows what it gains\n", "", row.fix, row.shown_by);
  }
  if (const std::string names = followed_names(advice); !names.empty()) text += "yes  " + names + '\n';
  for (const MissingEvidence& one : missing_evidence(advice))
    text += fmt::format("n/a  {}: {}\n", one.names, one.reason);
  return text + fmt::format("\n{}; run {}\n", score_words(advice), one_line(advice.run + run_words(advice)));
}

std::string model_advice_markdown(const ModelAdvice& advice, const MarkdownOptions& options) {
  Section head;
  head.rows = {"## Advice for the models of a run\n",
               fmt::format("\n{}; run {}{}.\n", score_words(advice), markdown_name(advice.run, true),
                           markdown_text(run_words(advice)))};
  MarkdownTable table({{"practice that is not followed"}, {"category"}, {"cases"}, {"saves"}, {"fix"}, {"shown by"}},
                      "");
  for (const AdviceRow& row : advice.rows) {
    if (row.answer == AdviceAnswer::not_followed)
      table.add_row({markdown_cell(row.practice), row.category, markdown_cases(row), saves_words(row),
                     markdown_cell(row.fix), markdown_name(row.shown_by, true)});
  }
  Section rest;
  rest.rank = 1;
  if (const std::string names = followed_names(advice); !names.empty())
    rest.rows.push_back(fmt::format("\nFollowed: {}.\n", names));
  Section missing;
  missing.rank = 2;
  missing.before = "\nNot applicable:\n\n";
  for (const MissingEvidence& one : missing_evidence(advice))
    missing.rows.push_back(fmt::format("- {}: {}\n", one.names, markdown_cell(one.reason)));
  return fit({head, {2, 1, "\n" + table.head(), table.rows(), "", markdown_omitted("practices")}, rest, missing},
             options.limit_bytes);
}

std::string model_advice_json(const ModelAdvice& advice) {
  nlohmann::ordered_json json;
  json["schema"] = "torchgate.advice/1";
  json["run"] = advice.run;
  json["created"] = advice.created;
  json["commit"] = advice.commit ? nlohmann::ordered_json(*advice.commit) : nlohmann::ordered_json(nullptr);
  json["modified"] = advice.modified;
  json["cases"] = advice.cases;
  json["cases_without_result"] = advice.cases_without_result;
  json["complete"] = advice.complete;
  json["score"] = advice.score() ? nlohmann::ordered_json(*advice.score()) : nlohmann::ordered_json(nullptr);
  json["practices"] = nlohmann::ordered_json::array();
  for (const AdviceRow& row : advice.rows) {
    nlohmann::ordered_json one{{"id", row.id},
                               {"category", row.category},
                               {"practice", row.practice},
                               {"answer", to_string(row.answer)},
                               {"applicable", row.applicable},
                               {"saves_of", row.saves_of},
                               {"fix", row.fix},
                               {"shown_by", row.shown_by}};
    one["saves"] = row.saves ? nlohmann::ordered_json(*row.saves) : nlohmann::ordered_json(nullptr);
    one["missing"] = row.missing.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(row.missing);
    one["evidence"] = nlohmann::ordered_json::array();
    for (const AdviceEvidence& each : row.evidence)
      one["evidence"].push_back({{"case", each.case_name}, {"text", each.text}});
    json["practices"].push_back(std::move(one));
  }
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace torchgate::reports
