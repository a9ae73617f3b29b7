// SPDX-License-Identifier: Apache-2.0
// Untrusted text in an HTML page, and what a content policy names scripts and styles by.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace torchgate::reports {

/// Columns of a name and of a sentence that a page shows; of a longer one the two ends.
inline constexpr std::size_t html_name_width = 200;
inline constexpr std::size_t html_sentence_width = 1000;

/// On one line, inert between tags and in attributes in double quotes.
std::string html_name(std::string_view untrusted);
std::string html_sentence(std::string_view untrusted);

/// The sentences as a list; nothing of none.
std::string html_list(const std::vector<std::string>& untrusted);

/// The start of a <div> whose table may be wider than the window: it scrolls, also with the keyboard, which needs a name for it.
std::string html_scrolled(std::string_view untrusted_name);

/// JSON for a <script type="application/json">: no "<", so that nothing ends the element or begins another.
std::string json_for_script(const std::string& json);

/// 'sha256-...' of an inline script or style (W3C Content Security Policy, 2.3.1).
std::string policy_hash(std::string_view content);

}  // namespace torchgate::reports
