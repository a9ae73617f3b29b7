# SPDX-License-Identifier: Apache-2.0
# torchgate_suite(): how a suite is built, in suites/ and in a project outside this repository. It is installed beside
# torchgateConfig.cmake; add_subdirectory and FetchContent of torchgate have it too.

# torchgate_suite(NAME [PLAIN] SOURCES ... [DEPS ...])
# The program NAME (target suite_NAME), linked with torchgate::bench_torch and torchgate::suites_common, whose headers are
# included as "suites/common/inputs.hpp". PLAIN: without LibTorch, linked with torchgate::bench alone.
function(torchgate_suite NAME)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "PLAIN" "" "SOURCES;DEPS")
  if(NOT ARG_SOURCES OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "torchgate_suite(${NAME}): expected [PLAIN] SOURCES FILES... [DEPS TARGETS...]")
  endif()
  set(libraries torchgate::bench)
  if(NOT ARG_PLAIN)
    set(libraries torchgate::bench_torch torchgate::suites_common)
  endif()
  foreach(library IN LISTS libraries)
    if(NOT TARGET ${library})
      message(FATAL_ERROR "torchgate_suite(${NAME}): ${library} is missing; add COMPONENTS bench_torch where torchgate is looked for, "
                          "set TORCHGATE_TORCH=ON before add_subdirectory(), or say PLAIN for a suite without LibTorch")
    endif()
  endforeach()

  set(suite suite_${NAME})
  add_executable(${suite} ${ARG_SOURCES})
  set_target_properties(${suite} PROPERTIES OUTPUT_NAME "${NAME}")
  target_link_libraries(${suite} PRIVATE ${libraries} ${ARG_DEPS})
  if(torchgate_suites_bin)  # below suites/
    _torchgate_suite_of_repository(${NAME})
  elseif(NOT ARG_PLAIN)
    # No precompiled header: the flags of another project may differ from those of ours.
    set_target_properties(${suite} PROPERTIES JOB_POOL_COMPILE torch_compile)
  endif()
endfunction()
