// SPDX-License-Identifier: Apache-2.0
#include "suites/common/operator.hpp"

namespace torchgate::suites {

Operator::Operator(const char* name, const char* overload)
    : handle_(c10::Dispatcher::singleton().findSchemaOrThrow(name, overload)) {}

c10::IValue Operator::operator()(std::vector<c10::IValue> arguments) const {
  handle_.callBoxed(&arguments);
  return arguments.front();
}

}  // namespace torchgate::suites
