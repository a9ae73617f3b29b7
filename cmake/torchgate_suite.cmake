# SPDX-License-Identifier: Apache-2.0
# torchgate_suite(): how a suite is built, in suites/ and in a project outside this repository. It is installed beside
# torchgateConfig.cmake; add_subdirectory and FetchContent of torchgate have it too.

# torchgate_suite(NAME [PLAIN] SOURCES ... [DEPS ...] [ARTEFACTS SCRIPT FILES...])
# The program NAME (target suite_NAME) with a main() for the suite NAME, linked with torchgate::bench_torch and
# torchgate::suites_common, whose headers are included as "suites/common/inputs.hpp". PLAIN: without LibTorch, linked with
# torchgate::bench alone.
# ARTEFACTS: `python3 SCRIPT FOLDER FILES...` makes these files in the folder NAME.artefacts beside the program, for
# .artefact("FILE") of its groups. It runs with the PyTorch that ci/scripts/setup.sh --compile installs, or that of -DTORCHGATE_PYTHON=...;
# without one the program is built all the same, and the cases are skipped with the reason.
function(torchgate_suite NAME)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "PLAIN" "" "SOURCES;DEPS;ARTEFACTS")
  if(NOT ARG_SOURCES OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "torchgate_suite(${NAME}): expected [PLAIN] SOURCES FILES... [DEPS TARGETS...] [ARTEFACTS SCRIPT FILES...]")
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
  set(main "${CMAKE_CURRENT_BINARY_DIR}/${suite}_main.cpp")
  if(ARG_PLAIN)
    set(content "#include \"harness/bench/program/suite_program.hpp\"\nTORCHGATE_PLAIN_SUITE(\"${NAME}\")\n")
  else()
    set(content "#include \"harness/bench/torch/torch_backend.hpp\"\nTORCHGATE_TORCH_SUITE(\"${NAME}\")\n")
  endif()
  file(CONFIGURE OUTPUT "${main}" CONTENT "${content}")
  add_executable(${suite} ${ARG_SOURCES} "${main}")
  set_target_properties(${suite} PROPERTIES OUTPUT_NAME "${NAME}")
  target_link_libraries(${suite} PRIVATE ${libraries} ${ARG_DEPS})
  if(torchgate_suites_bin)  # below suites/
    _torchgate_suite_of_repository(${NAME})
  elseif(NOT ARG_PLAIN)
    # No precompiled header: the flags of another project may differ from those of ours.
    set_target_properties(${suite} PROPERTIES JOB_POOL_COMPILE torch_compile)
  endif()
  if(ARG_ARTEFACTS)
    _torchgate_suite_artefacts(${NAME} ${ARG_ARTEFACTS})
  endif()
endfunction()

# The Python that can import PyTorch, as a command; empty, with WHY, if there is none.
function(_torchgate_python_with_torch OUT WHY)
  set(${OUT} "" PARENT_SCOPE)
  find_program(TORCHGATE_PYTHON python3 DOC "a Python that makes the artefacts of suites: one with PyTorch, or any for the PyTorch in .deps/")
  if(NOT TORCHGATE_PYTHON)
    set(${WHY} "python3 is missing; install it and configure again" PARENT_SCOPE)
    return()
  endif()
  file(GLOB folders "${torchgate_SOURCE_DIR}/.deps/python-torch-*" "${torchgate_SOURCE_DIR}/.deps/libtorch-*-full")
  list(FILTER folders EXCLUDE REGEX "\\.part$")
  foreach(folder IN LISTS folders)
    if(NOT EXISTS "${folder}/torch/__init__.py")
      continue()
    endif()
    # Wheels are of one version of Python: asked once per folder and Python, because importing takes seconds.
    if(NOT TORCHGATE_PYTHON_IMPORTS STREQUAL "${TORCHGATE_PYTHON} ${folder}")
      execute_process(COMMAND "${CMAKE_COMMAND}" -E env "PYTHONPATH=${folder}" "${TORCHGATE_PYTHON}" -c "import torch"
                      RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
      if(failed)
        set(${WHY} "${TORCHGATE_PYTHON} cannot import the PyTorch in ${folder}; run ci/scripts/setup.sh --compile with that Python" PARENT_SCOPE)
        return()
      endif()
      set(TORCHGATE_PYTHON_IMPORTS "${TORCHGATE_PYTHON} ${folder}" CACHE INTERNAL "what this Python has imported")
    endif()
    set(${OUT} "${CMAKE_COMMAND}" -E env "PYTHONPATH=${folder}" "${TORCHGATE_PYTHON}" PARENT_SCOPE)
    return()
  endforeach()
  execute_process(COMMAND "${TORCHGATE_PYTHON}" -c "import importlib.util as u, sys; sys.exit(u.find_spec('torch') is None)"
                  RESULT_VARIABLE without OUTPUT_QUIET ERROR_QUIET)
  if(without)
    set(${WHY} "${TORCHGATE_PYTHON} has no PyTorch; run ci/scripts/setup.sh --compile and configure again" PARENT_SCOPE)
  else()
    set(${OUT} "${TORCHGATE_PYTHON}" PARENT_SCOPE)
  endif()
endfunction()

function(_torchgate_suite_artefacts NAME SCRIPT)
  get_target_property(folder suite_${NAME} RUNTIME_OUTPUT_DIRECTORY)
  if(NOT folder)
    set(folder "${CMAKE_CURRENT_BINARY_DIR}")
  endif()
  set(folder "${folder}/${NAME}.artefacts")
  _torchgate_python_with_torch(python why)
  if(NOT python)
    message(STATUS "Artefacts of the suite ${NAME}: none, ${why}")
    file(REMOVE_RECURSE "${folder}")
    file(WRITE "${folder}/not_built.txt" "${why}\n")
    return()
  endif()
  file(REMOVE "${folder}/not_built.txt")
  # For groups that measure the compilation itself: .artefact("compiler.txt").
  list(JOIN python " " command)
  file(CONFIGURE OUTPUT "${folder}/compiler.txt" CONTENT "${command} ${CMAKE_CURRENT_SOURCE_DIR}/${SCRIPT}\n")
  list(TRANSFORM ARGN PREPEND "${folder}/" OUTPUT_VARIABLE files)
  add_custom_command(OUTPUT ${files} DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${SCRIPT}"
    COMMAND ${python} "${CMAKE_CURRENT_SOURCE_DIR}/${SCRIPT}" "${folder}" ${ARGN}
    COMMENT "Making the artefacts of the suite ${NAME}" VERBATIM)
  add_custom_target(suite_${NAME}_artefacts ALL DEPENDS ${files})
  add_dependencies(suite_${NAME} suite_${NAME}_artefacts)
endfunction()
