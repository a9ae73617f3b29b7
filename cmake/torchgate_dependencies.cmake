# SPDX-License-Identifier: Apache-2.0
# The one place that names third-party software: which version is tested, where it comes from, and why it is here.
# `ci/scripts/setup.sh` reads the Debian package names and the wheel pins from this table (lines that start with "# |"), and
# `ci/scripts/release.sh` those that only a release needs (release-deb:, release-pypi:); lint-pypi: is what `setup.sh --lint` adds. Column "for": program is what compiles torchgate
# (setup.sh --program), suites what the suites need beside it (--suites), tests what only the tests use.
#
# | what            | tested   | from                       | for     | why
# | LibTorch        | 2.15.0   | pypi:torch                 | suites  | what the suites measure
# | CUDA runtime    | 13.2.86  | pypi:nvidia-cuda-runtime   | suites  | libtorch_cpu.so of that wheel needs libcudart.so.13 even without a GPU
# | CUPTI           | 13.2.86  | pypi:nvidia-cuda-cupti     | suites  | libtorch_cpu.so of that wheel needs libcupti.so.13
# | Google Benchmark| 1.7.1    | deb:libbenchmark-dev       | program | a suite is a Google Benchmark program: its flags, its output, its tools
# | compare.py      | 1.7.1    | deb:libbenchmark-tools     | tests   | the tests prove that Google Benchmark's own tool reads a suite's output
# | SciPy           | 1.10     | deb:python3-scipy          | tests   | compare.py imports it
# | Boost.Math      | 1.74     | deb:libboost-dev           | program | Student's t, normal, polygamma: checked distributions instead of our own
# | nlohmann_json   | 3.11.2   | deb:nlohmann-json3-dev     | program | small documents that are walked as a tree: reports of other tools' formats, plans, GitHub's answers
# | CLI11           | 2.1.2    | deb:libcli11-dev           | program | the command line (one file includes it)
# | toml++          | 3.3.0    | deb:libtomlplusplus-dev    | program | torchgate.toml (one file includes it)
# | {fmt}           | 9.1.0    | deb:libfmt-dev             | program | text formatting; g++ 12 has no <format>
# | OpenSSL         | 3.0      | deb:libssl-dev             | program | SHA-256 of objects and sample files at hardware speed
# | CURL            | 7.88     | deb:libcurl4-openssl-dev   | program | GitHub's API: its headers; the library of the machine is loaded at run time
# | libpq           | 15.18    | deb:libpq-dev              | program | a store in PostgreSQL: its headers; the library of the machine is loaded at run time
# | PostgreSQL      | 15       | deb:postgresql             | tests   | the tests of that store start a real server, in a folder of their own
# | zlib            | 1.2.13   | deb:zlib1g-dev             | program | inflating the artifact of an untrusted job, piece by piece (one file includes it)
# | dygraphs        | 2.2.1    | deb:libjs-dygraphs         | program | the zoomable history in HTML pages: embedded in them, and in the program
# | RE2             | 2022-06  | deb:libre2-dev             | program | regular expressions in linear time: filters come from files, too
# | Prometheus      | 2.42     | deb:prometheus             | tests   | the tests check the exported metrics with promtool, and a real server scrapes them
# | prometheus-cpp  | 1.0.1    | deb:prometheus-cpp-dev     | suites  | the tests compare the exported text with its serializer, byte for byte; the registry of suites/serving/monitor
# | spdlog          | 1.10     | deb:libspdlog-dev          | suites  | the asynchronous request log of suites/serving/monitor
# | hiredis         | 0.14     | deb:libhiredis-dev         | suites  | the Redis sink of suites/serving/monitor
# | Redis           | 7.0      | deb:redis-server           | tests   | the tests of that sink use a real server, on a port of their own
# | Callgrind       | 3.19     | deb:valgrind               | suites  | run --instructions and nightly groups count instructions; where its headers are missing, suites cannot be counted by it
# | Zydis           | 4.0      | deb:libzydis-dev           | program | decodes the functions of both sides: its headers; the library of the machine is loaded at run time
# | Zycore          | 1.4      | deb:libzycore-dev          | program | what Zydis' headers include
# | Slurm, MUNGE    | 22.05    | deb:slurm-wlm deb:munge    | tests   | the tests of ci/templates/slurm start a real controller and nodes of this machine
# | python-jsonschema | 4.10   | deb:python3-jsonschema     | tests   | the tests validate JSON reports with the published schemas
# | Pillow          | 9.4      | deb:python3-pil            | tests   | a test compares the picture in README.md with the page of today, and its script writes the file
# | zsh, fish       | 5.9, 3.6 | deb:zsh deb:fish           | tests   | the tests complete command lines in these shells
# | Chromium        | any      | deb:chromium               | tests   | the tests look at HTML pages in a real browser, without a network
# | axe-core        | 0.1.8    | lint-pypi:axe-playwright-python | tests | the tests look for violations of WCAG 2.2 in HTML pages with axe 4.12.1, one file of this wheel; Debian does not have it
# | GoogleTest      | 1.12.1   | deb:libgtest-dev           | tests   | tests
# | RapidCheck      | 2022-12  | deb:librapidcheck-dev      | tests   | property tests of the record
# | ccache, mold    | any      | deb:ccache deb:mold        | suites  | optional: a rebuilt file costs less than a second, a link 0.1 s
# | CMake, Ninja    | 3.25     | deb:cmake deb:ninja-build  | program | the build
# | debootstrap     | any      | release-deb:debootstrap release-deb:python3-venv | release | the Debian 11 whose C library the released program is linked with
# | hatchling       | 1.33.0   | release-pypi:hatchling     | release | the Python wheel that carries the released program
# | CycloneDX       | 11.12.0  | release-pypi:cyclonedx-python-lib | release | checks the SBOM of the released program against the schema
# | jsonschema      | 4.26.0   | release-pypi:jsonschema    | release | what CycloneDX's library checks with
#
# Installed by hand, for one study: llvm-14 (Debian), which reads the counts of clang for tests/studies/coverage.sh.
#
# What of it is inside the released program: libraries linked in, headers compiled in. `ci/scripts/release.sh` builds with the files of
# these packages only, and writes its SBOM and its licence texts from these rows; it fails if a row is missing or no longer needed.
# "compiler": comes with g++ and the C library, which the table above does not list.
#
# + what             | package           | licence (SPDX)                            | page
# + Boost.Math       | libboost1.74-dev  | BSL-1.0                                   | https://www.boost.org
# + nlohmann_json    | nlohmann-json3-dev| MIT                                       | https://github.com/nlohmann/json
# + CLI11            | libcli11-dev      | BSD-3-Clause                              | https://github.com/CLIUtils/CLI11
# + toml++           | libtomlplusplus-dev | MIT                                     | https://github.com/marzer/tomlplusplus
# + {fmt}            | libfmt-dev        | MIT                                       | https://github.com/fmtlib/fmt
# + OpenSSL          | libssl-dev        | Apache-2.0                                | https://www.openssl.org
# + RE2              | libre2-dev        | BSD-3-Clause                              | https://github.com/google/re2
# + dygraphs         | libjs-dygraphs    | MIT                                       | https://dygraphs.com
# + zlib             | zlib1g-dev        | Zlib                                      | https://zlib.net
# + Zydis            | libzydis-dev      | MIT                                       | https://zydis.re
# + Zycore           | libzycore-dev     | MIT                                       | https://zydis.re
# + CURL             | libcurl4-openssl-dev | curl                                   | https://curl.se
# + libpq            | libpq-dev         | PostgreSQL                                | https://www.postgresql.org
# + compiler         | libstdc++-12-dev  | GPL-3.0-or-later WITH GCC-exception-3.1   | https://gcc.gnu.org
# + compiler         | libgcc-12-dev     | GPL-3.0-or-later WITH GCC-exception-3.1   | https://gcc.gnu.org
# + compiler         | libc6-dev         | LGPL-2.1-or-later                         | https://www.gnu.org/software/libc
# + compiler         | linux-libc-dev    | GPL-2.0-only WITH Linux-syscall-note      | https://www.kernel.org

