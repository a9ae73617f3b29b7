# SPDX-License-Identifier: Apache-2.0
# Precompiled headers: what most of our files include, parsed once for each set of flags instead of once a file. Over 16
# files of the libraries the compiler needed 1.6 s a file instead of 2.6 s. g++ accepts one only for the flags it was made
# with, so there are two: torchgate_pch for the libraries, torchgate_test_pch (with GoogleTest) for the tests.
#
# A precompiled header hides a missing #include of a standard header. The preset `tidy` and ci/scripts/compile_alone.py do without
# one, so that a file that forgot an #include does not compile there; tests/lint checks headers on their own.

# Inside another project the flags of a folder may differ: there it is off unless asked for.
option(TORCHGATE_PCH "Use precompiled headers" ${PROJECT_IS_TOP_LEVEL})

# Included by 20 files or more, or expensive and included by most of these. One #include a line, in the order of the alphabet.
set(_torchgate_pch_headers <algorithm> <array> <charconv> <chrono> <cmath> <cstddef> <cstdint> <filesystem> <functional>
    <map> <memory> <optional> <set> <span> <string> <string_view> <system_error> <utility> <vector> <fmt/format.h>)

# The definitions of {fmt} belong to the flags: a library that does not link {fmt} needs them too.
function(_torchgate_pch_definitions TARGET)
  target_compile_definitions(${TARGET} PRIVATE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
endfunction()

# _torchgate_add_pch(NAME HEADERS...): an object library that owns the precompiled header and nothing else.
function(_torchgate_add_pch NAME)
  file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${NAME}.cpp" CONTENT "// Exists to own the precompiled header.\n")
  add_library(${NAME} OBJECT EXCLUDE_FROM_ALL "${CMAKE_CURRENT_BINARY_DIR}/${NAME}.cpp")
  target_link_libraries(${NAME} PRIVATE fmt::fmt torchgate_warnings $<$<STREQUAL:${NAME},torchgate_test_pch>:GTest::gtest>)
  target_precompile_headers(${NAME} PRIVATE ${ARGN})
endfunction()

if(TORCHGATE_PCH)
  _torchgate_add_pch(torchgate_pch ${_torchgate_pch_headers})
  if(TORCHGATE_TESTS)
    _torchgate_add_pch(torchgate_test_pch ${_torchgate_pch_headers} <fstream> <gtest/gtest.h>)
    # CMake gives executables -fPIE, and g++ refuses a precompiled header of the other kind.
    set_target_properties(torchgate_test_pch PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(torchgate_test_pch PRIVATE -fPIE ${TORCHGATE_TEST_FLAGS})
  endif()
endif()

# torchgate_uses_pch(TARGET): for a library with the flags of the project, or an object that goes into one.
function(torchgate_uses_pch TARGET)
  if(TORCHGATE_PCH)
    _torchgate_pch_definitions(${TARGET})
    target_precompile_headers(${TARGET} REUSE_FROM torchgate_pch)
  endif()
endfunction()

# torchgate_uses_test_pch(TARGET): for an executable with TORCHGATE_TEST_FLAGS.
function(torchgate_uses_test_pch TARGET)
  if(TORCHGATE_PCH)
    _torchgate_pch_definitions(${TARGET})
    target_precompile_headers(${TARGET} REUSE_FROM torchgate_test_pch)
  endif()
endfunction()
