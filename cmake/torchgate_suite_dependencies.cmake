# SPDX-License-Identifier: Apache-2.0
# What a suite links, and therefore what a project that finds an installed torchgate needs too: read by
# torchgate_dependencies.cmake, which says why each is here, and by the installed torchgateConfig.cmake.
find_package(Threads REQUIRED)
find_package(OpenSSL 3 REQUIRED COMPONENTS Crypto)
find_package(benchmark 1.7 REQUIRED)

# Debian's RE2 comes without a CMake package. The static library where there is one: a suite then runs on a machine without RE2,
# and what it loads stays the code that is measured.
if(NOT TARGET torchgate_re2::re2)
  find_path(TORCHGATE_RE2_INCLUDE_DIR re2/re2.h REQUIRED)
  find_library(TORCHGATE_RE2_LIBRARY NAMES libre2.a re2 REQUIRED)
  add_library(torchgate_re2::re2 UNKNOWN IMPORTED GLOBAL)
  set_target_properties(torchgate_re2::re2 PROPERTIES IMPORTED_LOCATION "${TORCHGATE_RE2_LIBRARY}"
                        INTERFACE_INCLUDE_DIRECTORIES "${TORCHGATE_RE2_INCLUDE_DIR}"
                        INTERFACE_LINK_LIBRARIES Threads::Threads)
endif()
