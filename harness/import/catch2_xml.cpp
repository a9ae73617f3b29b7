// SPDX-License-Identifier: Apache-2.0
#include "harness/import/catch2_xml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "harness/base/limits.hpp"
#include "harness/base/shown_text.hpp"
#include "harness/import/bounds.hpp"
#include "harness/import/case_list.hpp"
#include "harness/import/lines.hpp"
#include "harness/import/xml_tags.hpp"

namespace torchgate::import {
namespace {

using Kind = XmlTag::Kind;

class Catch2XmlReader {
 public:
  Catch2XmlReader(std::string_view text, const std::string& where) : tags_(text) {
    process_.file = where;
    process_.tool = "catch2";
    process_.never_dated = true;
    process_.no_spread = catch2_has_means;
  }

  base::Result<std::vector<ImportedProcess>> read() {
    while (const auto tag = tags_.next()) {
      const std::string wrong = tag->kind == Kind::open ? opened(*tag) : closed(tag->name);
      if (!wrong.empty()) return bad_file(place(), wrong);
    }
    if (!tags_.mistake().empty()) return bad_file(place(), tags_.mistake());
    if (const std::string wrong = end_test(); !wrong.empty()) return bad_file(place(), wrong);
    if (cases_.empty()) return bad_file(process_.file, "no benchmarks; check which tests ran");
    cases_.move_to(process_);
    std::vector<ImportedProcess> processes;
    processes.push_back(std::move(process_));
    return processes;
  }

 private:
  [[nodiscard]] std::string place() const { return fmt::format("{}:{}", process_.file, tags_.line()); }

  std::string opened(const XmlTag& tag) {
    if (tag.name == "Catch2TestRun" || tag.name == "Catch") {
      process_.program = tag.attribute("name").substr(0, base::max_name_bytes);
    } else if (tag.name == "TestCase" || tag.name == "Section") {
      path_.emplace_back(trimmed(tag.attribute("name")));
    } else if (tag.name == "BenchmarkResults") {
      if (benchmark_) return "<BenchmarkResults> inside another one";
      benchmark_.emplace();
      benchmark_->name = join(tag.attribute("name"));
      benchmark_->run_name = benchmark_->name;
      benchmark_->protocol = catch2_protocol;
      std::int64_t iterations = 1;
      if (is_count(tag.attribute("iterations"), iterations))
        benchmark_->calls_per_sample = std::max<std::int64_t>(iterations, 1);
    } else if (benchmark_ && tag.name == "mean") {
      const std::string_view text = tag.attribute("value");
      const auto mean = number_in(text);
      if (!mean && text.empty()) return "<mean> without a value";
      if (!benchmark_->note.empty()) return "a benchmark has two <mean>";
      if (benchmark_->failure.empty()) benchmark_->failure = mean ? invalid_time(mean) : "mean: " + not_a_number(text);
      if (benchmark_->failure.empty()) benchmark_->time_ns = {*mean};  // "All values in nano seconds"
      benchmark_->note = catch2_note;
    } else if (benchmark_ && tag.name == "failed") {
      benchmark_->failure = tag.attribute("message").empty() ? "no reason given" : tag.attribute("message");
      thrown_ = trimmed(benchmark_->failure);
    } else if (tag.name ==
               "OverallResult") {  // of the test case: with [!mayfail] and [!shouldfail] failures are a success
      test_failed_ = test_failed_ || tag.attribute("success") == "false";
    } else if (tag.name == "Original" || tag.name == "Exception" || tag.name == "FatalErrorCondition" ||
               tag.name == "Failure") {
      take_problem(tag.name);
    } else if (tag.name == "Expression") {
      expression_failed_ = tag.attribute("success") == "false";
    }
    return "";
  }

  void take_problem(std::string_view tag) {
    if (problem_ || (tag == "Original" && !expression_failed_)) return;
    std::string problem = tags_.text(base::max_name_bytes);
    // Version 3 also reports what a benchmark threw as an exception of its test.
    if (tag == "Exception" && !thrown_.empty() && problem == std::exchange(thrown_, "")) return;
    problem_ = std::move(problem);
  }

  // A benchmark that threw fails alone; any other failure of a test is one of all its benchmarks.
  std::string end_test() {
    const bool only_own = !problem_ && std::any_of(of_test_.begin(), of_test_.end(),
                                                   [](const ImportedCase& each) { return !each.failure.empty(); });
    for (ImportedCase& each : of_test_) {
      if (test_failed_ && !only_own && each.failure.empty()) {
        each.failure = catch2_test_failed(problem_.value_or(""));
        each.time_ns.clear();
      }
      if (std::string wrong = cases_.add(std::move(each)); !wrong.empty()) return wrong;
    }
    of_test_.clear();
    problem_.reset();
    thrown_.clear();
    test_failed_ = expression_failed_ = false;
    return "";
  }

  std::string closed(const std::string& name) {
    if (name == "TestCase" || name == "Section") {
      path_.pop_back();
      if (name == "TestCase") return end_test();
    } else if (name == "BenchmarkResults" && benchmark_) {
      ImportedCase one = *std::exchange(benchmark_, std::nullopt);
      if (one.time_ns.empty() && one.failure.empty()) one.failure = "it started, but its mean is not in the file";
      if (!one.failure.empty()) one.time_ns.clear();
      of_test_.push_back(std::move(one));
    }
    return "";
  }

  [[nodiscard]] std::string join(std::string_view name) const {
    std::string joined;
    for (const std::string& part : path_) joined += part + '/';
    return joined.append(name);
  }

  XmlTags tags_;
  ImportedProcess process_;
  CaseList cases_;
  std::vector<std::string> path_;
  std::optional<ImportedCase> benchmark_;
  std::vector<ImportedCase> of_test_;   // benchmarks of the open test case
  std::optional<std::string> problem_;  // the first one of it
  bool expression_failed_ = false;
  std::string thrown_;  // by a benchmark of it
  bool test_failed_ = false;
};

}  // namespace

std::string catch2_test_failed(std::string_view why) {
  return why.empty() ? "its test failed" : fmt::format("its test failed: {}", base::shown(why));
}

bool is_catch2_xml(std::string_view head) {
  return head.find("<Catch2TestRun") != std::string_view::npos || head.find("<Catch name=") != std::string_view::npos;
}

base::Result<std::vector<ImportedProcess>> read_catch2_xml(std::string_view text, const std::string& where) {
  const std::string clean = well_formed(text);
  return Catch2XmlReader(clean, where).read();
}

}  // namespace torchgate::import
