# SPDX-License-Identifier: Apache-2.0
# LibTorch as hand-made imported targets. find_package(Torch) of the PyPI wheel demands a CUDA toolkit and nvcc even for
# pure C++ and drags libtorch_cuda into every start; this needs neither (Torch's own folder is enough).
#
# Where it is looked for, first hit wins:
#   -DTorch_ROOT=DIR, then the environment variable TORCHGATE_TORCH_ROOT, then what ci/scripts/setup.sh installed in .deps/.
# DIR is the folder that holds include/ and lib/: `libtorch` of the official zip, or `torch` of a wheel (its parent works too).

set(TORCHGATE_TORCH_TESTED_VERSION 2.15.0)
# The nightly workflow builds and runs the suites with this one, too.
set(TORCHGATE_TORCH_OLDEST_VERSION 2.11.0)

function(_torchgate_find_torch OUT)
  set(candidates ${Torch_ROOT} $ENV{TORCHGATE_TORCH_ROOT})
  if(NOT candidates)
    file(GLOB installed "${torchgate_SOURCE_DIR}/.deps/libtorch-${TORCHGATE_TORCH_TESTED_VERSION}-*")
    # The full set contains the slim one: prefer it where both are there.
    list(FILTER installed EXCLUDE REGEX "\\.part$")
    list(SORT installed ORDER DESCENDING)
    set(candidates ${installed})
  endif()
  foreach(dir IN LISTS candidates)
    foreach(layout "" "/torch" "/libtorch")
      if(EXISTS "${dir}${layout}/lib/libtorch_cpu.so" AND EXISTS "${dir}${layout}/include/torch")
        set(${OUT} "${dir}${layout}" PARENT_SCOPE)
        return()
      endif()
    endforeach()
  endforeach()
  string(JOIN ", " shown ${candidates})
  message(FATAL_ERROR "No LibTorch found (looked in: ${shown}). Run ci/scripts/setup.sh, or point -DTorch_ROOT or "
                      "TORCHGATE_TORCH_ROOT at a folder with lib/libtorch_cpu.so and include/torch, or build without "
                      "suites: cmake --preset core")
endfunction()

_torchgate_find_torch(TORCHGATE_TORCH_DIR)
file(STRINGS "${TORCHGATE_TORCH_DIR}/include/torch/headeronly/version.h" _torch_version_lines
     REGEX "#define TORCH_VERSION_(MAJOR|MINOR|PATCH) ")
string(REGEX REPLACE "[^0-9;]" "" _torch_version "${_torch_version_lines}")
string(REPLACE ";" "." TORCHGATE_TORCH_VERSION "${_torch_version}")
message(STATUS "LibTorch ${TORCHGATE_TORCH_VERSION}: ${TORCHGATE_TORCH_DIR}")
if(TORCHGATE_TORCH_VERSION VERSION_LESS TORCHGATE_TORCH_OLDEST_VERSION OR
   TORCHGATE_TORCH_VERSION VERSION_GREATER TORCHGATE_TORCH_TESTED_VERSION)
  message(WARNING "LibTorch ${TORCHGATE_TORCH_OLDEST_VERSION} to ${TORCHGATE_TORCH_TESTED_VERSION} are what is tested; this is ${TORCHGATE_TORCH_VERSION}")
endif()

foreach(lib c10 torch_cpu)
  add_library(torchgate_lib${lib} SHARED IMPORTED)
  set_target_properties(torchgate_lib${lib} PROPERTIES IMPORTED_LOCATION "${TORCHGATE_TORCH_DIR}/lib/lib${lib}.so")
endforeach()
add_library(torchgate_libtorch INTERFACE)
target_include_directories(torchgate_libtorch SYSTEM INTERFACE "${TORCHGATE_TORCH_DIR}/include"
                           "${TORCHGATE_TORCH_DIR}/include/torch/csrc/api/include")
# Operators register themselves when libtorch_cpu is loaded: the linker must not drop it for lack of a direct reference.
target_link_libraries(torchgate_libtorch INTERFACE -Wl,--no-as-needed torchgate_libtorch_cpu -Wl,--as-needed
                      torchgate_libc10)

