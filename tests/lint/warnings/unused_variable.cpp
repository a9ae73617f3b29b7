// SPDX-License-Identifier: Apache-2.0
// The fault is on purpose, and its name is what the test looks for in the compiler's message.

void faulty() {
  int never_used = 1;
}
