// SPDX-License-Identifier: Apache-2.0
// The suite's end of the conversation of a pair that takes turns (harness/launch/README.md, "Turns"): lines through a socket that it was
// started with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/bench/sampling/turns.hpp"

namespace torchgate::bench {

class TurnChannel final : public TurnGiver {
 public:
  /// Programs that this process starts do not get the descriptor.
  explicit TurnChannel(int descriptor);

  /// Waits for the name of the next case; absent: all are measured.
  /// std::runtime_error here and below if the other end is closed, or says what was not expected.
  std::optional<std::string> next_case();

  /// The case is complete, measured or not.
  void done();

  /// The case shall come once more, when the other process is done with it.
  void later();

  void ready(const Ready& ready) override;
  std::optional<std::int64_t> next_turn() override;
  void took(const Took& took) override;

 private:
  std::string read_line();
  void write_line(const std::string& line);

  int descriptor_;
  std::string buffer_;
};

}  // namespace torchgate::bench
