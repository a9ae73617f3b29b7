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

set_target_properties(torchgate PROPERTIES EXPORT_NAME program)
install(TARGETS torchgate EXPORT torchgateTargets RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(FILES "${torchgate_SOURCE_DIR}/harness/bench/files/exported_symbols.txt" DESTINATION share/torchgate)
torchgate_installed(torchgateTargets base bench json machine record stats)

set(TORCHGATE_INSTALLED_CUDA OFF)
if(TORCHGATE_TORCH)
  torchgate_installed(torchgateTorchTargets bench_torch suites_common)
  set(TORCHGATE_INSTALLED_CUDA ${TORCHGATE_HAS_CUDA})
  install(FILES "${torchgate_SOURCE_DIR}/cmake/torchgate_torch.cmake" DESTINATION "${_torchgate_package}")
endif()
configure_package_config_file("${torchgate_SOURCE_DIR}/cmake/torchgateConfig.cmake.in"
                              "${torchgate_BINARY_DIR}/torchgateConfig.cmake" INSTALL_DESTINATION "${_torchgate_package}")
write_basic_package_version_file("${torchgate_BINARY_DIR}/torchgateConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${torchgate_BINARY_DIR}/torchgateConfig.cmake" "${torchgate_BINARY_DIR}/torchgateConfigVersion.cmake"
              "${torchgate_SOURCE_DIR}/cmake/torchgate_suite.cmake"
              "${torchgate_SOURCE_DIR}/cmake/torchgate_suite_dependencies.cmake" DESTINATION "${_torchgate_package}")
