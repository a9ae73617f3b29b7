# SPDX-License-Identifier: Apache-2.0
# torchgate_embed(TARGET NAME FILE [NAMESPACE]): FILE as `extern const std::string_view NAME` of NAMESPACE (torchgate::reports::embedded), in a
# source of TARGET that is made anew when FILE changes. As an array: a string literal may have 65,536 characters.
function(torchgate_embed TARGET NAME FILE)
  set(namespace torchgate::reports::embedded)
  if(ARGC GREATER 3)
    set(namespace ${ARGV3})
  endif()
  set(source "${CMAKE_CURRENT_BINARY_DIR}/embedded/${NAME}.cpp")
  add_custom_command(
    OUTPUT "${source}"
    COMMAND "${CMAKE_COMMAND}" -DNAME=${NAME} -DFILE=${FILE} -DSOURCE=${source} -DNAMESPACE=${namespace}
            -P "${torchgate_SOURCE_DIR}/cmake/torchgate_embed_file.cmake"
    DEPENDS "${FILE}" "${torchgate_SOURCE_DIR}/cmake/torchgate_embed_file.cmake"
    COMMENT "Embed ${FILE}"
    VERBATIM)
  target_sources(${TARGET} PRIVATE "${source}")
  set_source_files_properties("${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
  set_property(GLOBAL APPEND PROPERTY TORCHGATE_EMBEDDED_FILES "${FILE}")
endfunction()
