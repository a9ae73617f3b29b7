// SPDX-License-Identifier: Apache-2.0
// The program of own_process_suite.cpp, started as torchgate starts it and by hand.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>

#include "harness/record/codec.hpp"

namespace {

using torchgate::record::CaseResult;
using torchgate::record::CaseStatus;
using torchgate::record::Measurement;
using torchgate::record::ProcessReport;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class OwnProcess : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "torchgate-own-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder = name;
    program = folder / "own";
    std::filesystem::copy_file(TORCHGATE_OWN_PROCESS_SUITE, program);
    std::filesystem::create_directory(artefacts());
    std::ofstream(artefacts() / "model.bin") << 17;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  [[nodiscard]] std::filesystem::path artefacts() const { return program.string() + ".artefacts"; }

  // Its exit code; what it printed is in the files "out" and "err".
  int run(const std::string& flags) {
    const std::string command = "cd " + folder.string() + " && ./own " + flags + " > out 2> err";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  ProcessReport report_of(const std::string& flags) {
    EXPECT_EQ(run(flags), 0) << text_of(folder / "err");
    auto report = torchgate::record::process_report_from_json(text_of(folder / "report"), "report");
    if (!report) throw std::runtime_error(report.error().message);
    return *std::move(report);
  }
  ProcessReport measure(const std::string& group) {
    return report_of("--torchgate_profile=quick --torchgate_out=report --torchgate_group=own/" + group);
  }
  static const CaseResult& result(const ProcessReport& report, const std::string& name) {
    const auto found = std::find_if(report.results.begin(), report.results.end(),
                                    [&](const auto& each) { return each.name == "own/" + name; });
    if (found == report.results.end()) throw std::runtime_error("no case " + name);
    return *found;
  }
  static const Measurement& measurement(const CaseResult& result, const std::string& metric) {
    for (const Measurement& each : result.measurements)
      if (each.metric == metric) return each;
    throw std::runtime_error("no " + metric + "; message: " + result.message.text());
  }

  std::filesystem::path folder;
  std::filesystem::path program;
};

TEST_F(OwnProcess, EachColdSampleIsAProcess) {
  const ProcessReport report = measure("cold");
  for (const char* const name : {"cold/first", "cold/second"}) {
    const CaseResult& cold = result(report, name);
    ASSERT_EQ(cold.status, CaseStatus::ok) << cold.message;
    EXPECT_EQ(measurement(cold, "built_here").value, 1);
    for (const char* const metric : {"time", "cpu_time", "build_time", "first_call", "load_time"})
      EXPECT_EQ(measurement(cold, metric).samples.size(), 3U) << metric;
    EXPECT_GE(measurement(cold, "build_time").summary->min, 5e6);  // it sleeps for so long
    EXPECT_GE(measurement(cold, "first_call").summary->min, 1e6);
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_DOUBLE_EQ(measurement(cold, "time").samples[i],
                       measurement(cold, "build_time").samples[i] + measurement(cold, "first_call").samples[i]);
  }
  EXPECT_TRUE(report.files_read) << report.files_unknown;
}

TEST_F(OwnProcess, AColdStartThatIsWrongOrCrashesIsReportedAsSuch) {
  const ProcessReport report = measure("cold_bad");
  EXPECT_EQ(result(report, "cold_bad/one").status, CaseStatus::ok);
  EXPECT_EQ(result(report, "cold_bad/two").status, CaseStatus::wrong);
  EXPECT_EQ(result(report, "cold_bad/crashes").status, CaseStatus::failed);
  EXPECT_NE(result(report, "cold_bad/crashes").message.text().find("killed by signal 6"), std::string::npos);
}

TEST_F(OwnProcess, AVariantHasItsOwnEnvironmentAndThreads) {
  const ProcessReport report = measure("environment");
  EXPECT_EQ(measurement(result(report, "environment/unset"), "value").value, 0);
  EXPECT_EQ(measurement(result(report, "environment/set"), "value").value, 42);
  EXPECT_EQ(measurement(result(report, "environment/threads"), "value").value, 3);
  EXPECT_GE(measurement(result(report, "environment/set"), "time").samples.size(), 15U);
}

TEST_F(OwnProcess, AReferenceKeepsItsOwnEnvironmentWhenAVariantIsComparedWithIt) {
  const ProcessReport report = measure("compared");
  for (const char* const name : {"one", "same", "right", "right_here"})
    EXPECT_EQ(result(report, std::string("compared/") + name).status, CaseStatus::ok)
        << name << ": " << result(report, std::string("compared/") + name).message;
  EXPECT_EQ(result(report, "compared/wrong").message,
            "output differs from own/compared/one: relative L2 distance 1, allowed 1e-05");
  EXPECT_EQ(result(report, "compared/wrong_here").status, CaseStatus::wrong);
  EXPECT_EQ(result(measure("compared_here"), "compared_here/wrong").status, CaseStatus::wrong);
}

TEST_F(OwnProcess, TheOutputsOfAReferenceAreMadeOnceAndLeaveNoFiles) {
  std::filesystem::create_directory(folder / "tmp");
  setenv("TMPDIR", (folder / "tmp").c_str(), 1);
  setenv("OWN_LOG", (folder / "log").c_str(), 1);
  const ProcessReport report = measure("compared_cold");
  const ProcessReport ended = measure("reference_ends");
  unsetenv("OWN_LOG");
  unsetenv("TMPDIR");
  EXPECT_EQ(result(report, "compared_cold/right").status, CaseStatus::ok);
  EXPECT_EQ(measurement(result(report, "compared_cold/right"), "time").samples.size(), 2U);
  EXPECT_EQ(result(report, "compared_cold/wrong").status, CaseStatus::wrong);
  EXPECT_EQ(text_of(folder / "log"), "built\nbuilt\nbuilt\n") << "two launches of its own, and one for both variants";
  ASSERT_TRUE(report.files_read) << report.files_unknown;
  for (const std::string& path : *report.files_read) EXPECT_EQ(path.find("torchgate-case"), std::string::npos) << path;
  EXPECT_EQ(result(ended, "reference_ends/one").status, CaseStatus::failed);
  EXPECT_TRUE(std::filesystem::is_empty(folder / "tmp"));
}

TEST_F(OwnProcess, AReferenceThatCannotBeCalledThereIsTheReasonOfItsVariants) {
  const ProcessReport report = measure("reference_ends");
  for (const char* const name : {"reference_ends/one", "reference_ends/one_here"})
    EXPECT_EQ(result(report, name).message,
              "its reference own/reference_ends/ends failed: the process of its own: it ended with exit code 7");
  const ProcessReport skipping = measure("reference_skips");
  EXPECT_EQ(result(skipping, "reference_skips/one").status, CaseStatus::skipped);
  EXPECT_EQ(result(skipping, "reference_skips/one").message, "its reference cannot run: there is no fast path");
}

TEST_F(OwnProcess, OutputsThatWereNotWrittenCompletelyFailTheCase) {
  std::ofstream(folder / "outputs") << "some";
  const CaseResult cut =
      result(report_of("--torchgate_profile=quick --torchgate_out=report --torchgate_group=own/compared "
                       "--torchgate_case=own/compared/right --torchgate_reference=outputs"),
             "compared/right");
  EXPECT_EQ(cut.message, "its reference own/compared/one failed: its output was not written completely to outputs");
}

TEST_F(OwnProcess, ACaseHasFewerCpus) {
  EXPECT_EQ(measurement(result(measure("cpus"), "cpus/one"), "value").value, 1);
}

TEST_F(OwnProcess, AProcessThatEndsWithoutAReportFailsItsCase) {
  const ProcessReport report = measure("bad");
  EXPECT_EQ(result(report, "bad/one").status, CaseStatus::ok);
  EXPECT_EQ(result(report, "bad/ends").message, "the process of its own: it ended with exit code 7");
  EXPECT_EQ(
      result(report, "bad/ends_well").message,
      "the process of its own: it ended with exit code 0 before it wrote its report: the case called exit(); let it "
      "throw instead");
}

TEST_F(OwnProcess, AnArtefactIsAnObjectOfTheProcess) {
  const ProcessReport report = measure("artefact");
  EXPECT_EQ(measurement(result(report, "artefact/here"), "value").value, 17);
  const auto object = std::find_if(report.objects.begin(), report.objects.end(),
                                   [](const auto& each) { return each.soname == "model.bin"; });
  ASSERT_NE(object, report.objects.end());
  EXPECT_EQ(object->path, std::filesystem::canonical(artefacts() / "model.bin"));
  EXPECT_EQ(object->bytes, 2);
  EXPECT_FALSE(object->system || object->executable);
}

TEST_F(OwnProcess, AMissingArtefactIsSkippedWithTheReasonOfTheBuild) {
  EXPECT_EQ(result(measure("artefact"), "artefact/missing").status, CaseStatus::skipped);
  std::ofstream(artefacts() / "not_built.txt") << "python3 has no module torch\n";
  EXPECT_EQ(result(measure("artefact"), "artefact/missing").message,
            "artefact other.bin was not built: python3 has no module torch");
}

TEST_F(OwnProcess, ARestoredArtefactIsReadWhereTheLibrariesAre) {
  std::filesystem::create_directory(folder / "lib");
  std::ofstream(folder / "lib" / "model.bin") << 99;
  setenv("LD_LIBRARY_PATH", (folder / "lib").c_str(), 1);
  const ProcessReport report = measure("artefact");
  unsetenv("LD_LIBRARY_PATH");
  EXPECT_EQ(measurement(result(report, "artefact/here"), "value").value, 99);
}

TEST_F(OwnProcess, GoogleBenchmarkReportsThemToo) {
  ASSERT_EQ(run("--benchmark_filter=own/cold/ --benchmark_format=json"), 0) << text_of(folder / "err");
  const std::string out = text_of(folder / "out");
  EXPECT_NE(out.find("\"name\": \"own/cold/first/process_time/manual_time\""), std::string::npos) << out;
  EXPECT_NE(out.find("\"iterations\": 3,"), std::string::npos) << out;
}

TEST_F(OwnProcess, ACaseOnItsOwnMustExist) {
  EXPECT_EQ(run("--torchgate_group=own/cold --torchgate_case=own/cold/third --torchgate_out=report"), 2);
  EXPECT_EQ(text_of(folder / "err"), "own: unknown case \"own/cold/third\" in group own/cold\n");
}

}  // namespace
