# SPDX-License-Identifier: MIT
# What is installed beside the program and its manuals: JSON Schemas, rules and
# limits, licence, changes, and samples for the manuals' examples.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/formatters/schema/
  DESTINATION ${CMAKE_INSTALL_DATADIR}/apmtool/schema
  FILES_MATCHING PATTERN *.json)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/data/
  DESTINATION ${CMAKE_INSTALL_DATADIR}/apmtool/rules
  FILES_MATCHING PATTERN *.yaml PATTERN opensearch EXCLUDE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/data/opensearch
  DESTINATION ${CMAKE_INSTALL_DATADIR}/apmtool)
install(FILES LICENSE CHANGELOG.md README.md SECURITY.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
# The sources and scripts that make the samples stay in the tree.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/samples
  DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples
  PATTERN src EXCLUDE PATTERN build EXCLUDE PATTERN *.py EXCLUDE)
