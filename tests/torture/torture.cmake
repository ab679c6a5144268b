# SPDX-License-Identifier: MIT
# A gate for each test of the battery, as `tests/torture/run` lists them.
if(NOT Python3_FOUND OR NOT TARGET apmtool)
  return()
endif()

set(torture ${CMAKE_CURRENT_LIST_DIR}/run --program $<TARGET_FILE:apmtool>)

# What makes calls fail is for glibc, and not for sanitizers, which have an
# allocator of their own.
if(APMTOOL_SANITIZE)
  list(APPEND torture --sanitized)
elseif(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  add_library(torture_shim MODULE ${CMAKE_CURRENT_LIST_DIR}/shim.c)
  target_compile_definitions(torture_shim PRIVATE _GNU_SOURCE)
  target_compile_options(torture_shim PRIVATE -Wall -Wextra -Wshadow)
  target_link_libraries(torture_shim PRIVATE ${CMAKE_DL_LIBS})
  list(APPEND torture --shim $<TARGET_FILE:torture_shim>)
endif()

execute_process(COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/run
  --names OUTPUT_VARIABLE torture_names OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)
file(GLOB torture_files CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.py)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${torture_files})
separate_arguments(torture_names)
# What damaged input does is watched by sanitizers; what makes calls fail, and
# what depends on time, needs the program that people run.
set(sanitized_tests cuts damage symbols structure depth counts terminal markup
  cells matrix)
foreach(name IN LISTS torture_names)
  if(NOT APMTOOL_COVERAGE)
    if(APMTOOL_SANITIZE AND NOT name IN_LIST sanitized_tests)
      continue()
    elseif(NOT APMTOOL_SANITIZE AND name IN_LIST sanitized_tests)
      continue()
    endif()
  endif()
  add_test(NAME torture.${name} COMMAND
    ${Python3_EXECUTABLE} ${torture} ${name})
  set_tests_properties(torture.${name} PROPERTIES
    SKIP_RETURN_CODE 77 LABELS torture)
endforeach()
