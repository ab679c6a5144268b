# SPDX-License-Identifier: MIT
# The symbol store against llvm-symbolizer. A short run in ctest, on the
# samples and on a generated dSYM; `tests/differential/run --full` is the long
# one. Without llvm-symbolizer the test says so and counts as skipped.
add_executable(resolve ${CMAKE_CURRENT_LIST_DIR}/../tools/resolve.c)
target_link_libraries(resolve PRIVATE apmtool_options symbols object base)

# Our reader of debug information against libdwarf.
add_executable(readers ${CMAKE_CURRENT_LIST_DIR}/../tools/readers.c)
target_link_libraries(readers PRIVATE apmtool_options symbols object base)

find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
  add_test(NAME differential.llvm-symbolizer
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/run
      --resolve $<TARGET_FILE:resolve> --readers $<TARGET_FILE:readers>
      --cache ${CMAKE_CURRENT_BINARY_DIR}/differential)
  set_tests_properties(differential.llvm-symbolizer PROPERTIES
    SKIP_RETURN_CODE 77 TIMEOUT 300)
endif()
