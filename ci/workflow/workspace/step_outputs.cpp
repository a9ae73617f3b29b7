// SPDX-License-Identifier: Apache-2.0
#include "ci/workflow/workspace/step_outputs.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <array>

#include "harness/base/posix_file.hpp"
#include "harness/base/whole_io.hpp"

namespace torchgate::workflow {
namespace {

using base::Error;
using base::ErrorCode;

base::Result<std::string> random_delimiter() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return Error{ErrorCode::internal, "the operating system gave no random numbers"};
  std::string delimiter = "torchgate_";
  for (const unsigned char byte : bytes) delimiter += fmt::format("{:02x}", byte);
  return delimiter;
}

}  // namespace

base::Result<std::string> step_outputs_text(const StepOutputs& outputs, std::string_view delimiter) {
  std::string text;
  for (const auto& [name, value] : outputs) {
    if (value.find_first_of("\r\n") != std::string::npos || value == delimiter)
      return Error{ErrorCode::bad_input, fmt::format("{}: its value has a line break; it was not written", name)};
    text += fmt::format("{}<<{}\n{}\n{}\n", name, delimiter, value, delimiter);
  }
  return text;
}

base::Result<void> append_step_outputs(const std::filesystem::path& file, const StepOutputs& outputs) {
  const auto delimiter = random_delimiter();
  if (!delimiter) return delimiter.error();
  const auto text = step_outputs_text(outputs, *delimiter);
  if (!text) return text.error();
  constexpr int for_its_owner = 0600;
  base::PosixFile out(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, for_its_owner));
  if (!out.is_open()) return base::system_error(file, "open", errno);
  if (const int failed = base::write_all(out.descriptor(), *text); failed != 0)
    return base::system_error(file, "write", failed);
  if (!out.close()) return base::system_error(file, "write", errno);
  return {};
}

}  // namespace torchgate::workflow
