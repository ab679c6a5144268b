# SPDX-License-Identifier: MIT
# The name that a page's Content-Security-Policy knows a script or style by:
# apmtool_policy_source(TARGET VARIABLE FILE) gives the target a constant
# `VARIABLE`, `'sha256-…'` in base64, which CMake cannot write by itself.
function(apmtool_policy_source target variable file)
  get_filename_component(path ${file} ABSOLUTE BASE_DIR ${PROJECT_SOURCE_DIR})
  set(letters ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  file(SHA256 ${path} hex)
  # 256 bits are 42 letters and 4 bits; three hex digits are two letters.
  string(APPEND hex 00)
  set(base64 "")
  foreach(at RANGE 0 63 3)
    string(SUBSTRING ${hex} ${at} 3 digits)
    math(EXPR first "0x${digits} >> 6")
    math(EXPR second "0x${digits} & 63")
    string(SUBSTRING ${letters} ${first} 1 first)
    string(SUBSTRING ${letters} ${second} 1 second)
    string(APPEND base64 ${first}${second})
  endforeach()
  string(SUBSTRING ${base64} 0 43 base64)
  set(source ${PROJECT_BINARY_DIR}/embedded/${variable}.c)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT
"/* Made from @file@. */
extern const char @variable@[];
const char @variable@[] = \"'sha256-@base64@='\";
")
  target_sources(${target} PRIVATE ${source})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    ${path})
endfunction()
