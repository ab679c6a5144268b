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

# The rows of a YAML file that is one list of maps, a line a field, as an array of
# struct yml_row, so that the program need not read it: `VARIABLE_rows` and
# `VARIABLE_count`. A value may be in quotes, without quotes or escapes in it.
function(apmtool_embed_rows target variable file)
  get_filename_component(path ${file} ABSOLUTE BASE_DIR ${PROJECT_SOURCE_DIR})
  file(READ ${path} rows)
  string(REPLACE "\\" "\\134" rows "\n${rows}")
  string(REPLACE "\"" "\\042" rows "${rows}")
  string(REGEX REPLACE "\n *#[^\n]*" "\n" rows "${rows}")
  string(REGEX REPLACE "\n[a-z]+:\n" "\n\n" rows "${rows}")
  string(REGEX REPLACE ": '([^\n]*)'\n" ": \\1\n" rows "${rows}")
  string(REGEX REPLACE ": \\\\042([^\n]*)\\\\042\n" ": \\1\n" rows "${rows}")
  string(REGEX REPLACE "\n  - ([a-z]+): ([^\n]*)"
    "\n{ \"\\1\", \"\\2\", __LINE__, true }," rows "${rows}")
  string(REGEX REPLACE "\n    ([a-z]+): ([^\n]*)"
    "\n{ \"\\1\", \"\\2\", __LINE__, false }," rows "${rows}")
  set(source ${PROJECT_BINARY_DIR}/embedded/${variable}.c)
  # Each line stays in its place, which rules name.
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT
"/* Made from @file@. */
#include \"lib/text/yaml.h\"
extern const struct yml_row @variable@_rows[];
extern const size_t @variable@_count;
const struct yml_row @variable@_rows[] = {
#line 1 \"@file@\"@rows@};
const size_t @variable@_count = sizeof(@variable@_rows) / sizeof(struct yml_row);
")
  target_sources(${target} PRIVATE ${source})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    ${path})
endfunction()
