// SPDX-License-Identifier: Apache-2.0
// Work, units and directions of other tools' files, from the command line to the verdict: no rate falls without a word.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/ci/cli/program_folder.hpp"

namespace torchgate::cli::testing {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

constexpr int files_of_a_side = 6;

// Sides so far: no two of them have the same samples, which would be a copy.
int sides = 0;

// A factor near 1, another one for each side, process and repetition.
double wobble(int process, int repetition = 0) {
  return 1 + 0.003 * std::sin(1.7 * process + 0.9 * repetition + 0.01 * sides);
}

// One process of Google Benchmark. COUNTERS is what stands in each row behind its times.
std::string google_benchmark(int process, double seconds, const std::function<std::string(int)>& counters,
                             const std::string& name = "BM_server/real_time", double cpu_share = 1) {
  std::string rows;
  for (int i = 0; i < 5; ++i) {
    const double time = seconds * wobble(process, i);
    rows +=
        fmt::format(R"({}{{"name":"{}","run_name":"{}","run_type":"iteration","repetition_index":{},"iterations":10,)"
                    R"("real_time":{},"cpu_time":{},"time_unit":"s"{}}})",
                    i == 0 ? "" : ",", name, name, i, time, time * cpu_share, counters(i));
  }
  return fmt::format(
      R"({{"context":{{"date":"2026-05-0{}T10:00:00+00:00","num_cpus":4,"library_build_type":"release"}},)"
      R"("benchmarks":[{}]}})",
      process + 1, rows);
}

// Each call is another measurement: two sides of the same values are two runs.
std::string action(int process, const std::string& tool, const std::string& unit, double value) {
  static std::int64_t milliseconds = 1775805691825;
  return fmt::format(
      R"({{"lastUpdate":1,"entries":{{"S":[{{"date":{},"tool":"{}","benches":[{{"name":"b","value":{},"unit":"{}"}},)"
      R"({{"name":"other","value":{},"unit":"ns/iter"}}]}}]}}}})",
      ++milliseconds, tool, value, unit, 100 * wobble(process, 3));
}

class RatesOfFiles : public ::testing::Test {
 protected:
  using Text = std::function<std::string(int process)>;

  static std::string side(const std::string& name, const Text& text) {
    ++sides;
    std::string list;
    for (int process = 0; process < files_of_a_side; ++process) {
      const std::string file = fmt::format("{}{}.txt", name, process);
      write_text(file, text(process));
      list += (list.empty() ? "" : ",") + file;
    }
    return list;
  }

