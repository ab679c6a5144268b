# One script of several: apmtool_join_script(FILE FILES...) writes them to FILE
# as the body of one function, so that nothing of them is known outside. A
# change of one configures anew.
function(apmtool_join_script output)
  set(script "(function () {\n'use strict';\n\n")
  foreach(file ${ARGN})
    file(READ ${PROJECT_SOURCE_DIR}/${file} text)
    string(APPEND script "${text}\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
      ${PROJECT_SOURCE_DIR}/${file})
  endforeach()
  string(APPEND script "}());\n")
  file(WRITE ${output} "${script}")
endfunction()
