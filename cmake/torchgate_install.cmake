# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` installs: the program, and what a suite outside this repository is built with
# (find_package(torchgate)). The other libraries are the program's own.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(_torchgate_package "${CMAKE_INSTALL_LIBDIR}/cmake/torchgate")

# torchgate_installed(EXPORT TARGETS...): libraries and their headers, which are included from the root of the repository.
function(torchgate_installed EXPORT)
  foreach(name ${ARGN})
    set_target_properties(torchgate_${name} PROPERTIES EXPORT_NAME ${name})
    install(TARGETS torchgate_${name} EXPORT ${EXPORT} ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
            FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/torchgate")
  endforeach()
  install(EXPORT ${EXPORT} NAMESPACE torchgate:: DESTINATION "${_torchgate_package}")
endfunction()

# torchgate_check_installed(LIBRARIES...): what an installed header includes is installed too. Otherwise only a suite elsewhere would notice.
function(torchgate_check_installed)
  set(installed)
  foreach(name ${ARGN})
    get_target_property(headers torchgate_${name} HEADER_SET)
    list(APPEND installed ${headers})
  endforeach()
  foreach(header IN LISTS installed)
    if(NOT EXISTS "${header}")
      continue()  # a library that installs none
    endif()
    file(STRINGS "${header}" lines REGEX "^#include \"(stats|harness|suites)/")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" included "${line}")
      if(NOT "${torchgate_SOURCE_DIR}/${included}" IN_LIST installed)
        message(FATAL_ERROR "${header} is installed and includes ${included}, which is not; add that to INSTALLED in the CMakeLists.txt of its folder")
      endif()
    endforeach()
  endforeach()
endfunction()

set_target_properties(torchgate PROPERTIES EXPORT_NAME program)
install(TARGETS torchgate EXPORT torchgateTargets RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(FILES "${torchgate_SOURCE_DIR}/harness/bench/files/exported_symbols.txt" DESTINATION share/torchgate)

# Completion and manual page, made by the program from its own table, where shells and man look for them.
set(_torchgate_pages "${torchgate_BINARY_DIR}/share")
file(MAKE_DIRECTORY "${_torchgate_pages}")
set(_torchgate_page_files)
# torchgate_page(FILE FOLDER NAME ARGUMENTS...): what `torchgate ARGUMENTS` prints is installed as FOLDER/NAME
function(torchgate_page FILE FOLDER NAME)
  add_custom_command(OUTPUT "${_torchgate_pages}/${FILE}" DEPENDS torchgate VERBATIM
                     COMMAND torchgate ${ARGN} > "${_torchgate_pages}/${FILE}")
  install(FILES "${_torchgate_pages}/${FILE}" DESTINATION "${FOLDER}" RENAME "${NAME}")
  set(_torchgate_page_files ${_torchgate_page_files} "${_torchgate_pages}/${FILE}" PARENT_SCOPE)
endfunction()
torchgate_page(torchgate.bash "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" torchgate completion bash)
torchgate_page(torchgate.zsh "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" _torchgate completion zsh)
torchgate_page(torchgate.fish "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" torchgate.fish completion fish)
torchgate_page(torchgate.1 "${CMAKE_INSTALL_MANDIR}/man1" torchgate.1 help --man)
add_custom_target(torchgate_pages ALL DEPENDS ${_torchgate_page_files})

set(_torchgate_installed base bench json machine record stats)
torchgate_installed(torchgateTargets ${_torchgate_installed})

set(TORCHGATE_INSTALLED_CUDA OFF)
if(TORCHGATE_TORCH)
  torchgate_installed(torchgateTorchTargets bench_torch suites_common)
  list(APPEND _torchgate_installed bench_torch suites_common)
  set(TORCHGATE_INSTALLED_CUDA ${TORCHGATE_HAS_CUDA})
  install(FILES "${torchgate_SOURCE_DIR}/cmake/torchgate_torch.cmake" DESTINATION "${_torchgate_package}")
endif()
torchgate_check_installed(${_torchgate_installed})
configure_package_config_file("${torchgate_SOURCE_DIR}/cmake/torchgateConfig.cmake.in"
                              "${torchgate_BINARY_DIR}/torchgateConfig.cmake" INSTALL_DESTINATION "${_torchgate_package}")
write_basic_package_version_file("${torchgate_BINARY_DIR}/torchgateConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${torchgate_BINARY_DIR}/torchgateConfig.cmake" "${torchgate_BINARY_DIR}/torchgateConfigVersion.cmake"
              "${torchgate_SOURCE_DIR}/cmake/torchgate_suite.cmake"
              "${torchgate_SOURCE_DIR}/cmake/torchgate_suite_dependencies.cmake" DESTINATION "${_torchgate_package}")
