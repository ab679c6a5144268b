# SPDX-License-Identifier: MIT
# Tests that run the program itself, and checks of the tree.
find_package(Python3 COMPONENTS Interpreter)
find_program(MANDOC mandoc)
find_program(READELF readelf)

# Headers do not change with the build: they are checked once.
if(NOT APMTOOL_SANITIZE)
  add_test(NAME check.headers COMMAND
    ${CMAKE_CURRENT_LIST_DIR}/check_headers ${CMAKE_C_COMPILER}
      -I${LIBDWARF_INCLUDE_DIR} ${CJSON_CFLAGS})
endif()

if(NOT Python3_FOUND)
  message(STATUS "No python3: golden tests and checks are left out")
  return()
endif()

# What does not change with the build is checked once, in that of the commit loop.
if(APMTOOL_SANITIZE)
  foreach(name layers words portable redaction licenses)
    add_test(NAME check.${name} COMMAND
      ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_${name}.py)
  endforeach()
  # The same, by the tool of the REUSE specification, where it is installed.
  add_test(NAME check.reuse COMMAND ${Python3_EXECUTABLE}
    ${CMAKE_CURRENT_LIST_DIR}/check_licenses.py --reuse)
  set_tests_properties(check.reuse PROPERTIES SKIP_RETURN_CODE 77)
  # Each mutant's text is still there, once; `./dev mutate` runs them.
  add_test(NAME check.mutants COMMAND
    ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/mutate --check)
endif()

if(NOT TARGET apmtool)
  return()
endif()

# tests/check_NAME.py, which runs the program. It leaves with 77 where it lacks
# something that is not part of the tree.
function(apmtool_check name)
  add_test(NAME check.${name} COMMAND
    ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_${name}.py
      --program $<TARGET_FILE:apmtool> ${ARGN})
  set_tests_properties(check.${name} PROPERTIES SKIP_RETURN_CODE 77)
endfunction()

# C leaves the order of what compares equal to qsort(). The sanitized programs
# have that of the system, those of a release another: outputs are the same.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT APMTOOL_SANITIZE
    AND NOT APMTOOL_COVERAGE)
  add_library(ties MODULE ${CMAKE_CURRENT_LIST_DIR}/ties.c)
  target_compile_options(ties PRIVATE -Wall -Wextra -Wshadow)
  set(other_order --preload $<TARGET_FILE:ties>)
else()
  set(other_order)
endif()

