// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/markdown_upgrade.hpp"

#include <fmt/format.h>

#include "reports/format.hpp"
#include "reports/formats/markdown_escape.hpp"
#include "reports/formats/markdown_parts.hpp"
#include "reports/formats/markdown_table.hpp"
#include "reports/formats/table_formats.hpp"
#include "reports/sentences.hpp"
#include "reports/upgrade_tables.hpp"

namespace torchgate::reports {
namespace {

Section build_section(const std::vector<Difference>& build) {
  MarkdownTable parts({{"fact"}, {"before"}, {"after"}}, "");
  for (const Difference& part : build)
    parts.add_row({markdown_name(part.name, true), part.before.empty() ? "" : markdown_name(part.before, true),
                   part.after.empty() ? "" : markdown_name(part.after, true)});
  const std::string title = counted(static_cast<std::int64_t>(build.size()), "difference of the build of LibTorch",
                                    "differences of the build of LibTorch");
  return {static_cast<int>(MarkdownRank::details),
          markdown_rest_share,
          markdown_folded(title) + parts.head(),
          parts.rows(),
          markdown_end_of_folded,
          markdown_omitted("differences")};
}

}  // namespace

std::vector<Section> markdown_upgrade(const Upgrade& upgrade) {
  const Format format;
  Section words{static_cast<int>(MarkdownRank::doubts),
                markdown_sentences_share,
                fmt::format("\n**{}**\n\n", markdown_text(upgrade_title(upgrade, format))),
                {},
                "",
                nullptr};
  for (const std::string& sentence : upgrade_sentences(upgrade, format))
    words.rows.push_back(fmt::format("- {}\n", markdown_text(as_sentence(sentence))));
  std::vector<Section> sections{std::move(words)};
  bool first = true;  // by suite
  for (const Table& table : upgrade_tables(upgrade, format)) {
    sections.push_back(table_section(table, static_cast<int>(first ? MarkdownRank::listed : MarkdownRank::details),
                                     markdown_rest_share, first));
    first = false;
  }
  sections.push_back(build_section(upgrade.build));
  return sections;
}

}  // namespace torchgate::reports
