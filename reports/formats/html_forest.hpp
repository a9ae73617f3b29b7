// SPDX-License-Identifier: Apache-2.0
// The forest of a page: a list, in which each row has its own SVG. A page on a phone puts the name above the drawing, which one large
// SVG could not; a screen reader reads a list of sentences.
#pragma once

#include <functional>
#include <string>

#include "reports/forest.hpp"
#include "reports/format.hpp"
#include "reports/report.hpp"

namespace torchgate::reports {

/// A <section> with its title. Empty where the forest has no row. LINK_OF: the anchor of a finding on the page, or empty.
std::string forest_html(const Forest& forest, const Report& report, const Format& format,
                        const std::function<std::string(const Finding&)>& link_of);

}  // namespace torchgate::reports
