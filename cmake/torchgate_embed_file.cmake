# SPDX-License-Identifier: Apache-2.0
# Run by torchgate_embed.cmake: -DNAME= -DFILE= -DSOURCE= -DNAMESPACE=.
file(READ "${FILE}" hex HEX)
string(LENGTH "${hex}" digits)
math(EXPR bytes "${digits} / 2")
if(bytes EQUAL 0)
  message(FATAL_ERROR "${FILE}: empty; nothing to embed")
endif()
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," array "${hex}")
string(REGEX REPLACE "((,?'[^']*'){40},)" "\\1\n" array "${array}")
file(WRITE "${SOURCE}" "// Made from ${FILE}\n#include <string_view>\n\nnamespace ${NAMESPACE} {\n\n"
     "namespace {\nconstexpr char bytes[] = {${array}};\n}  // namespace\n\n"
     "extern const std::string_view ${NAME};\nconst std::string_view ${NAME}(bytes, ${bytes});\n\n}  // namespace ${NAMESPACE}\n")
