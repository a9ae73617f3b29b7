# SPDX-License-Identifier: Apache-2.0
# How a target of this project is made: language level, warnings, speed of the build, and three functions that every
# folder uses, so that a folder's CMakeLists.txt is nothing but its list of files and what it depends on.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Benchmarks of an unoptimised build mean nothing" FORCE)
endif()

if(PROJECT_IS_TOP_LEVEL)
  find_program(TORCHGATE_CCACHE ccache)
  if(TORCHGATE_CCACHE)
    # The sloppiness is what ccache needs to cache a file that uses a precompiled header.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
        CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${TORCHGATE_CCACHE})
  endif()
  find_program(TORCHGATE_MOLD mold)
  if(TORCHGATE_MOLD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_link_options(-fuse-ld=mold)
  endif()
endif()

add_library(torchgate_warnings INTERFACE)
# g++ 12 warns about std::string's own operator+ and replace() (GCC bugs 105329 and 105651, fixed in 13); with a precompiled
# header it no longer leaves these warnings out as those of a system header.
target_compile_options(torchgate_warnings INTERFACE
                       $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>)
target_compile_options(torchgate_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion
                       $<$<BOOL:${TORCHGATE_WERROR}>:-Werror>)
# In a batch of files a local name may be that of a constant in another one.
target_compile_options(torchgate_warnings INTERFACE $<$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wshadow>)

# What the files of a folder include costs more than their own lines: sixteen at a time, a build from nothing takes half as long.
# A changed file then compiles its whole batch again (seconds), and two files of a folder must not have a local name alike.
# A batch hides a missing #include as a precompiled header does, and is off in the preset `tidy`; also in `dev`, for editors that
# look for a file's own command.
set(torchgate_batch 0)
if(PROJECT_IS_TOP_LEVEL)
  set(torchgate_batch 16)
endif()
set(TORCHGATE_UNITY ${torchgate_batch} CACHE STRING "So many .cpp files of a target are compiled as one; 0: each on its own")

# torchgate_compile_in_batches(TARGET [AT_MOST]): AT_MOST files at a time where TORCHGATE_UNITY allows more.
function(torchgate_compile_in_batches TARGET)
  set(batch "${TORCHGATE_UNITY}")
  if(ARGC GREATER 1 AND batch GREATER "${ARGV1}")
    set(batch "${ARGV1}")
  endif()
  if(batch GREATER 0)
    set_target_properties(${TARGET} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
  endif()
endfunction()

# torchgate_library(NAME HEADERS ... SOURCES ... [INSTALLED ...] [DEPS ...] [PRIVATE_DEPS ...])
# A folder's static library torchgate_NAME (alias torchgate::NAME); headers are included from the root of the repository.
# INSTALLED: those of HEADERS that a suite outside this repository includes, and what these include; the others are not installed.
# TORCHGATE_LIBRARY_FLAGS are added: -O1 in the preset ci compiles a fifth faster, and tests of the program do not need more (but g++ 12
# then warns about every std::optional as maybe uninitialized). What measures and what is measured (harness/bench, suites) leaves them out.
function(torchgate_library NAME)
  cmake_parse_arguments(ARG "" "" "HEADERS;INSTALLED;SOURCES;DEPS;PRIVATE_DEPS" ${ARGN})
  add_library(torchgate_${NAME} STATIC ${ARG_SOURCES})
  add_library(torchgate::${NAME} ALIAS torchgate_${NAME})
  list(REMOVE_ITEM ARG_HEADERS ${ARG_INSTALLED} "")
  target_sources(torchgate_${NAME}
    PUBLIC FILE_SET HEADERS BASE_DIRS "${torchgate_SOURCE_DIR}" FILES ${ARG_INSTALLED}
    PRIVATE FILE_SET own TYPE HEADERS BASE_DIRS "${torchgate_SOURCE_DIR}" FILES ${ARG_HEADERS})
  # Headers only, or flags only: whoever links the library from an installation does not need them.
  list(TRANSFORM ARG_PRIVATE_DEPS REPLACE "^(nlohmann_json::.*|Boost::headers)$" "$<BUILD_INTERFACE:\\1>")
  target_link_libraries(torchgate_${NAME} PUBLIC ${ARG_DEPS} PRIVATE ${ARG_PRIVATE_DEPS}
                        $<BUILD_INTERFACE:torchgate_warnings>)
  target_compile_options(torchgate_${NAME} PRIVATE ${TORCHGATE_LIBRARY_FLAGS})
  # A consumer may be of an older standard: our headers are not.
  target_compile_features(torchgate_${NAME} PUBLIC cxx_std_20)
  torchgate_uses_pch(torchgate_${NAME})
  torchgate_compile_in_batches(torchgate_${NAME})
endfunction()

# What a test that measures holds, so that ctest does not start two: they would wait for each other's machine lock.
set(TORCHGATE_MEASURES RESOURCE_LOCK torchgate_measures)

# torchgate_test(NAME [MEASURES] [THREADS] [COST N] [ONE_BY_ONE FILTER] SOURCES ... [DEPS ...] [LABELS ...])
# One GoogleTest program as one CTest test, `unit` unless labelled otherwise: a process for each of its hundreds of TESTs takes longer than
# what they test. ONE_BY_ONE: those that GoogleTest's FILTER selects are CTest tests of their own, because they may be skipped (CTest shows
# which) or take minutes. MEASURES: its tests run torchgate. THREADS: of code that starts some; the preset tsan builds and runs
# these alone (target torchgate_threads). COST: of tests that take long, so that they start first.
function(torchgate_test NAME)
  cmake_parse_arguments(ARG "MEASURES;THREADS" "COST;ONE_BY_ONE" "SOURCES;DEPS;LABELS" ${ARGN})
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  if(ARG_THREADS)
    set(ARG_LABELS unit_threads)  # the others are not built in the preset tsan, where ctest would fail for each of them
  endif()
  add_executable(${NAME} ${ARG_SOURCES})
  target_include_directories(${NAME} PRIVATE "${torchgate_SOURCE_DIR}")
  target_compile_definitions(${NAME} PRIVATE TORCHGATE_TESTS_DIR="${torchgate_SOURCE_DIR}/tests")
  target_link_libraries(${NAME} PRIVATE ${ARG_DEPS} GTest::gtest GTest::gtest_main torchgate_warnings)
  # The tests' own code runs once: compiling it unoptimised is quicker. Simulations (label stat) do their work in it.
  if(NOT "stat" IN_LIST ARG_LABELS)
    target_compile_options(${NAME} PRIVATE ${TORCHGATE_TEST_FLAGS})
    torchgate_uses_test_pch(${NAME})
  endif()
  torchgate_compile_in_batches(${NAME})
  if(ARG_THREADS)
    if(NOT TARGET torchgate_threads)
      add_custom_target(torchgate_threads)
    endif()
    add_dependencies(torchgate_threads ${NAME})
  endif()
  set(properties LABELS "${ARG_LABELS}")
  if(ARG_MEASURES)
    list(APPEND properties ${TORCHGATE_MEASURES})
  endif()
  if(ARG_COST)
    list(APPEND properties COST ${ARG_COST})
  endif()
  if(ARG_ONE_BY_ONE)
    gtest_discover_tests(${NAME} TEST_FILTER "${ARG_ONE_BY_ONE}" DISCOVERY_TIMEOUT 60 PROPERTIES ${properties})
  endif()
  if(NOT ARG_ONE_BY_ONE STREQUAL "*")
    add_test(NAME ${NAME} COMMAND ${NAME} --gtest_brief=1 "--gtest_filter=-${ARG_ONE_BY_ONE}")
    # A skip would be hidden among the others.
    set_tests_properties(${NAME} PROPERTIES ${properties} FAIL_REGULAR_EXPRESSION "\\[  SKIPPED \\]")
  endif()
endfunction()
