// SPDX-License-Identifier: Apache-2.0
#include "harness/import/nvbench.hpp"

#include <fmt/format.h>

#include "harness/import/directions.hpp"
#include "harness/import/run_of_processes.hpp"
#include "tests/harness/base/temporary_folder.hpp"
#include "tests/harness/import/reading.hpp"

namespace torchgate::import {
namespace {

namespace fs = std::filesystem;
using testing::find_case;
using testing::fixture_text;
using testing::warns;

std::string summary(const std::string& tag, const std::string& value) {
  return fmt::format(R"({{"tag":"{}","data":[{{"name":"value","type":"float64","value":"{}"}}]}})", tag, value);
}

std::string state(const std::string& name, const std::string& rest) {
  return fmt::format(R"({{"name":"{}","device":0,"axis_values":[{{"name":"N","type":"int64","value":"64"}}],{}}})",
                     name, rest);
}

std::string result_of(const std::string& states) {
  return R"({"devices":[{"id":0,"name":"GPU"}],"benchmarks":[{"name":"b","axes":null,"states":[)" + states + "]}]}";
}

// One state whose samples are in FILE.
std::string with_samples(const std::string& file, int count) {
  return result_of(
      state("s", fmt::format(R"("is_skipped":false,"summaries":[{},{{"tag":"nv/json/bin:nv/cold/sample_times","data":[
                          {{"name":"filename","type":"string","value":"{}"}},{{"name":"size","type":"int64","value":"{}"}}]}}])",
                             summary("nv/cold/time/gpu/mean", "2"), file, count)));
}

class Nvbench : public ::testing::Test {
 protected:
  ImportedProcess read(const std::string& text) const {
    const auto read = read_nvbench(text, "n.json", folder_.path());
    EXPECT_TRUE(read) << read.error().message;
    return read && read->size() == 1 ? read->front() : ImportedProcess();
  }

  void write_floats(const fs::path& file, const std::vector<float>& values) const {
    fs::create_directories((folder_.path() / file).parent_path());
    std::ofstream out(folder_.path() / file, std::ios::binary);
    out.write(reinterpret_cast<const char*>(values.data()),
              static_cast<std::streamsize>(values.size() * sizeof(float)));
  }

  base::testing::TemporaryFolder folder_;
};

TEST_F(Nvbench, ReadsTheMeansOfEachState) {
  const ImportedProcess process = read(fixture_text("nvbench/excerpt_ref.json"));
  EXPECT_EQ(process.cases.size(), 18U);
  const ImportedCase* simple = find_case(process, "simple/Device=0");
  ASSERT_NE(simple, nullptr);
  ASSERT_EQ(simple->time_ns.size(), 1U);
  EXPECT_NEAR(simple->time_ns[0], 1003471.5849794225, 1e-6);
  EXPECT_EQ(simple->device, "cuda");
  ASSERT_EQ(simple->metrics.size(), 2U);
  EXPECT_EQ(simple->metrics[0].metric.name, "host_time");
  EXPECT_NEAR(simple->metrics[0].samples[0], 1009445.8717434867, 1e-6);
  EXPECT_EQ(simple->note, "the file has only the mean of its samples");
  EXPECT_EQ(simple->protocol, "nvbench-cold/1 (mean)");
  EXPECT_TRUE(warns(process, "--jsonbin"));
  const ImportedCase* axis = find_case(process, "single_float64_axis/Device=0 Duration=0.0001");
  ASSERT_NE(axis, nullptr);
  EXPECT_EQ(axis->parameters, (std::vector<record::Parameter>{{"Duration", "0.0001"}}));
  ASSERT_EQ(process.facts.size(), 5U);
  EXPECT_EQ(process.facts[0].value, "0: Quadro GV100, 1: Quadro GP100");
}

TEST_F(Nvbench, ReadsRatesAndWhatAProgramAdds) {
  ImportedProcess process = read(fixture_text("nvbench/rates.json"));
  settle_directions(process, {});
  const auto& metrics = process.cases[0].metrics;
  ASSERT_EQ(metrics.size(), 3U);
  EXPECT_EQ(metrics[0].metric.name, "items_per_second");
  EXPECT_NEAR(metrics[0].samples[0], 1.6384e9, 1);
  EXPECT_EQ(metrics[1].metric.name, "bytes_per_second");
  EXPECT_EQ(metrics[2].metric.name, "mine/tokens_per_second");
  EXPECT_TRUE(warns(process, "mine/occupancy: direction unknown, not judged; set it"));
}

