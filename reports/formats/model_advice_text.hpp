// SPDX-License-Identifier: Apache-2.0
// The advice for models as text, Markdown and JSON (schema torchgate.advice/1).
#pragma once

#include <string>

#include "reports/formats/markdown.hpp"
#include "reports/model_advice.hpp"

namespace torchgate::reports {

/// What is not followed first, each with up to three cases; then what is; then what does not apply, with the reason.
std::string model_advice_text(const ModelAdvice& advice);
std::string model_advice_markdown(const ModelAdvice& advice, const MarkdownOptions& options = {});
std::string model_advice_json(const ModelAdvice& advice);

}  // namespace torchgate::reports
