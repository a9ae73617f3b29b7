# SPDX-License-Identifier: Apache-2.0
# What a suite links, and therefore what a project that finds an installed torchgate needs too: read by
# torchgate_dependencies.cmake, which says why each is here, and by the installed torchgateConfig.cmake.
find_package(Threads REQUIRED)
find_package(OpenSSL 3 REQUIRED COMPONENTS Crypto)
find_package(benchmark 1.7 REQUIRED)