include("${CMAKE_CURRENT_LIST_DIR}/torchgate_suite_dependencies.cmake")
find_package(Boost 1.74 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(ZLIB 1.2.11 REQUIRED)
find_package(tomlplusplus 3.3 REQUIRED)
find_package(CURL 7.74 REQUIRED)
find_path(TORCHGATE_ZYDIS_INCLUDE Zydis/Zydis.h REQUIRED DOC "folder of Zydis/Zydis.h (Debian: libzydis-dev)")
find_path(TORCHGATE_LIBPQ_INCLUDE libpq-fe.h PATH_SUFFIXES postgresql REQUIRED DOC "folder of libpq-fe.h (Debian: libpq-dev)")
find_path(TORCHGATE_DYGRAPHS_DIR dygraph.min.js PATHS /usr/share/javascript/dygraphs REQUIRED
          DOC "folder of dygraph.min.js and dygraph.min.css (Debian: libjs-dygraphs)")
include("${CMAKE_CURRENT_LIST_DIR}/torchgate_embed.cmake")
if(TORCHGATE_TESTS)
  find_package(GTest 1.12 REQUIRED)
  find_package(rapidcheck REQUIRED)
  include(GoogleTest)
endif()
if(TORCHGATE_TESTS OR TORCHGATE_SUITES)  # suites/serving
  find_package(prometheus-cpp CONFIG REQUIRED)
  find_package(spdlog 1.10 REQUIRED)
  find_path(TORCHGATE_HIREDIS_INCLUDE hiredis/hiredis.h REQUIRED)
  find_library(TORCHGATE_HIREDIS hiredis REQUIRED)
endif()
