# SPDX-License-Identifier: Apache-2.0
# The one place that names third-party software: which version is tested, where it comes from, and why it is here.
# `ci/scripts/setup.sh` reads the Debian package names and the wheel pins from this table (lines that start with "# |").
#
# | what            | tested   | from                       | why
# | LibTorch        | 2.11.0   | pypi:torch                 | what the suites measure
# | CUDA runtime    | 13.0.96  | pypi:nvidia-cuda-runtime   | libtorch_cpu.so of that wheel needs libcudart.so.13 even without a GPU
# | CUPTI           | 13.0.85  | pypi:nvidia-cuda-cupti     | libtorch_cpu.so of that wheel needs libcupti.so.13
# | Google Benchmark| 1.7.1    | deb:libbenchmark-dev       | a suite is a Google Benchmark program: its flags, its output, its tools
# | compare.py      | 1.7.1    | deb:libbenchmark-tools     | the tests prove that Google Benchmark's own tool reads a suite's output
# | SciPy           | 1.10     | deb:python3-scipy          | compare.py imports it
# | Boost.Math      | 1.74     | deb:libboost-dev           | Student's t, normal, polygamma: checked distributions instead of our own
# | nlohmann_json   | 3.11.2   | deb:nlohmann-json3-dev     | the record on disk, and other tools' files
# | CLI11           | 2.1.2    | deb:libcli11-dev           | the command line (one file includes it)
# | toml++          | 3.3.0    | deb:libtomlplusplus-dev    | torchgate.toml (one file includes it)
# | {fmt}           | 9.1.0    | deb:libfmt-dev             | text formatting; g++ 12 has no <format>
# | OpenSSL         | 3.0      | deb:libssl-dev             | SHA-256 of objects and sample files at hardware speed
# | CURL            | 7.88     | deb:libcurl4-openssl-dev   | GitHub's API: its headers; the library of the machine is loaded at run time
# | zlib            | 1.2.13   | deb:zlib1g-dev             | inflating the artifact of an untrusted job, piece by piece (one file includes it)
# | RE2             | 2022-06  | deb:libre2-dev             | regular expressions in linear time: filters come from files, too
# | GoogleTest      | 1.12.1   | deb:libgtest-dev           | tests
# | RapidCheck      | 2022-12  | deb:librapidcheck-dev      | property tests of the record
# | ccache, mold    | any      | deb:ccache deb:mold        | optional: a rebuilt file costs less than a second, a link 0.1 s
# | CMake, Ninja    | 3.25     | deb:cmake deb:ninja-build  | the build

include("${CMAKE_CURRENT_LIST_DIR}/torchgate_suite_dependencies.cmake")
find_package(Boost 1.74 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(ZLIB 1.2.11 REQUIRED)
find_package(tomlplusplus 3.3 REQUIRED)
find_package(CURL 7.74 REQUIRED)
if(TORCHGATE_TESTS)
  find_package(GTest 1.12 REQUIRED)
  find_package(rapidcheck REQUIRED)
  include(GoogleTest)
endif()
