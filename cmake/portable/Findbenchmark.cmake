# SPDX-License-Identifier: Apache-2.0
# Google Benchmark is part of suites, not of the program: the released one is configured without it, and a target that needs it does not
# compile.
add_library(benchmark::benchmark INTERFACE IMPORTED)
set(benchmark_FOUND TRUE)
