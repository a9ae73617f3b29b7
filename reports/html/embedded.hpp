// SPDX-License-Identifier: Apache-2.0
// The files that an HTML page carries in itself; embedded when the program is built (cmake/torchgate_embed.cmake).
#pragma once

#include <string_view>

namespace torchgate::reports::embedded {

extern const std::string_view report_css;
extern const std::string_view report_js;
extern const std::string_view site_css;
extern const std::string_view site_js;
extern const std::string_view chart_js;
extern const std::string_view dygraph_js;  ///< dygraphs (MIT), Debian's libjs-dygraphs
extern const std::string_view dygraph_css;

}  // namespace torchgate::reports::embedded
