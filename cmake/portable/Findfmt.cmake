# SPDX-License-Identifier: Apache-2.0
# {fmt} for the released program: Debian has no static library of it, so that its functions are compiled with ours.
add_library(fmt::fmt INTERFACE IMPORTED)
target_compile_definitions(fmt::fmt INTERFACE FMT_HEADER_ONLY=1)
set(fmt_FOUND TRUE)
