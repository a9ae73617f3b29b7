// SPDX-License-Identifier: Apache-2.0
// Every text of help, and what a mistyped command line is told.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "ci/cli/arguments.hpp"
#include "ci/cli/command_table.hpp"
#include "ci/cli/completion.hpp"
#include "ci/cli/help_page.hpp"
#include "ci/cli/help_topics.hpp"
#include "ci/cli/manual_page.hpp"
#include "ci/cli/suggestion.hpp"
#include "ci/workflow/version.hpp"
#include "tests/ci/cli/program_folder.hpp"
#include "tests/golden/golden.hpp"

namespace torchgate::cli::testing {
namespace {

constexpr std::size_t wide = 100;
constexpr std::size_t narrow = 80;

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  for (const std::string& line : lines_of(text)) longest = std::max(longest, line.size());
  return longest;
}

// "baseline add" as the name of a file.
std::string file_name(std::string_view command) {
  std::string name(command);
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

// What a shell makes of a line of an example; absent parts of the shell: expansions, and what follows a redirection or "#".
std::vector<std::string> shell_words(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  bool in_word = false;
  for (const char c : line) {
    if (quote == 0 && !in_word && (c == '#' || c == '>')) break;
    if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
      in_word = true;
    } else if (quote == c) {
      quote = 0;
    } else if (quote == 0 && c == ' ') {
      if (in_word) words.push_back(word);
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) words.push_back(word);
  return words;
}

TEST(Help, ListsEachCommandOnce) {
  const std::string page = help_page(command_pages(), wide);
  EXPECT_TRUE(golden::matches(page, "cli/torchgate.txt"));
  EXPECT_TRUE(golden::matches(help_page(command_pages(), narrow), "cli/torchgate_80.txt"));
  for (const CommandRow& row : command_rows()) {
    const std::string name = row.name;
    if (name.find(' ') != std::string::npos) continue;
    const auto lines = lines_of(page);
    EXPECT_EQ(std::count_if(lines.begin(), lines.end(),
                            [&](const std::string& line) { return line.starts_with("  " + name + " "); }),
              1)
        << name;
  }
}

TEST(Help, OfEachCommandBeginsWithAnExample) {
  const CommandPages pages = command_pages();
  for (const CommandPage& page : pages.commands) {
    const std::string text = command_help(page, pages, wide);
    EXPECT_TRUE(golden::matches(text, "cli/help/" + file_name(page.name()) + ".txt"));
    EXPECT_TRUE(text.starts_with("Example")) << page.name();
    EXPECT_LE(longest_line(command_help(page, pages, narrow)), wide)
        << page.name() << ": only examples may be wider than 80";
  }
}

TEST(Help, ExamplesAreUnderstood) {
  for (const CommandRow& row : command_rows()) {
    for (const std::string& line : lines_of(row.example)) {
      std::vector<std::string> words = shell_words(line);
      if (words.front() == "source")
        words = {"torchgate", "completion", "bash"};  // source <(torchgate completion bash)
      ASSERT_EQ(words.front(), "torchgate") << line;
      const auto parsed = parse_arguments({words.begin() + 1, words.end()}, wide);
      EXPECT_TRUE(std::holds_alternative<Chosen>(parsed)) << line;
      EXPECT_TRUE(line.find("torchgate " + std::string(row.name)) != std::string::npos) << line;
    }
  }
}

TEST(Help, OfTopics) {
  const ProgramFolder folder;
  write_text("torchgate.toml", "[gate]\nbroken");  // help has to work where the policy does not
  for (const HelpTopic& topic : help_topics()) {
    const Ran ran = folder.torchgate({"help", topic.name});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(golden::matches(ran.out, std::string("cli/topics/") + topic.name + ".txt"));
    EXPECT_LE(longest_line(topic.text(command_pages(), narrow)), narrow) << topic.name;
  }
}

TEST(Help, ForAProgramIsOneScreen) {
  constexpr std::size_t screen = 45;
  EXPECT_LE(lines_of(find_topic("agent")->text(command_pages(), wide)).size(), screen);
}

TEST(Help, IsTheSameInBothForms) {
  const ProgramFolder folder;
  EXPECT_EQ(folder.torchgate({"help"}).out, folder.torchgate({"--help"}).out);
  EXPECT_EQ(folder.torchgate({"help", "gate"}).out, folder.torchgate({"gate", "--help"}).out);
  EXPECT_EQ(folder.torchgate({"help", "baseline", "add"}).out, folder.torchgate({"baseline", "add", "-h"}).out);
  EXPECT_EQ(folder.torchgate({"help", "baseline"}).out, folder.torchgate({"baseline", "--help"}).out);
}

TEST(Help, OfAnUnknownTopic) {
  const ProgramFolder folder;
  const Ran near = folder.torchgate({"help", "verdict"});
  EXPECT_EQ(near.code, 2);
  EXPECT_EQ(near.out, "");
  EXPECT_TRUE(has(near.err, "did you mean verdicts?"));
  const Ran far = folder.torchgate({"help", "everything", "else"});
  EXPECT_EQ(far.code, 2);
  EXPECT_TRUE(has(far.err, "neither a command nor a topic: everything else; `torchgate help` lists them"));
}

TEST(Help, AsAManualPage) {
  const ProgramFolder folder;
  const Ran ran = folder.torchgate({"help", "--man"});
  EXPECT_EQ(ran.code, 0);
  std::string page = ran.out;
  const std::string version = workflow::version;
  const std::size_t at = page.find(version);
  ASSERT_NE(at, std::string::npos);
  page.replace(at, version.size(), "VERSION");
  EXPECT_TRUE(golden::matches(page, "cli/torchgate.1"));
}

TEST(Completion, OfEachShell) {
  const ProgramFolder folder;
  for (const Shell& shell : shells()) {
    const Ran ran = folder.torchgate({"completion", shell.name});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_TRUE(golden::matches(ran.out, std::string("cli/completion/torchgate.") + shell.name));
  }
  const Ran unknown = folder.torchgate({"completion", "bsh"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_TRUE(has(unknown.err, "unknown shell bsh; did you mean bash?; use one of: bash, fish, zsh"));
}

TEST(Usage, SuggestsTheNearest) {
  const ProgramFolder folder;
  const auto says = [&folder](const std::vector<std::string>& arguments, const std::string& sentence) {
    const Ran ran = folder.torchgate(arguments);
    EXPECT_EQ(ran.code, 2) << ran.out;
    EXPECT_EQ(ran.out, "");
    EXPECT_TRUE(has(ran.err, sentence));
  };
  says({"gaet"}, "torchgate: unknown command gaet; did you mean gate?\nSee `torchgate --help`.\n");
  says({"--colour", "never", "gate"}, "unknown option --colour; did you mean --color?");
  says({"baseline", "psuh"},
       "torchgate: baseline: unknown command psuh; did you mean push?\nSee `torchgate baseline --help`.\n");
  says({"gate", "--verbos"}, "torchgate: gate: unknown option --verbos; did you mean --verbose?");
  says({"gate", "--jsno=report.json"}, "unknown option --jsno; did you mean --json?");
  // What is missing is what was mistyped.
  says({"accept", "--reasn", "why", "case"}, "accept: unknown option --reasn; did you mean --reason?");
  says({"frobnicate"}, "unknown command frobnicate\n");
  says({"compere", "--help"}, "torchgate: unknown command compere; did you mean compare?\n");
  says({"-h", "frobnicate"}, "unknown command frobnicate\n");
  says({"baseline", "psuh", "--help"}, "torchgate: baseline: unknown command psuh; did you mean push?\n");
  says({"gate", "--frobnicate"}, "gate: unknown option --frobnicate\n");
  says({"compare"}, "compare: missing BEFORE; usage: torchgate compare BEFORE [AFTER] [MORE...] [OPTION]...");
  says({"baseline"}, "baseline: no command given");
  says({"run", "before"}, "run: unexpected argument before");
  says({"run", "--processes"}, "run: --processes: its value is missing");
  says({"run", "--save", "--quick"}, "run: --save: its value is missing");
  says({"run", "--save", "name", "--suite", "--seed", "x"}, "run: --suite: its value is missing");
  says({"gate", "--config", "--verbose"}, "gate: --config: its value is missing");
  says({"baseline", "add", "--store", "--help"}, "baseline add: --store: its value is missing");
  for (const char* const seed : {"-1", "18446744073709551616", "1.5", "x"})
    says({"run", "--seed", seed},
         "--seed: takes a whole number from 0 to 18446744073709551615, not \"" + std::string(seed) + "\"");
  says({"run", "--counter", "hardwear"}, "--counter: takes one of any, callgrind, hardware, not \"hardwear\"");
  says({"run", "--full", "--quick"}, "run: --quick excludes --full; leave one of the two out");
  says({"gate", "--counter", "hardware"}, "gate: --counter requires --instructions");
  says({"compare", "a", "b", "--gate", "0.1", "--gate", "0.2"}, "compare: --gate: given 2 times; give it once\n");
  says({"gate", "x", "--suite", "b"}, "gate: RUN excludes --suite; leave one of the two out");
  says({"report", "--site", "s", "--before", "2"}, "report: unknown option --before");
  says({"accept", "--", "-lead", "--reason", "x"}, "accept: missing --reason TEXT; usage: ");
  says({"compare", "a", "b", "--json", ""}, "compare: --json: its value is empty; name a file");
  says({"gate", "x", "--quick"},
       "RUN was measured before, and --suite, --now, --filter, --quick, --full, --instructions, --warmup, --samples "
       "and --save are about what is measured now; leave RUN or these out");
  says({}, "Measure\n  run ");
}

TEST(Usage, NearIsOneTypingError) {
  EXPECT_EQ(nearest_word("--jso", {"--json", "--host"}), "--json");
  EXPECT_EQ(nearest_word("ab", {"ab"}), "ab");
  EXPECT_EQ(nearest_word("xy", {"ab", "run"}), "");
  EXPECT_EQ(nearest_word("baseline", {"bisect"}), "");
  EXPECT_EQ(nearest_word("anything", {}), "");
}

TEST(Color, IsAsTheFlagSays) {
  const ProgramFolder folder;
  folder.save(made_run("aaaaaaaaaaaaaaaa", 1e5), "before");
  folder.save(made_run("bbbbbbbbbbbbbbbb", 1.3e5), "after");
  const std::string escape = "\033[";
  EXPECT_TRUE(has(folder.torchgate({"compare", "before", "after", "--color", "always"}).out, escape));
  EXPECT_TRUE(has(folder.torchgate({"--color=always", "compare", "before", "after"}).out, escape));
  for (const char* const word : {"auto", "never"})
    EXPECT_EQ(folder.torchgate({"compare", "before", "after", "--color", word}).out.find(escape), std::string::npos);
  EXPECT_EQ(folder.torchgate({"compare", "before", "after", "--color", "red"}).code, 2);
}

}  // namespace
}  // namespace torchgate::cli::testing
