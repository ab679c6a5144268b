# SPDX-License-Identifier: MIT
# Manuals, also as HTML where mandoc is installed: `cmake -P` of this file writes
# them. Only pages that are there are linked: those of other programs are text. A
# section that the page has not is one of apmtool(1), and in the names of sections
# mandoc writes a hyphen otherwise than in links to them.
if(CMAKE_SCRIPT_MODE_FILE)
  cmake_minimum_required(VERSION 3.25)
  set(names ${PAGES})
  list(TRANSFORM names REPLACE ".*/" "")
  foreach(page IN LISTS PAGES)
    get_filename_component(name ${page} NAME)
    execute_process(
      COMMAND ${MANDOC} -T html -O man=%N.%S.html,style=style.css ${page}
      OUTPUT_VARIABLE html COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "class=\"Xr\" href=\"[^\"]*\"" links "${html}")
    list(REMOVE_DUPLICATES links)
    foreach(link IN LISTS links)
      string(REGEX REPLACE ".*href=\"(.*)[.]html\"" "\\1" target "${link}")
      if(NOT target IN_LIST names)
        string(REPLACE "${link}" "class=\"Xr\"" html "${html}")
      endif()
    endforeach()
    string(REGEX MATCHALL "class=\"Sx\" href=\"#[^\"]*\"" links "${html}")
    list(REMOVE_DUPLICATES links)
    foreach(link IN LISTS links)
      string(REGEX REPLACE ".*#([^#]*)\"" "\\1" section "${link}")
      string(REPLACE _ - hyphened ${section})
      set(target "apmtool.1.html#${section}")
      foreach(place ${section} ${hyphened})
        string(FIND "${html}" " id=\"${place}\"" at)
        if(at GREATER_EQUAL 0)
          set(target "#${place}")
        endif()
      endforeach()
      string(REPLACE "${link}" "class=\"Sx\" href=\"${target}\"" html "${html}")
    endforeach()
    file(WRITE ${OUTPUT}/${name}.html "${html}")
  endforeach()
  return()
endif()

file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/man/*.[15])
# That of a program that is not built describes nothing.
if(NOT RDKAFKA_FOUND)
  list(FILTER pages EXCLUDE REGEX "/apmtool-worker[.]1$")
endif()
if(NOT MICROHTTPD_FOUND)
  list(FILTER pages EXCLUDE REGEX "/apmtool-server[.]1$")
endif()
foreach(section 1 5)
  set(chosen ${pages})
  list(FILTER chosen INCLUDE REGEX "[.]${section}$")
  install(FILES ${chosen} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
endforeach()

find_program(MANDOC mandoc)
if(MANDOC)
  set(output ${PROJECT_BINARY_DIR}/html)
  add_custom_command(OUTPUT ${output}/apmtool.1.html
    COMMAND ${CMAKE_COMMAND} "-DPAGES=${pages}" -DMANDOC=${MANDOC}
      -DOUTPUT=${output} -P ${CMAKE_CURRENT_LIST_FILE}
    DEPENDS ${pages} ${CMAKE_CURRENT_LIST_FILE} VERBATIM)
  add_custom_target(manual-html ALL DEPENDS ${output}/apmtool.1.html)
  install(DIRECTORY ${output} DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(FILES ${PROJECT_SOURCE_DIR}/man/style.css
    DESTINATION ${CMAKE_INSTALL_DOCDIR}/html)
else()
  message(STATUS "No mandoc: the manuals are not installed as HTML")
endif()
