// SPDX-License-Identifier: Apache-2.0
// What happened beside the runs of a history: releases, pins and other versions at runs, waivers from one day to another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/formats/html_history.hpp"
#include "reports/site/site_model.hpp"

namespace torchgate::reports {

/// Marks of a history that are drawn and listed, the newest ones: more cannot be told apart on an axis.
inline constexpr std::size_t most_marks = 40;

/// A waiver of the case and the metric of a history.
struct WaiverTime {
  const SiteWaiver* waiver = nullptr;
  std::optional<std::int64_t>
      from;  ///< seconds since 1970: of the run with its commit, else of the commit's day; of `/perf accept` of the run of its change; absent: not known
  std::optional<std::int64_t> until;  ///< the end of its last day; absent: not a day

  /// On the day that begins at TODAY. As in the gate, whatever `from` is: a waiver holds until it expires.
  [[nodiscard]] bool holds_on(std::int64_t today) const;
};

struct SiteMarks {
  std::vector<HistoryMark> marks;  ///< all, by run: which pin includes a change does not depend on how many are drawn
  std::vector<WaiverTime> waivers;

  /// The marks to draw and to list, at most most_marks, and the number of the older ones.
  [[nodiscard]] std::vector<HistoryMark> newest() const;
  [[nodiscard]] std::size_t older() const { return marks.size() > most_marks ? marks.size() - most_marks : 0; }
};

/// Waivers are those of SITE: it outlives them.
SiteMarks site_marks(const History& history, const Site& site);

/// "waiver until 2027-01-31 of at most +12 %: REASON"; of `/perf accept` with ", for commit HASH" before the reason.
std::string waiver_words(const SiteWaiver& waiver);

/// The waivers whose end is known; of `/perf accept` those whose change is in the history, too.
std::vector<HistoryBand> waiver_bands(const std::vector<WaiverTime>& waivers);

}  // namespace torchgate::reports
