// SPDX-License-Identifier: Apache-2.0
#include "harness/bench/program/turn_channel.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <stdexcept>
#include <string_view>

#include "harness/base/whole_io.hpp"

namespace torchgate::bench {
namespace {

constexpr std::string_view case_word = "case ";
constexpr std::string_view turn_word = "turn ";

[[noreturn]] void unexpected(const std::string& line) {
  throw std::runtime_error("taking turns: unexpected \"" + line + "\" from torchgate");
}

[[noreturn]] void connection_closed() {
  throw std::runtime_error("taking turns: torchgate has closed the connection");
}

}  // namespace

TurnChannel::TurnChannel(int descriptor) : descriptor_(descriptor) {
  if (fcntl(descriptor_, F_SETFD, FD_CLOEXEC) != 0)
    throw std::runtime_error("--torchgate_turns=" + std::to_string(descriptor) +
                             ": it is not open; only torchgate sets this flag");
  write_line("turns 1");  // harness/launch/turns/turn_plan.hpp: the version of the conversation
}

std::optional<std::string> TurnChannel::next_case() {
  const std::string line = read_line();
  if (line == "finish") return std::nullopt;
  if (!line.starts_with(case_word)) unexpected(line);
  return line.substr(case_word.size());
}

void TurnChannel::ready(const Ready& ready) {
  write_line("ready " + std::to_string(ready.sample_ns) + " " + std::to_string(ready.budget_ns));
}

std::optional<std::int64_t> TurnChannel::next_turn() {
  const std::string line = read_line();
  if (line == "end") return std::nullopt;
  std::int64_t turn_ns = 0;
  if (!line.starts_with(turn_word)) unexpected(line);
  const auto [end, error] = std::from_chars(line.data() + turn_word.size(), line.data() + line.size(), turn_ns);
  if (error != std::errc{} || end != line.data() + line.size() || turn_ns < 1) unexpected(line);
  return turn_ns;
}

void TurnChannel::took(const Took& took) {
  write_line("took " + std::to_string(took.samples) + " " + std::to_string(took.near_floor) + " " +
             std::to_string(took.spent_ns));
}

void TurnChannel::done() {
  write_line("done");
}

void TurnChannel::later() {
  write_line("later");
}

std::string TurnChannel::read_line() {
  for (;;) {
    if (const auto end = buffer_.find('\n'); end != std::string::npos) {
      std::string line = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return line;
    }
    std::array<char, 4096> piece{};
    const ssize_t got = read(descriptor_, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) connection_closed();
    buffer_.append(piece.data(), static_cast<std::size_t>(got));
  }
}

void TurnChannel::write_line(const std::string& line) {
  if (base::write_all(descriptor_, line + "\n") != 0) connection_closed();
}

}  // namespace torchgate::bench
