# SPDX-License-Identifier: MIT
# One script of several: apmtool_join_script(FILE FILES...) writes them to FILE
# as the body of one function, so that nothing of them is known outside. With
# FUNCTION NAME(PARAMETERS), the files are the body of that function within it,
# and those behind START call it. A change of one configures anew.
function(apmtool_join_script output)
  cmake_parse_arguments(PARSE_ARGV 1 join "" FUNCTION START)
  set(script "(function () {\n'use strict';\n\n")
  if(join_FUNCTION)
    string(APPEND script "function ${join_FUNCTION} {\n")
  endif()
  foreach(file ${join_UNPARSED_ARGUMENTS})
    apmtool_append_script(script ${file})
  endforeach()
  if(join_FUNCTION)
    string(APPEND script "}\n\n")
  endif()
  foreach(file ${join_START})
    apmtool_append_script(script ${file})
  endforeach()
  string(APPEND script "}());\n")
  file(WRITE ${output} "${script}")
endfunction()

function(apmtool_append_script variable file)
  file(READ ${PROJECT_SOURCE_DIR}/${file} text)
  set(${variable} "${${variable}}${text}\n" PARENT_SCOPE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/${file})
endfunction()
