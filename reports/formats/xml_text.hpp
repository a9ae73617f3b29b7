// SPDX-License-Identifier: Apache-2.0
// Untrusted text in XML 1.0 documents.
#pragma once

#include <string>
#include <string_view>

namespace torchgate::reports {

/// For an attribute in double quotes or for character data: one line, with references for what XML or HTML would read as markup.
/// What XML 1.0 forbids even as a reference (control characters) is U+FFFD, as is what turns the direction of text.
std::string xml_text(std::string_view untrusted);

}  // namespace torchgate::reports
