// SPDX-License-Identifier: Apache-2.0
// What reading_suite.cpp unpacks and loads.
extern "C" int torchgate_small_library() {
  return 1;
}
