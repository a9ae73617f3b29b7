// SPDX-License-Identifier: Apache-2.0
// What libstdc++.a of g++ 12 calls of a C library newer than the one that the released program is linked with (2.31). Part of the
// preset `portable` only.
#include <sys/random.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>

#define TORCHGATE_INSIDE extern "C" __attribute__((visibility("hidden")))

/// glibc 2.32: not 0 while the process has one thread, where locks and atomic counters can be left out. 0 is always right.
TORCHGATE_INSIDE char __libc_single_threaded;
char __libc_single_threaded = 0;

/// glibc 2.36, of std::random_device: 32 random bits. Never fails there, so that it cannot report a failure.
TORCHGATE_INSIDE std::uint32_t arc4random();
std::uint32_t arc4random() {
  std::uint32_t number = 0;
  ssize_t got = 0;
  do {
    got = getrandom(&number, sizeof number, 0);
  } while (got < 0 && errno == EINTR);
  if (got != static_cast<ssize_t>(sizeof number)) std::abort();
  return number;
}
