# SPDX-License-Identifier: MIT
# Put a file into the program: apmtool_embed(TARGET VARIABLE FILE) gives the
# target a constant `VARIABLE`, the file's bytes and a NUL behind them. Bytes
# and not a string literal, which compilers limit in length. A change of the
# file configures anew.
function(apmtool_embed target variable file)
  get_filename_component(path ${file} ABSOLUTE BASE_DIR ${PROJECT_SOURCE_DIR})
  file(READ ${path} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "((0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,)(0x..,))"
    "\t\\1\n" bytes "${bytes}")
  set(source ${PROJECT_BINARY_DIR}/embedded/${variable}.c)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT
"/* Made from @file@. */
extern const char @variable@[];
const char @variable@[] = {
@bytes@0x00,
};
")
  target_sources(${target} PRIVATE ${source})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    ${path})
endfunction()
