// SPDX-License-Identifier: Apache-2.0
// Counts the instructions of this process between two points, instead of measuring time there.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "harness/base/result.hpp"

namespace torchgate::bench {

class InstructionCounter {
 public:
  virtual ~InstructionCounter() = default;
  virtual void start() = 0;
  virtual void stop() = 0;
  /// Ends a part: what was counted since the last one is that of NAME, and counting begins at 0 again. Absent: the number is not
  /// known in this process, but to the tool that it runs in, which writes it down with NAME.
  virtual std::optional<double> take(const std::string& name) = 0;
  /// "callgrind", "hardware".
  [[nodiscard]] virtual const char* name() const = 0;
};

/// Callgrind where this process runs in it, otherwise the CPU's counter of instructions in user mode, of this process and of the
/// threads that it starts from now on. io: neither, and why.
base::Result<std::unique_ptr<InstructionCounter>> instruction_counter();

}  // namespace torchgate::bench
