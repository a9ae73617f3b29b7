// SPDX-License-Identifier: Apache-2.0
// The formats of each model. To add one: a file with its render function, and one row in registry.cpp.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/record/calibration.hpp"
#include "reports/explanation.hpp"
#include "reports/formats/doctor_text.hpp"
#include "reports/formats/markdown.hpp"
#include "reports/formats/model_advice_text.hpp"
#include "reports/formats/terminal.hpp"
#include "reports/history.hpp"
#include "reports/matrix.hpp"
#include "reports/report.hpp"

namespace torchgate::reports {

struct RenderOptions {
  TerminalOptions terminal;
  MarkdownOptions markdown;
};

/// Who reads what a format prints.
enum class Reader {
  person_or_program,
  ci_log  ///< lines are commands to the CI system; the format itself makes what is in them inert
};

/// One format of a model: Report, Matrix, History, Explanation, record::Calibration, DoctorReport or ModelAdvice.
template <class Model>
struct FormatOf {
  std::string_view name;         ///< what `--format` and `--write NAME=FILE` take
  std::string_view description;  ///< one line of help
  std::string_view extension;    ///< of a file in this format, with its dot
  std::string (*render)(const Model&, const RenderOptions&);
  Reader reader = Reader::person_or_program;
  /// What a file of this format cannot hold of the model, and which format can: a sentence, empty where it holds all. nullptr: it always
  /// does, or says so itself.
  std::string (*left_out)(const Model&) = nullptr;
  std::string_view complement = {};  ///< the format with what this one leaves out
  /// Cases that no file of this kind has: a sentence, empty where it has all. nullptr: it has all.
  std::string (*cases_left_out)(const Model&) = nullptr;
};

using ReportFormat = FormatOf<Report>;

/// In the order of the help text; the first one is for a terminal.
template <class Model>
std::span<const FormatOf<Model>> formats_of();
/// nullptr when there is none of that name.
template <class Model>
const FormatOf<Model>* find_format(std::string_view name);

}  // namespace torchgate::reports
