# SPDX-License-Identifier: MIT
# The commit that a program is made of: apmtool_commit(TARGET VARIABLE) gives the
# target a constant `VARIABLE`. -DAPMTOOL_COMMIT names it; else `git archive` has
# written it into commit.txt, or git knows it. A build with tests, which developers
# make over and over, does not name one: linking it again after each commit takes
# minutes.
set(APMTOOL_COMMIT "" CACHE STRING "Commit that --version names; empty: ask git")

function(apmtool_commit target variable)
  set(commit "${APMTOOL_COMMIT}")
  file(STRINGS ${PROJECT_SOURCE_DIR}/cmake/commit.txt archived
    REGEX "^[0-9a-f]+$")
  if(NOT commit)
    set(commit "${archived}")
  endif()
  find_program(GIT git)
  if(NOT commit AND GIT AND NOT APMTOOL_TESTS)
    apmtool_ask_git(commit describe --always --abbrev=40 --exclude=* --dirty)
    # It changes with each commit and checkout.
    apmtool_ask_git(log rev-parse --path-format=absolute --git-path logs/HEAD)
    if(EXISTS "${log}")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${log})
    endif()
  endif()
  if(NOT commit)
    set(commit unknown)
  endif()
  set(source ${PROJECT_BINARY_DIR}/embedded/${variable}.c)
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT
"extern const char @variable@[];
const char @variable@[] = \"@commit@\";
")
  target_sources(${target} PRIVATE ${source})
endfunction()

# A tree within another repository is not that repository's.
function(apmtool_ask_git variable)
  set(${variable} "" PARENT_SCOPE)
  if(EXISTS ${PROJECT_SOURCE_DIR}/.git)
    execute_process(COMMAND ${GIT} -C ${PROJECT_SOURCE_DIR} ${ARGN}
      OUTPUT_VARIABLE answer OUTPUT_STRIP_TRAILING_WHITESPACE
      RESULT_VARIABLE status ERROR_QUIET)
    if(status EQUAL 0)
      set(${variable} "${answer}" PARENT_SCOPE)
    endif()
  endif()
endfunction()
