# Tests that run the program itself, and checks of the tree.
find_package(Python3 COMPONENTS Interpreter)
find_program(MANDOC mandoc)
find_program(READELF readelf)

add_test(NAME check.headers COMMAND
  ${CMAKE_CURRENT_LIST_DIR}/check_headers ${CMAKE_C_COMPILER}
    -I${LIBDWARF_INCLUDE_DIR})

if(NOT Python3_FOUND)
  message(STATUS "No python3: golden tests and checks are left out")
  return()
endif()

add_test(NAME check.layers COMMAND
  ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_layers.py)
add_test(NAME check.words COMMAND
  ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_words.py)

if(NOT TARGET apmtool)
  return()
endif()

# One test per command; `tests/cli/run --program ... COMMAND/CASE` runs one.
file(GLOB cli_commands CONFIGURE_DEPENDS RELATIVE
  ${CMAKE_CURRENT_LIST_DIR}/cli ${CMAKE_CURRENT_LIST_DIR}/cli/*)
list(REMOVE_ITEM cli_commands run)
foreach(name IN LISTS cli_commands)
  add_test(NAME cli.${name} COMMAND
    ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/cli/run
      --program $<TARGET_FILE:apmtool> ${name})
endforeach()

foreach(shell bash zsh fish)
  add_test(NAME check.completion.${shell} COMMAND
    ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_completion.py
      --program $<TARGET_FILE:apmtool> ${shell})
  set_tests_properties(check.completion.${shell} PROPERTIES
    SKIP_RETURN_CODE 77)
endforeach()

add_test(NAME check.width COMMAND
  ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_width.py
    --program $<TARGET_FILE:apmtool>)

if(MANDOC)
  add_test(NAME check.manual COMMAND
    ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_manual.py
      --program $<TARGET_FILE:apmtool> --mandoc ${MANDOC})
endif()

# KSCrash's own texts of its reports, where they are beside the tree.
add_test(NAME check.kscrash COMMAND
  ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_kscrash.py
    --program $<TARGET_FILE:apmtool>)
set_tests_properties(check.kscrash PROPERTIES SKIP_RETURN_CODE 77)

# Real reports, where they lie beside the tree; else the test is skipped.
add_test(NAME check.corpus COMMAND
  ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_corpus.py
    --program $<TARGET_FILE:apmtool>)
set_tests_properties(check.corpus PROPERTIES SKIP_RETURN_CODE 77)

# Reports as mail, chats, web pages and logs pass them on.
add_test(NAME check.pasted COMMAND
  ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_pasted.py
    --program $<TARGET_FILE:apmtool>)

# Each mutant's text is still there, once; `./dev mutate` runs them.
add_test(NAME check.mutants COMMAND
  ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/mutate --check)

# The last input that fits, and one beyond. They are large: not for sanitizers.
if(NOT APMTOOL_SANITIZE)
  add_test(NAME check.limits COMMAND
    ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_limits.py
      --program $<TARGET_FILE:apmtool>)
  # What small inputs may take of time and memory.
  add_test(NAME check.bombs COMMAND
    ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_bombs.py
      --program $<TARGET_FILE:apmtool>)
endif()

# Sanitizers and debug builds are not what is shipped.
if(READELF AND NOT APMTOOL_SANITIZE AND NOT APMTOOL_COVERAGE
    AND NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
  add_test(NAME check.hardening COMMAND
    ${CMAKE_CURRENT_LIST_DIR}/check_hardening $<TARGET_FILE:apmtool>)
endif()