TEST_F(Nvbench, ARateOfZeroIsANumber) {
  const ImportedProcess process = read(result_of(
      state("s", fmt::format(R"("is_skipped":false,"summaries":[{},{}])", summary("nv/cold/time/gpu/mean", "2"),
                             summary("nv/cold/bw/global/bytes_per_second", "0")))));
  ASSERT_EQ(process.cases[0].metrics.size(), 1U);
  EXPECT_EQ(process.cases[0].metrics[0].metric.name, "bytes_per_second");
  EXPECT_EQ(process.cases[0].metrics[0].samples, std::vector<double>{0});
}

TEST_F(Nvbench, TakesSamplesBesideTheFile) {
  write_floats("n.json-bin/0.bin", {1, 2, 4});
  const ImportedProcess process = read(with_samples("/somewhere/else/n.json-bin/0.bin", 3));
  EXPECT_EQ(process.cases[0].time_ns, (std::vector<double>{1e9, 2e9, 4e9}));
  EXPECT_EQ(process.cases[0].note, "");
  EXPECT_EQ(process.cases[0].protocol, "nvbench-cold/1");
  EXPECT_TRUE(process.warnings.empty());
}

TEST_F(Nvbench, ItsMeanIsUsedWhereTheSamplesAreNot) {
  write_floats("n.json-bin/0.bin", {1, 2, 4});
  write_floats("n.json-bin/1.bin", {1, -2, 4});
  fs::create_symlink("0.bin", folder_.path() / "n.json-bin/link.bin");
  for (const auto& [file, count] : std::vector<std::pair<std::string, int>>{{"n.json-bin/none.bin", 3},
                                                                            {"n.json-bin/0.bin", 4},
                                                                            {"n.json-bin/1.bin", 3},
                                                                            {"n.json-bin/link.bin", 3},
                                                                            {"../..", 3},
                                                                            {"../../etc/passwd", 3}}) {
    const ImportedProcess process = read(with_samples(file, count));
    EXPECT_EQ(process.cases[0].time_ns, std::vector<double>{2e9}) << file;
    EXPECT_TRUE(warns(process, "could not be used")) << file;
  }
}

TEST_F(Nvbench, ADamagedFileOfSamplesIsNamedWhereOthersHaveThem) {
  write_floats("n.json-bin/0.bin", {1, 2, 4});
  for (const bool damaged_first : {true, false}) {
    const ImportedProcess whole = read(with_samples("n.json-bin/0.bin", 3));
    const ImportedProcess damaged = read(with_samples("n.json-bin/none.bin", 3));
    std::vector<std::vector<ImportedProcess>> files{{damaged_first ? damaged : whole},
                                                    {damaged_first ? whole : damaged}};
    const auto run = run_of_processes(std::move(files), "0");
    ASSERT_FALSE(run);
    EXPECT_NE(run.error().message.find("none.bin"), std::string::npos) << run.error().message;
    EXPECT_NE(run.error().message.find("leave that file out, or measure it again"), std::string::npos);
  }
}

// A bin file of an earlier run that nothing has overwritten.
TEST_F(Nvbench, ItsMeanIsUsedWhereTheSamplesAreOfAnotherMeasurement) {
  const auto stale = [&](const std::vector<float>& samples, const std::string& mean) {
    write_floats("n.json-bin/0.bin", samples);
    std::string text = with_samples("n.json-bin/0.bin", static_cast<int>(samples.size()));
    const std::string known = summary("nv/cold/time/gpu/mean", "2");
    return read(text.replace(text.find(known), known.size(), summary("nv/cold/time/gpu/mean", mean)));
  };
  const ImportedProcess other = stale({1.0e-5F, 1.1e-5F, 1.05e-5F}, "1.3650000000001e-05");
  EXPECT_NEAR(other.cases[0].time_ns.at(0), 13650, 1e-6);
  EXPECT_EQ(other.cases[0].time_ns.size(), 1U);
  EXPECT_EQ(other.cases[0].protocol, "nvbench-cold/1 (mean)");
  EXPECT_TRUE(warns(other,
                    "the samples of one case could not be used: n.json-bin/0.bin: their mean is 10500 ns, but "
                    "the file has 13650 ns; its median or mean is used"));
  const ImportedProcess same = stale({1.0e-5F, 1.1e-5F, 1.05e-5F}, "1.0500000000001e-05");
  EXPECT_EQ(same.cases[0].time_ns.size(), 3U) << "rounded to 32 bits";
  EXPECT_TRUE(same.warnings.empty());
}

