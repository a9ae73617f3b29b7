// SPDX-License-Identifier: Apache-2.0
#include "harness/launch/turns/turn_pair.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <optional>
#include <system_error>
#include <utility>

#include "harness/base/first_line.hpp"
#include "harness/launch/turns/shared_cpu.hpp"
#include "harness/process/descriptor.hpp"

namespace torchgate::launch {
namespace {

using Clock = std::chrono::steady_clock;
using process::Ending;
using Word = TurnPlan::Word;

/// An answer is a word and three numbers.
constexpr std::size_t longest_line_bytes = 256;

/// A number of always the same length: the command line lies on the stack of the process, and moves its data there.
std::string flag_of(int descriptor) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "--torchgate_turns=%06d", descriptor);
  return text.data();
}

struct Ends {
  process::Descriptor ours;
  process::Descriptor theirs;
};

std::optional<Ends> connection() {
  std::array<int, 2> ends{-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return std::nullopt;
  Ends made{process::Descriptor(ends[0]), process::Descriptor(ends[1])};
  fcntl(made.ours.get(), F_SETFL, O_NONBLOCK);
  // Where a standard descriptor was closed when we were started, one of the two has its number, which in the suite is its output's.
  if (made.theirs.get() <= STDERR_FILENO)
    made.theirs = process::Descriptor(fcntl(made.theirs.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  return made;
}

class Conversation final : public process::Companion {
 public:
  Conversation(std::array<Ends, 2>& ends, TurnPlan plan, SharedCpu cpu, const std::array<TurnSide, 2>& sides)
      : ends_(ends), plan_(std::move(plan)), cpu_(std::move(cpu)) {
    for (std::size_t i = 0; i < sides.size(); ++i) sides_[i].limit = sides[i].command.time_limit;
  }

  void on_started(std::size_t index, pid_t pid) override {
    sides_[index].pid = pid;
    ends_[index].theirs.close();
    last_ = Clock::now();
  }

  void on_ended(std::size_t index, const process::Outcome& outcome) override {
    Side& side = sides_[index];
    side.pid = -1;
    const bool well = outcome.ending == Ending::exited && outcome.exit_code == 0;
    if (well && !finishing_ && side.problem.empty()) side.problem = "ended before its pair was complete";
    if (!well || !side.problem.empty()) lost_ = true;
  }

  void add_events(std::vector<pollfd>& events) const override {
    for (std::size_t side = 0; side < sides_.size(); ++side)
      if (sides_[side].pid > 0 && !sides_[side].closed) events.push_back({ends_[side].ours.get(), POLLIN, 0});
  }

  [[nodiscard]] Clock::time_point wake_up() const override {
    Clock::time_point earliest = Clock::time_point::max();
    for (const Side& side : sides_)
      if (side.pid > 0 && side.works && side.limit) earliest = std::min(earliest, last_ + (*side.limit - side.worked));
    return earliest;
  }

  std::vector<End> step() override {
    account();
    std::vector<End> to_end;
    for (std::size_t side = 0; side < sides_.size(); ++side) {
      if (sides_[side].pid > 0) hear(side);
      if (sides_[side].pid <= 0) continue;
      const bool late = sides_[side].limit && sides_[side].works && sides_[side].worked >= *sides_[side].limit;
      if (!sides_[side].problem.empty() || lost_) {
        to_end.push_back({side, Ending::abandoned});
      } else if (late) {
        to_end.push_back({side, Ending::timed_out});
      }
    }
    return to_end;
  }

  [[nodiscard]] const std::string& problem(std::size_t side) const { return sides_[side].problem; }
  [[nodiscard]] std::chrono::nanoseconds worked(std::size_t side) const { return sides_[side].worked; }
  [[nodiscard]] std::string place() const { return began_ && !finishing_ ? plan_.place() : ""; }

 private:
  struct Side {
    pid_t pid = -1;
    bool greeted = false;
    bool works = true;  // not stopped
    bool closed = false;
    std::string heard;  // an incomplete line
    std::string problem;
    std::chrono::nanoseconds worked{0};
    std::optional<std::chrono::nanoseconds> limit;
  };

  void account() {
    const auto now = Clock::now();
    const auto works = [](const Side& side) { return side.pid > 0 && side.works; };
    const auto together = std::count_if(sides_.begin(), sides_.end(), works);
    for (Side& side : sides_)
      if (works(side))
        side.worked += (now - last_) / together;  // while both load, each has half of the time of the pair
    last_ = now;
  }

  void hear(std::size_t index) {
    Side& side = sides_[index];
    std::array<char, longest_line_bytes> piece{};
    while (!side.closed && side.problem.empty()) {
      const ssize_t got = recv(ends_[index].ours.get(), piece.data(), piece.size(), 0);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return;
      if (got == 0) {  // it ends, or has closed it: then it waits for nothing, and its limit ends it
        side.closed = true;
        return;
      }
      side.heard.append(piece.data(), static_cast<std::size_t>(got));
      for (auto end = side.heard.find('\n'); end != std::string::npos && side.problem.empty();
           end = side.heard.find('\n')) {
        const std::string line = side.heard.substr(0, end);
        side.heard.erase(0, end + 1);
        take(index, line);
      }
      if (side.heard.size() > longest_line_bytes) side.problem = "wrote an endless answer when taking turns";
    }
  }

  void take(std::size_t index, const std::string& line) {
    Side& side = sides_[index];
    if (!side.greeted) {
      if (line != turns_greeting) {
        side.problem = "cannot take turns with this torchgate: it began with \"" + line + "\", expected \"" +
                       std::string(turns_greeting) + "\"";
        return;
      }
      side.greeted = true;
      began_ = sides_[0].greeted && sides_[1].greeted;
      if (began_) say_next();
      return;
    }
    if (!began_ || finishing_ || index != said_.side) {
      side.problem = "said \"" + line + "\" when it was not its turn";
      return;
    }
    if (const auto good = plan_.answered(line); !good) {
      side.problem = good.error().message;
      return;
    }
    if (said_.word == Word::begin_case) cpu_.prepared(index, side.pid);
    if (said_.word == Word::turn) cpu_.after_turn(index, side.pid);
    say_next();
  }

  void choose_cpu(const TurnPlan::Ask& ask) {
    if (!case_ || *case_ != ask.case_index) {
      cpu_.begin_case();
    } else if (ask.round != said_.round) {
      cpu_.end_round();
    }
    case_ = ask.case_index;
    const pid_t pid = sides_[ask.side].pid;
    if (ask.word != Word::turn) cpu_.release(ask.side, pid);
    if (ask.word == Word::begin_case) cpu_.preparing(ask.side, pid);
    if (ask.word == Word::turn) cpu_.before_turn(ask.side, pid);
  }

  void say_next() {
    account();
    const auto ask = plan_.next();
    if (!ask) {
      finishing_ = true;
      for (std::size_t side = 0; side < sides_.size(); ++side) {
        cpu_.release(side, sides_[side].pid);
        resume(side);
        say(side, "finish");
      }
      return;
    }
    choose_cpu(*ask);
    said_ = *ask;
    stop(1 - said_.side);
    resume(said_.side);
    say(said_.side, said_.line);
  }

  void stop(std::size_t side) { signal(side, SIGSTOP, false); }
  void resume(std::size_t side) { signal(side, SIGCONT, true); }
  /// The whole group: a case in a process of its own is measured for its side.
  void signal(std::size_t side, int number, bool works) {
    if (sides_[side].pid > 0 && sides_[side].works != works) kill(-sides_[side].pid, number);
    sides_[side].works = works;
  }

  void say(std::size_t side, const std::string& line) {
    const std::string text = line + "\n";
    // A few bytes that it waits for always fit; where it has ended meanwhile its end says so.
    send(ends_[side].ours.get(), text.data(), text.size(), MSG_NOSIGNAL);
  }

  std::array<Ends, 2>& ends_;
  TurnPlan plan_;
  std::array<Side, 2> sides_;
  Clock::time_point last_ = Clock::now();
  SharedCpu cpu_;
  TurnPlan::Ask said_;               // last
  std::optional<std::size_t> case_;  // that it is about
  bool began_ = false;
  bool finishing_ = false;
  bool lost_ = false;
};

SuiteAnswer answer_of_side(const TurnSide& side, process::Outcome outcome, const ReportFile& file,
                           const Conversation& conversation, std::size_t index) {
  SuiteAnswer answer = answer_of(side.command, std::move(outcome), file);
  if (answer.interrupted || answer.status == record::ProcessStatus::ok) {
    if (conversation.problem(index).empty()) return answer;
    answer.report.reset();
  }
  if (!conversation.problem(index).empty()) {
    answer.status = record::ProcessStatus::bad_report;
    answer.message = conversation.problem(index);
  }
  if (const std::string place = conversation.place(); !place.empty()) {
    answer.message.insert(base::first_line(answer.message).size(), ", " + place);
  }
  return answer;
}

}  // namespace

std::array<SuiteAnswer, 2> ask_pair(const std::array<TurnSide, 2>& sides, std::vector<TurnCase> cases,
                                    std::uint64_t seed, const TurnLimits& limits) {
  std::array<Ends, 2> ends;
  std::vector<process::Command> commands;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    auto made = connection();
    if (!made) {
      const std::string why = "cannot take turns: " + std::generic_category().message(errno);
      return {not_started(why), not_started(why)};
    }
    ends[i] = std::move(*made);
    commands.push_back(sides[i].command);
    commands.back().inherited = ends[i].theirs.get();
    commands.back().arguments.push_back(flag_of(ends[i].theirs.get()));
    commands.back().time_limit.reset();
  }
  const std::array<ReportFile, 2> files{ReportFile(sides[0].report), ReportFile(sides[1].report)};
  Conversation conversation(ends, TurnPlan(std::move(cases), seed, limits), SharedCpu(allowed_cpus(), ~seed), sides);
  std::vector<process::Outcome> outcomes = process::run_together(commands, std::chrono::milliseconds(0), &conversation);
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const auto without_other = outcomes[i].wall - conversation.worked(1 - i);
    outcomes[i].wall = std::max(conversation.worked(i), without_other);
  }
  std::array<SuiteAnswer, 2> answers;
  std::array<bool, 2> abandoned{};
  for (std::size_t i = 0; i < answers.size(); ++i) {
    abandoned[i] = outcomes[i].ending == Ending::abandoned && conversation.problem(i).empty();
    answers[i] = answer_of_side(sides[i], std::move(outcomes[i]), files[i], conversation, i);
    tell_full_disk(sides[i].report, answers[i]);
  }
  for (std::size_t i = 0; i < answers.size(); ++i)
    if (abandoned[i] && !abandoned[1 - i] && !answers[1 - i].interrupted)
      lose_by_other(answers[i], sides[1 - i].label, answers[1 - i]);
  return answers;
}

}  // namespace torchgate::launch