# The CUDA path: libtorch_cuda (nothing references it, so --no-as-needed again) and the toolkit's headers for events.
set(TORCHGATE_HAS_CUDA OFF)
if(NOT TORCHGATE_CUDA STREQUAL "OFF")
  find_path(TORCHGATE_CUDA_INCLUDE cuda_runtime_api.h HINTS ENV CUDA_HOME PATHS /usr/local/cuda/include
            "${TORCHGATE_TORCH_DIR}/../nvidia/cu13/include" NO_CMAKE_SYSTEM_PATH)
  find_library(TORCHGATE_CUDART NAMES libcudart.so.13 libcudart.so PATHS "${TORCHGATE_TORCH_DIR}/../nvidia/cu13/lib"
               "${TORCHGATE_TORCH_DIR}/lib" /usr/local/cuda/lib64)
  # libtorch_cuda.so of the slim set is there too, but the CUDA libraries it needs are not: cuDNN tells the sets apart.
  file(GLOB _torchgate_cudnn "${TORCHGATE_TORCH_DIR}/../nvidia/cudnn/lib/libcudnn.so*" "${TORCHGATE_TORCH_DIR}/lib/libcudnn*.so*")
  if(EXISTS "${TORCHGATE_TORCH_DIR}/lib/libtorch_cuda.so" AND TORCHGATE_CUDA_INCLUDE AND TORCHGATE_CUDART AND _torchgate_cudnn)
    set(TORCHGATE_HAS_CUDA ON)
  elseif(TORCHGATE_CUDA STREQUAL "ON")
    message(FATAL_ERROR "TORCHGATE_CUDA=ON, but ${TORCHGATE_TORCH_DIR} is not a full CUDA LibTorch or no CUDA headers were "
                        "found (CUDA_HOME). Run ci/scripts/setup.sh --cuda, or use TORCHGATE_CUDA=AUTO")
  endif()
endif()
message(STATUS "CUDA path of the suites: ${TORCHGATE_HAS_CUDA}")
if(TORCHGATE_HAS_CUDA)
  foreach(lib c10_cuda torch_cuda)
    add_library(torchgate_lib${lib} SHARED IMPORTED)
    set_target_properties(torchgate_lib${lib} PROPERTIES IMPORTED_LOCATION "${TORCHGATE_TORCH_DIR}/lib/lib${lib}.so")
  endforeach()
  target_include_directories(torchgate_libtorch SYSTEM INTERFACE "${TORCHGATE_CUDA_INCLUDE}")
  target_compile_definitions(torchgate_libtorch INTERFACE TORCHGATE_WITH_CUDA)
  get_filename_component(_torchgate_nvidia "${TORCHGATE_TORCH_DIR}/../nvidia" ABSOLUTE)
  file(GLOB _torchgate_nvidia_libs "${_torchgate_nvidia}/*/lib")
  list(TRANSFORM _torchgate_nvidia_libs PREPEND "-Wl,-rpath-link," OUTPUT_VARIABLE _torchgate_rpath_links)
  get_filename_component(_torchgate_cudart_dir "${TORCHGATE_CUDART}" DIRECTORY)
  target_link_libraries(torchgate_libtorch INTERFACE -Wl,--no-as-needed torchgate_libtorch_cuda -Wl,--as-needed
                        torchgate_libc10_cuda ${TORCHGATE_CUDART} ${_torchgate_rpath_links})
  # Programs that are taken to another machine must not look for libraries where this one has them.
  if(NOT CMAKE_SKIP_RPATH)
    target_link_libraries(torchgate_libtorch INTERFACE "-Wl,-rpath,${_torchgate_cudart_dir}")
  endif()
endif()

# What ci/scripts/gpu_check.sh has to know of this configuration.
if(TORCHGATE_HAS_CUDA)
  file(STRINGS "${TORCHGATE_CUDA_INCLUDE}/cuda_runtime_api.h" _torchgate_cudart REGEX "^#define CUDART_VERSION")
  string(REGEX MATCH "[0-9]+" _torchgate_cudart "${_torchgate_cudart}")
  math(EXPR _torchgate_cuda_major "${_torchgate_cudart} / 1000")
  math(EXPR _torchgate_cuda_minor "${_torchgate_cudart} % 1000 / 10")
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/torchgate_torch.txt" CONTENT "libtorch_folder=${TORCHGATE_TORCH_DIR}
libtorch_version=${TORCHGATE_TORCH_VERSION}
cuda_version=${_torchgate_cuda_major}.${_torchgate_cuda_minor}
")
endif()