TEST_F(Nvbench, TwoValuesOfOneTagAreAMistake) {
  const std::string mean = summary("nv/cold/time/gpu/mean", "2");
  for (const std::string& other : {summary("nv/cold/time/gpu/mean", "3"), summary("nv/cold/time/gpu/mean", "nan")}) {
    const auto bad =
        read_nvbench(result_of(state("s", R"("is_skipped":false,"summaries":[)" + mean + "," + other + "]")), "n.json",
                     folder_.path());
    ASSERT_FALSE(bad);
    EXPECT_NE(bad.error().message.find(R"(two values of "nv/cold/time/gpu/mean")"), std::string::npos)
        << bad.error().message;
  }
}

TEST_F(Nvbench, ItsDevicesAreMoreThanTheirNames) {
  const ImportedProcess process = read(
      R"({"devices":[{"id":0,"name":"GPU","number_of_sms":132,"global_memory_size":85899345920,"ecc_state":true},
                     {"id":1,"name":"GPU","number_of_sms":66}],"benchmarks":[{"name":"b","axes":null,"states":[)" +
      state("s", fmt::format(R"("is_skipped":false,"summaries":[{},{}])", summary("nv/cold/time/gpu/mean", "2"),
                             summary("nv/cold/sample_size", "100"))) +
      "]}]}");
  const std::vector<record::MachineFact> expected{
      {"devices", "0: GPU, 1: GPU", "", record::FactClass::host},
      {"device_multiprocessors", "0: 132, 1: 66", "", record::FactClass::host},
      {"device_memory_bytes", "0: 85899345920", "", record::FactClass::warn},
      {"device_ecc", "0: true", "", record::FactClass::warn}};
  EXPECT_EQ(process.facts, expected);
  EXPECT_EQ(process.cases.at(0).calls_per_sample, 100);
}

TEST_F(Nvbench, SaysWhatWasNotMeasured) {
  const ImportedProcess process = read(result_of(
      state("skipped", R"("summaries":null,"is_skipped":true,"skip_reason":"Deadlock detected")") + "," +
      state("empty", R"("summaries":[],"is_skipped":false)") + "," +
      state("nan", R"("is_skipped":false,"summaries":[)" + summary("nv/cold/time/gpu/mean", "-1") + "]") + "," +
      state("cpu", R"("is_skipped":false,"summaries":[)" + summary("nv/cpu_only/time/cpu/mean", "1e-3") + "," +
                       summary("nv/cpu_only/bw/item_rate", "64000") + "]")));
  EXPECT_EQ(find_case(process, "b/skipped")->skipped, "Deadlock detected");
  EXPECT_EQ(find_case(process, "b/empty")->failure, "no mean time in the file");
  EXPECT_EQ(find_case(process, "b/nan")->failure, "invalid time: -1e+09 ns");
  const ImportedCase* cpu = find_case(process, "b/cpu");
  EXPECT_EQ(cpu->device, "cpu");
  EXPECT_EQ(cpu->time_ns, std::vector<double>{1e6});
  EXPECT_EQ(cpu->items_per_call, 64);
}

TEST_F(Nvbench, NamesThePlaceOfAMistake) {
  const auto bad = read_nvbench(result_of(state("s", R"("is_skipped":"maybe")")), "n.json", folder_.path());
  ASSERT_FALSE(bad);
  EXPECT_NE(bad.error().message.find("n.json: /benchmarks/0/states/0/is_skipped: expected"), std::string::npos);
  const std::string text = fixture_text("nvbench/excerpt_ref.json");
  EXPECT_FALSE(read_nvbench(std::string_view(text).substr(0, text.size() / 2), "n.json", folder_.path()));
}

}  // namespace
}  // namespace torchgate::import
