# SPDX-License-Identifier: Apache-2.0
# The released program: one file that runs on every distribution from glibc 2.31 (Debian 11, Ubuntu 20.04) on. This compiler, against
# the C library of Debian 11 in a system root, everything else linked in; the preset `portable` and ci/scripts/release.sh use it.
#
# TORCHGATE_SYSROOT (or the environment variable): the system root that ci/scripts/portable_sysroot.sh makes. It has Debian 11's
# libc6-dev, and of this distribution the headers and static libraries of cmake/torchgate_dependencies.cmake, and no other file: nothing
# can be found anywhere else.
if(NOT TORCHGATE_SYSROOT)
  set(TORCHGATE_SYSROOT "$ENV{TORCHGATE_SYSROOT}" CACHE PATH "The system root that ci/scripts/portable_sysroot.sh made")
endif()
if(NOT EXISTS "${TORCHGATE_SYSROOT}/packages.tsv")
  message(FATAL_ERROR "TORCHGATE_SYSROOT: \"${TORCHGATE_SYSROOT}\" is not a system root; make one with ci/scripts/portable_sysroot.sh DIR, "
                      "or run ci/scripts/release.sh, which does everything")
endif()
# try_compile() reads this file without the variables of the project.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES TORCHGATE_SYSROOT)

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_CXX_COMPILER g++-12)
set(CMAKE_SYSROOT "${TORCHGATE_SYSROOT}")
set(CMAKE_LIBRARY_ARCHITECTURE x86_64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

set(OPENSSL_USE_STATIC_LIBS ON)
# {fmt} and toml++ are shared libraries in Debian, and headers are all they need: found by the modules of this folder.
list(PREPEND CMAKE_MODULE_PATH "${CMAKE_CURRENT_LIST_DIR}")

# The same bytes wherever the source is: paths in assertions and the like are relative.
get_filename_component(_torchgate_source "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
set(CMAKE_CXX_FLAGS_INIT "-ffile-prefix-map=${_torchgate_source}/= -ffile-prefix-map=${TORCHGATE_SYSROOT}=")
# -B: g++ looks for the C library beside itself first, whatever the system root is.
string(APPEND CMAKE_CXX_FLAGS_INIT " -B${TORCHGATE_SYSROOT}/usr/lib/x86_64-linux-gnu/")
# libgcc_s stays shared: every distribution has it (libc6 depends on it), and g++ 12's static one asks for _dl_find_object of glibc 2.35.
# Its symbols stop at the version of the system root's. -s: nobody debugs it; the SBOM names the commit that it can be built from.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static-libstdc++ -s -Wl,--as-needed -Wl,-z,relro,-z,now -Wl,--build-id=sha1 -Wl,-Map=torchgate.map")
