// SPDX-License-Identifier: Apache-2.0
// Tracked files that a program does not open, but that may decide what it reads.
#pragma once

#include <string_view>

namespace torchgate::gate {

/// A file of a CI service: the job that it describes may set environment variables, which both sides of its pairs have.
bool may_set_variables(std::string_view path);

/// A file of a build tool: the build may generate files that no commit has, and both sides of pairs read the present ones.
bool may_generate_files(std::string_view path);

/// Source text, by its name. It is in the executables, unless none of them changed with it: then a program may read it, as a compiler or a parser does
/// in its benchmark.
bool is_source_text(std::string_view path);

/// Source text, or a document (.md, .rst, .adoc) that is not documentation by its name or folder (README.md, docs/): a corpus of a parser or a
/// tokenizer may be one.
bool may_be_text_input(std::string_view path);

}  // namespace torchgate::gate