# One test per command; `tests/cli/run --program ... COMMAND/CASE` runs one.
file(GLOB cli_commands CONFIGURE_DEPENDS RELATIVE
  ${CMAKE_CURRENT_LIST_DIR}/cli ${CMAKE_CURRENT_LIST_DIR}/cli/*)
list(REMOVE_ITEM cli_commands run)
foreach(name IN LISTS cli_commands)
  add_test(NAME cli.${name} COMMAND
    ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/cli/run
      --program $<TARGET_FILE:apmtool> ${other_order} ${name})
endforeach()

# apmtool-worker with librdkafka's mock of a cluster.
if(TARGET apmtool-worker)
  add_executable(mock_kafka ${CMAKE_CURRENT_LIST_DIR}/tools/mock_kafka.c)
  target_link_libraries(mock_kafka PRIVATE
    apmtool_options base PkgConfig::RDKAFKA)
  set(poison)
  # That of the sanitizers has to be loaded first.
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT APMTOOL_SANITIZE)
    add_library(poison MODULE ${CMAKE_CURRENT_LIST_DIR}/tools/poison.c)
    target_compile_options(poison PRIVATE -Wall -Wextra -Wshadow)
    target_compile_definitions(poison PRIVATE _GNU_SOURCE)
    add_dependencies(poison apmtool-worker)
    set(poison --preload $<TARGET_FILE:poison>)
  endif()
  add_test(NAME check.worker_mock COMMAND
    ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_worker.py
      --program $<TARGET_FILE:apmtool> --mock $<TARGET_FILE:mock_kafka> ${poison})
  set_tests_properties(check.worker_mock PROPERTIES SKIP_RETURN_CODE 77)
endif()

# What outputs say and look like does not change with the build.
if(APMTOOL_SANITIZE)
  # What a report says stays text, whatever reads the output.
  apmtool_check(hostile)
  # What hostile clients send does no harm.
  if(TARGET apmtool-server)
    apmtool_check(server --requests 1600)
  endif()
else()
  # KSCrash's own texts of its reports, where they are beside the tree.
  apmtool_check(kscrash)

  # Real reports, where they lie beside the tree.
  apmtool_check(corpus)

  # Verdicts, headlines and names of every input.
  apmtool_check(reading)

  # Reports as mail, chats, web pages and logs pass them on.
  apmtool_check(pasted)

  # Hangs of a fleet whose causes are known.
  apmtool_check(fleet)

  # Samples, folded once more by a script.
  apmtool_check(lag)
  apmtool_check(marks)

  # Invented reports, samples, and the team's corpus where it is there.
  apmtool_check(explain)

  # Each row of the table of what frames mean, by invented stacks.
  apmtool_check(frames)

  # Crashes of one cause are one group, those of two are two. The whole family is
  # 200 causes of 50 reports, which takes a minute.
  apmtool_check(groups --causes 100 --variants 12)

  # A log passes a filter byte for byte, at once, in little memory.
  apmtool_check(log --memory 16)

  # One answer for each frame, in order; the reader may die.
  apmtool_check(filter)

  # The same for many such children, by what worker and server share.
  add_executable(ask_filters ${CMAKE_CURRENT_LIST_DIR}/tools/ask_filters.c)
  target_link_libraries(ask_filters PRIVATE apmtool_options answers)
  apmtool_commit(ask_filters apmtool_commit)
  set_target_properties(ask_filters PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
  apmtool_check(answers --tool $<TARGET_FILE:ask_filters>)

  # apmtool-worker with brokers of Apache Kafka, where they can be had.
  if(TARGET apmtool-worker)
    apmtool_check(worker ${poison})
    add_test(NAME cluster.worker COMMAND
      ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_worker.py
        --program $<TARGET_FILE:apmtool> ${poison} --cluster)
    set_tests_properties(cluster.worker PROPERTIES
      SKIP_RETURN_CODE 77 LABELS cluster RUN_SERIAL TRUE)
  endif()
  # The same over HTTP, where libmicrohttpd is; its page in a browser, and asked by
  # the Firefox Profiler.
  if(TARGET apmtool-server)
    apmtool_check(server)
    apmtool_check(server_page)
    apmtool_check(server_profiler)
  endif()

  # Lines for OpenSearch and InfluxDB; apmtool-bulk beside a mock.
  apmtool_check(bulk)

  # The same with real engines, where they are.
  apmtool_check(opensearch)
  apmtool_check(influx)

  # Stores: writers at once; the same from servers and for others' eyes, where
  # these are.
  apmtool_check(store)
  foreach(name nginx s3 sentry-cli)
    add_test(NAME check.store.${name} COMMAND
      ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_store.py
        --program $<TARGET_FILE:apmtool> ${name})
    set_tests_properties(check.store.${name} PROPERTIES SKIP_RETURN_CODE 77)
  endforeach()

  # What `cmake --install` installs, and the links of the manuals in HTML.
  apmtool_check(install)

  # JSON documents beside the schemas of the last release.
  apmtool_check(promise)

  # The steps of action.yml, as a runner of GitHub Actions executes them.
  apmtool_check(action)

  # Each kind of package, built, installed and removed. They build what is
  # committed, anew: once, in the build that is shipped.
  foreach(kind deb static static-arm64 brew image)
    add_test(NAME packages.${kind} COMMAND
      ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_packages.py ${kind})
    set_tests_properties(packages.${kind} PROPERTIES
      SKIP_RETURN_CODE 77 RESOURCE_LOCK packages)
  endforeach()

  # Newer Debian; processors that are not Intel's, one of them big-endian.
  foreach(name debian13 arm64 s390x)
    add_test(NAME systems.${name} COMMAND
      ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_systems.py ${name})
    set_tests_properties(systems.${name} PROPERTIES
      SKIP_RETURN_CODE 77 RESOURCE_LOCK packages)
  endforeach()

  # An output never takes the place of an input.
  apmtool_check(output)

  # Whatever happens to the cache, the output is that of --no-cache.
  apmtool_check(cache --rounds 2)

  foreach(shell bash zsh fish)
    add_test(NAME check.completion.${shell} COMMAND
      ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_completion.py
        --program $<TARGET_FILE:apmtool> ${shell})
    set_tests_properties(check.completion.${shell} PROPERTIES
      SKIP_RETURN_CODE 77)
  endforeach()

  apmtool_check(width)

  if(MANDOC)
    apmtool_check(manual --mandoc ${MANDOC})
  endif()

  # Tables and pages in a browser.
  apmtool_check(pages)

  # Profiles for other tools, decoded by a script.
  apmtool_check(profiles)

  # The programs that outputs are for; those that are not there are skipped.
  apmtool_check(consumers)

  # What the schema of config files permits, apmtool does.
  apmtool_check(config)

  # The last input that fits, and one beyond. They are large.
  apmtool_check(limits)
  # What small inputs may take of CPU time and memory: with nothing beside it, for
  # another program makes caches and memory slow, and so what is counted, too.
  apmtool_check(bombs)
  set_tests_properties(check.bombs PROPERTIES RUN_SERIAL TRUE)
  # A few of both, for each commit; these two are slow.
  foreach(name limits bombs)
    add_test(NAME check.some_${name} COMMAND
      ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check_${name}.py
        --program $<TARGET_FILE:apmtool> --every 12)
  endforeach()
endif()

# Sanitizers and debug builds are not what is shipped.
if(READELF AND NOT APPLE AND NOT APMTOOL_SANITIZE AND NOT APMTOOL_COVERAGE
    AND NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
  add_test(NAME check.hardening COMMAND
    ${CMAKE_CURRENT_LIST_DIR}/check_hardening $<TARGET_FILE:apmtool>)
endif()
