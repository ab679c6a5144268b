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

if(MANDOC)
  add_test(NAME check.manual COMMAND
    ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_manual.py
      --program $<TARGET_FILE:apmtool> --mandoc ${MANDOC})
endif()

# Sanitizers and debug builds are not what is shipped.
if(READELF AND NOT APMTOOL_SANITIZE AND NOT APMTOOL_COVERAGE
    AND NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
  add_test(NAME check.hardening COMMAND
    ${CMAKE_CURRENT_LIST_DIR}/check_hardening $<TARGET_FILE:apmtool>)
endif()
