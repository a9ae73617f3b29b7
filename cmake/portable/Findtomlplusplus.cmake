# SPDX-License-Identifier: Apache-2.0
# toml++ for the released program: Debian has no static library of it, and its own default is headers only.
add_library(tomlplusplus::tomlplusplus INTERFACE IMPORTED)
set(tomlplusplus_FOUND TRUE)