  nlohmann::json compared(const Text& before, const Text& after, int code, const Arguments& more = {}) {
    Arguments arguments{"compare", side("b", before), side("a", after), "--quiet", "--json", "report.json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    last_ = folder_.torchgate(arguments);
    EXPECT_EQ(last_.code, code) << last_.out << last_.err;
    return last_.code == 2 ? nlohmann::json() : nlohmann::json::parse(read_text("report.json"));
  }

  static nlohmann::json finding(const nlohmann::json& report, const std::string& name, const std::string& metric) {
    for (const auto& each : report["findings"])
      if (each["case"] == name && each["metric"]["name"] == metric) return each;
    return nlohmann::json::object();
  }

  ProgramFolder folder_;
  Ran last_;
};

// Half the work in the same time: whichever counter says it.
TEST_F(RatesOfFiles, ARateThatFallsAtAFixedTimeFails) {
  for (const char* const counter : {"items_per_second", "bytes_per_second", "requests_per_second", "tokens/s"}) {
    const auto served = [&](double rate) {
      return [=](int process) {
        return google_benchmark(
            process, 1, [=](int i) { return fmt::format(R"(,"{}":{})", counter, rate * wobble(process + 3, 2 * i)); });
      };
    };
    const auto report = compared(served(2e6), served(1.4e6), 1);
    const auto fell = finding(report, "BM_server", counter);
    EXPECT_EQ(fell["verdict"], "suspected") << report.dump(1);
    EXPECT_EQ(fell["action"], "fail");
    EXPECT_NEAR(fell["change"].get<double>(), -0.3, 0.01);
    EXPECT_TRUE(has(fell["reasons"].dump(), "does 0.7 times the work per call"));
    EXPECT_EQ(finding(report, "BM_server", "time")["verdict"], "equivalent");
    EXPECT_TRUE(has(report["headline"], std::string("BM_server: ") + counter));
    compared(served(2e6), served(2e6 * 1.001), 0);
  }
}

// The same work in half the time: one change, judged once.
TEST_F(RatesOfFiles, ARateThatFollowsTheTimeIsNotJudgedTwice) {
  const auto built = [](double seconds) {
    return [=](int process) {
      return google_benchmark(process, seconds, [=](int i) {
        return fmt::format(R"(,"items_per_second":{},"bytes_per_second":{})", 1000 / (seconds * wobble(process, i)),
                           64e3 / (seconds * wobble(process, i)));
      });
    };
  };
  const auto report = compared(built(1e-3), built(1.5e-3), 1);
  EXPECT_EQ(report["findings"].size(), 1U) << report["findings"].dump(1);
  EXPECT_EQ(report["findings"][0]["metric"]["name"], "time");
  EXPECT_FALSE(has(report["findings"][0]["reasons"].dump(), "work per call"));
}

TEST_F(RatesOfFiles, ACounterWithoutADirectionIsNamedUntilItIsGiven) {
  const auto counted = [](double value) {
    return [=](int process) {
      return google_benchmark(process, 1e-3,
                              [=](int i) { return fmt::format(R"(,"tps":{})", value * wobble(process, i + 1)); });
    };
  };
  const auto unknown = compared(counted(100), counted(50), 0);
  EXPECT_TRUE(has(unknown["doubts"].dump(), "tps: direction unknown, not judged"));
  const auto higher = compared(counted(100), counted(50), 1, {"--better", "tps=higher"});
  EXPECT_EQ(finding(higher, "BM_server", "tps")["verdict"], "suspected");
  EXPECT_FALSE(has(higher["doubts"].dump(), "tps"));
  write_text("torchgate.toml", "[import]\nbetter = [\"tps=higher\"]\n");
  compared(counted(100), counted(50), 1);
  compared(counted(100), counted(50), 3, {"--better", "tps=lower"});  // better, and not confirmed
  const Ran wrong = folder_.torchgate({"compare", "a0.txt", "b0.txt", "--better", "tps=up"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(has(wrong.err, "import.better takes NAME=higher or NAME=lower"));
}

TEST_F(RatesOfFiles, RatesOfGoAreJudged) {
  const auto rate = [](double value) {
    return [=](int process) {
      std::string text = "goos: linux\npkg: example.org/p\n";
      for (int i = 0; i < 5; ++i)
        text += fmt::format("BenchmarkExec-8 1000 {} ns/op {} MB/s\n", 1e6 * wobble(process, i),
                            value / wobble(process, i));
      return text + "PASS\n";
    };
  };
  const auto halved = compared(rate(128), rate(64), 1);
  EXPECT_TRUE(has(finding(halved, "example.org/p.Exec-8", "MB/s")["reasons"].dump(), "does half the work per call"));
  const auto declared = [](double value) {
    return [=](int process) {
      std::string text = "goos: linux\npkg: example.org/p\nUnit retries/s better=lower\n";
      for (int i = 0; i < 5; ++i)
        text += fmt::format("BenchmarkExec-8 1000 {} ns/op {} retries/s\n", 1e6 * wobble(process, i),
                            value * wobble(process + 2, i));
      return text + "PASS\n";
    };
  };
  compared(declared(10), declared(20), 1);
  compared(declared(20), declared(10), 3);  // better, and not confirmed
  const auto alone = [](double value) {
    return [=](int process) {
      return fmt::format("goos: linux\npkg: p\nBenchmarkExec-8 10 {} mgas/s\nPASS\n", value * wobble(process));
    };
  };
  compared(alone(100), alone(50), 2);
  EXPECT_TRUE(has(last_.err, "mgas/s: direction unknown, not judged"));
  EXPECT_TRUE(has(last_.err, "--better 'mgas/s=higher'"));
  compared(alone(100), alone(50), 1, {"--better", "mgas/s=higher"});
}

TEST_F(RatesOfFiles, ItemsOfNvbenchAreJudged) {
  const auto state = [](double items) {
    return [=](int process) {
      const double seconds = 1e-5 * wobble(process);
      return fmt::format(
          R"({{"devices":[],"benchmarks":[{{"name":"scan","axes":[],"states":[{{"name":"Device=0","is_skipped":false,)"
          R"("summaries":[{{"tag":"nv/cold/time/gpu/mean","data":[{{"name":"value","value":"{}"}}]}},)"
          R"({{"tag":"nv/cold/bw/item_rate","data":[{{"name":"value","value":"{}"}}]}}]}}]}}]}})",
          seconds, items / seconds);
    };
  };
  const auto report = compared(state(1 << 20), state(1 << 19), 1);
  EXPECT_EQ(finding(report, "scan/Device=0", "items_per_second")["action"], "fail");
}

TEST_F(RatesOfFiles, OtherWorkPerCallIsSaidOfATime) {
  const auto folder = [](const std::string& name, int elements, double ns) {
    fs::create_directories(name + "/criterion/parse/new");
    std::string times;
    for (int i = 1; i <= 20; ++i) times += fmt::format("{}{}", i == 1 ? "" : ",", ns * wobble(0, i));
    std::string ones = "1";
    for (int i = 1; i < 20; ++i) ones += ",1";
    write_text(name + "/criterion/parse/new/sample.json", fmt::format(R"({{"iters":[{}],"times":[{}]}})", ones, times));
    write_text(name + "/criterion/parse/new/benchmark.json",
               fmt::format(R"({{"group_id":"parse","full_id":"parse","throughput":{{"Elements":{}}}}})", elements));
  };
  folder("before", 1000, 100);
  folder("after", 3000, 250);
  const Ran ran = folder_.torchgate({"compare", "before/criterion", "after/criterion", "--rule", "textbook"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(has(ran.out, "does 3 times the work per call: +150.0 % time, +20.0 % items_per_second"));
}

TEST_F(RatesOfFiles, JmhKnowsEveryTime) {
  for (const char* const unit : {"ops/s", "ops/min", "ops/hr", "ops/day", "ops/time"}) {
    const auto thrpt = [&](double value) {
      return [=](int process) { return action(process, "jmh", unit, value * wobble(process)); };
    };
    const auto report = compared(thrpt(100), thrpt(50), 1);
    EXPECT_EQ(finding(report, "S/b", "value")["action"], "fail") << unit;
  }
}

// Values without a logarithm are judged as well.
TEST_F(RatesOfFiles, ZeroAndSignsAreJudgedInTheirUnit) {
  const auto values = [](const std::string& tool, const std::string& unit, double value) {
    return [=](int process) { return action(process, tool, unit, value * wobble(process)); };
  };
  const auto worse = [&](const std::string& tool, const std::string& unit, double before, double after) {
    const auto report = compared(values(tool, unit, before), values(tool, unit, after), 1);
    const auto found = finding(report, "S/b", "value");
    EXPECT_EQ(found["action"], "fail") << tool << ' ' << before << ' ' << after << ' ' << report.dump(1);
    EXPECT_TRUE(has(found["reasons"].dump(), "judged as a difference in its unit (" + unit + ")"));
    EXPECT_FALSE(has(report.dump(), "not a finite number"));
    return found;
  };
  EXPECT_EQ(worse("customBiggerIsBetter", "req/s", 100, 0)["change"], -1.0);
  EXPECT_TRUE(worse("customSmallerIsBetter", "bytes", 0, 128)["change"].is_null());
  worse("customSmallerIsBetter", "bytes/call", -3, 2);
  worse("customBiggerIsBetter", "points", 2, -3);
  const auto better =
      compared(values("customSmallerIsBetter", "bytes", 128), values("customSmallerIsBetter", "bytes", 0), 0);
  EXPECT_NE(finding(better, "S/b", "value")["action"], "fail");
  const auto same =
      compared(values("customSmallerIsBetter", "bytes", 0), values("customSmallerIsBetter", "bytes", 0), 0);
  EXPECT_EQ(finding(same, "S/b", "value")["verdict"], "equivalent");
  EXPECT_TRUE(has(finding(same, "S/b", "value")["reasons"].dump(), "equal: 0 bytes in every process"));
  const auto textbook = compared(values("customBiggerIsBetter", "req/s", 100),
                                 values("customBiggerIsBetter", "req/s", 0), 1, {"--rule", "textbook"});
  EXPECT_EQ(finding(textbook, "S/b", "value")["verdict"], "regressed");
}

TEST_F(RatesOfFiles, LessThanAClockCycleMeasuresNothing) {
  const auto timed = [](double seconds, const std::string& name) {
    return [=](int process) {
      return google_benchmark(
          process, seconds, [](int) { return ""; }, name);
    };
  };
  for (const double seconds : {0.0, 2e-16, 1e-10}) {
    const auto report = compared(timed(1e-3, "BM_x"), timed(seconds, "BM_x"), 1);
    EXPECT_EQ(finding(report, "BM_x", "time")["verdict"], "failed") << seconds;
    EXPECT_TRUE(has(report["findings"].dump(), "measures nothing")) << seconds;
  }
  // Eight threads share the time: 0.1 ns of it is 0.8 ns of each.
  compared(timed(1e-10, "BM_x/threads:8"), timed(1.0001e-10, "BM_x/threads:8"), 0);
}

// 64 KiB a call and by CPU time. Of an accepted slow-down the rate would fail again.
TEST_F(RatesOfFiles, ARatePerCpuTimeAddsNothingToASlowerTime) {
  const auto scan = [](double seconds, double cpu_seconds) {
    const auto rate = [=](int process, int i) {
      return fmt::format(R"(,"bytes_per_second":{})", 65536 / (cpu_seconds * wobble(process, i)));
    };
    return [=](int process) {
      return google_benchmark(
          process, seconds, [=](int i) { return rate(process, i); }, "BM_scan", cpu_seconds / seconds);
    };
  };
  const auto rates_judged = [](const nlohmann::json& report) {
    const auto& findings = report["findings"];
    return std::count_if(findings.begin(), findings.end(),
                         [](const auto& each) { return each["metric"]["name"] == "bytes_per_second"; });
  };
  const auto slower = compared(scan(102e-6, 100e-6), scan(150e-6, 150e-6), 1);
  EXPECT_EQ(finding(slower, "BM_scan", "time")["verdict"], "suspected");
  EXPECT_EQ(rates_judged(slower), 0);
  // Where real time does not show it, the rate does.
  EXPECT_EQ(rates_judged(compared(scan(100e-6, 50e-6), scan(102e-6, 55e-6), 1)), 1);
}

TEST_F(RatesOfFiles, UsesTheDirectionOfACustomTool) {
  const auto values = [](const std::string& tool, const std::string& unit, double value) {
    return [=](int process) { return action(process, tool, unit, value * wobble(process)); };
  };
  for (const char* const unit : {"errors/s", "ms/s", "frames/s"})
    compared(values("customSmallerIsBetter", unit, 100), values("customSmallerIsBetter", unit, 200), 1);
  compared(values("customBiggerIsBetter", "s/epoch", 100), values("customBiggerIsBetter", "s/epoch", 150), 2);
  EXPECT_TRUE(has(last_.err, R"(declared "higher is better" for a time, not judged; set it with)"))
      << "all of its values";
}

TEST_F(RatesOfFiles, EachDirectionHasAFileForTheAction) {
  const auto values = [](double value) {
    return [=](int process) { return action(process, "customBiggerIsBetter", "req/s", value * wobble(process)); };
  };
  const std::string before = side("b", values(100));
  const std::string after = side("a", values(101));
  const Ran smaller = folder_.torchgate({"compare", before, after, "--format", "github-action-benchmark"});
  EXPECT_TRUE(has(smaller.err, "1 value is not in the file of customSmallerIsBetter")) << smaller.err;
  const Ran bigger = folder_.torchgate({"compare", before, after, "--format", "github-action-benchmark-bigger"});
  const auto rows = nlohmann::json::parse(bigger.out);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0]["name"], "S/b");
  EXPECT_EQ(rows[0]["unit"], "req/s");
  const Ran both = folder_.torchgate({"compare", before, after, "--quiet", "--write", "github-action-benchmark=s.json",
                                      "--write", "github-action-benchmark-bigger=b.json"});
  EXPECT_FALSE(has(both.err, "not in the file")) << both.err;
}

TEST_F(RatesOfFiles, ATimePerWorkIsOfThatWork) {
  const auto values = [](const std::string& unit, double value) {
    return [=](int process) { return action(process, "customSmallerIsBetter", unit, value * wobble(process)); };
  };
  const auto other = compared(values("ns/token", 10), values("ns/char", 10), 1);
  EXPECT_EQ(finding(other, "S/b", "value")["verdict"], "not_comparable") << other.dump(1);
  const auto slower = compared(values("us/token", 10), values("ns/token", 13e3), 1);
  EXPECT_NEAR(finding(slower, "S/b", "value")["change"].get<double>(), 0.3, 0.01);
  compared(values("ns/byte", 0.04), values("ns/byte", 0.04), 0);  // less than a clock cycle
}

// Values of 0 and below have no share: neither a waiver's ceiling nor `accept` covers them, and both say why.
TEST_F(RatesOfFiles, AWaiverNeedsAShare) {
  const auto decibels = [](double value) {
    return [=](int process) { return action(process, "customSmallerIsBetter", "dB", value * wobble(process)); };
  };
  compared(decibels(-10), decibels(-5), 1);
  const Ran accepted = folder_.torchgate({"accept", "S/b", "--reason", "louder", "--report", "report.json"});
  EXPECT_EQ(accepted.code, 2);
  EXPECT_TRUE(has(accepted.err, "0 or less before, so its change is not a share that can be accepted")) << accepted.err;
  write_text("torchgate-waivers.toml", R"([[waiver]]
case = "S/b"
metric = "value"
ceiling = 1.2
reason = "louder"
expires = 2099-01-01
)");
  const auto waived = compared(decibels(-10), decibels(-5), 1);
  EXPECT_TRUE(has(waived["notes"].dump(), "no relative change (0 or less before), is beyond its ceiling of 120 %"))
      << waived["notes"].dump(1);
}

// A time per token, or bytes per call, below 0 is not a measurement, and not an improvement.
TEST_F(RatesOfFiles, NegativeValuesOfUnitsThatHaveNoneAreNotBetter) {
  const auto counter = [](const char* name, double value) {
    return Text([=](int process) {
      return google_benchmark(process, 1, [=](int i) {
        return fmt::format(R"(,"{}":{})", name, value > 0 ? value * wobble(process, i + 7) : value);
      });
    });
  };
  compared(counter("ms_per_token", 5), counter("ms_per_token", -5), 1);
  EXPECT_TRUE(has(read_text("report.json"), "invalid value -5 ms/token, ignored"));
  compared(counter("ms_per_token", -5), counter("ms_per_token", -5), 0);
  const auto go = [](const char* unit, double value) {
    return Text([=](int process) {
      std::string text = "pkg: p\n";
      for (int i = 0; i < 5; ++i)
        text += fmt::format("BenchmarkA-8 1000 {:.4f} ns/op {:.4f} {}\n", 100 * wobble(process, i), value, unit);
      return text + "PASS\n";
    });
  };
  for (const char* const unit : {"ns/token", "B/op", "allocs/op"}) {
    compared(go(unit, 128), go(unit, -128), std::string(unit) == "ns/token" ? 1 : 3);  // a count that is lost warns
    EXPECT_TRUE(has(read_text("report.json"), "invalid value -128 ")) << unit;
  }
  compared([](int i) { return action(i, "go", "B/op", 128); }, [](int i) { return action(i, "go", "B/op", -128); }, 1);
}

}  // namespace
}  // namespace torchgate::cli::testing
