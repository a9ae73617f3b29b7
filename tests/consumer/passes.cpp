// SPDX-License-Identifier: Apache-2.0
// How many times a call does its work.
int passes();

int passes() {
  return PASSES;
}