# Our own kernels: one small file, compiled by calling nvcc, so that CMake need not learn the language CUDA. Without nvcc
# everything is built but what they measure: the device's clock is unknown then.
set(TORCHGATE_HAS_NVCC OFF)
if(TORCHGATE_HAS_CUDA)
  find_program(TORCHGATE_NVCC nvcc HINTS "${TORCHGATE_CUDA_INCLUDE}/../bin" ENV CUDA_HOME PATHS /usr/local/cuda/bin
               PATH_SUFFIXES bin)
  if(TORCHGATE_NVCC)
    set(TORCHGATE_HAS_NVCC ON)
  endif()
  message(STATUS "Kernels of our own (nvcc): ${TORCHGATE_HAS_NVCC}")
endif()

# torchgate_kernels(TARGET FILES...): compiles .cu files for every kind of device this nvcc knows, and links them.
function(torchgate_kernels TARGET)
  set(flags -std=c++20 -O2 -arch=all-major -Xcompiler=-fPIC,-Wall,-Wextra)
  if(TORCHGATE_WERROR)
    list(APPEND flags -Werror=all-warnings -Xcompiler=-Werror)
  endif()
  foreach(file ${ARGN})
    set(object "${CMAKE_CURRENT_BINARY_DIR}/${file}.o")
    add_custom_command(OUTPUT "${object}" DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/${file}" DEPFILE "${object}.d"
      COMMAND "${TORCHGATE_NVCC}" -ccbin "${CMAKE_CXX_COMPILER}" ${flags} "-I${torchgate_SOURCE_DIR}" -MD -MF "${object}.d"
              -c "${CMAKE_CURRENT_SOURCE_DIR}/${file}" -o "${object}"
      COMMENT "Building CUDA object ${file}" VERBATIM)
    target_sources(${TARGET} PRIVATE "${object}")
  endforeach()
endfunction()

# With the precompiled header, a file that is empty takes 6 s of CPU: what torch/torch.h leaves to be instantiated at the end of each. Ten
# files of a suite in one batch take 19 s and 1.5 GB, alone 9 s each.
set(torchgate_torch_batch 10)

# One LibTorch file takes over 1 GB to compile: never more than two at once, whatever the machine's core count.
set_property(GLOBAL APPEND PROPERTY JOB_POOLS torch_compile=2)

# One precompiled header, built once and reused by every LibTorch file with the same flags: 4-8 s a file instead of 14-30 s.
file(CONFIGURE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/torch_pch.cpp" CONTENT "// Exists to own the precompiled header.\n")
# In another project it is built when torchgate_uses_torch is used there.
add_library(torchgate_torch_pch OBJECT EXCLUDE_FROM_ALL "${CMAKE_CURRENT_BINARY_DIR}/torch_pch.cpp")
target_link_libraries(torchgate_torch_pch PUBLIC torchgate_libtorch PRIVATE $<TARGET_NAME_IF_EXISTS:torchgate_warnings>)
target_precompile_headers(torchgate_torch_pch PRIVATE <torch/torch.h>)

# torchgate_uses_torch(TARGET): compile TARGET with LibTorch, the shared precompiled header and the compile-memory limit.
# A library that is installed names LibTorch as torchgateConfig.cmake does: every machine has its own.
function(torchgate_uses_torch TARGET)
  target_link_libraries(${TARGET} PUBLIC $<BUILD_INTERFACE:torchgate_libtorch> $<INSTALL_INTERFACE:torchgate::libtorch>)
  target_precompile_headers(${TARGET} REUSE_FROM torchgate_torch_pch)
  set_target_properties(${TARGET} PROPERTIES JOB_POOL_COMPILE torch_compile)
  get_target_property(type ${TARGET} TYPE)
  if(type STREQUAL "EXECUTABLE")
    # g++ refuses a precompiled header made with -fPIC in a file compiled with -fPIE, which CMake adds to executables.
    set_target_properties(${TARGET} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${TARGET} PRIVATE -fPIC)
  endif()
endfunction()
