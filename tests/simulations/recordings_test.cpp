// SPDX-License-Identifier: Apache-2.0
#include "tests/simulations/recordings.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "tests/harness/base/temporary_folder.hpp"
#include "tests/simulations/csv.hpp"
#include "tests/simulations/random.hpp"
#include "tests/simulations/recorded_rules.hpp"

namespace torchgate::simulations {
namespace {

namespace fs = std::filesystem;

class RecordingsTest : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }

  std::string reason(const std::vector<fs::path>& folders) const {
    try {
      read_recordings(folders);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  }

  const base::testing::TemporaryFolder scratch_;
  const fs::path folder_ = scratch_.path();
};

std::string numbers_of(double median) {
  const std::string m = std::to_string(median);
  return m + ',' + m + ',' + std::to_string(median * 1.1) + ',' + std::to_string(median * 1.2) + ',' + m + ",50\n";
}

// Sessions of two workloads with six processes each; more work takes longer, and nothing else differs but a little noise.
std::string made_sessions(std::size_t first, std::size_t count) {
  std::string text = "session,workload,variant,mean,median,p95,p99,mean200,sd200\n";
  Random random({77, first});
  for (std::size_t s = first; s < first + count; ++s) {
    for (const std::string workload : {"map", "sort"}) {
      for (const auto& [variant, factor] :
           {std::pair{"base", 1.0}, {"base2", 1.0}, {"alt", 1.0}, {"p2", 1.02}, {"p5", 1.05}, {"p10", 1.1}}) {
        for (int p = 0; p < 6; ++p) {
          text += std::to_string(s) + ',' + workload + ',' + variant + ',' +
                  numbers_of(1000 * factor * std::exp(0.003 * random.normal()));
        }
      }
    }
  }
  return text;
}

std::string made_sequences() {
  std::string text = "sequence,workload,variant,block,pos,is_b,mean,median,p95,p99,mean200,sd200\n";
  Random random({78});
  int sequence = 0;
  for (const auto& [variant, factor] : {std::pair{"aa", 1.0}, {"alt", 1.0}, {"p2", 1.02}, {"p5", 1.05}, {"p10", 1.1}}) {
    ++sequence;
    for (int block = 0; block < 24; ++block) {
      for (int pos = 0; pos < 4; ++pos) {
        const bool candidate = (pos == 1 || pos == 2) != (block % 3 == 0);
        text += std::to_string(sequence) + ",map," + variant + ',' + std::to_string(block) + ',' + std::to_string(pos) +
                ',' + (candidate ? "1," : "0,") +
                numbers_of(1000 * (candidate ? factor : 1.0) * std::exp(0.003 * random.normal()));
      }
    }
  }
  return text;
}

TEST_F(RecordingsTest, FindWhatWasPlanted) {
  write("sessions_process.csv", made_sessions(1, 13));
  write("interleaved_process.csv", made_sequences());
  write("README.md", "not a recording");
  const Recordings recordings = read_recordings({folder_});
  EXPECT_EQ(recordings.sessions.size(), 13u);
  EXPECT_EQ(recordings.sequences.size(), 5u);
  EXPECT_EQ(recordings.workloads, (std::vector<Workload>{"map", "sort"}));

  const CountTable sessions = judge_sessions(recordings, 0);
  const std::string screen = "screen against 10 runs, drift kept";
  EXPECT_EQ(sessions.at(screen, "base2").tests, 6u) << "three sessions have ten before them; two workloads";
  EXPECT_EQ(sessions.at(screen, "p10").tests, 3u) << "`sort` does not follow the work";
  EXPECT_EQ(sessions.at(screen, "p10").alarms, 3);
  EXPECT_EQ(sessions.at(screen, "p5").alarms, 3);
  EXPECT_EQ(sessions.at("1 stored run, suspected", "p10").alarms, 3);

  const CountTable sequences = judge_sequences(recordings, 0);
  EXPECT_EQ(sequences.at("sequential pairs, alpha 1 %", "aa").alarms, 0);
  EXPECT_EQ(sequences.at("sequential pairs, alpha 1 %", "p5").alarms, 1);
  EXPECT_EQ(sequences.at("P95: sequential pairs, alpha 1 %, margin 10 %", "aa").alarms, 0);

  const CountTable unconfirmed = judge_unconfirmed(recordings, 0);
  EXPECT_EQ(unconfirmed.at("10 stored runs", "x2").alarms, 3);
  EXPECT_EQ(unconfirmed.at("1 stored run", "A/A").alarms, 0);
  const CountTable gate = judge_gate(recordings, 0);
  EXPECT_EQ(gate.at("gate, 1 stored run, open cases too: regressed", "base2").alarms, 0);
  EXPECT_EQ(gate.at("gate, 1 stored run, open cases too: regressed", "p5").alarms, 3);
  EXPECT_EQ(gate.at("gate, 10 stored runs, open cases too: decided", "base2").tests, 6u);
  const CountTable missed = missed_intervals(recordings, 0);
  EXPECT_EQ(missed.at("1 stored run, run SD taken as 1 %", "base").tests, 24u) << "twelve sessions, two workloads";
  EXPECT_EQ(missed.at("1 stored run, run SD taken as 1 %", "base2").alarms, 0) << "all noise is within";
  EXPECT_EQ(missed.at("3 stored runs, run SD calibrated by 10 runs", "base").tests, 6u);
  for (const BarResult& bar : bars_of(sessions, gate, sequences)) EXPECT_TRUE(bar.holds()) << bar.what;
}

TEST_F(RecordingsTest, ASecondFolderIsJudgedOnTheHistoryOfBoth) {
  fs::create_directory(folder_ / "old");
  fs::create_directory(folder_ / "new");
  write("old/sessions_process.csv", made_sessions(1, 10));
  write("new/sessions_process_2.csv", made_sessions(11, 2));
  ASSERT_EQ(std::system(("gzip '" + (folder_ / "new/sessions_process_2.csv").string() + "'").c_str()), 0);
  const Recordings recordings = read_recordings({folder_ / "old", folder_ / "new"});
  EXPECT_EQ(recordings.sessions.size(), 12u);
  EXPECT_TRUE(judge_sessions(recordings, 0).rules().empty()) << "ten sessions have no ten before them";
  EXPECT_EQ(judge_sessions(recordings, 1).at("screen against 10 runs, drift kept", "base2").tests, 4u);
}

TEST_F(RecordingsTest, IncompleteSessionsAreLeftOut) {
  std::string text = made_sessions(1, 2);
  text.erase(text.rfind("2,sort"));  // the last process of the last session never finished
  write("sessions_process.csv", text);
  EXPECT_EQ(read_recordings({folder_}).sessions.size(), 1u);
}

TEST_F(RecordingsTest, BadInputSaysWhatAndWhere) {
  EXPECT_NE(reason({folder_ / "nowhere"}).find("is not a folder"), std::string::npos);
  EXPECT_NE(reason({folder_}).find("no sessions_process*.csv[.gz]"), std::string::npos);
  write("sessions_process.csv", "");
  EXPECT_NE(reason({folder_}).find("is empty or cannot be read"), std::string::npos);
  write("sessions_process.csv", "session,workload\n1,map\n");
  EXPECT_NE(reason({folder_}).find("has no column variant"), std::string::npos);
  write("sessions_process.csv", "session,workload,variant\n1,map\n");
  EXPECT_NE(reason({folder_}).find("row 2 has fewer cells"), std::string::npos);
  write("sessions_process.csv", "session,workload,variant,mean\n1,map,base,fast\n");
  EXPECT_NE(reason({folder_}).find("row 2, column mean: 'fast' is not a number"), std::string::npos);
}

}  // namespace
}  // namespace torchgate::simulations
