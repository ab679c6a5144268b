# SPDX-License-Identifier: MIT
# What a part of the program was made from: apmtool_source_id(TARGET VARIABLE
# PATTERN...) gives the target a constant `VARIABLE`, one checksum of all files
# that match. It is made anew with every build in which one of them changed.
if(CMAKE_SCRIPT_MODE_FILE)
  cmake_minimum_required(VERSION 3.25)
  set(sums "")
  foreach(file IN LISTS FILES)
    file(SHA256 ${file} sum)
    string(APPEND sums ${sum})
  endforeach()
  string(SHA256 sum "${sums}")
  file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT
"extern const char @VARIABLE@[];
const char @VARIABLE@[] = \"@sum@\";
")
  file(TOUCH ${OUTPUT})
  return()
endif()

set(apmtool_source_id_script ${CMAKE_CURRENT_LIST_FILE})

function(apmtool_source_id target variable)
  set(patterns ${ARGN})
  list(TRANSFORM patterns PREPEND ${PROJECT_SOURCE_DIR}/)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${patterns})
  list(SORT files)
  set(source ${PROJECT_BINARY_DIR}/embedded/${variable}.c)
  add_custom_command(OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} "-DFILES=${files}" -DVARIABLE=${variable}
      -DOUTPUT=${source} -P ${apmtool_source_id_script}
    DEPENDS ${files} ${apmtool_source_id_script} VERBATIM)
  target_sources(${target} PRIVATE ${source})
endfunction()
